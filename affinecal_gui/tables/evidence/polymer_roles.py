"""Which columns say what a polymer is, where there may be several: two ways to write it, or the units of a copolymer."""

import dataclasses
from collections.abc import Sequence
from itertools import islice

from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.evidence.column_evidence import SAMPLE_CELLS, Label, Profile
from affinecal_gui.tables.evidence.composition_columns import (
    CompositionColumns,
    are_parts,
    are_ratios,
    find_composition,
    possible_shares,
    says_volume,
    says_weight,
    share_of,
    shares_without_units,
)
from affinecal_gui.tables.evidence.copolymer_columns import polymer_columns_of
from affinecal_gui.tables.evidence.mixture_headings import MixtureDoubt, is_of_one_polymer, mixture_doubt
from affinecal_gui.tables.headings.column_roles import ColumnRole, Question
from affinecal_gui.tables.headings.heading_words import HEADINGS
from affinecal_gui.tables.headings.role_names import VALUE_ROLES
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.words import is_missing_word

COMPARED = 60
"""Rows of two columns of repeat units that are looked at to tell whether both hold the same polymers."""

_OTHER_UNIT = frozenset(
    ("comonomer", "comonomers", "comonomère", "comonómero", "comonomero", "komonomer", "コモノマー")
)


def find_polymers(
    raw: RawTable, profiles: Sequence[Profile], labels: Sequence[Label], columns: list[ColumnRole | None]
) -> list[Question]:
    """Give out the roles of repeat units and of the fractions of copolymers; return what has to be asked about them.

    Parameters
    ----------
    raw
        The table.
    profiles, labels
        Of its columns.
    columns
        Roles so far; those found are put in.
    """
    cells = [column[:SAMPLE_CELLS] if columns[number] is None else [] for number, column in enumerate(raw.columns)]
    _find_unit(raw, profiles, labels, columns)
    found = find_composition(raw.headings, cells)
    if found:
        return _take_composition(raw, found, labels, cells, columns)
    return _second_columns(raw, profiles, labels, columns)


def _find_unit(
    raw: RawTable, profiles: Sequence[Profile], labels: Sequence[Label], columns: list[ColumnRole | None]
) -> None:
    best, best_score = None, 0.0
    for number, profile in enumerate(profiles):
        if columns[number] is not None:
            continue
        named = 0.5 if labels[number].name in HEADINGS["smiles"] else 0.3 if "smiles" in labels[number].name else 0.0
        if named and profile.numeric > 0.5:
            continue
        score = profile.repeat_units + named
        if score > best_score + 1e-9:
            best, best_score = number, score
    if best is None or best_score < 0.3:
        return
    if not profiles[best].filled and best_score >= 0.5:
        best_score = 1.0  # the heading says it, and no cell contradicts
    reason = "heading and contents" if best_score > 1 else "contents" if best_score > 0.5 else "heading"
    columns[best] = ColumnRole(best, raw.headings[best], "smiles", confidence=min(1.0, best_score + 0.2), reason=reason)
    for number, profile in enumerate(profiles):
        if columns[number] is None and (profile.repeat_units > 0.6 or "smiles" in labels[number].name):
            columns[number] = ColumnRole(
                number, raw.headings[number], "detail", confidence=0.7, reason="a second column of repeat units"
            )


def _take_composition(
    raw: RawTable,
    found: CompositionColumns,
    labels: Sequence[Label],
    cells: Sequence[Sequence[str]],
    columns: list[ColumnRole | None],
) -> list[Question]:
    """Put in the roles of copolymers, with a note of what was read as what."""
    for number in found.units:
        columns[number] = ColumnRole(number, raw.headings[number], "smiles", confidence=0.95)
    for number in found.fractions:
        unit = labels[number].unit
        if len(found.fractions) < len(found.units) and not unit and _are_percentages(cells[number]):
            unit = "%"
        columns[number] = ColumnRole(number, raw.headings[number], "fraction", unit=unit, confidence=0.95)
    for number in found.basis:
        columns[number] = ColumnRole(number, raw.headings[number], "fraction", of=found.fractions[0], confidence=0.95)
    if found.units:
        first = found.units[0]
        taken = columns[first]
        assert taken is not None
        columns[first] = dataclasses.replace(taken, notes=(_composition_note(raw, found, columns),))
    return _composition_questions(raw, found, cells, columns)


