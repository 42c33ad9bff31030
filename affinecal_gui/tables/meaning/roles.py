"""What each column of a table is for, guessed from headings and contents, with a confidence; all can be changed."""

import dataclasses
import re
from collections.abc import Mapping, Sequence

from affinecal_gui.tables.cells.number_formats import decimal_of_file
from affinecal_gui.tables.cells.numbers import read_number
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.evidence.column_evidence import (
    Label,
    Profile,
    are_counts,
    could_be,
    is_unit_of,
    label_of,
    own_name,
    profile_of,
    quantity_of,
    statistic_of,
    unread_unit,
)
from affinecal_gui.tables.evidence.column_formats import guessed_format
from affinecal_gui.tables.evidence.deviation_columns import deviation_columns
from affinecal_gui.tables.evidence.mean_columns import repeats_without_mean, take_means
from affinecal_gui.tables.evidence.polymer_roles import find_polymers, questions_of_single_units, with_notes_of_mixtures
from affinecal_gui.tables.evidence.unit_columns import attached, given_units, names_units
from affinecal_gui.tables.evidence.unit_guesses import settle_units
from affinecal_gui.tables.evidence.unused_columns import with_unused_named
from affinecal_gui.tables.headings.column_roles import OF_NO_VALUE, ColumnRole, Question, Roles, taken_instead
from affinecal_gui.tables.headings.heading_words import (
    HEADINGS,
    MD_WORDS,
    MEASURED_WORDS,
    NEUTRAL_WORDS,
    ROW_NUMBERS,
    SETTINGS,
    words_of,
)
from affinecal_gui.tables.headings.relative_uncertainties import is_percent, statistic_words
from affinecal_gui.tables.headings.role_names import VALUE_ROLES, Role
from affinecal_gui.tables.headings.stated_pressures import is_pressure_heading
from affinecal_gui.tables.meaning.file_kind import settle_kind
from affinecal_gui.tables.meaning.radonpy_roles import take_settings, with_known_quantities
from affinecal_gui.tables.raw_table import DecimalMark, RawTable
from affinecal_gui.tables.shapes.comonomer_rows import without_fractions
from affinecal_gui.tables.shapes.long_tables import names_properties
from affinecal_gui.tables.shapes.mean_and_deviation import holds_both, names_both, of_the_value
from affinecal_gui.tables.shapes.tables_beside import find_tables, roles_of_table, which_table
from affinecal_gui.tables.single_numbers import PLAIN_NUMBERS, NumberFormat
from affinecal_gui.tables.units.properties import Property, own_property
from affinecal_gui.tables.units.property_names import property_by_name, simplified
from affinecal_gui.tables.units.units import is_unit_text
from affinecal_gui.tables.words import is_missing_word
from affinecal_gui.task import UNWATCHED, Task

CERTAIN = 0.75


def guess_roles(raw: RawTable, *, others: Sequence[Roles] = (), task: Task = UNWATCHED) -> Roles:
    """Guess the role of every column.

    Parameters
    ----------
    raw
        The file.
    others
        Roles of the files that are loaded already: a file that could be either is taken as what is still missing.
    task
        Asked whenever a column is looked at.
    """
    tables = find_tables(raw)
    if tables:
        roles = roles_of_table(raw, tables[0], lambda alone: _guess_roles_of_one(alone, others, task))
        return dataclasses.replace(roles, open=(which_table(raw, tables), *roles.open))
    return _guess_roles_of_one(raw, others, task)


