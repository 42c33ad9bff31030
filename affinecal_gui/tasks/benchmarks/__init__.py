"""The evaluations of the paper, and those of this program's own promises."""
