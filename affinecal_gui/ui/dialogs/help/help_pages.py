"""The documents of the Help menu: which there are, what their headings are, and in which section a word stands."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from affinecal_gui.bundled import documents, resources
from affinecal_gui.errors import UserError

FIRST_PAGES = (
    "guide.md",
    "tutorial.md",
    "glossary.md",
    "method.md",
    "calibration.md",
    "uncertainty.md",
    "surrogate.md",
    "quantum.md",
    "transfer.md",
    "descriptors.md",
    "study-file.md",
    "calibrator-files.md",
    "screening.md",
    "simulations.md",
    "python.md",
)
"""Documents in the order of the contents; any other follows them by its name."""

_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*$")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_TABLES = {"practice": documents, "../resources/examples": resources}
"""Folders of tables that a document may link to, and where they are."""

_TABLE_NAME = re.compile(r"(.+)/([\w-]+\.csv)")
_PICTURE_NAME = re.compile(r"pictures/[\w.-]+\.png")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, and what stands between it and the next one."""

    page: str  # file name
    level: int  # 1 for the title of the page
    title: str  # without marks
    anchor: str  # the part of a link behind "#"
    text: str  # without marks, for searching

    def holds(self, words: tuple[str, ...]) -> bool:
        """Whether every word stands in the title or the text, in any case of letters."""
        searched = f"{self.title}\n{self.text}".casefold()
        return all(word in searched for word in words)


@dataclass(frozen=True, slots=True)
class HelpPage:
    """One document."""

    name: str  # file name
    markdown: str
    sections: tuple[Section, ...]

    @property
    def title(self) -> str:
        """The first heading."""
        return self.sections[0].title if self.sections else self.name


@cache
def help_pages() -> tuple[HelpPage, ...]:
    """Return the documents in the order of the contents.

    Raises
    ------
    UserError
        They are not installed.
    """
    try:
        folder = documents()
        others = sorted(file.name for file in folder.iterdir() if file.name.endswith(".md"))
        names = (*FIRST_PAGES, *(name for name in others if name not in FIRST_PAGES))
        texts = [(folder / name).read_text(encoding="utf-8") for name in names]
    except OSError as error:
        raise UserError(
            "The documents of the Help menu are missing. Install AffineCal again to get them back."
        ) from error
    return tuple(HelpPage(name, text, tuple(_sections(name, text))) for name, text in zip(names, texts, strict=True))


def picture(name: str, *, dark: bool = False) -> bytes:
    """Return a picture of the documentation as PNG; b"" where there is none of that name.

    Parameters
    ----------
    name
        As it stands in a document: "pictures/main-light.png".
    dark
        Whether to take the picture of the dark window, where there is one.
    """
    if not _PICTURE_NAME.fullmatch(name):
        return b""  # nothing outside the folder of pictures is read
    folder = documents()
    for wanted in (name.replace("-light.png", "-dark.png"), name) if dark else (name,):
        found = folder / wanted
        if found.is_file():
            return found.read_bytes()
    return b""


def table_path(link: str) -> str:
    """Return where the table is that a document links to; "" where the link leads to no table of the program."""
    found = _TABLE_NAME.fullmatch(link)
    place = _TABLES.get(found[1]) if found is not None else None
    if found is None or place is None:
        return ""
    path = place() / found[1].rpartition("/")[2] / found[2]
    return str(path) if path.is_file() else ""


def anchor_of(title: str) -> str:
    """Return what a link to a heading ends in: small letters, hyphens for blanks, no other signs."""
    kept = "".join(letter for letter in title.casefold() if letter.isalnum() or letter in " -_")
    return kept.strip().replace(" ", "-")


def _sections(name: str, markdown: str) -> Iterator[Section]:
    level, title, lines = 0, "", list[str]()
    seen: dict[str, int] = {}
    fenced = False
    for line in (*markdown.splitlines(), None):
        if line is not None and line.startswith("```"):
            fenced = not fenced
        heading = None if fenced or line is None else _HEADING.match(line)
        if heading is None and line is not None:
            lines.append(line)
            continue
        if level:
            anchor = anchor_of(title)
            number = seen.get(anchor, 0)
            seen[anchor] = number + 1
            yield Section(name, level, title, f"{anchor}-{number}" if number else anchor, _plain("\n".join(lines)))
        if heading is not None:
            level, title, lines = len(heading[1]), _plain(heading[2]), []


def _plain(text: str) -> str:
    """Return a text without the marks of links, emphasis and code."""
    return re.sub(r"[*`|]", "", _LINK.sub(r"\1", text))
