"""Tests of a study and of what is stored of it."""
