"""Tests of the chemistry."""
