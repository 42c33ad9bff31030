"""What one heading says: words of many languages, units, conditions, and the types of columns."""
