"""Values of further polymers: by a study, by tables, or by a calibrator file."""
