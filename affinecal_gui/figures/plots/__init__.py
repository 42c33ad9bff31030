"""The other figures, a module each."""
