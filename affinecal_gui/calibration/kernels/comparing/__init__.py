"""The methods with kernels beside the linear calibrators, on the same folds."""
