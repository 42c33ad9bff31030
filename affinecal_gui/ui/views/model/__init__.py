"""The model dock: target, calibrators, penalties, parameters, comparison."""
