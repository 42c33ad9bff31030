"""What each column of a table is for, guessed from headings and contents, with a confidence; all can be changed."""

import dataclasses
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from affinecal_gui.progress import CancelCheck, never, stop_if
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.heading_words import (
    HEADINGS,
    MD_WORDS,
    MEASURED_WORDS,
    NEUTRAL_WORDS,
    SETTINGS,
    SIMULATION_SETTINGS,
    STATISTICS,
    words_of,
)
from affinecal_gui.tables.numbers import PLAIN_NUMBERS, FormatGuess, NumberFormat, guess_number_format, read_number
from affinecal_gui.tables.properties import Property, own_property, property_by_name, simplified
from affinecal_gui.tables.raw_table import RawTable, TextColumn
from affinecal_gui.tables.units import UnitProblem, conversion, is_unit_text, split_heading, unbracketed
from affinecal_gui.tables.words import is_missing_word, looks_like_repeat_unit, looks_numeric

Role = Literal[
    "id",
    "name",
    "smiles",
    "measured",
    "md",
    "uncertainty",
    "lowest",
    "highest",
    "repeats",
    "unit",
    "temperature",
    "phase",
    "source",
    "fraction",
    "descriptor",
    "detail",
    "ignored",
]
"""measured, md: a value of a property; uncertainty, lowest, highest, repeats: belong to a value column; unit: that of
each row's value; detail: kept and shown, not used; ignored: left out."""

ValueKind = Literal["measured", "md"]
FileKind = Literal["measured", "md", "both", "none"]
"""What a file holds values of; "none": repeat units only."""

VALUE_ROLES: frozenset[Role] = frozenset(("measured", "md"))
CERTAIN = 0.75
SAMPLE_CELLS = 500


@dataclass(frozen=True, slots=True)
class ColumnRole:
    """The role of one column."""

    column: int
    heading: str
    role: Role
    quantity: Property | None = None  # of value columns
    unit: str = ""  # as written or chosen; "" for none
    style: NumberFormat = PLAIN_NUMBERS
    of: int | None = None  # column of the value that an uncertainty, range or number of repeats belongs to
    confidence: float = 1.0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that the file does not say."""

    text: str
    about: int | Literal["kind"]  # a column, or whether the values are measured or from MD


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles of all columns, and what the file as a whole holds."""

    columns: tuple[ColumnRole, ...]
    kind: FileKind
    kind_confidence: float
    kind_reason: str
    open: tuple[Question, ...] = ()  # about single columns and the kind; an answer removes them

    @property
    def questions(self) -> tuple[str, ...]:
        """What has to be asked before the file can be used; empty when it can be loaded without asking."""
        return (*_questions_about_the_whole(self.columns), *dict.fromkeys(question.text for question in self.open))

    @property
    def certain(self) -> bool:
        """Whether the file can be loaded without asking anything."""
        return not self.questions

    def first(self, role: Role) -> ColumnRole | None:
        """Return the first column with a role."""
        return next((column for column in self.columns if column.role == role), None)

    def all(self, role: Role) -> tuple[ColumnRole, ...]:
        """Return all columns with a role."""
        return tuple(column for column in self.columns if column.role == role)

    @property
    def values(self) -> tuple[ColumnRole, ...]:
        """The columns with measured or MD values."""
        return tuple(column for column in self.columns if column.role in VALUE_ROLES)

    def with_column(
        self,
        number: int,
        *,
        role: Role | None = None,
        quantity: Property | None = None,
        unit: str | None = None,
        style: NumberFormat | None = None,
        of: int | None = None,
    ) -> "Roles":
        """Return roles in which the user chose something about one column; what is None stays as it was."""
        old = self.columns[number]
        edited = ColumnRole(
            number,
            old.heading,
            role if role is not None else old.role,
            quantity if quantity is not None else old.quantity,
            unit if unit is not None else old.unit,
            style if style is not None else old.style,
            of if of is not None else old.of,
            1.0,
            "chosen",
        )
        columns = (*self.columns[:number], edited, *self.columns[number + 1 :])
        kinds = {column.role for column in columns if column.role in VALUE_ROLES}
        kind: FileKind = "both" if len(kinds) == 2 else "md" if "md" in kinds else "measured" if kinds else "none"
        answered = {number} if role is None or role == old.role else {number, "kind"}
        return dataclasses.replace(
            self, columns=columns, kind=kind, open=tuple(q for q in self.open if q.about not in answered)
        )

    def with_kind(self, kind: ValueKind) -> "Roles":
        """Return roles in which every value of the file is measured, or every value is from MD."""
        columns = tuple(
            dataclasses.replace(column, role=kind) if column.role in VALUE_ROLES else column for column in self.columns
        )
        left = tuple(question for question in self.open if question.about != "kind")
        return dataclasses.replace(
            self, columns=columns, kind=kind, kind_confidence=1.0, kind_reason="chosen", open=left
        )


