"""The infinite chain of a repeat unit: its smallest cell, its canonical text, and which texts are one polymer."""
