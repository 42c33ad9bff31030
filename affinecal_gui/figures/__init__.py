"""Results -> publication figures and reports. No Qt."""
