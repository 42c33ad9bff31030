"""Descriptors of many polymers: in a worker pool, kept in a cache."""
