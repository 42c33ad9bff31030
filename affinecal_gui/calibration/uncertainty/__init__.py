"""How sure a result is: prediction intervals, bootstrap, bands of the parameters."""
