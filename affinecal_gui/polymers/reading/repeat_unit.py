"""Text -> repeat unit: what a table gives as the structure of a polymer, read or refused with one exact reason."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NoReturn

from rdkit import Chem, rdBase

from affinecal_gui.errors import UserError
from affinecal_gui.invisible import without_invisible
from affinecal_gui.polymers.reading import atom_queries
from affinecal_gui.polymers.reading.charge_separation import formal_charges, join_separated_charges, uncharged_groups
from affinecal_gui.polymers.reading.graph_blocks import blocks_from
from affinecal_gui.polymers.reading.smiles_syntax import atom_positions, first_problem, quoted
from affinecal_gui.polymers.reading.stable_smiles import read_smiles, stable_smiles

MAXIMUM_LENGTH: Final = 5_000  # characters
MAXIMUM_ATOMS: Final = 2_000  # as written, attachment points and explicit hydrogens included
MAXIMUM_RING_SYSTEM: Final = 400  # atoms: finding alternating bonds takes the cube of it
MAXIMUM_BONDS: Final = 12  # of one atom, in a unit of many rings
_LISTED_IONS: Final = 8
_HARMLESS_RINGS: Final = 10  # so few rings cost nothing, whatever their shape

_BOND_NAMES: Final = {
    Chem.BondType.SINGLE: "single",
    Chem.BondType.DOUBLE: "double",
    Chem.BondType.TRIPLE: "triple",
}
_TOO_HIGH_FOR_AROMATIC: Final = frozenset({Chem.BondType.TRIPLE, Chem.BondType.QUADRUPLE})
# Elements that lists of generated polymers use as attachment points where "*" was not allowed.
_STAND_INS: Final = frozenset({29, 47, 58, 79, 84, 85, 87, 90, 103})  # Cu, Ag, Ce, Au, Po, At, Fr, Th, Lr

_KIND_OF_DUMMY, _CHIRAL_PERMUTATION = "dummyLabel", "_chiralPermutation"  # RDKit's properties of an atom like [*@TB2]

_PLAIN_SMILES: Final = re.compile(r"[A-Za-z0-9*\[\]()=#+\-@/\\.%:]+")
_R_GROUP: Final = re.compile(r"\[R(?P<label>[0-9]{0,3}|#|')\]")
_ATTACHMENT_POINT_FOR: Final = {"": "[*]", "#": "[0*]", "'": "[0*]"}
_BRACKETS: Final = re.compile(r"\[[^\[\]]*\]")
_BIG_SMILES: Final = re.compile(r"[{}]|\[[<>$][0-9]*\]|^[$<>]|[$<>]$")
_CURLY_SMILES: Final = re.compile(r"\{(?:-|\+[rn]|n\+|\+)[^{}]*\}")
_RING_BOND: Final = re.compile(r"[-=#$:][0-9%]")
_STEREO_MARK: Final = re.compile(r"[@/\\]")
_STEREOCENTRE: Final = re.compile(r"\[[^\]@]*@")
_EXTENSION: Final = re.compile(r"\|[^|]*\|")

_STARS: Final = "＊∗⁎✱✲﹡⋆★＊"
_DASHES: Final = "‐‑‒–—−－﹣"
_LOOKALIKES: Final = {
    **{ord(star): "*" for star in _STARS},
    **{ord(dash): "-" for dash in _DASHES},
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if code != ord("＊") and code != ord("－")},
}


class InvalidRepeatUnit(UserError):  # noqa: N818 - names the state of the text, as UserError's other kinds do
    """The text is not the repeat unit of a polymer; the message says why and, where it can, at which position."""


@dataclass(frozen=True)
class RepeatUnit:
    """One repeat unit: a chain of atoms with an attachment point at either end, which stands for the next unit."""

    text: str
    """As it was given."""
    molecule: Chem.Mol = field(compare=False, repr=False)
    """Sanitised; exactly two dummy atoms (atomic number 0) with one bond each are the attachment points. They carry no
    isotope, map number or label. Explicit hydrogens are folded into their atoms, stereo marks are kept, the atoms come in the
    order of the text. Fragments beside the chain are counter-ions or solvent. Not to be changed by anyone."""
    attachment_points: tuple[int, int] = field(compare=False, repr=False)
    """Indices of the two attachment points in :attr:`molecule`, in the order of the text."""
    notes: tuple[str, ...] = field(default=(), compare=False)
    """What had to be interpreted or ignored, in plain sentences."""

    @cached_property
    def smiles(self) -> str:
        """Canonical SMILES with the attachment points as ``*``: one text for one molecule, not yet for one polymer."""
        if _STEREO_MARK.search(self.text):
            # The two ends are told apart while the text is written, or marks between them would be lost; which of them
            # comes first must make no difference.
            written = []
            for labels in ((1, 2), (2, 1)):
                labelled = Chem.RWMol(self.molecule)
                for mark, label in zip(self.attachment_points, labels, strict=True):
                    labelled.GetAtomWithIdx(mark).SetIsotope(label)
                written.append(stable_smiles(labelled).replace("[1*]", "*").replace("[2*]", "*"))
            if _STEREO_MARK.search(written[0]):
                return min(written)
        return stable_smiles(self.molecule)


def parse_repeat_unit(text: str) -> RepeatUnit:
    """Read the repeat unit of a polymer from a SMILES with two attachment points.

    The ends may be written ``*``, ``[*]``, ``[*:1]`` and ``[*:2]``, ``[1*]`` and ``[2*]``, ``[R1]`` and ``[R2]``, or,
    where the text has none of these, as two terminal atoms of an element like [Cu], [Au], [Ce] or [Th]. A group that
    is written with separated charges, such as [S+][O-], is read as the same group without. Bonds to the ends may be
    double or triple if both are: neighbouring units are joined by such a bond.

    Raises
    ------
    InvalidRepeatUnit
        With one reason, for everything that is not exactly one such unit; nothing is repaired silently.
    """
    if not text.strip():
        raise InvalidRepeatUnit("The repeat unit is empty.")
    if len(text) > MAXIMUM_LENGTH:
        raise InvalidRepeatUnit(
            f"The repeat unit has {len(text):,} characters; the longest that is read has {MAXIMUM_LENGTH:,}."
        )
    notes: list[str] = []
    source = _Source.of(text, notes)
    with rdBase.BlockLogs():  # reasons go to the user, not to the terminal
        molecule = _parsed(source)
        attachment_points = _find_attachment_points(molecule, source, notes)
        _refuse_boundless_rings(molecule, source)
        charges = formal_charges(molecule) if "[" in source.smiles else {}
        if charges:
            notes += join_separated_charges(molecule, attachment_points)
            charges = formal_charges(molecule)
        _sanitise(molecule, source)
        notes += uncharged_groups(charges, molecule)
        finished, attachment_points = _without_hydrogens_and_labels(molecule, attachment_points, source)
    notes.extend(_remarks(finished, attachment_points, source))
    return RepeatUnit(text=text, molecule=finished, attachment_points=attachment_points, notes=tuple(notes))


@dataclass(frozen=True, slots=True)
class _Source:
    """The SMILES inside the text as given, and where it begins there."""

    smiles: str
    offset: int
    r_groups: bool = False

    @classmethod
    def of(cls, text: str, notes: list[str]) -> "_Source":
        """Undress the text: blanks, look-alike characters, extensions, attachment points written as R groups."""
        cleaned = text
        if not text.isascii():
            cleaned = _with_plain_characters(text, notes)
        stripped = cleaned.strip()
        offset = cleaned.index(stripped[0]) if stripped else 0
        if _PLAIN_SMILES.fullmatch(stripped) is None:
            stripped = _undressed(stripped, offset, notes)
        if "*" not in stripped and "[R" in stripped and _R_GROUP.search(stripped):
            # The replacement is as long as the original, so that positions in messages stay right.
            marked = _R_GROUP.sub(
                lambda match: _ATTACHMENT_POINT_FOR.get(match["label"], f"[{match['label']}*]"), stripped
            )
            return cls(marked, offset, r_groups=True)
        return cls(stripped, offset)

    @property
    def has_stereo(self) -> bool:
        """Whether stereo marks are written; what they mean depends on which of the two ends is which."""
        return _STEREO_MARK.search(self.smiles) is not None

    def fail(self, reason: str, position: int) -> NoReturn:
        """Refuse the text because of the character at ``position`` (from 1) of the SMILES."""
        raise InvalidRepeatUnit(f"Not a valid SMILES at position {position + self.offset}: {reason}.")

    def positions_of_atoms(self, indices: Sequence[int]) -> list[int]:
        """Positions (from 1) of atoms in the text as given."""
        positions = atom_positions(self.smiles)
        return [positions[index] + self.offset for index in indices]

    def position_of_atom(self, index: int) -> int:
        """Position (from 1) of an atom in the text as given."""
        return self.positions_of_atoms([index])[0]


def _with_plain_characters(text: str, notes: list[str]) -> str:
    """Replace characters that only look like those of SMILES; what is left must be ASCII."""
    visible = without_invisible(text)
    plain = visible.translate(_LOOKALIKES)
    found = [old for old, new in zip(visible, plain, strict=True) if old != new]
    stars = sorted({character for character in found if character in _STARS})
    others = sorted({character for character in found if character not in _STARS})
    if stars:
        notes.append(f'{" and ".join(stars)} was read as the attachment point "*".')
    if others:
        notes.append(f"{' and '.join(others)} was read as the plain character that it looks like.")
    stripped = plain.strip()
    for character in stripped:
        if not character.isascii() and not character.isspace():
            raise InvalidRepeatUnit(
                f'Not a valid SMILES at position {text.find(character) + 1}: "{quoted(character)}" cannot be part of it.'
            )
    return plain


def _undressed(text: str, offset: int, notes: list[str]) -> str:
    """Take away an extension after the SMILES; refuse other notations and further text."""
    if "{" in text and _CURLY_SMILES.search(text):
        raise InvalidRepeatUnit(
            "This is CurlySMILES, which is not read. Write the repeat unit as a SMILES with * at both ends."
        )
    outside = _BRACKETS.sub("", text)
    if _EXTENSION.fullmatch(text.partition(" ")[2].strip()) is None:
        separator = next((mark for mark in ",;|" if mark in outside), None)
        if separator is not None and text.count("*") > 2:
            raise InvalidRepeatUnit(
                f'There are several repeat units in one field, separated by "{separator}". Give one polymer per row.'
            )
    match = re.search(r"\s", text)
    smiles, tail = (text[: match.start()], text[match.end() :].strip()) if match else (text, "")
    if _BIG_SMILES.search(smiles):
        raise InvalidRepeatUnit(
            "This is BigSMILES, which is not read. Write the repeat unit as a SMILES with * at both ends."
        )
    if tail:
        if _EXTENSION.fullmatch(tail):
            notes.append(f"The extension {quoted(tail)} after the SMILES was ignored.")
        else:
            raise InvalidRepeatUnit(
                f'There is text after the SMILES at position {offset + len(smiles) + 2}: "{quoted(tail)}". '
                "Put names into a column of their own."
            )
    return smiles


def _parsed(source: _Source) -> Chem.Mol:
    """Parse without perception, and translate a refusal."""
    parsed = read_smiles(source.smiles, sanitize=False)
    if parsed is None:
        if source.r_groups is False and "*" in source.smiles and (group := _R_GROUP.search(source.smiles)):
            source.fail(f"{group[0]} stands for an unknown group; write it out", group.start() + 1)
        problem = first_problem(source.smiles)
        if problem is None:
            raise InvalidRepeatUnit("Not a valid SMILES: a bracket holds a number that no atom can have.")
        source.fail(problem.reason, problem.position)
    if _RING_BOND.search(source.smiles) and (problem := first_problem(source.smiles)) is not None:
        source.fail(problem.reason, problem.position)  # RDKit takes one of two contradicting ring bonds
    if parsed.GetNumAtoms() == 0:
        raise InvalidRepeatUnit("The repeat unit is empty.")
    if parsed.GetNumAtoms() > MAXIMUM_ATOMS:
        raise InvalidRepeatUnit(
            f"The repeat unit has {parsed.GetNumAtoms():,} atoms; the largest that is read has {MAXIMUM_ATOMS:,}."
        )
    if "~" in source.smiles:
        raise InvalidRepeatUnit(
            f'The bond "~" at position {source.smiles.index("~") + 1 + source.offset} has no definite order.'
        )
    return parsed


def _find_attachment_points(molecule: Chem.Mol, source: _Source, notes: list[str]) -> tuple[int, int]:
    """Demand exactly two proper attachment points and give them one form; for stereo marks they are labelled 1 and 2."""

    def where(mark: Chem.Atom) -> int:
        return source.position_of_atom(mark.GetIdx())

    marks = atom_queries.atoms_of(molecule, atom_queries.ATTACHMENT_POINT)
    if not marks:
        marks = _stand_ins(molecule)
        if marks:
            notes.append(f"{' and '.join(f'[{mark.GetSymbol()}]' for mark in marks)} were read as attachment points.")
    if len(marks) != 2:
        _refuse_number_of_marks(molecule, marks, source.positions_of_atoms([mark.GetIdx() for mark in marks]))
    head, tail = (mark.GetIdx() for mark in marks)
    for mark in marks:
        degree = mark.GetDegree()
        if mark.GetFormalCharge() or mark.GetNumExplicitHs():
            raise InvalidRepeatUnit(
                f"The attachment point at position {where(mark)} carries a charge or hydrogens; write *."
            )
        if degree == 0:
            raise InvalidRepeatUnit(f"The attachment point at position {where(mark)} is bonded to nothing.")
        if degree > 1:
            raise InvalidRepeatUnit(
                f"The attachment point at position {where(mark)} is not at an end: it has {degree} bonds."
            )
    if molecule.GetBondBetweenAtoms(head, tail) is not None:
        raise InvalidRepeatUnit("There is nothing between the two attachment points.")
    if "." in source.smiles and not any(head in part and tail in part for part in Chem.GetMolFrags(molecule)):
        raise InvalidRepeatUnit("The two attachment points are in different fragments; no chain of bonds joins them.")
    kinds = [mark.GetBonds()[0].GetBondType() for mark in marks]
    for kind, mark in zip(kinds, marks, strict=True):
        if kind not in _BOND_NAMES:
            raise InvalidRepeatUnit(
                f"The bond to the attachment point at position {where(mark)} is neither single, double nor triple."
            )
    if kinds[0] != kinds[1]:
        raise InvalidRepeatUnit(
            f"The bonds to the two attachment points differ ({_BOND_NAMES[kinds[0]]} and {_BOND_NAMES[kinds[1]]}), "
            "so neighbouring units cannot be joined."
        )
    for label, mark in enumerate(marks, start=1):
        if "[" in source.smiles:
            _make_plain(mark)
        mark.ClearProp(_KIND_OF_DUMMY)
        mark.SetNoImplicit(True)
        if source.has_stereo:
            mark.SetIsotope(label)
    return head, tail


def _make_plain(mark: Chem.Atom) -> None:
    """Take from an attachment point what stood in its brackets, as in [Cu], [*:1], [1*] or [*@TB2]."""
    mark.SetAtomicNum(0)
    mark.SetIsotope(0)
    mark.SetAtomMapNum(0)
    mark.SetIsAromatic(False)
    mark.SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    mark.ClearProp(_CHIRAL_PERMUTATION)


def _stand_ins(molecule: Chem.Mol) -> list[Chem.Atom]:
    """Two terminal atoms of elements that some lists use instead of ``*``; an empty list if there are not just two."""
    found = [
        atom
        for atom in molecule.GetAtoms()
        if atom.GetAtomicNum() in _STAND_INS
        and atom.GetDegree() == 1
        and atom.GetBonds()[0].GetBondType() == Chem.BondType.SINGLE
        and not atom.GetFormalCharge()
        and not atom.GetNumExplicitHs()
    ]
    return found if len(found) == 2 else []


def _refuse_number_of_marks(molecule: Chem.Mol, marks: list[Chem.Atom], where: list[int]) -> NoReturn:
    if not marks:
        raise InvalidRepeatUnit("There is no attachment point: mark the two ends of the repeat unit with *.")
    if len(marks) == 1:
        raise InvalidRepeatUnit(
            f"There is only one attachment point (position {where[0]}): mark both ends of the repeat unit with *."
        )
    indices = {mark.GetIdx() for mark in marks}
    per_fragment = [len(indices.intersection(part)) for part in Chem.GetMolFrags(molecule)]
    if per_fragment.count(2) > 1 and set(per_fragment) <= {0, 2}:
        raise InvalidRepeatUnit(
            f"There are {per_fragment.count(2)} repeat units in one field, separated by a dot. Give one per row."
        )
    numbers = ("three", "four", "five", "six", "seven", "eight", "nine")
    number = numbers[len(marks) - 3] if len(marks) < 10 else f"{len(marks):,}"
    raise InvalidRepeatUnit(
        f"There are {number} attachment points"
        + (f" (positions {', '.join(map(str, where))})" if len(marks) < 10 else "")
        + "; a repeat unit has two."
    )


def _refuse_boundless_rings(molecule: Chem.Mol, source: _Source) -> None:
    """Keep away from ring finding and kekulisation what would occupy them for seconds."""
    size = molecule.GetNumAtoms()
    if molecule.GetNumBonds() - size < _HARMLESS_RINGS:
        return
    neighbours: list[list[int]] = [[] for _ in range(size)]
    for index in range(molecule.GetNumBonds()):
        bond = molecule.GetBondWithIdx(index)
        first, second = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
        neighbours[first].append(second)
        neighbours[second].append(first)
    for atom, found in enumerate(neighbours):
        if len(found) > MAXIMUM_BONDS:
            raise InvalidRepeatUnit(
                f"The atom at position {source.position_of_atom(atom)} has {len(found)} bonds; no atom has so many."
            )
    if size > MAXIMUM_RING_SYSTEM:
        unseen = set(range(size))
        while unseen:
            blocks = blocks_from(unseen.pop(), neighbours)
            for block in blocks:
                unseen.difference_update(block.atoms)
            largest = max((len(block.atoms) + 1 for block in blocks), default=1)
            if largest > MAXIMUM_RING_SYSTEM:
                raise InvalidRepeatUnit(
                    f"One ring system has {largest:,} atoms; the largest that is read has {MAXIMUM_RING_SYSTEM:,}."
                )


def _sanitise(molecule: Chem.Mol, source: _Source) -> None:
    """Perceive valences, rings and aromaticity, and translate a refusal."""
    try:
        Chem.SanitizeMol(molecule)
    except Chem.AtomKekulizeException as error:
        index = error.cause.GetAtomIdx()  # type: ignore[attr-defined] # missing in RDKit\'s stubs
        raise InvalidRepeatUnit(
            f"The atom at position {source.position_of_atom(index)} is written as aromatic (lower case) but is in no "
            "aromatic ring."
        ) from None
    except Chem.AtomValenceException as error:
        atom = molecule.GetAtomWithIdx(error.cause.GetAtomIdx())  # type: ignore[attr-defined] # missing in RDKit\'s stubs
        raise InvalidRepeatUnit(
            f"The {_element_name(atom)} atom at position {source.position_of_atom(atom.GetIdx())} has too many bonds."
        ) from None
    except Chem.KekulizeException as error:
        positions = sorted(source.position_of_atom(index) for index in error.cause.GetAtomIndices())  # type: ignore[attr-defined] # missing in RDKit\'s stubs
        listed = ", ".join(map(str, positions[:12])) + (", ..." if len(positions) > 12 else "")
        raise InvalidRepeatUnit(
            f"No double bonds fit the aromatic ring at positions {listed}; is a hydrogen missing, as in [nH]?"
        ) from None
    except (ValueError, RuntimeError):
        raise InvalidRepeatUnit("The repeat unit is not a possible molecule.") from None

    if "#" in source.smiles or "$" in source.smiles:  # RDKit does not count them in the valence of an aromatic atom
        for index in range(molecule.GetNumBonds()):
            bond = molecule.GetBondWithIdx(index)
            atom = bond.GetBeginAtom()
            if bond.GetBondType() in _TOO_HIGH_FOR_AROMATIC and bond.IsInRing() and atom.GetIsAromatic():
                raise InvalidRepeatUnit(
                    f"The aromatic ring at position {source.position_of_atom(atom.GetIdx())} holds a "
                    f"{bond.GetBondType().name.lower()} bond."
                )


def _element_name(atom: Chem.Atom) -> str:
    return str(atom.GetSymbol())


def _without_hydrogens_and_labels(
    molecule: Chem.Mol, attachment_points: tuple[int, int], source: _Source
) -> tuple[Chem.Mol, tuple[int, int]]:
    """Fold hydrogens into their atoms, perceive stereo marks with the two ends told apart, then make the ends alike."""
    if "H" in source.smiles and atom_queries.count_of(molecule, atom_queries.HYDROGEN):
        molecule = Chem.RemoveHs(molecule)
        head, tail = (mark.GetIdx() for mark in atom_queries.atoms_of(molecule, atom_queries.ATTACHMENT_POINT))
        attachment_points = head, tail
    if source.has_stereo:
        Chem.AssignStereochemistry(molecule, cleanIt=True, force=True)
        for mark in attachment_points:
            molecule.GetAtomWithIdx(mark).SetIsotope(0)
    if ":" in source.smiles:
        for atom in molecule.GetAtoms():
            atom.SetAtomMapNum(0)
    return molecule, attachment_points


def _remarks(molecule: Chem.Mol, attachment_points: tuple[int, int], source: _Source) -> list[str]:
    """Say what is kept although another list may leave it out, and what was not understood."""
    remarks: list[str] = []
    smiles = source.smiles
    if "@" in smiles and len(_STEREOCENTRE.findall(smiles)) > atom_queries.count_of(
        molecule, atom_queries.STEREOCENTRE
    ):
        remarks.append("A stereo mark was ignored, because its atom is no stereocentre.")
    if "." in smiles:
        beside = [part for part in Chem.GetMolFrags(molecule) if attachment_points[0] not in part]
        if beside:
            written = sorted({Chem.MolFragmentToSmiles(molecule, atomsToUse=part) for part in beside[:_LISTED_IONS]})
            more = f" and {len(beside) - _LISTED_IONS:,} more" if len(beside) > _LISTED_IONS else ""
            remarks.append(f"Kept as part of the polymer: {quoted(' and '.join(written), 60)}{more}.")
    charge = Chem.GetFormalCharge(molecule)
    if charge:
        remarks.append(f"The repeat unit has a net charge of {charge:+d} that no counter-ion balances.")
    if "[" in smiles:
        if atom_queries.count_of(molecule, atom_queries.ISOTOPE):
            remarks.append("Isotopes are kept: the labelled polymer counts as a polymer of its own.")
        if re.search(r"\[[^\]*]*:[1-9]", smiles):
            remarks.append("Atom numbers (such as :1) inside the unit were ignored.")
        if atom_queries.count_of(molecule, atom_queries.RADICAL):
            remarks.append("An atom in brackets has fewer hydrogens than its valence asks for; this was kept.")
    return remarks
