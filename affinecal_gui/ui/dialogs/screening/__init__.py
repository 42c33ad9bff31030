"""Data > Screen a library…: a library of any length against the calibrator of the study."""
