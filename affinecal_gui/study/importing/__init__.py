"""Files -> the tables of a study: columns and units as chosen or remembered, several files as one table."""
