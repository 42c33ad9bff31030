"""Force-field terms -> 190 descriptors in ten blocks, and from a descriptor back to the atoms that cause it."""
