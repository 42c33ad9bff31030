"""What a finished calibration is worth: comparisons, range of validity, what to measure next, the protocol of the paper."""
