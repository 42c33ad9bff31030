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


def atom_positions(text: str) -> tuple[int, ...]:
    """Position (from 1) of every atom of a valid SMILES, in the order in which RDKit numbers the atoms."""
    return tuple(match.start() + 1 for match in re.finditer(r"\[[^\]]*\]|Cl|Br|[BCNOPSFIbcnops*]", text))


def first_problem(text: str) -> SyntaxProblem | None:
    """Find the first place where ``text`` breaks the grammar of SMILES; None if this reader finds nothing wrong."""
    open_branches: list[int] = []
    open_rings: dict[str, tuple[int, str]] = {}  # closure number -> position, bond symbol written there
    atom_before = False  # an atom that a bond, branch or ring closure could belong to
    bond = ""  # bond symbol waiting for its partner
    bond_position = 0
    branch_is_empty = False
    index = 0
    while index < len(text):
        character = text[index]
        position = index + 1
        if character == "[":
            match = BRACKET_ATOM.match(text, index)
            if match is None:
                return _bracket_problem(text, index)
            problem = _symbol_problem(match["symbol"], position)
            if problem is not None:
                return problem
            index = match.end()
            atom_before, bond, branch_is_empty = True, "", False
        elif (match := ORGANIC_SUBSET.match(text, index)) is not None:
            index = match.end()
            atom_before, bond, branch_is_empty = True, "", False
        elif (match := RING_CLOSURE.match(text, index)) is not None:
            number = match[0].strip("%()").lstrip("0") or "0"
            if not atom_before:
                return SyntaxProblem(position, f"the ring-closure number {number} follows no atom")
            if number in open_rings:
                start, first_bond = open_rings.pop(number)
                if {first_bond, bond} <= {"=", "#", "-", "$", ":"} and first_bond != bond:
                    return SyntaxProblem(
                        position, f'ring closure {number} is "{first_bond}" at position {start} but "{bond}" here'
                    )
            else:
                open_rings[number] = (position, bond)
            bond, branch_is_empty = "", False
            index = match.end()
        elif character == "(":
            if not atom_before:
                return SyntaxProblem(position, "a branch needs an atom before it")
            if bond:
                return SyntaxProblem(position, f'the bond "{bond}" leads to no atom')
            if branch_is_empty:
                return SyntaxProblem(position, "a branch must begin with an atom")
            open_branches.append(position)
            branch_is_empty = True
            index += 1
        elif character == ")":
            if not open_branches:
                return SyntaxProblem(position, 'there is no "(" for this ")"')
            if bond:
                return SyntaxProblem(position, f'the bond "{bond}" leads to no atom')
            if branch_is_empty:
                return SyntaxProblem(position, "the branch is empty")
            open_branches.pop()
            index += 1
        elif (match := BOND.match(text, index)) is not None:
            if not atom_before:
                return SyntaxProblem(position, f'the bond "{match[0]}" follows no atom')
            if bond:
                return SyntaxProblem(position, f'two bonds, "{bond}" and "{match[0]}", follow each other')
            bond, bond_position = match[0], position
            branch_is_empty = False
            index = match.end()
        elif character == ".":
            if not atom_before or branch_is_empty:
                return SyntaxProblem(position, "a dot needs an atom before it")
            if bond:
                return SyntaxProblem(position, f'the bond "{bond}" leads to no atom')
            if open_branches:
                return SyntaxProblem(position, f'the "(" at position {open_branches[-1]} is not closed before the dot')
            atom_before = False
            index += 1
        else:
            return SyntaxProblem(position, _stray_character(text, index))
    if bond:
        return SyntaxProblem(bond_position, f'the bond "{bond}" leads to no atom')
    if open_branches:
        return SyntaxProblem(open_branches[-1], 'this "(" is never closed')
    if open_rings:
        number, (position, _) = min(open_rings.items(), key=lambda item: item[1][0])
        return SyntaxProblem(position, f"ring closure {number} is opened here and never closed")
    if not atom_before:
        return SyntaxProblem(max(len(text), 1), "an atom is missing at the end")
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
    shown = content if len(content) <= 20 else content[:17] + "...]"
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
