"""What of a data frame cannot be used, as sentences that name the row and the value; and what the window would ask."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from affinecal_gui.python.places import Places
from affinecal_gui.python.sentences import refuse
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.words.validity_words import NO_VALUE
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.words import is_missing_word
from affinecal_gui.tasks.predicting.predicting import Predicted

ADVICE = 'Correct or leave out such rows, or ask for errors="report".'


def refuse_questions(table: PolymerTable, key: str, frame: pd.DataFrame) -> None:
    """Raise ValueError with what the window would ask before it used a table for this property."""
    said = frame.attrs.get("questions")
    marks = said if isinstance(said, Mapping) else {}
    refuse(
        [
            f"{table.name}: {question}"
            for heading, question in marks.items()
            if heading in frame.columns and not pd.api.types.is_numeric_dtype(frame[heading])
        ],
        "Say it with decimal= or thousands= when the table is read, or make the column numbers.",
    )
    roles = table.roles
    if roles is None:
        return

    def concerns(about: int | str) -> bool:
        quantity = roles.columns[about].quantity if isinstance(about, int) else None
        return quantity is None or quantity.key == key or not quantity.is_known

    asked = replace(roles, open=tuple(question for question in roles.open if concerns(question.about)))
    refuse(
        [f"{table.name}: {question}" for question in asked.questions],
        "Say it with units=, property=, value_column= or md_column=, or in the headings; of a decimal mark, by "
        "numbers in the place of texts.",
    )


def refuse_unknown_units(units: Mapping[str, str], raws: Sequence[RawTable]) -> None:
    """Raise ValueError where units are said of a column that is in none of these tables."""
    known = [heading for raw in raws for heading in raw.headings]
    for heading in units:
        if str(heading).strip() not in known:
            more = f" and {len(known) - 12} more" if len(known) > 12 else ""
            raise ValueError(
                f"units names the column “{heading}”, which is not there; the columns are {', '.join(known[:12])}{more}."
            )


def bad_rows(table: PolymerTable, key: str, frame: pd.DataFrame) -> list[str]:
    """Return a sentence about each row, and each value of the property, that cannot be used; a missing value is no such."""
    columns = [table.values[found] for found in table.values if found[1] == key]
    headings = {column.heading for column in columns}
    problems = {(problem.line, problem.column): problem for column in columns for problem in column.problems}
    for problem in table.problems:
        if problem.rejects_row or problem.column in headings:
            problems.setdefault((problem.line, problem.column), problem)
    places = Places(table.name, frame)
    values = {column.heading for column in table.roles.values} if table.roles is not None else headings
    return [
        places.sentence(problem)
        for problem in sorted(problems.values(), key=lambda problem: problem.line)
        if problem.column not in values or not (problem.text == "" or is_missing_word(problem.text))
    ]


def without_value(found: Predicted, frame: pd.DataFrame) -> list[str]:
    """Return a sentence about each row that has an MD value, but could not be described or has a value of no use."""
    places = Places(found.table.name, frame)
    return [
        f"{places(line)}, “{shortened(row.smiles or row.id)}”: {row.note}"
        for line, row in found.rows
        if np.isfinite(row.md_value) and not np.isfinite(row.calibrated_value) and row.note != NO_VALUE
    ]


def unusable(snapshot: Snapshot) -> list[str]:
    """Return a sentence about each polymer that has values but can be neither fitted nor calibrated."""
    return [f"{shortened(row.label)}: {row.reason}" for row in snapshot.rows if row.state == "invalid" and row.reason]