def _composition_note(raw: RawTable, found: CompositionColumns, columns: Sequence[ColumnRole | None]) -> str:
    headings = [raw.headings[number] for number in found.fractions]
    kind = "mole fractions"
    if found.basis:
        kind = f"fractions of what “{shortened(raw.headings[found.basis[0]])}” says"
    elif any(says_weight(heading) for heading in headings):
        kind = "weight fractions, converted by the molar masses"
    named = polymer_columns_of([column for column in columns if column is not None])
    left = ""
    if named is not None and named.rest is not None:
        left = f"; what is left of the whole is “{shortened(raw.headings[named.units[named.rest]])}”"
    units = _listed([raw.headings[number] for number in found.units])
    verb = "is" if len(headings) == 1 else "are"
    unread = ""
    if found.unread:
        others = [raw.headings[number] for number in found.unread]
        be = "is" if len(others) == 1 else "are"
        unread = f" {_listed(others)}, which may be fractions too, {be} not used."
    return (
        f"{units} are read as the repeat units of copolymers; {_listed(headings)} {verb} read as {kind}{left}.{unread}"
    )


def _composition_questions(
    raw: RawTable, found: CompositionColumns, cells: Sequence[Sequence[str]], columns: Sequence[ColumnRole | None]
) -> list[Question]:
    questions = []
    headings = [raw.headings[number] for number in found.fractions]
    about = found.fractions[0]
    fewer = len(found.fractions) < len(found.units) and are_parts(cells[about])
    read = polymer_columns_of([column for column in columns if column is not None])
    if fewer and read is not None and read.rest is None:
        units = _listed([raw.headings[number] for number in found.units])
        questions.append(
            Question(
                f"Of which of {units} is {_listed(headings)} the fraction?",
                about,
                True,
                f"{_listed(headings)} does not say of which of {units} it is the fraction. Call it x_1 if it is of the "
                "first, or give a column of fractions for each.",
            )
        )
    if not found.basis and any(map(says_volume, headings)):
        questions.append(
            Question(
                f"{_listed(headings)} look like volume fractions. Are they mole fractions?",
                about,
                True,
                f"{_listed(headings)} look like volume fractions, from which no mole fractions follow without densities. "
                "Give mole fractions (x_1, x_2) or weight fractions (wt_1, wt_2).",
            )
        )
    small = [
        number
        for number in found.fractions
        if "%" in raw.headings[number] and are_parts(cells[number]) and not _are_percentages(cells[number])
    ]
    if small and len(found.fractions) < len(found.units):
        heading = shortened(raw.headings[small[0]])
        questions.append(
            Question(
                f"“{heading}” holds nothing above 1. Is it in per cent?",
                about,
                True,
                f"“{heading}” says per cent, but holds nothing above 1. Give the fractions of all repeat units, in a "
                "column each.",
            )
        )
    return questions


def _are_percentages(cells: Sequence[str]) -> bool:
    return any((share_of(cell) or 0.0) > 1 for cell in cells)


def _second_columns(
    raw: RawTable, profiles: Sequence[Profile], labels: Sequence[Label], columns: list[ColumnRole | None]
) -> list[Question]:
    """Say which of several columns of repeat units is used, and ask where they hold different polymers."""
    taken = next((column for column in columns if column is not None and column.role == "smiles"), None)
    if taken is None:
        return []
    used, questions, notes = shortened(taken.heading), [], []
    for number, heading in enumerate(raw.headings):
        other = columns[number]
        if other is None or other.reason != "a second column of repeat units" or not profiles[number].filled:
            continue
        if profiles[number].repeat_units <= 0.6:
            notes.append(f"“{used}” is read as the repeat unit, and not “{shortened(heading)}”.")
            continue
        row = different_polymers(raw, taken.column, number)
        if row is None:
            notes.append(
                f"“{used}” is read as the repeat unit, and not “{shortened(heading)}”, which holds the same polymers."
            )
            continue
        pair = " and ".join(f"“{shortened(raw.columns[column][row])}”" for column in (taken.column, number))
        seen = f"“{used}” and “{shortened(heading)}” hold different repeat units (line {raw.lines[row]}: {pair})"
        questions.append(
            Question(
                f"{seen}. Which column is the polymer?",
                taken.column,
                True,
                f"{seen}. Leave out the column that is not the polymer or, if these are copolymers, add the mole fractions "
                "(fraction_1, fraction_2).",
            )
        )
        notes.append(f"“{used}” is read as the repeat unit, and not “{shortened(heading)}”, which holds others.")
    columns[taken.column] = dataclasses.replace(taken, notes=(*taken.notes, *notes))
    return questions


def different_polymers(raw: RawTable, one: int, other: int) -> int | None:
    """Return the first row in which two columns of repeat units hold different polymers; None where they are the same."""
    pairs = enumerate(zip(raw.columns[one], raw.columns[other], strict=True))
    unlike = (
        (row, pair) for row, pair in pairs if pair[0] != pair[1] and not any(is_missing_word(text) for text in pair)
    )
    compared = list(islice(unlike, COMPARED))
    if not compared:
        return None
    # Here, because most tables have one column of repeat units, and chemistry takes a while to be loaded.
    from affinecal_gui.polymers.copolymers.composition import composition_identity, parse_composition
    from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit

    for row, pair in compared:
        try:
            first, second = (composition_identity(parse_composition(text)) for text in pair)
        except InvalidRepeatUnit:
            continue
        if first.key != second.key:
            return row
    return None