@dataclass(frozen=True, slots=True)
class _Profile:
    """What the cells of one column look like."""

    filled: int
    numeric: float  # shares of the filled cells
    repeat_units: float
    units: float
    distinct: float
    running: bool  # whole numbers that count the rows
    length: float  # mean number of characters
    cells: tuple[str, ...]


def guess_roles(raw: RawTable, *, others: Sequence["Roles"] = (), cancelled: CancelCheck = never) -> Roles:
    """Guess the role of every column.

    Parameters
    ----------
    raw
        The file.
    others
        Roles of the files that are loaded already: a file that could be either is taken as what is still missing.
    cancelled
        Asked before every column is looked at.

    Raises
    ------
    Cancelled
        ``cancelled()`` became true.
    """
    profiles = []
    for column in raw.columns:
        stop_if(cancelled)
        profiles.append(_profile(column))
    labels = [_label_and_unit(raw, number) for number in range(len(raw.headings))]
    columns: list[ColumnRole | None] = [None] * len(raw.headings)
    for number in _descriptor_columns(raw.headings, profiles):
        columns[number] = ColumnRole(
            number, raw.headings[number], "descriptor", confidence=0.95, reason="one of a series"
        )
    _find_smiles(raw, profiles, labels, columns)
    _find_named_roles(raw, profiles, labels, columns)
    statistics, doubts = _find_values(raw, profiles, labels, columns)
    _attach_statistics(raw, labels, columns, statistics)
    for number, heading in enumerate(raw.headings):
        if columns[number] is None:
            filled = profiles[number].filled > 0
            columns[number] = ColumnRole(number, heading, "detail" if filled else "ignored", confidence=0.8)
    complete = [column for column in columns if column is not None]
    complete = _name_from_text(complete, profiles)
    complete, kind, confidence, reason = _settle_kind(raw, complete, others)
    complete, unit_questions = _settle_units(complete, profiles)
    known = [column for column in complete if column.role in VALUE_ROLES and _is_known(column)]
    asked = {column.column for column in known or [c for c in complete if c.role in VALUE_ROLES]}
    questions = [question for question in (*doubts, *unit_questions) if question.about in asked]
    if "decimal" in raw.chosen:
        questions = [question for question in questions if question not in doubts]
    if not known:
        questions += [
            Question(f"Which property is {shortened(column.heading)}?", column.column)
            for column in complete
            if column.role in VALUE_ROLES
        ][:3]
    smiles = next((column for column in complete if column.role == "smiles"), None)
    if smiles is not None and smiles.confidence < CERTAIN:
        questions.append(Question(f"Does {shortened(smiles.heading)} hold the repeat units?", smiles.column))
    if kind in ("measured", "md") and confidence < 0.3:
        questions.append(Question("Are the values of this file measured, or from MD?", "kind"))
    return Roles(tuple(complete), kind, confidence, reason, tuple(questions))


def _is_known(column: ColumnRole) -> bool:
    return column.quantity is not None and column.quantity.is_known


def _profile(column: TextColumn) -> _Profile:
    size = len(column)
    cells = column[: min(size, SAMPLE_CELLS)]
    if size > SAMPLE_CELLS:
        cells += column[max(SAMPLE_CELLS, size - 100) :]
    filled = [cell for cell in cells if not is_missing_word(cell)]
    count = max(len(filled), 1)
    running = len(filled) > 2 and len(filled) == len(cells)
    if running:
        start = filled[0]
        running = start in ("0", "1") and all(
            cell == str(int(start) + position) for position, cell in enumerate(filled[:SAMPLE_CELLS])
        )
    numeric = sum(map(looks_numeric, filled)) / count
    return _Profile(
        len(filled),
        numeric,
        sum(map(looks_like_repeat_unit, filled)) / count if numeric < 0.9 else 0.0,
        sum(map(is_unit_text, filled)) / count if numeric < 0.9 else 0.0,
        len(set(filled)) / count,
        running,
        sum(map(len, filled)) / count,
        tuple(filled),
    )


