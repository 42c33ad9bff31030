"""Where a text stops being a SMILES: a small reader of the grammar that answers with a position and a plain reason.

RDKit reads the chemistry; it says that a text is wrong, but not always where, and a chemist with two hundred rows needs
to know which character to change. This reader is only consulted once RDKit has refused a text.
"""

import re
from dataclasses import dataclass

from rdkit import Chem

ORGANIC_SUBSET = re.compile(r"Cl|Br|[BCNOPSFI]|[bcnops]|\*")
BRACKET_ATOM = re.compile(
    r"""\[
    (?P<isotope>\d+)?
    (?P<symbol>\*|\#\d+|[A-Z][a-z]?[a-z]?|[a-z][a-z]?)
    (?P<chirality>@(?:@|(?:TH|AL|SP|TB|OH)\d{1,2})?)?
    (?P<hydrogens>H\d*)?
    (?P<charge>\++|-+|\+\d+|-\d+)?
    (?P<map>:\d+)?
    \]""",
    re.VERBOSE,
)
RING_CLOSURE = re.compile(r"\d|%\d\d|%\(\d{1,5}\)")
BOND = re.compile(r"->|<-|[-=#$:~/\\]")
AROMATIC_SYMBOLS = frozenset({"b", "c", "n", "o", "p", "s", "as", "se", "te", "si"})

ELEMENTS = frozenset(Chem.GetPeriodicTable().GetElementSymbol(number) for number in range(1, 119))


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """The first character that cannot be part of a SMILES, and why."""

    position: int  # counted from 1
    reason: str


def quoted(text: str, length: int = 30) -> str:
    """Make a part of a text fit for a sentence: one line, printable, not longer than ``length``."""
    line = "".join(character if character.isprintable() else "�" for character in " ".join(text.split()))
    return line if len(line) <= length else line[: length - 1] + "…"


def atom_positions(text: str) -> tuple[int, ...]:
    """Position (from 1) of every atom of a valid SMILES, in the order in which RDKit numbers the atoms."""
    return tuple(match.start() + 1 for match in re.finditer(r"\[[^\]]*\]|Cl|Br|[BCNOPSFIbcnops*]", text))


def first_problem(text: str) -> SyntaxProblem | None:
    """Find the first place where ``text`` breaks the grammar of SMILES; None if this reader finds nothing wrong."""
    return _Reader(text).first_problem()


