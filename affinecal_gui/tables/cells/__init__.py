"""What one cell says: numbers, their decimal marks and deviations, and words that stand for no number."""
