"""The repeat units of a table of RadonPy runs: lists of several become compositions, and small molecules are told apart."""

import dataclasses

from affinecal_gui.polymers.copolymers.composition_text import composition_text
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.problems import RowProblem
from affinecal_gui.tables.raw_table import RawTable, TextColumn
from affinecal_gui.tables.simulations.known_columns import is_of_radonpy
from affinecal_gui.tables.words import is_missing_word
from affinecal_gui.task import UNWATCHED, Task

_COLUMNS = ("smiles_list", "smiles", "smiles_1")
_ROWS_AT_ONCE = 5000
_NO_POLYMER = "is a small molecule: its SMILES has no attachment points * of a repeat unit"


def with_units_of_runs(raw: RawTable, *, task: Task = UNWATCHED) -> RawTable:
    """Return a table of RadonPy with its copolymers as compositions, and its small molecules to be rejected.

    Any other table is returned itself: there, attachment points may be written otherwise.
    """
    heading = next((h for h in _COLUMNS if h in raw.headings and not raw.column(h).are_empty()), "")
    if not heading or not is_of_radonpy(raw.headings):
        return raw
    cells = raw.column(heading).all_cells(task=task)
    ratios = raw.column("copoly_ratio_list") if "copoly_ratio_list" in raw.headings else None
    compositions: dict[int, str] = {}
    small: list[int] = []
    for row, cell in enumerate(task.each(cells, _ROWS_AT_ONCE)):
        if "*" not in cell:
            if not is_missing_word(cell):
                small.append(row)
        elif "," in cell:
            shares = ratios[row].split(",") if ratios is not None else []
            compositions[row] = composition_text(cell.split(","), [share.strip() for share in shares])
    if compositions:
        number = raw.headings.index(heading)
        column = TextColumn.of(compositions.get(row, cell) for row, cell in enumerate(cells))
        raw = dataclasses.replace(raw, columns=(*raw.columns[:number], column, *raw.columns[number + 1 :]))
    if not small:
        return raw
    problems = [RowProblem(int(raw.lines[row]), "", cells[row], f"it {_NO_POLYMER}", "Leave it out") for row in small]
    first = f"line {problems[0].line}, “{shortened(cells[small[0]])}”"
    count = "1 row is a small molecule" if len(small) == 1 else f"{len(small):,} rows are small molecules"
    note = f"{raw.name}: {count} and no polymer, without the attachment points * of a repeat unit ({first}); left out."
    return dataclasses.replace(raw, set_aside=(*raw.set_aside, *problems), notes=(*raw.notes, note))
