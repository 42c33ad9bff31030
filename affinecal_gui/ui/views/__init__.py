"""The views: they read a snapshot and compute nothing."""
