"""What the program can say of itself: whether there is a newer one, and what happened when it failed, without any data."""
