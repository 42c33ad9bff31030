"""The polymer table: its rows, cells and columns, and what is done with rows."""
