"""The inspector: the structure, the values, the effects, the interval and the vibrations of one polymer."""
