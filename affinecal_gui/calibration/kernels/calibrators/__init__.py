"""The methods with kernels, one record each; their mathematics stand in the folder above."""
