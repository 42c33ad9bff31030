"""The parity plot."""