@dataclass(frozen=True, slots=True)
class _Label:
    text: str  # heading without its unit
    unit: str
    words: tuple[str, ...]

    @property
    def name(self) -> str:
        return simplified(self.text)


def _label_and_unit(raw: RawTable, number: int) -> _Label:
    heading = re.sub(r" \(\d+\)$", "", raw.headings[number])
    text, unit = split_heading(heading)
    if raw.units and raw.units[number] and not unit:
        below = raw.units[number]
        unit = "" if is_missing_word(below) else unbracketed(below)
    return _Label(text, unit, words_of(text))


def _descriptor_columns(headings: Sequence[str], profiles: Sequence[_Profile]) -> list[int]:
    """Columns of ready descriptors: numbered series of at least ten numeric columns, and masses by element symbol."""
    series: dict[str, list[tuple[int, int]]] = {}
    masses: list[int] = []
    for number, heading in enumerate(headings):
        if profiles[number].numeric < 0.9 and profiles[number].filled:
            continue
        match = re.fullmatch(r"(.*\D)[_\- ]?(\d+)", heading)
        if match:
            series.setdefault(match[1], []).append((int(match[2]), number))
        elif re.fullmatch(r"mass_[A-Z][a-z]?", heading):
            masses.append(number)
    found = masses if len(masses) >= 5 else []
    for members in series.values():
        numbers = sorted(index for index, _ in members)
        if len(numbers) >= 10 and numbers == list(range(numbers[0], numbers[0] + len(numbers))):
            found = [*found, *(column for _, column in members)]
    return sorted(found)


