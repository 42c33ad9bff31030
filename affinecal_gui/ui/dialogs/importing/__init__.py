"""The preview of a table: what its columns are, how values are read, which rows are not used."""