class _Reader:
    """Walks through a text and keeps what is still open."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.branches: list[tuple[int, int]] = []  # position of "(" and the atom before it
        self.rings: dict[str, tuple[int, str, int]] = {}  # closure number -> position, bond symbol written there, atom
        self.atoms = 0
        self.atom = -1  # the atom that a bond, branch or ring closure belongs to; -1 where there is none
        self.bond, self.bond_position = "", 0  # bond symbol waiting for its partner
        self.branch_is_empty = False
        self.bonded: set[tuple[int, int]] = set()

    def first_problem(self) -> SyntaxProblem | None:
        """Return the first problem."""
        index = 0
        while index < len(self.text):
            step = self._read(index)
            if isinstance(step, SyntaxProblem):
                return step
            index = step
        return self._unfinished()

    def _read(self, index: int) -> int | SyntaxProblem:
        """Read what begins at ``index`` and return where the next begins."""
        text, position, character = self.text, index + 1, self.text[index]
        if character == "[":
            match = BRACKET_ATOM.match(text, index)
            if match is None:
                return _bracket_problem(text, index)
            problem = _symbol_problem(match["symbol"], position)
            if problem is not None:
                return problem
            self._add_atom()
        elif (match := ORGANIC_SUBSET.match(text, index)) is not None:
            self._add_atom()
        elif (match := RING_CLOSURE.match(text, index)) is not None:
            reason = self._close_ring(match[0].strip("%()").lstrip("0") or "0", position)
            if reason:
                return SyntaxProblem(position, reason)
        elif (match := BOND.match(text, index)) is not None:
            if self.atom < 0:
                return SyntaxProblem(position, f'the bond "{match[0]}" follows no atom')
            if self.bond:
                return SyntaxProblem(position, f'two bonds, "{self.bond}" and "{match[0]}", follow each other')
            self.bond, self.bond_position, self.branch_is_empty = match[0], position, False
        elif character in "().":
            reason = self._structure(character, position)
            return SyntaxProblem(position, reason) if reason else index + 1
        else:
            return SyntaxProblem(position, _stray_character(text, index))
        return match.end()

    def _add_atom(self) -> None:
        if self.atom >= 0:
            self.bonded.add((self.atom, self.atoms))
        self.atom = self.atoms
        self.atoms += 1
        self.bond, self.branch_is_empty = "", False

    def _close_ring(self, number: str, position: int) -> str:
        """Open or close a ring; return what is wrong with it."""
        if self.atom < 0 or self.branch_is_empty:
            return f"the ring-closure number {number} follows no atom"
        if number in self.rings:
            start, first_bond, partner = self.rings.pop(number)
            if first_bond != self.bond and {first_bond, self.bond} <= {"=", "#", "-", "$", ":"}:
                return f'ring closure {number} is "{first_bond}" at position {start} but "{self.bond}" here'
            if partner == self.atom:
                return f"ring closure {number} would bond an atom to itself"
            pair = (min(partner, self.atom), max(partner, self.atom))
            if pair in self.bonded:
                return f"ring closure {number} would bond two atoms twice"
            self.bonded.add(pair)
        else:
            self.rings[number] = (position, self.bond, self.atom)
        self.bond = ""
        return ""

    def _structure(self, character: str, position: int) -> str:
        """Read a bracket of a branch, or a dot; return what is wrong with it."""
        if character == "(" and self.atom < 0:
            return "a branch needs an atom before it"
        if character == ")" and not self.branches:
            return 'there is no "(" for this ")"'
        if self.bond:
            return f'the bond "{self.bond}" leads to no atom'
        if character == "(":
            if self.branch_is_empty:
                return "a branch must begin with an atom"
            self.branches.append((position, self.atom))
            self.branch_is_empty = True
        elif character == ")":
            if self.branch_is_empty:
                return "the branch is empty"
            self.atom = self.branches.pop()[1]
        else:
            if self.atom < 0 or self.branch_is_empty:
                return "a dot needs an atom before it"
            if self.branches:
                return f'the "(" at position {self.branches[-1][0]} is not closed before the dot'
            self.atom = -1
        return ""

    def _unfinished(self) -> SyntaxProblem | None:
        """Tell what is still open at the end."""
        if self.bond:
            return SyntaxProblem(self.bond_position, f'the bond "{self.bond}" leads to no atom')
        if self.branches:
            return SyntaxProblem(self.branches[-1][0], 'this "(" is never closed')
        if self.rings:
            number, (position, _, _) = min(self.rings.items(), key=lambda item: item[1][0])
            return SyntaxProblem(position, f"ring closure {number} is opened here and never closed")
        if self.atom < 0:
            return SyntaxProblem(max(len(self.text), 1), "an atom is missing at the end")
        return None


def _symbol_problem(symbol: str, position: int) -> SyntaxProblem | None:
    """Tell whether a bracket holds an element."""
    if symbol == "*" or symbol.startswith("#") or symbol in ELEMENTS or symbol in AROMATIC_SYMBOLS:
        return None
    return SyntaxProblem(position, f"[{symbol}] is not a chemical element (an end of the unit is written *)")


def _bracket_problem(text: str, index: int) -> SyntaxProblem:
    """Say what is wrong with the bracket that opens at ``index``."""
    end = text.find("]", index)
    if end < 0:
        return SyntaxProblem(index + 1, 'this "[" is never closed')
    content = text[index : end + 1]
    shown = quoted(content)
    symbol = re.match(r"\[\d*([A-Za-z]+)", content)
    if symbol is not None and symbol[1] not in ELEMENTS and symbol[1] not in AROMATIC_SYMBOLS:
        leading = re.match(r"[A-Z][a-z]?|[a-z]{1,2}", symbol[1])
        if leading is None or (leading[0] not in ELEMENTS and leading[0] not in AROMATIC_SYMBOLS):
            return SyntaxProblem(index + 1, f"{shown} is not a chemical element (an end of the unit is written *)")
    return SyntaxProblem(index + 1, f"{shown} is not an atom (isotope, element, @, H, charge, in this order)")


def _stray_character(text: str, index: int) -> str:
    """Say what is wrong with a character that begins nothing in SMILES."""
    character = text[index]
    if character == "]":
        return 'there is no "[" for this "]"'
    if character == "%":
        return '"%" must be followed by the two figures of a ring closure'
    if character == "@":
        return '"@" belongs inside the brackets of an atom'
    if character == "+":
        return '"+" belongs inside the brackets of an atom'
    if character.isalpha():
        word = re.match(r"[A-Z][a-z]?", text[index:])
        if word is not None and word[0] in ELEMENTS:
            return f'the element "{word[0]}" must be written in brackets, [{word[0]}]'
        return f'"{character}" is not an element that may stand without brackets'
    if not character.isprintable():
        return f"the character with code {ord(character)} cannot be part of it"
    return f'"{character}" cannot be part of it'
