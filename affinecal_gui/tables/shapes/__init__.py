"""Tables in other shapes -> a row for each polymer: long tables, rows of comonomers, tables side by side."""
