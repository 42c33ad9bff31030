"""What one column seems to be, by its heading and its cells."""
