"""Chemistry: text -> repeat unit -> infinite chain -> force-field terms -> descriptor blocks. No files, no statistics.

The folders, from below: ``reading`` (text -> repeat unit, or one exact reason why not), ``chain`` (the periodic chain and
its identity), ``force_field`` (GAFF2: types, charges, terms), ``descriptors`` (190 numbers in ten blocks, and the way back
to atoms), ``vibrations`` (normal modes of the chain and the heat they hold), ``drawing`` (pictures), ``copolymers``
(compositions of several repeat units).
"""