def _guess_roles_of_one(raw: RawTable, others: Sequence[Roles], task: Task) -> Roles:
    """Guess the roles of a table that stands alone."""
    profiles = []
    for column in raw.columns:
        task.check()
        profiles.append(profile_of(column))
    labels = [label_of(raw, number) for number in task.each(range(len(raw.headings)), 1)]
    columns: list[ColumnRole | None] = [None] * len(raw.headings)
    decimal = decimal_of_file(task.each([p.cells for p in profiles if p.numeric >= 0.7], 1))
    for number in task.each(_descriptor_columns(raw.headings, profiles), 1):
        style = guessed_format(raw, profiles[number], decimal).format
        columns[number] = ColumnRole(
            number, raw.headings[number], "descriptor", style=style, confidence=0.95, reason="one of a series"
        )
    take_settings(raw, columns)
    of_polymers = find_polymers(raw, profiles, labels, columns)
    task.check()
    _find_named_roles(raw, profiles, labels, columns, decimal)
    statistics, of_marks, doubts = _find_values(raw, profiles, labels, columns, decimal, task)
    task.check()
    take_means(raw, labels, profiles, columns)
    doubts += repeats_without_mean(labels, columns)
    deviations = deviation_columns(labels, profiles, columns)
    statistics |= deviations.statistics
    for number, label in deviations.labels.items():
        labels[number], columns[number] = label, None
    for number, note in deviations.notes.items():
        noted = columns[number]
        if noted is not None:
            columns[number] = dataclasses.replace(noted, notes=(*noted.notes, note))
    known = with_known_quantities(raw, columns)
    doubts = [doubt for doubt in doubts if doubt.about not in known] + _rivals(labels, columns, known)
    if "decimal" not in raw.chosen:
        doubts += of_marks
    task.check()
    _attach_statistics(raw, labels, columns, statistics)
    for number, heading in enumerate(raw.headings):
        if columns[number] is None:
            filled = profiles[number].filled > 0
            columns[number] = ColumnRole(number, heading, "detail" if filled else "ignored", confidence=0.8)
    complete = [column for column in columns if column is not None]
    complete = attached(_name_from_text(complete, profiles), labels, profiles)
    of_polymers += questions_of_single_units(raw, profiles, labels, complete)
    of_polymers += _comonomers_by_row(raw, complete)
    complete = with_notes_of_mixtures(complete, labels, profiles)
    complete, kind, confidence, reason = settle_kind(raw, complete, others)
    complete, unit_questions = settle_units(raw, complete, profiles)
    complete = with_unused_named(complete, labels, profiles)
    values = [column for column in complete if column.role in VALUE_ROLES]
    by_name = [column for column in values if column.is_known]
    asked = {column.column for column in by_name or values}
    questions = [question for question in (*doubts, *unit_questions) if question.about in asked]
    questions = [*of_polymers, *_several_properties_by_row(complete, profiles), *questions]
    if not by_name:
        questions += [Question(f"Which property is {shortened(column.heading)}?", column.column) for column in values][
            :3
        ]
    smiles = next((column for column in complete if column.role == "smiles"), None)
    if smiles is not None and smiles.confidence < CERTAIN:
        questions.append(Question(f"Does {shortened(smiles.heading)} hold the repeat units?", smiles.column))
    if kind in ("measured", "md") and confidence < 0.3:
        questions.append(Question("Are the values of this file measured, or from MD?", "kind"))
    return Roles(tuple(complete), kind, confidence, reason, tuple(questions))


_LONG_SERIES = 10


def _descriptor_columns(headings: Sequence[str], profiles: Sequence[Profile]) -> list[int]:
    """Columns of ready descriptors: numbered series of at least ten numeric columns, and masses by element symbol.

    Blocks of the user's own may be shorter: series ``name_0, name_1 ...`` count together, if together they are ten or more.
    """
    series: dict[str, list[tuple[int, int]]] = {}
    masses: list[int] = []
    for number, heading in enumerate(headings):
        if profiles[number].numeric < 0.9 and profiles[number].filled:
            continue
        match = re.fullmatch(r"(.*\D)[_\- ]?(\d{1,9})", heading)
        if match:
            series.setdefault(match[1], []).append((int(match[2]), number))
        elif re.fullmatch(r"mass_[A-Z][a-z]?", heading):
            masses.append(number)
    found = masses if len(masses) >= 5 else []
    blocks: list[int] = []
    for name, members in series.items():
        numbers = sorted(index for index, _ in members)
        if len(set(numbers)) < len(numbers):
            continue
        if numbers[-1] - numbers[0] >= len(numbers):  # some are missing, as where a table was thinned out
            if len(numbers) >= _LONG_SERIES and name.endswith("_") and numbers[-1] - numbers[0] < 2 * len(numbers):
                found = [*found, *(column for _, column in members)]
            continue
        if len(numbers) >= _LONG_SERIES:
            found = [*found, *(column for _, column in members)]
        elif len(numbers) > 1 and numbers[0] == 0 and name.endswith("_"):
            blocks += [column for _, column in members]
    if len(found) + len(blocks) >= _LONG_SERIES:
        found += blocks
    return sorted(found)


