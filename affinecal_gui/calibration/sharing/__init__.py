"""Calibrators without their study: what has to be known of one so that it calibrates further polymers."""
