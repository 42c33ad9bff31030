"""Tests of the face for notebooks."""
