"""The coefficients of the descriptor blocks."""
