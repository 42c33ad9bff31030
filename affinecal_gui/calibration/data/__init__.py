"""What a calibration is made from: checked arrays, their scale, training sets and folds."""
