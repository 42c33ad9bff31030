"""The minimum of each objective, for plain arrays."""
