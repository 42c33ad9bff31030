"""The service that reads files into tables; a file that cannot be read does not stop the others."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from affinecal_gui.errors import UserError
from affinecal_gui.progress import CancelCheck, Progress, never, part_of, silent
from affinecal_gui.tables.polymer_table import PolymerTable
from affinecal_gui.tables.raw_table import RawTable


@dataclass(frozen=True, slots=True)
class Loaded:
    """What became of a set of files."""

    tables: tuple[PolymerTable, ...]
    errors: tuple[UserError, ...] = ()
    property_key: str = ""  # of a bundled example: what it is about


def load_tables(
    paths: Sequence[Path],
    *,
    beside: Sequence[PolymerTable] = (),
    progress: Progress = silent,
    cancelled: CancelCheck = never,
) -> Loaded:
    """Read files and settle what their columns are for.

    Parameters
    ----------
    paths
        Files; the same file named twice is read once.
    beside
        Tables of the study already: when a file does not say whether its values are measured or simulated, what is still
        missing decides.

    Raises
    ------
    Cancelled
        When ``cancelled()`` became true.
    """
    from affinecal_gui.tables.reading import read_table

    distinct = list(dict.fromkeys(Path(path) for path in paths))
    errors: list[UserError] = []
    raws: list[RawTable] = []
    for number, path in enumerate(distinct):
        share = part_of(progress, 0.6 * number / len(distinct), 0.6 * (number + 1) / len(distinct))
        share(0.0, f"Reading {path.name}")
        try:
            raws.append(read_table(path, progress=share, cancelled=cancelled))
        except UserError as error:
            errors.append(error)
    return _understand(raws, errors, beside, part_of(progress, 0.6, 1.0), cancelled)


def load_pasted(
    text: str,
    *,
    beside: Sequence[PolymerTable] = (),
    progress: Progress = silent,
    cancelled: CancelCheck = never,
) -> Loaded:
    """Read a table that was copied in a spreadsheet; otherwise as :func:`load_tables`."""
    from affinecal_gui.tables.text_tables import read_pasted_text

    number = 1 + sum(table.name.startswith("pasted table") for table in beside)
    name = f"pasted table {number}"
    try:
        raw = replace(read_pasted_text(text, name), path=name)  # a path of its own, so that it replaces no other
    except UserError as error:
        return Loaded((), (error,))
    return _understand([raw], [], beside, progress, cancelled)


def _understand(
    raws: list[RawTable],
    errors: list[UserError],
    beside: Sequence[PolymerTable],
    progress: Progress,
    cancelled: CancelCheck,
) -> Loaded:
    """Settle the roles of all columns and read the values."""
    from affinecal_gui.tables.polymer_table import to_polymer_table
    from affinecal_gui.tables.roles import guess_roles

    settled = [table.roles for table in beside if table.roles is not None]
    guesses = {id(raw): guess_roles(raw, others=settled) for raw in raws}
    # The files that say what they hold are settled first; they help to understand those that do not.
    for raw in sorted(raws, key=lambda raw: -guesses[id(raw)].kind_confidence):
        guesses[id(raw)] = guess_roles(raw, others=settled)
        settled.append(guesses[id(raw)])
    tables: list[PolymerTable] = []
    for number, raw in enumerate(raws):
        share = part_of(progress, number / len(raws), (number + 1) / len(raws))
        share(0.0, f"Understanding {raw.name}")
        try:
            tables.append(to_polymer_table(raw, guesses[id(raw)], progress=share, cancelled=cancelled))
        except UserError as error:
            errors.append(error)
    return Loaded(tuple(tables), tuple(errors))
