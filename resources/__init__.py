"""Icons, force-field parameter tables and example tables, read through ``importlib.resources``."""
