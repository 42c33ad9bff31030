"""What every plot is drawn on: canvas, panels with axes, marks, lines and words."""
