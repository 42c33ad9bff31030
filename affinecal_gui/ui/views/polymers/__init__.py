"""The polymers: the dock of the data, and the pictures of repeat units that all lists share."""
