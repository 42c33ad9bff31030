"""Raw tables with roles -> polymers with values in canonical units, and the rows that cannot be used."""
