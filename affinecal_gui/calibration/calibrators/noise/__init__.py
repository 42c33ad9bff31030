"""Noise of measured and MD values: weights, errors in variables, what few polymers leave open."""
