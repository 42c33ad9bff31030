"""What is shown of one polymer, one row, one match."""
