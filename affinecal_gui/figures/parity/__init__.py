"""The parity plot: measured against calculated values, in one panel or as a figure."""
