"""Readers, one for each format: bytes -> raw tables of text. ``tables.reading`` chooses among them."""
