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
class Equation:
    """A formula, written twice: our own mathematics, never text of a user."""

    mathematics: str  # for matplotlib
    html: str


@dataclass(frozen=True, slots=True)
class Command:
    """What to type into a terminal."""

    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of plain text. The first column takes the space that is left, and breaks into lines."""

    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    align: tuple[Align, ...]
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure of this package."""

    draw: Callable[[OpenSheet], Sheet]
    caption: str
    alternative: str  # for those who cannot see it


Element = Heading | Paragraph | Equation | Command | Table | Picture


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report."""

    title: str
    subtitle: str
    elements: tuple[Element, ...]
