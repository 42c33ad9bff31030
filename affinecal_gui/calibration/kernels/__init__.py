"""The general affine model transfer with kernels, and the methods it is compared with (Minami et al., NeurIPS 2023)."""
