"""Normal modes of an infinite chain from the bonded terms of the force field, and the heat they hold.

No structure is embedded in space. Stretches, bends and dihedrals need their surroundings alone: the directions of the bonds
around each atom, which the force field's angles give, and how those of two bonded atoms are turned against each other. From
below: ``explicit_chain`` (every atom and bond), ``local_geometry``, ``bonded_terms`` (force constants and gradients),
``normal_modes``, ``heat_capacity``.
"""
