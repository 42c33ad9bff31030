"""The matching report."""
