"""What a report consists of, before it is HTML or PDF."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from affinecal_gui.figures.sheet import OpenSheet, Sheet

Align = Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of a section."""

    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Plain text."""

    text: str
    introduces: bool = False  # what follows stands on the same page


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula, written twice: our own mathematics, never text of a user."""

    mathematics: str  # for matplotlib
    html: str
    title: str = ""  # whose it is, before it


@dataclass(frozen=True, slots=True)
class Command:
    """What to type into a terminal."""

    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of plain text. The first column takes the space that is left, and breaks into lines.

    Where ``when_shortened`` is said below the table, texts that are too long for their column end in an ellipsis instead; a
    page of the web shows them whole, and does not say it.
    """

    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    align: tuple[Align, ...]
    caption: str = ""
    when_shortened: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure of this package."""

    draw: Callable[[OpenSheet], Sheet]
    caption: str
    alternative: str  # for those who cannot see it


@dataclass(frozen=True, slots=True)
class Structure:
    """A polymer that is drawn small, with its name and a few words below it."""

    smiles: str
    name: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Structures:
    """Polymers side by side, row by row; a page may end between two rows."""

    cells: Sequence[Structure]
    caption: str
    columns: int = 5


Element = Heading | Paragraph | Formula | Command | Table | Picture | Structures


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report."""

    title: str
    subtitle: str
    elements: tuple[Element, ...]


def figures_among(elements: Sequence[Element]) -> int:
    """Return how many of ``elements`` are numbered as figures."""
    return sum(isinstance(one, (Picture, Structures)) for one in elements)
