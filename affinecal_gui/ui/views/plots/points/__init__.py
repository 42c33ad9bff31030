"""Points that stand for polymers: which they are, their marks, colours, names and cards."""
