"""Decay of the eigenvalues of kernels, and how far the source and the target overlap."""
