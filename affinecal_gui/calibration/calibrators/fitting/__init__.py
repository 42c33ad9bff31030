"""How each linear calibrator is fitted to a training set."""
