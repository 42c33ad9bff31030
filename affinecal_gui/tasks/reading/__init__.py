"""The files that a command names, read as the window reads them."""
