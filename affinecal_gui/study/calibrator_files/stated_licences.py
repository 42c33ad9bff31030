"""What tables say of where their values come from and under which licence, for the model card of a calibrator."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from affinecal_gui.bundled import resources
from affinecal_gui.study.calibrator_files.description import Grade
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.units.property_names import simplified
from affinecal_gui.tables.values.polymer_table import PolymerTable

_LICENCES = frozenset(("licence", "license", "lizenz", "licencia", "licenza", "licença", "许可证", "ライセンス"))
_SOURCES = frozenset(
    (
        "source",
        "sources",
        "reference",
        "references",
        "ref",
        "doi",
        "citation",
        "quelle",
        "literatur",
        "fuente",
        "文献",
        "出典",
    )
)
MOST_NAMED = 5


def stated_licences(tables: Sequence[PolymerTable], grade: Grade) -> tuple[str, ...]:
    """Return sentences about the licences and, unless structures are kept back, the sources that tables state.

    Parameters
    ----------
    tables
        The tables of the study.
    grade
        Of the calibrator: a closed one names no source, which may name polymers.
    """
    return tuple(sentence for table in tables for sentence in _of_table(table, grade))


def _of_table(table: PolymerTable, grade: Grade) -> Iterator[str]:
    licences = _texts_below(table, _LICENCES)
    if licences:
        yield f"{table.name} states as its licence: {_listed(licences)}."
    elif _is_bundled(table.path):
        yield f"{table.name} comes with AffineCal, whose NOTICE.md names its licence."
    else:
        yield f"{table.name} states no licence."
    sources = _texts_below(table, _SOURCES) if grade == "open" else ()
    if sources:
        yield f"{table.name} names as its sources: {_listed(sources)}."


def _texts_below(table: PolymerTable, headings: frozenset[str]) -> tuple[str, ...]:
    """Return the different texts in the columns of these headings, the commonest first."""
    counts: dict[str, int] = {}
    for heading, cells in table.details.items():
        if simplified(heading) in headings:
            for cell in cells:
                if cell.strip():
                    counts[cell.strip()] = counts.get(cell.strip(), 0) + 1
    return tuple(sorted(counts, key=lambda text: (-counts[text], text)))


def _listed(texts: Sequence[str]) -> str:
    named = "; ".join(shortened(text).rstrip(".") for text in texts[:MOST_NAMED])
    return named if len(texts) <= MOST_NAMED else f"{named}; and {len(texts) - MOST_NAMED} more"


def _is_bundled(path: str) -> bool:
    return bool(path) and Path(path).parent == resources() / "examples"