def _find_named_roles(
    raw: RawTable,
    profiles: Sequence[Profile],
    labels: Sequence[Label],
    columns: list[ColumnRole | None],
    decimal: DecimalMark | None,
) -> None:
    """Give out the roles that a heading names outright."""
    taken: set[Role] = set()
    for number, label in enumerate(labels):
        if columns[number] is None and names_units(label, profiles[number]) is not None:
            columns[number] = ColumnRole(number, raw.headings[number], "unit", confidence=0.95, reason="heading")
    wanted: tuple[Role, ...] = ("id", "name", "temperature", "phase", "source", "fraction")
    for role in wanted:
        for number, label in enumerate(labels):
            if columns[number] is not None or label.name not in HEADINGS[role]:
                continue
            profile = profiles[number]
            if role in ("name", "phase", "source") and profile.numeric > 0.8 and profile.filled:
                continue
            if role == "id" and profile.running and label.name in ROW_NUMBERS:
                columns[number] = ColumnRole(
                    number, raw.headings[number], "ignored", confidence=0.9, reason="counts the rows"
                )
                continue
            confidence = 0.95 if role not in taken else 0.8
            given: Role = role if role not in taken else "detail"
            style = guessed_format(raw, profile, decimal).format if given == "temperature" else PLAIN_NUMBERS
            columns[number] = ColumnRole(
                number, raw.headings[number], given, None, label.unit, style, None, confidence, "heading"
            )
            taken.add(role)
    for number, label in enumerate(labels):
        if columns[number] is None and (label.name in SETTINGS or is_pressure_heading(label.name, label.unit)):
            # 101.325 is the pressure of the air, and no hundred thousand.
            has_commas = decimal == "," or any("," in cell for cell in profiles[number].cells)
            style = guessed_format(raw, profiles[number], decimal).format if has_commas else PLAIN_NUMBERS
            columns[number] = ColumnRole(
                number, raw.headings[number], "detail", style=style, confidence=0.9, reason="a setting"
            )


