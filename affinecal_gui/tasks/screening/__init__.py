"""Screening: a library of polymers of any length to calibrated values, partition by partition, on any number of workers."""
