"""How the text of a composition is written; knows no chemistry, and imports none."""

import re
from collections.abc import Sequence
from typing import Final

SEPARATOR: Final = "|"
_EXTENSION: Final = re.compile(r"[^|]*\s\|[^|]*\|\s*")  # ChemAxon's, behind one SMILES: "*CC* |$_AP1;;;_AP2$|"


def composition_text(units: Sequence[str], fractions: Sequence[str]) -> str:
    """Put units and fractions, as a table gives them, into one text; whether they fit is seen when it is read."""
    return SEPARATOR.join([*units, *fractions])


def holds_several_units(text: str) -> bool:
    """Whether a text is written as a composition rather than as a single repeat unit."""
    return SEPARATOR in text and _EXTENSION.fullmatch(text) is None
