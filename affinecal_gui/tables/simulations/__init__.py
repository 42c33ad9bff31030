"""What simulations say of themselves: their checks, folders of RadonPy results, repeated runs of one polymer."""