def questions_of_single_units(
    raw: RawTable, profiles: Sequence[Profile], labels: Sequence[Label], columns: Sequence[ColumnRole]
) -> list[Question]:
    """Ask about columns that speak of copolymers where only one column of repeat units is there."""
    unit = _only_unit(columns, profiles)
    if unit is None or any(column.role == "fraction" and _holds_no_number(profiles, column) for column in columns):
        return []
    silent = {column.column for column in columns if column.role in ("descriptor", "ignored")}
    cells = [[] if number in silent else column[:SAMPLE_CELLS] for number, column in enumerate(raw.columns)]
    shares = shares_without_units(raw.headings, cells)
    of_copolymers = [
        column
        for column in columns
        if column.column in shares
        or (column.role == "fraction" and are_parts(profiles[column.column].cells))
        or (
            column.role not in ("ignored", "descriptor", "smiles")
            and _OTHER_UNIT & set(labels[column.column].words)
            and any(share_of(cell) != 0 for cell in profiles[column.column].cells)
        )
    ]
    found = of_copolymers or _of_mixtures(columns, labels, profiles, "is")
    if not found:
        return []
    headings = _listed([column.heading for column in found])
    verb = "speaks" if len(found) == 1 else "speak"
    what = "copolymers" if of_copolymers else "copolymers, blends or fillers"
    seen = f"{headings} {verb} of {what}, but only “{shortened(unit.heading)}” holds repeat units"
    return [
        Question(
            f"{seen}. Are these homopolymers?",
            found[0].column,
            True,
            f"{seen}. Add a column with the other repeat units (smiles_2) and one with their fractions, or leave {headings} "
            "out if these are homopolymers.",
        )
    ]


def with_notes_of_mixtures(
    columns: Sequence[ColumnRole], labels: Sequence[Label], profiles: Sequence[Profile]
) -> list[ColumnRole]:
    """Say beside the repeat units which columns may tell that the samples are no homopolymers; they are used as such."""
    unit = _only_unit(columns, profiles)
    if unit is None or any(column.role == "fraction" for column in columns):
        return list(columns)
    found = _of_mixtures(columns, labels, profiles, "may be") or _that_make_a_whole(columns, profiles)
    if not found:
        return list(columns)
    headings = _listed([column.heading for column in found])
    note = (
        f"{headings} may give {'a fraction' if len(found) == 1 else 'fractions'} of copolymers or mixtures; all rows are "
        f"read as homopolymers of “{shortened(unit.heading)}”. Are they?"
    )
    return [
        dataclasses.replace(column, notes=(*column.notes, note)) if column is unit else column for column in columns
    ]


def _only_unit(columns: Sequence[ColumnRole], profiles: Sequence[Profile]) -> ColumnRole | None:
    """Return the only column of repeat units, each of which stands alone in its cell; None where copolymers are given."""
    units = [column for column in columns if column.role == "smiles"]
    if len(units) != 1 or any("|" in cell or cell.count("*") > 2 for cell in profiles[units[0].column].cells):
        return None
    return units[0]


def _of_mixtures(
    columns: Sequence[ColumnRole], labels: Sequence[Label], profiles: Sequence[Profile], sure: MixtureDoubt
) -> list[ColumnRole]:
    """Return the columns that say what else the samples consist of; the only column of values is none of them."""
    return [
        column
        for column in _beside_the_values(columns, profiles)
        if mixture_doubt(column.heading, labels[column.column].unit, profiles[column.column].cells) == sure
    ]


def _beside_the_values(columns: Sequence[ColumnRole], profiles: Sequence[Profile]) -> list[ColumnRole]:
    values = [column for column in columns if column.role in VALUE_ROLES]
    return [
        column
        for column in columns
        if column.role == "detail"
        or (column.role == "name" and are_ratios(profiles[column.column].cells))
        or (column.role in VALUE_ROLES and not column.is_known and len(values) > 1)
    ]


def _that_make_a_whole(columns: Sequence[ColumnRole], profiles: Sequence[Profile]) -> list[ColumnRole]:
    """Return columns, whatever they are called, whose numbers add up to 1 or 100 in every row."""
    beside = [column for column in _beside_the_values(columns, profiles) if not is_of_one_polymer(column.heading)]
    shares = possible_shares({column.column: profiles[column.column].cells for column in beside})
    return [column for column in beside if column.column in shares]


def _holds_no_number(profiles: Sequence[Profile], column: ColumnRole) -> bool:
    return not any(share_of(cell) is not None for cell in profiles[column.column].cells)


def _listed(headings: Sequence[str]) -> str:
    *before, last = [f"“{shortened(heading)}”" for heading in headings]
    return f"{', '.join(before)} and {last}" if before else last
