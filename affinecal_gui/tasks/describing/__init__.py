"""Descriptors of tables of any length."""
