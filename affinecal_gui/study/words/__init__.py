"""Results in words that a chemist uses."""
