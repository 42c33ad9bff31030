"""The plots: their common ground, parity, coefficients, cross-validation surface, overlap."""
