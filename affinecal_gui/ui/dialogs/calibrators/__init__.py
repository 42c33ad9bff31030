"""A calibrator file in the window: asked about polymers, applied to tables, read; nothing of it is fitted anew."""
