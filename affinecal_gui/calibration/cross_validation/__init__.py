"""Errors for polymers that were held out: out-of-fold predictions, and the search for the penalties with the smallest."""
