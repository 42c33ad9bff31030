"""Lines and rows of cells: encoding, separator, where the headings are, the table that is built from them."""
