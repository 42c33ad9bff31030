"""The force field GAFF2 on a periodic chain: atom types, charges, and the terms of bonds, angles and torsions."""
