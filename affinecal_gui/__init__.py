"""AffineCal: corrects molecular-dynamics values of polymer properties with the few measurements there are."""

__version__ = "0.1.0"
