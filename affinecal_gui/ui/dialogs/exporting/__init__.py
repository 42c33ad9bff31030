"""Figures, tables and reports that are saved or copied."""
