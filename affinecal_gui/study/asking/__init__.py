"""What is said of a polymer that somebody types or pastes: reading it, finding it in the tables, and its values."""
