"""The box in which one asks about any polymer."""
