"""The documents in the window."""
