"""What somebody types or pastes as a polymer -> its repeat unit as text."""

import re
from dataclasses import dataclass

from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit
from affinecal_gui.tables.formats.molfiles import repeat_unit_of_molfile

LONGEST = 200_000  # characters: a molfile of more atoms than any repeat unit has
_COUNTS_LINE = re.compile(r"^.*V[23]000[ \t]*$", re.MULTILINE)
_LINES_BEFORE_COUNTS = 3
_BETWEEN_STRUCTURES = re.compile(r"^\$\$\$\$.*$", re.MULTILINE)
_OTHER_NOTATIONS = (
    (re.compile(r"\s*\$RXN"), "This is a reaction. Copy the repeat unit alone."),
    (
        re.compile(r"\s*(<\?xml|<!DOCTYPE|<CDXML|<cml|<molecule)", re.IGNORECASE),
        "This is a drawing as XML, which is not read. Copy the structure as SMILES or as a molfile: in ChemDraw choose "
        "Edit > Copy As > SMILES or MOL Text.",
    ),
    (
        re.compile(r"\s*InChI=", re.IGNORECASE),
        "This is an InChI, which has no marks for the ends of a repeat unit. Write the repeat unit as a SMILES with * at "
        "both ends.",
    ),
    (re.compile(r"\s*(VjCD|VmpD)"), "This is a ChemDraw file. Copy the structure as SMILES or as a molfile."),
)


@dataclass(frozen=True, slots=True)
class AskedText:
    """A repeat unit or composition as text, not yet read as one."""

    smiles: str
    is_drawn: bool = False  # it was made from a molfile
    remark: str = ""  # what was left out of the drawing, as a sentence


def read_asked(text: str) -> AskedText:
    """Read a SMILES, or a molfile in either version.

    Raises
    ------
    InvalidRepeatUnit
        The text is in another notation, a molfile that cannot be read, or one that stands for no single repeat unit.
    """
    if len(text) > LONGEST:
        raise InvalidRepeatUnit(f"The text has {len(text):,} characters; the longest that is read has {LONGEST:,}.")
    for notation, sentence in _OTHER_NOTATIONS:
        if notation.match(text):
            raise InvalidRepeatUnit(sentence)
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    counts = _COUNTS_LINE.findall(lines)
    if not counts:
        return AskedText(text.strip())
    structures = [part for part in _BETWEEN_STRUCTURES.split(lines) if part.strip()]
    if len(structures) > 1:
        raise InvalidRepeatUnit(f"There are {len(structures)} structures. Copy one repeat unit.")
    smiles, remark = repeat_unit_of_molfile(_with_header(structures[0]))
    if not smiles:
        because = f": {remark}" if remark else ""
        raise InvalidRepeatUnit(f"The molfile cannot be read{because}. Draw the repeat unit again, or write a SMILES.")
    return AskedText(smiles, is_drawn=True, remark=f"{remark[:1].upper()}{remark[1:]}." if remark else "")


def _with_header(block: str) -> str:
    """Return a molfile with the three lines before its counts, of which blank ones are lost easily."""
    found = _COUNTS_LINE.search(block)
    assert found is not None
    before = block[: found.start()].split("\n")[:-1][-_LINES_BEFORE_COUNTS:]
    header = [""] * (_LINES_BEFORE_COUNTS - len(before)) + before
    return "\n".join([*header, block[found.start() :].rstrip("\n"), ""])
