"""Folders of results and tables that can be resumed: all old or all new, and never over an input."""
