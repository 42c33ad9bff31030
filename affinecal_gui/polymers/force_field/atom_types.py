"""Atom types of GAFF2 and GAFF2_mod for the atoms of an infinite chain.

The typing rules are those RadonPy applies (radonpy-pypi 0.2.11, BSD-3), themselves after GAFF (Wang et al., J. Comput.
Chem. 25, 1157 (2004)): element, hybridisation, bonded elements, MDL aromaticity. Types that alternate along conjugated
systems (cc/cd, ce/cf, cp/cq ...) follow in :mod:`affinecal_gui.polymers.force_field.conjugation`.
"""

from affinecal_gui.polymers.chain.infinite_chain import InfiniteChain, atom_name
from affinecal_gui.polymers.descriptor_error import DescriptorError
from affinecal_gui.polymers.force_field.conjugation import ChainTypes, assign_conjugated_types
from affinecal_gui.polymers.force_field.parameters import SILICON

_ELECTRON_WITHDRAWING = {"N", "O", "F", "Cl", "Br", "I"}
_HALOGENS = {"F": "f", "Cl": "cl", "Br": "br", "I": "i"}
_DOUBLY_BONDED_TO = {"O": "c", "S": "cs"}  # carbon, by the atom that ends its double bond
_NITROGEN_WITH_HYDROGENS = {  # by number of attached hydrogens
    "n": ("n", "ns", "nt"),  # amides
    "nh": ("nh", "nu", "nv"),  # amines on an aromatic ring
    "n3": ("n3", "n7", "n8", "n9"),  # other amines
    "n4": ("n4", "nx", "ny", "nz", "n+"),  # ammonium
}


def heavy_atom_types(chain: InfiniteChain, force_field: str) -> ChainTypes:
    """Return the type of every atom of the cell.

    Alternating types of a conjugated backbone may repeat only after two cells.

    Raises
    ------
    DescriptorError
        Naming the first atom that has no type.
    """
    types = [_heavy_type(chain, i, force_field) for i in range(len(chain.atoms))]
    if force_field == "GAFF2":
        types = ["c3" if name == "c3f" else name for name in types]
    elif any(atom.symbol == "Si" for atom in chain.atoms):
        types = [_beside_silicon(chain, i, name) for i, name in enumerate(types)]
    return assign_conjugated_types(chain, types)


def hydrogen_type(chain: InfiniteChain, parent: int, force_field: str) -> str:
    """Return the type of the hydrogens on an atom."""
    atom = chain.atoms[parent]
    if atom.symbol == "C":
        return _hydrogen_on_carbon(chain, parent, force_field)
    if atom.symbol == "O":
        return "hw" if atom.all_hydrogens == 2 else "ho"
    if atom.symbol in ("N", "P", "S"):
        return "h" + atom.symbol.lower()
    if atom.symbol == "Si" and force_field in SILICON:
        return "hi"
    raise _no_type(chain, parent, force_field, f"the hydrogen on {atom_name(chain, parent)}")


def _hydrogen_on_carbon(chain: InfiniteChain, parent: int, force_field: str) -> str:
    atom = chain.atoms[parent]
    withdrawing = 0
    for neighbour in chain.neighbours[parent]:
        other = chain.atoms[neighbour.atom]
        if other.symbol != "C":
            if other.symbol in ("N", "P") and other.degree == 4:
                return "hx"
            withdrawing += other.symbol in _ELECTRON_WITHDRAWING
    if withdrawing == 0:
        return "ha" if atom.hybridisation in ("sp2", "sp") else "hc"
    if atom.degree == 4 and withdrawing <= 3:
        return ("h1", "h2", "h3")[withdrawing - 1]
    if atom.degree == 3 and withdrawing <= 2:
        return ("h4", "h5")[withdrawing - 1]
    raise _no_type(
        chain,
        parent,
        force_field,
        f"the hydrogen on {atom_name(chain, parent)}, which has {withdrawing} electronegative neighbours",
    )


def _heavy_type(chain: InfiniteChain, i: int, force_field: str) -> str:
    """Return the type of one atom in GAFF2_mod without silicon, before alternation along conjugated systems."""
    atom = chain.atoms[i]
    if atom.symbol in _HALOGENS:
        return _HALOGENS[atom.symbol]
    rule = _RULES.get(atom.symbol)
    found = rule(chain, i) if rule else None
    if atom.symbol == "Si" and force_field in SILICON and atom.degree == 4:
        found = "si"
    if found is None:
        raise _no_type(chain, i, force_field, None)
    return found


def _beside_silicon(chain: InfiniteChain, i: int, usual: str) -> str:
    """Return the type that an atom has in GAFF2_mod if silicon is bonded to it."""
    around = [chain.atoms[neighbour.atom].symbol for neighbour in chain.neighbours[i]]
    if usual == "oh" and "Si" in around:
        return "oi"
    if usual == "os" and around == ["Si", "Si"]:
        return "oss"
    if usual in ("c3", "n3", "n7", "n8", "n9") and "Si" in around:
        return "ci" if usual == "c3" else "ng"
    return usual