def _find_values(
    raw: RawTable,
    profiles: Sequence[Profile],
    labels: Sequence[Label],
    columns: list[ColumnRole | None],
    decimal: DecimalMark | None,
    task: Task,
) -> tuple[dict[int, tuple[Role, str]], list[Question], list[Question]]:
    """Find the value columns.

    Returns the columns that are statistics of a value, with the name of the value; what the marks of numbers leave open; and
    what the cells do otherwise.
    """
    of_marks: list[Question] = []
    doubts: list[Question] = []
    statistics: dict[int, tuple[Role, str]] = {}
    unit_of = _units_of_values(raw, labels, profiles, columns)
    beside = _named_in_cells(raw, profiles, columns)
    for number, label in enumerate(task.each(labels, 1)):
        if columns[number] is not None:
            continue
        profile = profiles[number]
        role, rest = statistic_of(label)
        if role == "uncertainty" and (holds_both(profile) or names_both(label, labels)):
            role, label = None, of_the_value(label)
        if role == "repeats" and not are_counts(profile):
            role = None  # "n" is a refractive index as well
        if role is not None and (profile.numeric > 0.5 or not profile.filled):
            statistics[number] = (role, rest)
            continue
        if profile.running:
            columns[number] = ColumnRole(
                number, raw.headings[number], "ignored", confidence=0.85, reason="counts the rows"
            )
            continue
        if not label.unit and number in unit_of:
            label = dataclasses.replace(label, unit=unit_of[number])
        quantity, kind = quantity_of(label)
        if quantity is not None and quantity.is_known and not label.unit:
            label = dataclasses.replace(label, unit=unread_unit(label, quantity))
        if quantity is None and not label.unit and set(label.words) <= MEASURED_WORDS | MD_WORDS | NEUTRAL_WORDS:
            quantity = beside  # the heading says no more than "value"
        if quantity is None and (profile.numeric < 0.7 or not profile.filled):
            unit = _unit_in_cells(profile)
            if not unit:
                continue
            label = dataclasses.replace(label, unit=label.unit or unit)
        if quantity is not None and profile.filled and profile.numeric < 0.3:
            doubts.append(
                Question(f"{shortened(raw.headings[number])} holds few numbers. Does it hold values?", number)
            )
        known = quantity is not None
        in_cells = dataclasses.replace(label, unit=_unit_in_cells(profile) or label.unit)  # that in a cell counts first
        guess = guessed_format(raw, profile, decimal, in_cells, quantity)
        if not guess.certain:
            of_marks.append(Question(f"{shortened(raw.headings[number])}: {guess.question}", number))
        columns[number] = ColumnRole(
            number,
            raw.headings[number],
            kind or "measured",
            quantity or own_property(own_name(label) or raw.headings[number], label.unit),
            label.unit,
            guess.format,
            confidence=(0.95 if known else 0.5) if guess.certain else 0.3,
            reason="heading" if known else "numbers",
            notes=(f"{shortened(raw.headings[number])}: {guess.note}.",) if guess.note else (),
        )
    return statistics, of_marks, doubts


def _unit_in_cells(profile: Profile) -> str:
    """Return the first unit of a column in which nearly every cell is a number with its unit; "" of any other."""
    if not any(map(str.isalpha, "".join(profile.cells[:3]))):
        return ""
    cells = [cell for cell in profile.cells if any(map(str.isdigit, cell))]
    for style in (PLAIN_NUMBERS, _COMMA_NUMBERS):  # whatever the marks are, the unit is the same
        readings = [read_number(cell, style) for cell in cells]
        units = [reading.suffix for reading in readings if reading.state == "value" and is_unit_text(reading.suffix)]
        if units and len(units) >= 0.7 * profile.filled:
            return units[0]
    return ""


_COMMA_NUMBERS = NumberFormat(",")


def _rivals(
    labels: Sequence[Label], columns: list[ColumnRole | None], settled: frozenset[int] = frozenset()
) -> list[Question]:
    """Ask about columns that may hold the same property as the one that was taken for it: "Cp solid" and "Cp liquid".

    Columns that are ``settled`` hold what they are known to hold, and nothing else.
    """
    questions = []
    values = [c for c in columns if c is not None and c.role in VALUE_ROLES and c.column not in settled]
    unknown = [column for column in values if not column.is_known]
    found: dict[tuple[Role, Property], list[str]] = {}  # there are few properties, and may be thousands of columns
    for taken in values:
        if not taken.is_known or taken.quantity is None:
            continue
        key = (taken.role, taken.quantity)
        if key not in found:
            found[key] = [
                other.heading
                for other in unknown
                if other.role == taken.role and could_be(labels[other.column], taken.quantity)
            ]
        if rivals := found[key]:
            named = " or ".join(map(shortened, rivals[:3]))
            text = f"{shortened(taken.heading)} is taken for {taken.quantity.title.lower()}. Is it that, or {named}?"
            questions.append(Question(text, taken.column))
            note = taken_instead(taken.heading, rivals[0], taken.quantity)
            columns[taken.column] = dataclasses.replace(taken, notes=(*taken.notes, note))
    return questions


