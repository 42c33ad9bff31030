"""What calibrates: `fit` with its results, the correction without measured values, and the comparison of all methods."""
