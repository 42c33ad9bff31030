"""Calibrators as estimators of scikit-learn."""
