"""Libraries of any length: opened, divided into partitions, and their rows read."""
