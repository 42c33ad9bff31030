"""The study of a window and its file: what the user does goes through here, and so do the questions to the user."""
