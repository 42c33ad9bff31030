"""Linear systems of the calibrators and the minimum of the affine objective, each with the way that suits its size."""
