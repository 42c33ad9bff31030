"""Properties and their units: what is measured, and how its units are typed and converted."""