def _explicit_hydrogen(chain: InfiniteChain, i: int) -> str | None:
    if not chain.neighbours[i]:
        return None
    return hydrogen_type(chain, chain.neighbours[i][0].atom, "GAFF2")


def _carbon(chain: InfiniteChain, i: int) -> str | None:
    atom = chain.atoms[i]
    if atom.hybridisation == "sp3":
        for neighbour in chain.neighbours[i]:
            if chain.atoms[neighbour.atom].symbol == "F":
                return "c3f"
        return "c3"
    if atom.hybridisation == "sp":
        return "c1"
    if atom.hybridisation != "sp2":
        return None
    for neighbour in chain.neighbours[i]:
        other = chain.atoms[neighbour.atom]
        if neighbour.order == 2 and other.degree == 1 and other.symbol in _DOUBLY_BONDED_TO:
            return _DOUBLY_BONDED_TO[other.symbol]
    return "ca" if atom.aromatic else "c2"


def _nitrogen(chain: InfiniteChain, i: int) -> str | None:
    atom = chain.atoms[i]
    if atom.hybridisation == "sp":
        return "n1"
    if atom.degree == 2:
        if atom.aromatic:
            return "nb"
        return "n2" if _has_order(chain, i, 2) else None
    if atom.degree == 3:
        family = _three_bonded_nitrogen(chain, i)
        return _NITROGEN_WITH_HYDROGENS[family][atom.all_hydrogens] if family in _NITROGEN_WITH_HYDROGENS else family
    if atom.degree == 4:
        return _NITROGEN_WITH_HYDROGENS["n4"][atom.all_hydrogens]
    return None


def _three_bonded_nitrogen(chain: InfiniteChain, i: int) -> str:
    around = [chain.atoms[neighbour.atom] for neighbour in chain.neighbours[i]]
    if sum(other.symbol == "O" for other in around) >= 2:
        return "no"
    carbons = [neighbour.atom for neighbour in chain.neighbours[i] if chain.atoms[neighbour.atom].symbol == "C"]
    if any(
        further.order == 2 and chain.atoms[further.atom].symbol in ("O", "S")
        for carbon in carbons
        for further in chain.neighbours[carbon]
    ):
        return "n"
    if chain.atoms[i].aromatic or sum(other.hybridisation in ("sp2", "sp") for other in around) >= 2:
        return "na"
    return "nh" if any(chain.atoms[carbon].aromatic for carbon in carbons) else "n3"


def _oxygen(chain: InfiniteChain, i: int) -> str:
    atom = chain.atoms[i]
    if atom.degree == 1:
        return "o"
    return {1: "oh", 2: "ow"}.get(atom.all_hydrogens, "os")


def _phosphorus(chain: InfiniteChain, i: int) -> str | None:
    atom = chain.atoms[i]
    if atom.aromatic:
        return "pb"
    if atom.degree == 2:
        return "p2"
    if atom.degree == 3:
        if not _has_order(chain, i, 2):
            return "p3"
        return "px" if _beside_multiple_bond(chain, i) else "p4"
    if atom.degree == 4:
        return "py" if _beside_multiple_bond(chain, i) else "p5"
    return "p5" if atom.degree in (5, 6) else None


def _sulfur(chain: InfiniteChain, i: int) -> str | None:
    atom = chain.atoms[i]
    if atom.degree == 1:
        return "s"
    if atom.degree == 2:
        if atom.aromatic:
            return "ss"
        if atom.all_hydrogens == 1:
            return "sh"
        return "s2" if _has_order(chain, i, 2) else "ss"
    if atom.degree == 3:
        return "sx" if _beside_multiple_bond(chain, i) else "s4"
    if atom.degree == 4:
        return "sy" if _beside_multiple_bond(chain, i) else "s6"
    return "s6" if atom.degree in (5, 6) else None


_RULES = {
    "H": _explicit_hydrogen,
    "C": _carbon,
    "N": _nitrogen,
    "O": _oxygen,
    "P": _phosphorus,
    "S": _sulfur,
}


def _has_order(chain: InfiniteChain, i: int, order: float) -> bool:
    return any(neighbour.order == order for neighbour in chain.neighbours[i])


def _beside_multiple_bond(chain: InfiniteChain, i: int) -> bool:
    """Tell whether a neighbour has a multiple bond to a third atom."""
    return any(
        further.order >= 1.5 and (further.atom, neighbour.shift + further.shift) != (i, 0)
        for neighbour in chain.neighbours[i]
        for further in chain.neighbours[neighbour.atom]
    )


def _no_type(chain: InfiniteChain, i: int, force_field: str, what: str | None) -> DescriptorError:
    atom = chain.atoms[i]
    detail = f"{atom.degree} bonds"
    if atom.hybridisation.startswith("sp"):
        detail += f", {atom.hybridisation}"
    if atom.charge:
        detail += f", charge {atom.charge:+d}"
    return DescriptorError(f"No {force_field} type for {what or atom_name(chain, i)} ({detail}).")
