"""Calibrators as files of their own, which can be passed on without the study that they come from."""
