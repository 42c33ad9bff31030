"""The window. Widgets show state and pass on wishes; nothing here computes."""