def _several_properties_by_row(columns: Sequence[ColumnRole], profiles: Sequence[Profile]) -> list[Question]:
    """Ask about a column that names the property of each row where no column was told to hold the values."""
    naming = [c for c in columns if c.role in ("detail", "name", "id") and names_properties(profiles[c.column])]
    questions = []
    for column in naming[:1]:
        names = " and ".join(f"“{shortened(name)}”" for name in list(dict.fromkeys(profiles[column.column].cells))[:2])
        seen = f"“{shortened(column.heading)}” names several properties row by row ({names})"
        questions.append(
            Question(
                f"{seen}. Which column holds their values?",
                column.column,
                refusal=f"{seen}, but which column holds their values is not clear: call that “value”, or give each "
                "property a column of its own.",
            )
        )
    return questions


def _comonomers_by_row(raw: RawTable, columns: Sequence[ColumnRole]) -> list[Question]:
    """Ask about rows that look like the repeat units of one copolymer, each in a row of its own."""
    units = [column.column for column in columns if column.role == "smiles"]
    if len(units) != 1 or any(column.role == "fraction" for column in columns):
        return []
    keys = [column.column for column in columns if column.role in ("id", "name")]
    values = [column.column for column in columns if column.role in VALUE_ROLES]
    found = without_fractions(raw, units[0], keys, values)
    if found is None:
        return []
    key, row = found
    heading, cells = shortened(raw.headings[key]), raw.columns[units[0]]
    pair = " and ".join(f"“{shortened(cells[number])}”" for number in (row - 1, row))
    seen = (
        f"rows with one “{heading}” and one value hold different repeat units (lines {raw.lines[row - 1]} and "
        f"{raw.lines[row]}: {pair}), as a copolymer with a row for each of them"
    )
    return [
        Question(
            f"{seen[:1].upper()}{seen[1:]}. Are these homopolymers?",
            units[0],
            True,
            f"{seen}. Add a column with the mole fractions (fraction), or give each polymer a “{heading}” of its own if they "
            "are homopolymers.",
        )
    ]


def _units_of_values(
    raw: RawTable, labels: Sequence[Label], profiles: Sequence[Profile], columns: Sequence[ColumnRole | None]
) -> dict[int, str]:
    """Return the first unit that the column of units of each possible value column names."""
    units = [column for column in columns if column is not None and column.role == "unit"]
    if not units:
        return {}
    free = [
        ColumnRole(number, raw.headings[number], "measured", quantity_of(label)[0])
        for number, label in enumerate(labels)
        if columns[number] is None and profiles[number].numeric >= 0.5
    ]
    placed = [c for c in attached([*free, *units], labels, profiles) if c.role == "unit"]
    found: dict[int, str] = {}
    for value in free:
        column = next((c for c in placed if c.of == value.column), None) or next(
            (c for c in placed if c.of is None), None
        )
        given = given_units(raw, column.column) if column is not None else ()
        quantity = value.quantity
        if column is not None and column.of is None and len(free) > 1 and quantity is not None:
            given = tuple(unit for unit in given if is_unit_of(unit, quantity))
        if given:
            found[value.column] = given[0]
    return found


def _named_in_cells(
    raw: RawTable, profiles: Sequence[Profile], columns: Sequence[ColumnRole | None]
) -> Property | None:
    """Return the property that a column names row by row, the same in all of them; else the one that the units betray."""
    for number, profile in enumerate(profiles):
        if columns[number] is not None or profile.numeric > 0.0 or not profile.filled:
            continue
        texts = set(profile.cells)
        named = {found for text in texts if (found := quantity_of(Label(text, "", words_of(text)))[0]) is not None}
        if len(named) == 1 and len(texts) <= 3 and all(quantity_of(Label(t, "", words_of(t)))[0] for t in texts):
            return named.pop()
    column = next((column for column in columns if column is not None and column.role == "unit"), None)
    if column is None:
        return None
    units = {cell for cell in raw.columns[column.column] if not is_missing_word(cell)}
    betrayed = {quantity_of(Label("", unit, ()))[0] for unit in sorted(units)[:20]}
    return betrayed.pop() if len(betrayed) == 1 else None


