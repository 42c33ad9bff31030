"""The polymers: the list of tables and polymers, the pictures of structures, the inspector."""
