"""What the columns of a table are for, what has to be asked, and what was answered before."""
