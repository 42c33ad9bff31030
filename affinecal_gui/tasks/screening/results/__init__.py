"""What a screening leaves: its dataset, what is known so far, the ranking and the end."""
