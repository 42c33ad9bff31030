"""Searching patterns in molecules without losing Ctrl+C.

RDKit's substructure search puts a handler of its own in the place of Python's for SIGINT (2025 to 2026 releases; in the
operating system, so that ``signal.getsignal`` does not show it) and leaves it there: Ctrl+C would be swallowed once, and
end the program without a question the next time.
"""

import ctypes
import signal
from collections.abc import Sequence
from threading import Lock

from rdkit import Chem

_one_at_a_time = Lock()  # else one search would keep the handler of the other

_get_handler = ctypes.pythonapi.PyOS_getsig
_get_handler.restype, _get_handler.argtypes = ctypes.c_void_p, (ctypes.c_int,)
_set_handler = ctypes.pythonapi.PyOS_setsig
_set_handler.restype, _set_handler.argtypes = ctypes.c_void_p, (ctypes.c_int, ctypes.c_void_p)


def atoms_matching(molecule: Chem.Mol, pattern: Chem.Mol) -> frozenset[int]:
    """Return the atoms that a pattern of one atom fits."""
    with _one_at_a_time:
        before = _get_handler(signal.SIGINT)
        try:
            found = molecule.GetSubstructMatches(pattern, maxMatches=molecule.GetNumAtoms() + 1)
            return frozenset(atom for (atom,) in found)
        finally:
            _set_handler(signal.SIGINT, before)


def matches_of(molecule: Chem.Mol, pattern: Chem.Mol) -> Sequence[tuple[int, ...]]:
    """Return where a pattern lies in a molecule, in every order of its atoms: tuples of atoms."""
    with _one_at_a_time:
        before = _get_handler(signal.SIGINT)
        try:
            found: Sequence[tuple[int, ...]] = molecule.GetSubstructMatches(pattern, uniquify=False)
            return found
        finally:
            _set_handler(signal.SIGINT, before)


def holds(molecule: Chem.Mol, pattern: Chem.Mol) -> bool:
    """Whether a pattern lies in a molecule."""
    with _one_at_a_time:
        before = _get_handler(signal.SIGINT)
        try:
            return bool(molecule.HasSubstructMatch(pattern))
        finally:
            _set_handler(signal.SIGINT, before)
