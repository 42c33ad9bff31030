"""Tests of figures and reports."""
