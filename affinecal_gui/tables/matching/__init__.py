"""Which polymers of two tables are one, and what is suspicious about them."""
