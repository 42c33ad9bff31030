"""What the commands do, whole: fit, predict, compare, describe, benchmark, from tables to a folder of results."""
