"""Tests of reading, matching and writing tables."""
