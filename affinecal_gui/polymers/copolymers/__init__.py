"""Several repeat units and their fractions: compositions, their text, their picture, their molar mass."""
