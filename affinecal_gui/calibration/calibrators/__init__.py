"""The calibrators: how each is fitted and predicts, the weights of measurements, the posterior of the coefficients."""
