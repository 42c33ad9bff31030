"""The MD value of a polymer that was not simulated, predicted from its descriptors by a Gaussian process on the MD table."""
