"""Tests of what the program can say of itself."""