def _attach_statistics(
    raw: RawTable,
    labels: Sequence[Label],
    columns: list[ColumnRole | None],
    statistics: dict[int, tuple[Role, str]],
) -> None:
    names: dict[str, int] = {}
    values = [column for column in columns if column is not None and column.role in VALUE_ROLES]
    for value in values:
        names.setdefault(labels[value.column].name, value.column)
    for value in values:  # "density_std" is of "density" before it is of "density_exp"
        if value.quantity is not None:
            names.setdefault(simplified(value.quantity.key), value.column)
    before: list[int | None] = []  # by column: the value column before it
    for number, column in enumerate(columns):
        before.append(before[-1] if before else None)
        if column is not None and column.role in VALUE_ROLES:
            before[-1] = number
    in_order = _in_the_order_of_values(columns, statistics, before)
    for number, (role, rest) in statistics.items():
        owner = in_order.get(number, names.get(rest))
        if owner is None and rest:
            named = property_by_name(rest)
            owner = names.get(simplified(named.key)) if named is not None else None
        if owner is None and not rest:
            owner = before[number]
        if owner is None:
            columns[number] = ColumnRole(number, raw.headings[number], "detail", confidence=0.6, reason=OF_NO_VALUE)
            continue
        owned = columns[owner]
        in_percent = role == "uncertainty" and _gives_per_cent(raw, number + 1, labels)
        if in_percent:
            reason = "unit of the column before"
            columns[number + 1] = ColumnRole(number + 1, raw.headings[number + 1], "detail", reason=reason)
        columns[number] = ColumnRole(
            number,
            raw.headings[number],
            role,
            None,
            "%" if in_percent else _unit_of_statistic(role, labels[number], owned),
            owned.style if owned is not None else PLAIN_NUMBERS,
            owner,
            0.9,
            f"of {raw.headings[owner]}",
        )


def _in_the_order_of_values(
    columns: Sequence[ColumnRole | None], statistics: Mapping[int, tuple[Role, str]], before: Sequence[int | None]
) -> dict[int, int]:
    """Return of which values statistics are that stand behind several columns of values, as many of each and in one order.

    "Tg, density, SD, SD" has the deviations of Tg first; "Tg, SD, SD" has two of Tg.
    """
    found: dict[int, int] = {}
    runs: dict[tuple[int, Role], list[int]] = {}
    for number, (role, rest) in statistics.items():
        last = before[number]
        if not rest and last is not None:
            runs.setdefault((last, role), []).append(number)
    for (last, _), members in runs.items():
        values = range(last - len(members) + 1, last + 1)
        are_values = [(column := columns[n]) is not None and column.role in VALUE_ROLES for n in values if n >= 0]
        if len(members) > 1 and len(are_values) == len(members) and all(are_values):
            found |= dict(zip(members, values, strict=True))
    return found


def _gives_per_cent(raw: RawTable, number: int, labels: Sequence[Label]) -> bool:
    """Whether a column of units says of every row that the column before it is in per cent."""
    if number >= len(labels) or HEADINGS["unit"].isdisjoint(labels[number].words):
        return False
    units = {cell for cell in raw.columns[number] if not is_missing_word(cell)}
    return bool(units) and all(map(is_percent, units))


def _unit_of_statistic(role: Role, label: Label, value: ColumnRole | None) -> str:
    """Return the unit of a statistic, which is that of its value where the heading names none and it is no share."""
    share = statistic_words(label.words, label.unit)[1] if role == "uncertainty" else ""
    return share or label.unit or (value.unit if value is not None and role != "repeats" else "")


def _name_from_text(columns: list[ColumnRole], profiles: Sequence[Profile]) -> list[ColumnRole]:
    """Take the first column of distinct short texts as the name where no heading says which it is."""
    if any(column.role in ("name", "id") for column in columns):
        return columns
    for column in columns:
        profile = profiles[column.column]
        if (
            column.role == "detail"
            and not column.reason
            and profile.distinct > 0.8
            and profile.numeric < 0.3
            and 2 <= profile.length <= 60
        ):
            return [
                dataclasses.replace(other, role="name", confidence=0.6, reason="distinct texts")
                if other is column
                else other
                for other in columns
            ]
    return columns
