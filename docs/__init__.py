"""The documentation, installed with the program: the window's Help menu shows the very files of this folder."""
