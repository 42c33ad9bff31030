"""Keeps SciPy from importing NumPy's translator of Fortran.

SciPy's namespace of arrays is a copy of all of NumPy's names, and asking for all of them imports what NumPy itself imports
only for who uses it. The largest of these, ``numpy.f2py``, is some sixty modules and fifty milliseconds of processor time at
the start of every command. Nothing here translates Fortran; who imports ``numpy.f2py`` by its name gets it.
"""


def keep_fortran_out() -> None:
    """Let SciPy find that the name ``f2py`` of NumPy is there already; call it before SciPy is imported."""
    import numpy

    vars(numpy).setdefault("f2py", None)
