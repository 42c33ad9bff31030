"""Calibrating what was put together: problems, weights, choices, and what is too little."""
