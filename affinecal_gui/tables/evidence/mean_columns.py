"""Columns that hold the mean of replicates in the columns beside them: "Tg_1, Tg_2, Tg_3, mean". The mean is the value."""

import dataclasses
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.tables.cells.numbers import read_number_column
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.evidence.column_evidence import Label, Profile
from affinecal_gui.tables.headings.column_roles import ColumnRole, Question
from affinecal_gui.tables.headings.heading_words import MEAN_WORDS
from affinecal_gui.tables.headings.role_names import VALUE_ROLES
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.units.properties import Property

AGREEING = 0.9
"""Share of the rows in which a column has to be the mean of others, up to rounding, to count as that."""

MOST_REPLICATES = 12


def take_means(
    raw: RawTable, labels: Sequence[Label], profiles: Sequence[Profile], columns: list[ColumnRole | None]
) -> None:
    """Let a column that is called a mean, and is that of the columns of one property by its numbers, take their place.

    Parameters
    ----------
    raw
        The table.
    labels, profiles
        Of every column.
    columns
        Of every column; replicates become details, and their mean the column of values.
    """
    replicates: dict[Property, list[ColumnRole]] = {}
    for column in columns:
        if column is not None and column.is_known and column.role in VALUE_ROLES and column.quantity is not None:
            replicates.setdefault(column.quantity, []).append(column)
    for number, label in enumerate(labels):
        own = columns[number]
        if MEAN_WORDS.isdisjoint(label.words) or profiles[number].numeric < 0.7 or not profiles[number].filled:
            continue
        if own is not None and own.role not in VALUE_ROLES:
            continue
        for quantity, known in replicates.items():
            others = [column for column in known if column.column != number and _is_free(columns, column)]
            if not 2 <= len(others) <= MOST_REPLICATES or (
                own is not None and own.is_known and own.quantity != quantity
            ):
                continue
            if len({column.unit for column in others} | ({label.unit} - {""})) == 1 and _is_mean(raw, number, others):
                _take(raw, columns, number, others)
                break


def repeats_without_mean(labels: Sequence[Label], columns: Sequence[ColumnRole | None]) -> list[Question]:
    """Ask which of several columns is meant that are repeats of one another by their headings, "Tg_1, Tg_2"; refuse to guess.

    Parameters
    ----------
    labels, columns
        Of every column, when means have taken the place of what they are the means of.
    """
    if any(not MEAN_WORDS.isdisjoint(label.words) for label in labels):
        return []
    groups: dict[tuple[Property, str, str], list[ColumnRole]] = {}
    for column in columns:
        if column is not None and column.is_known and column.role in VALUE_ROLES and column.quantity is not None:
            name, number = _numbered(labels[column.column])
            if number:
                groups.setdefault((column.quantity, column.role, name), []).append(column)
    questions = []
    for (quantity, _, _), repeats in groups.items():
        if len(repeats) < 2:
            continue
        named = " and ".join(f"“{shortened(column.heading)}”" for column in repeats[:3])
        seen = f"{named} look like repeats of one another, and no column holds their mean"
        questions.append(
            Question(
                f"{seen}. Which one is the {quantity.title.lower()}?",
                repeats[0].column,
                refusal=f"{seen}. Add a column “mean”, or name one of them with --value-column or --md-column.",
            )
        )
    return questions


def _numbered(label: Label) -> tuple[str, str]:
    """Divide a heading into what it names and the number of the repeat: ("tg", "1") of "Tg run 1"."""
    found = _REPEAT.fullmatch(label.text.strip().casefold())
    return (found["name"], found["number"]) if found is not None else (label.text, "")


_REPEAT = re.compile(
    r"(?P<name>.*?[^\W\d])[\s_.#-]*(?:(?:run|rep|repeat|replicate|trial|specimen|sample|messung|probe|essai|nr|no)[\s_.#-]*)?"
    r"[\s_.#(-]+(?P<number>[1-9])\)?"
)


def _is_free(columns: Sequence[ColumnRole | None], column: ColumnRole) -> bool:
    return columns[column.column] is column


def _is_mean(raw: RawTable, number: int, others: Sequence[ColumnRole]) -> bool:
    """Whether a column is the mean of others in nearly all rows, and these are not all the same."""
    style = others[0].style
    means = read_number_column(raw.columns[number], style).values
    each = np.column_stack([read_number_column(raw.columns[column.column], column.style).values for column in others])
    with np.errstate(invalid="ignore"):
        count = np.isfinite(each).sum(axis=1)
        expected = np.where(count > 0, np.nansum(each, axis=1) / np.maximum(count, 1), np.nan)
        both = np.isfinite(means) & np.isfinite(expected)
        agree = np.abs(means - expected) <= _roundings(raw.columns[number])
    differ = bool((np.nanmax(np.where(both[:, None], each, np.nan), axis=1, initial=-np.inf) > expected)[both].any())
    return bool(both.any()) and differ and bool(agree[both].mean() >= AGREEING)


def _roundings(cells: Sequence[str]) -> NDArray[np.float64]:
    """Return (rows,) by how much numbers may be rounded: half a unit of their last digit, and a little."""
    digits = [re.search(r"[.,](\d+)", cell) for cell in cells]
    return np.array([0.5001 * 10.0 ** -(len(found[1]) if found is not None else 0) for found in digits])


def _take(raw: RawTable, columns: list[ColumnRole | None], number: int, others: Sequence[ColumnRole]) -> None:
    first, own = others[0], columns[number]
    named = [f"“{shortened(column.heading)}”" for column in others]
    heading = raw.headings[number]
    note = f"“{shortened(heading)}” is read: it is the mean of {', '.join(named[:-1])} and {named[-1]}."
    columns[number] = dataclasses.replace(
        first,
        column=number,
        heading=heading,
        unit=own.unit if own is not None and own.unit else first.unit,
        reason="the mean of others",
        notes=(note,),
    )
    for column in others:
        columns[column.column] = ColumnRole(
            column.column, column.heading, "detail", confidence=0.9, reason=f"averaged in {heading}"
        )