def _find_smiles(
    raw: RawTable, profiles: Sequence[_Profile], labels: Sequence[_Label], columns: list[ColumnRole | None]
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


def _find_named_roles(
    raw: RawTable, profiles: Sequence[_Profile], labels: Sequence[_Label], columns: list[ColumnRole | None]
) -> None:
    """Give out the roles that a heading names outright."""
    taken: set[Role] = set()
    wanted: tuple[Role, ...] = ("unit", "id", "name", "temperature", "phase", "source", "fraction")
    for role in wanted:
        for number, label in enumerate(labels):
            if columns[number] is not None or label.name not in HEADINGS[role]:
                continue
            profile = profiles[number]
            if role == "unit" and profile.units < 0.5:
                continue
            if role in ("name", "phase", "source") and profile.numeric > 0.8 and profile.filled:
                continue
            if role == "id" and profile.running:
                columns[number] = ColumnRole(
                    number, raw.headings[number], "ignored", confidence=0.9, reason="counts the rows"
                )
                continue
            confidence = 0.95 if role not in taken else 0.8
            given: Role = role if role not in taken else "detail"
            columns[number] = ColumnRole(
                number, raw.headings[number], given, unit=label.unit, confidence=confidence, reason="heading"
            )
            taken.add(role)
    for number, label in enumerate(labels):
        if columns[number] is None and label.name in SETTINGS:
            columns[number] = ColumnRole(number, raw.headings[number], "detail", confidence=0.9, reason="a setting")


def _find_values(
    raw: RawTable, profiles: Sequence[_Profile], labels: Sequence[_Label], columns: list[ColumnRole | None]
) -> tuple[dict[int, tuple[Role, str]], list[Question]]:
    """Find the value columns.

    Returns the columns that are statistics of a value, with the name of the value; and what the cells leave open.
    """
    doubts: list[Question] = []
    statistics: dict[int, tuple[Role, str]] = {}
    decimal = raw.decimal or _decimal_of_file(profiles)
    common_unit = _common_unit(raw, columns)
    for number, label in enumerate(labels):
        if columns[number] is not None:
            continue
        profile = profiles[number]
        role, rest = _statistic(label)
        if role is not None and (profile.numeric > 0.5 or not profile.filled):
            statistics[number] = (role, rest)
            continue
        if profile.running:
            columns[number] = ColumnRole(
                number, raw.headings[number], "ignored", confidence=0.85, reason="counts the rows"
            )
            continue
        if not label.unit and common_unit:
            label = dataclasses.replace(label, unit=common_unit)
        quantity, kind = _quantity(label)
        if quantity is None and (profile.numeric < 0.7 or not profile.filled):
            continue
        if quantity is not None and profile.filled and profile.numeric < 0.3:
            doubts.append(
                Question(f"{shortened(raw.headings[number])} holds few numbers. Does it hold values?", number)
            )
        known = quantity is not None
        guess = guess_number_format(profile.cells, known=decimal, chosen_thousands=bool(raw.thousands))
        if not guess.certain:
            doubts.append(Question(f"{shortened(raw.headings[number])}: {guess.question}", number))
        columns[number] = ColumnRole(
            number,
            raw.headings[number],
            kind or "measured",
            quantity or own_property(label.text, label.unit),
            label.unit,
            _with_thousands(guess, raw),
            confidence=(0.95 if known else 0.5) if guess.certain else 0.3,
            reason="heading" if known else "numbers",
        )
    return statistics, doubts


def _decimal_of_file(profiles: Sequence[_Profile]) -> Literal[",", None]:
    """Return the comma when some numeric columns can only have decimal commas and none can only have points."""
    commas = points = 0
    for profile in profiles:
        if profile.numeric < 0.7:
            continue
        guess = guess_number_format(profile.cells)
        if guess.certain and guess.format.decimal == ",":
            commas += 1
        elif any("." in cell for cell in profile.cells) and guess.certain and not guess.format.thousands:
            points += 1
    return "," if commas and not points else None


def _common_unit(raw: RawTable, columns: Sequence[ColumnRole | None]) -> str:
    """Return the unit that every row names in its unit column; "" when there is none or they differ."""
    column = next((column for column in columns if column is not None and column.role == "unit"), None)
    if column is None:
        return ""
    units = {cell for cell in raw.columns[column.column] if not is_missing_word(cell)}
    return units.pop() if len(units) == 1 else ""


def _with_thousands(guess: FormatGuess, raw: RawTable) -> NumberFormat:
    if raw.thousands in (",", ".", " ", "'") and raw.thousands != guess.format.decimal:
        return NumberFormat(guess.format.decimal, raw.thousands)  # type: ignore[arg-type]
    return guess.format


def _statistic(label: _Label) -> tuple[Role | None, str]:
    """Tell whether a heading names a statistic ("Cp_std"), and of what ("cp"); "" means of the value before it."""
    if label.name in STATISTICS:
        return STATISTICS[label.name], ""
    if property_by_name(label.text) is not None:
        return None, ""
    for position in (-1, 0):
        if len(label.words) > 1 and label.words[position] in STATISTICS:
            rest = label.words[:-1] if position == -1 else label.words[1:]
            return STATISTICS[label.words[position]], " ".join(rest)
    if len(label.words) > 2 and " ".join(label.words[-2:]) in STATISTICS:
        return STATISTICS[" ".join(label.words[-2:])], " ".join(label.words[:-2])
    return None, ""


def _quantity(label: _Label) -> tuple[Property | None, ValueKind | None]:
    """Return the property that a heading names, and whether it says that its values are measured or simulated."""
    whole = property_by_name(label.text)
    if whole is not None:
        return whole, None
    words = list(label.words)
    kind: ValueKind | None = None
    if any(word in MEASURED_WORDS for word in words):
        kind = "measured"
    elif any(word in MD_WORDS for word in words):
        kind = "md"
    left = [word for word in words if word not in MEASURED_WORDS | MD_WORDS | NEUTRAL_WORDS]
    if left and left[0] in ("log", "log10", "ln", "lg"):
        return own_property(label.text, label.unit), kind
    named = property_by_name(" ".join(left))
    if named is None and label.unit:
        named = _property_by_unit(label.unit) if not left else None
    return named, kind


def _property_by_unit(unit: str) -> Property | None:
    """Return the property that a unit alone betrays: J/(g K) is a heat capacity, g/cm³ a density."""
    for name in ("Cp", "density", "thermal_conductivity"):
        candidate = property_by_name(name)
        if candidate is None:
            continue
        try:
            conversion(unit, candidate)
        except UnitProblem:
            continue
        return candidate
    return None


def _attach_statistics(
    raw: RawTable,
    labels: Sequence[_Label],
    columns: list[ColumnRole | None],
    statistics: dict[int, tuple[Role, str]],
) -> None:
    names: dict[str, int] = {}
    for number, column in enumerate(columns):
        if column is not None and column.role in VALUE_ROLES:
            names.setdefault(labels[number].name, number)
            if column.quantity is not None:
                names.setdefault(simplified(column.quantity.key), number)
    before: list[int | None] = []  # by column: the value column before it
    for number, column in enumerate(columns):
        before.append(before[-1] if before else None)
        if column is not None and column.role in VALUE_ROLES:
            before[-1] = number
    for number, (role, rest) in statistics.items():
        owner = names.get(rest)
        if owner is None and rest:
            named = property_by_name(rest)
            owner = names.get(simplified(named.key)) if named is not None else None
        if owner is None and not rest:
            owner = before[number]
        if owner is None:
            columns[number] = ColumnRole(number, raw.headings[number], "detail", confidence=0.6)
            continue
        value = columns[owner]
        columns[number] = ColumnRole(
            number,
            raw.headings[number],
            role,
            None,
            labels[number].unit or (value.unit if value is not None and role != "repeats" else ""),
            value.style if value is not None else PLAIN_NUMBERS,
            owner,
            0.9,
            f"of {raw.headings[owner]}",
        )


def _name_from_text(columns: list[ColumnRole], profiles: Sequence[_Profile]) -> list[ColumnRole]:
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


def _settle_kind(
    raw: RawTable, columns: list[ColumnRole], others: Sequence[Roles]
) -> tuple[list[ColumnRole], FileKind, float, str]:
    """Decide whether the values are measured or simulated, from headings, file name and what is loaded already."""
    values = [column for column in columns if column.role in VALUE_ROLES]
    if not values:
        return columns, "none", 1.0, "no values"
    said = {column.column: _quantity(_label_and_unit(raw, column.column))[1] for column in values}
    kinds = {kind for kind in said.values() if kind is not None}
    for_md, for_measured = _evidence(raw, columns)
    if len(kinds) == 2:
        other: ValueKind = "md" if sum(for_md.values()) >= sum(for_measured.values()) else "measured"
        settled = [
            dataclasses.replace(column, role=said[column.column] or other) if column.column in said else column
            for column in columns
        ]
        return settled, "both", 0.95, "headings name both"
    if kinds:
        kind = kinds.pop()
        confidence, reason = 0.95, "the headings say so"
    else:
        missing = _still_missing(others)
        weight_md, weight_measured = sum(for_md.values()), sum(for_measured.values())
        if missing == "md":
            weight_md += 0.75
        elif missing == "measured":
            weight_measured += 0.75
        kind = "md" if weight_md > weight_measured else "measured"
        confidence = abs(weight_md - weight_measured) / (weight_md + weight_measured + 0.5)
        reason = ", ".join(for_md if kind == "md" else for_measured)
    return (
        [dataclasses.replace(c, role=kind) if c.role in VALUE_ROLES else c for c in columns],
        kind,
        confidence,
        reason,
    )


def _still_missing(others: Sequence[Roles]) -> ValueKind | None:
    kinds = {other.kind for other in others}
    if "both" in kinds or kinds >= {"measured", "md"}:
        return None
    return "md" if "measured" in kinds else "measured" if "md" in kinds else None


def _evidence(raw: RawTable, columns: Sequence[ColumnRole]) -> tuple[dict[str, float], dict[str, float]]:
    """Weigh what speaks for simulated and what for measured values, by reason."""
    for_md: dict[str, float] = {}
    for_measured: dict[str, float] = {}
    names = {simplified(heading) for heading in raw.headings}
    settings = names & SIMULATION_SETTINGS
    if settings:
        for_md["simulation settings"] = 1.0 + (len(settings) > 2)
    if any(name.startswith(("qm ", "tc ")) for name in names):
        for_md["quantum-chemical columns"] = 1.0
    if "monomer id" in names:
        for_md["monomer_ID"] = 1.0
    if sum(column.role == "uncertainty" for column in columns) >= 2:
        for_md["a deviation for several properties"] = 1.0
    if sum(column.role in VALUE_ROLES for column in columns) >= 4:
        for_md["several properties"] = 1.0
    if raw.row_count >= 250:
        for_md["hundreds of rows"] = 1.0
    ids = next((column for column in columns if column.role == "id"), None)
    if ids is not None and raw.row_count and re.fullmatch(r"PI\d+", raw.columns[ids.column][0]):
        for_md["RadonPy's ids"] = 1.0
    stem = set(re.split(r"[^a-z0-9]+", raw.name.casefold()))
    if stem & MD_WORDS or "pi1070" in stem:
        for_md["the file name"] = 3.0
    if stem & MEASURED_WORDS:
        for_measured["the file name"] = 3.0
    roles = {column.role for column in columns}
    if "source" in roles:
        for_measured["sources"] = 1.0
    if "phase" in roles:
        for_measured["phases"] = 1.0
    if "values found" in names:
        for_measured["numbers of reports"] = 1.0
    if roles & {"lowest", "highest"} and not any(name.endswith((" min", " max")) for name in names):
        for_measured["ranges found"] = 1.0
    if "unit" in roles:
        for_measured["units by row"] = 1.0
    if raw.row_count < 250:
        for_measured["few rows"] = 0.5
    return for_md, for_measured


def _settle_units(columns: list[ColumnRole], profiles: Sequence[_Profile]) -> tuple[list[ColumnRole], list[Question]]:
    """Give every value column a unit, and ask where the file does not tell it or the numbers contradict it."""
    by_row = any(column.role == "unit" for column in columns)
    only_one = sum(column.role in VALUE_ROLES for column in columns) == 1
    questions: list[Question] = []
    settled: list[ColumnRole] = []
    for column in columns:
        quantity = column.quantity
        if column.role not in VALUE_ROLES or quantity is None or not quantity.is_known or by_row:
            settled.append(column)
            continue
        typical = _median(profiles[column.column], column.style)
        unit, confidence, question = _unit_of(column, quantity, typical)
        if question and (quantity.key in _MAIN or only_one):
            questions.append(Question(question, column.column))
        settled.append(dataclasses.replace(column, unit=unit, confidence=min(column.confidence, confidence)))
    by_number = {column.column: column for column in settled}
    for position, column in enumerate(settled):
        owner = by_number.get(column.of) if column.of is not None else None
        if owner is not None and column.role in ("uncertainty", "lowest", "highest") and not column.unit:
            settled[position] = dataclasses.replace(column, unit=owner.unit)
    return settled, questions


_MAIN = frozenset(("Cp", "density", "refractive_index", "thermal_conductivity", "glass_transition", "abbe_number"))


def _median(profile: _Profile, style: NumberFormat) -> float:
    readings = [read_number(cell, style).value for cell in profile.cells[:200]]
    finite = [value for value in readings if np.isfinite(value)]
    return float(np.median(finite)) if finite else float("nan")


def _unit_of(column: ColumnRole, quantity: Property, typical: float) -> tuple[str, float, str]:
    """Return the unit of a value column, how sure it is, and what to ask."""
    if column.unit:
        try:
            way = conversion(column.unit, quantity)
        except UnitProblem as problem:
            return column.unit, 0.2, f"{shortened(column.heading)}: {problem}."
        if way.needs_molar_mass or _is_plausible(typical * way.factor + way.offset, quantity):
            return column.unit, 1.0, ""
        converted = typical * way.factor + way.offset
        return (
            column.unit,
            0.5,
            f"{shortened(column.heading)}: a typical value of {converted:.4g} {quantity.unit} is unusual for a polymer. "
            f"Is the unit {column.unit}?",
        )
    if column.role == "md" and quantity.bare_unit is not None:
        way = conversion(quantity.bare_unit, quantity)
        if _is_plausible(typical * way.factor, quantity):
            return quantity.bare_unit, 0.9, ""
    if _is_plausible(typical, quantity):
        return quantity.unit, 0.85, ""
    for unit in quantity.other_units:
        way = conversion(unit, quantity)
        if not way.needs_molar_mass and _is_plausible(typical * way.factor + way.offset, quantity):
            return unit, 0.4, f"{shortened(column.heading)} gives no unit. Is it {unit}?"
    return quantity.unit, 0.3, f"{shortened(column.heading)} gives no unit. Is it {quantity.unit or 'without unit'}?"


def _is_plausible(value: float, quantity: Property) -> bool:
    if quantity.plausible is None or not np.isfinite(value):
        return True
    lower, upper = quantity.plausible
    return lower <= value <= upper


def _questions_about_the_whole(columns: Sequence[ColumnRole]) -> list[str]:
    """List what the roles together leave open."""
    roles = {column.role for column in columns}
    questions: list[str] = []
    if "smiles" not in roles and "id" not in roles:
        questions.append("Which column holds the repeat unit (SMILES), or an id?")
    if not roles & {"measured", "md", "descriptor", "smiles"}:
        questions.append("Which column holds the values?")
    keys = Counter((column.role, column.quantity.key) for column in columns if _is_known(column) and column.quantity)
    for (role, key), count in keys.items():
        if count > 1 and role in VALUE_ROLES:
            same = [
                shortened(c.heading)
                for c in columns
                if c.role == role and c.quantity is not None and c.quantity.key == key
            ]
            questions.append(
                f"Several columns hold the same property: {' or '.join(same[:4])}. Which one is to be used?"
            )
    return questions
