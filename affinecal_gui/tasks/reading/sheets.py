"""The sheet of a workbook that the user of a command names."""

from collections.abc import Sequence
from pathlib import Path

from affinecal_gui.errors import UserError
from affinecal_gui.tables.reading import sheets_of
from affinecal_gui.tables.text.options import GUESS, ReadOptions
from affinecal_gui.task import UNWATCHED, Task


def options_by_file(
    sheet: str | None, paths: Sequence[Path], *, option: str = "--sheet", task: Task = UNWATCHED
) -> dict[Path, ReadOptions]:
    """Return how each file of a command is read: from the sheet that was named, where it is a workbook that has one.

    Upper and lower case do not matter. Other workbooks are read as if no sheet were named.

    Raises
    ------
    UserError
        No file has such a sheet, or a file cannot be read.
    """
    if sheet is None:
        return dict.fromkeys(paths, GUESS)
    found: dict[Path, ReadOptions] = {}
    known: list[str] = []
    for path in dict.fromkeys(paths):
        sheets = sheets_of(path, task=task)
        alike = [sheet] if sheet in sheets else [s for s in sheets if s.strip().casefold() == sheet.strip().casefold()]
        found[path] = ReadOptions(sheet=alike[0]) if alike else GUESS
        if sheets:
            known.append(f"{path.name} has {', '.join(sheets[:8])}{' and others' if len(sheets) > 8 else ''}")
    if all(options.sheet is None for options in found.values()):
        names = " and ".join(path.name for path in found)
        if not known:
            verb = "is no workbook" if len(found) == 1 else "are no workbooks"
            raise UserError(f"{option} names a sheet of a workbook, but {names} {verb}. Leave {option} out.")
        raise UserError(f"There is no sheet “{sheet}”: {'; '.join(known)}. Name one of these with {option}.")
    return found
