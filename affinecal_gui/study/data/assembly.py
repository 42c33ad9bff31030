"""The service that puts the tables of a study together: which polymer is which, and what is known of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.errors import MoreNeeded, UserError
from affinecal_gui.notes import Note, limited
from affinecal_gui.numbers import shortest
from affinecal_gui.polymers.chain.polymer_class import polymer_class
from affinecal_gui.study.data.cross_references import speaking_of_the_same
from affinecal_gui.study.data.missing_half import MissingHalf, missing_half
from affinecal_gui.study.data.ready_descriptors import find_ready_descriptors
from affinecal_gui.study.data.row_columns import RowColumns, row_columns
from affinecal_gui.study.importing.merging import MergedTable, merge_tables, wanted_rows
from affinecal_gui.study.importing.unit_doubts import assumed_units, find_unit_doubts, scales_apart
from affinecal_gui.study.md_conditions import UNKNOWN_CONDITIONS, MDConditions, MDPressures, MDTemperatures
from affinecal_gui.study.row_details import RowDetails
from affinecal_gui.study.snapshot import AS_IT_COMES, MatchingChoices, PolymerRow, RowState, UnitDoubt
from affinecal_gui.study.state import LoadedTable
from affinecal_gui.tables.headings.role_names import ValueKind
from affinecal_gui.tables.matching.conditions import PRESSURE_TOLERANCE
from affinecal_gui.tables.matching.matching import MatchReport, match
from affinecal_gui.tables.matching.md_sources import SourceOffset, brought_to_one_level, compare_sources
from affinecal_gui.tables.matching.polymer_reports import Polymer
from affinecal_gui.tables.matching.tacticities import tacticities_of
from affinecal_gui.tables.problems import RowProblem
from affinecal_gui.tables.units.properties import TEMPERATURES, Property
from affinecal_gui.tables.units.property_names import simplified
from affinecal_gui.tables.values.outlying_values import AGAINST_MD, MOSTLY, far_off, times
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.value_conditions import comparable_temperatures, pressures_of_values
from affinecal_gui.task import UNWATCHED, Task

FloatArray = NDArray[np.float64]

ROWS_AT_ONCE = 100  # made between two questions whether to stop
ODD_ONES_TOLD = 3  # values that are probably mistakes and are told one by one; how many there are is told anyway

ROOM_TEMPERATURE = 298.15  # K; measured values without temperature are quoted near it

_CLASS_HEADINGS = frozenset(
    {"polymer class", "class", "class of polymer", "polymer type", "polymer family", "polymerklasse"}
)
"""Headings, simplified, of columns that say of which class a polymer is."""


@dataclass(frozen=True, slots=True, eq=False)
class Assembly:
    """The polymers of a study for one property: k measured ones, m with an MD value (the library).

    Rows stand in the order measured, predicted only, invalid. Measured polymer i is row i.
    """

    tables: tuple[LoadedTable, ...]
    quantity: Property
    report: MatchReport | None  # None until there are values of both kinds
    rows: tuple[PolymerRow, ...]
    measured: FloatArray  # (k,) canonical unit
    measured_library: NDArray[np.int64]  # (k,) library index; -1 without MD value
    library_md: FloatArray  # (m,)
    library_smiles: tuple[str, ...]  # (m,) "" where the table gives none
    library_rows: NDArray[np.int64]  # (m,) the row that shows it
    temperature: float  # K, of the MD values
    temperature_is_stated: bool
    ready_descriptors: FloatArray | None = None  # (m, d) from tables of the study; nan rows where they have none
    ready_names: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    odd_ratios: int = 0  # measured polymers whose ratio to their MD value is far from that of the others; in the notes
    choices: MatchingChoices = AS_IT_COMES
    measured_side: MergedTable | None = None  # the tables that the report compares
    md_side: MergedTable | None = None
    unit_doubts: tuple[UnitDoubt, ...] = ()
    columns: RowColumns | None = None  # of the rows
    md_sources: tuple[SourceOffset, ...] = ()  # how MD values from several sources lie to each other
    missing: MissingHalf | None = None  # where there are values of one kind only
    md_conditions: MDConditions = UNKNOWN_CONDITIONS  # of the MD values that are compared with measured ones
    beyond: Mapping[int, str] = field(default_factory=dict)  # library indices that hold too far from these, and why

    @property
    def summary(self) -> str:
        """One sentence for the data panel."""
        if self.report is not None:
            return _joined(self.report.summary, self._filter_sentence)
        count, kind = len(self.rows), "measured" if len(self.measured) else "simulated"
        polymers = "polymer" if count == 1 else "polymers"
        return _joined(f"{count} {kind} {polymers}.", self.missing.sentence if self.missing is not None else "")

    @property
    def _filter_sentence(self) -> str:
        count = len(self.measured_side.left_out) if self.measured_side is not None else 0
        if not count:
            return ""
        return f"{count} {'row is' if count == 1 else 'rows are'} left out by temperature or phase."


def assemble(
    tables: Sequence[LoadedTable],
    quantity: Property,
    choices: MatchingChoices = AS_IT_COMES,
    *,
    task: Task = UNWATCHED,
) -> Assembly:
    """Match the measured with the simulated polymers of a study.

    Parameters
    ----------
    tables
        All tables of the study; those with values of the property take part.
    quantity
        The target property.
    choices
        How several reports become one value, which rows take part, and what was linked by hand.

    Raises
    ------
    MoreNeeded
        No table has a value of any property.
    UserError
        No table has a value of this one.
    """
    parts = wanted_rows(tables, choices, task=task)
    measured = merge_tables(parts, "measured", quantity)
    md = merge_tables(parts, "md", quantity)
    if measured is None and md is None:
        if not any(loaded.table.values for loaded in tables):
            raise MoreNeeded("There are no values yet. Add a table of measured values and a table of MD values.")
        raise UserError(
            f"None of the tables has values of {quantity.title.lower()}. Choose another property or add a table."
        )
    if measured is None or md is None:
        only = measured if measured is not None else md
        assert only is not None
        found = _one_sided(tuple(tables), quantity, only, "measured" if measured is not None else "md", task)
        columns = row_columns(found.rows, task=task)
        return replace(found, choices=choices, measured_side=measured, md_side=md, columns=columns)
    first, second = measured.table, md.table
    if first is not second:  # a file that holds both kinds of values needs no other table
        first, second = speaking_of_the_same(first, second, [loaded.table for loaded in tables], task=task)
    md_sources = compare_sources(second, quantity, shift=choices.md_on_one_level, task=task)
    second = brought_to_one_level(second, quantity, md_sources, task=task)
    report = match(
        first,
        second,
        quantity.key,
        rule=choices.rule,
        by_hand=_rows_by_hand(choices, measured, md),
        reports_off=[row for row, key in enumerate(measured.keys) if key in choices.reports_off],
        tolerance=choices.temperature_tolerance,
        task=task,
    )
    if md_sources:
        md = replace(md, table=brought_to_one_level(md.table, quantity, md_sources, task=task))
    found = _two_sided(tuple(tables), quantity, report, measured, md, choices.temperature_tolerance, task)
    doubts = find_unit_doubts(report, measured, md, tables)
    return replace(
        found,
        choices=choices,
        measured_side=measured,
        md_side=md,
        unit_doubts=doubts,
        notes=(
            *assumed_units(tables, quantity),
            *scales_apart(report, quantity, doubts),
            *(one.told(quantity) for one in md_sources),
            *found.notes,
        ),
        md_sources=md_sources,
        columns=row_columns(found.rows, task=task),
    )


def _rows_by_hand(choices: MatchingChoices, measured: MergedTable, md: MergedTable) -> dict[int, int]:
    """Return the links set by the user as rows; those of rows that are not there at the moment do not count."""
    if not choices.by_hand:
        return {}
    measured_rows = {key: row for row, key in enumerate(measured.keys)}
    md_rows = {key: row for row, key in enumerate(md.keys)}
    return {
        measured_rows[key]: md_rows[partner]
        for key, partner in choices.links.items()
        if key in measured_rows and partner in md_rows
    }


def _two_sided(
    tables: tuple[LoadedTable, ...],
    quantity: Property,
    report: MatchReport,
    measured: MergedTable,
    md: MergedTable,
    tolerance: float,
    task: Task,
) -> Assembly:
    rows: list[PolymerRow] = []
    measured_kelvin = comparable_temperatures(measured.table, "measured", quantity.key)
    md_kelvin = comparable_temperatures(md.table, "md", quantity.key)
    links = report.library_index
    reasons = {entry.measured: entry.reason for entry in report.unmatched}
    notes_of_link = {link.measured: link.note for link in report.links}
    library_rows = np.full(len(report.library), -1, dtype=np.int64)
    for index, polymer in enumerate(task.each(report.measured, ROWS_AT_ONCE)):
        library = links.get(index, -1)
        partner = report.library[library] if library >= 0 else None
        row = _row(measured, polymer)
        md_row = partner.rows[0] if partner is not None else -1
        rows.append(
            replace(
                row,
                # The id of the simulation leads back to the MD table; ids of the measured table may be mere numbers.
                id=(md.table.ids[md_row] if partner is not None else "") or row.id,
                md_id=md.table.ids[md_row] if partner is not None else "",
                measured_id=row.id,
                name=row.name or (md.table.names[md_row] if partner is not None else ""),
                smiles=row.smiles or (md.table.smiles[md_row] if partner is not None else ""),
                measured=polymer.value,
                md=partner.value if partner is not None else np.nan,
                measured_temperature=_mean_temperature(measured_kelvin, polymer.counted_rows),
                state="waiting" if partner is not None else "no MD value",
                reason=reasons.get(index, "")
                or _joined(polymer.note, partner.note if partner is not None else "", notes_of_link.get(index, "")),
                library_index=library,
                polymer_class=_stated_class(measured.table, polymer.rows[0])
                or (_stated_class(md.table, md_row) if partner is not None else "")
                or polymer_class(row.smiles or (md.table.smiles[md_row] if partner is not None else "")),
                md_temperature=_middle(md_kelvin, partner.counted_rows) if partner is not None else np.nan,
            )
        )
        if library >= 0 and library_rows[library] < 0:
            library_rows[library] = index
    for index, polymer in enumerate(task.each(report.library, ROWS_AT_ONCE)):
        if library_rows[index] < 0:
            library_rows[index] = len(rows)
            row = _row(md, polymer, "predicted", polymer.note, md=polymer.value, library_index=index, is_md=True)
            rows.append(replace(row, md_temperature=_middle(md_kelvin, polymer.counted_rows)))
    for side, problems in ((measured, report.measured_invalid), (md, report.md_invalid)):
        row_of = {line: row for row, line in reversed(list(enumerate(side.table.lines)))} if problems else {}
        rows.extend(
            _invalid_row(side, problem, row_of.get(problem.line, -1)) for problem in task.each(problems, ROWS_AT_ONCE)
        )
    temperature = _middle(md_kelvin, [row for one in report.library for row in one.counted_rows])
    fitted, of_library = _md_conditions(quantity, report, md.table, rows, library_rows, tolerance)
    odd = _outlying_pairs(report, measured, rows)
    for index, sentence in odd.items():
        rows[index] = replace(rows[index], reason=_joined(rows[index].reason, sentence))
    names, ready = find_ready_descriptors(tables, report, md, task=task)
    measured_of = {link.library: link.measured for link in reversed(report.links)}
    return Assembly(
        tables=tables,
        quantity=quantity,
        report=report,
        rows=tuple(rows),
        measured=_frozen([polymer.value for polymer in task.each(report.measured)]),
        measured_library=np.array([links.get(i, -1) for i in range(len(report.measured))], dtype=np.int64),
        library_md=_frozen([polymer.value for polymer in task.each(report.library)]),
        library_smiles=tuple(
            md.table.smiles[polymer.rows[0]] or _measured_smiles(report, measured, measured_of.get(index))
            for index, polymer in enumerate(task.each(report.library))
        ),
        library_rows=library_rows,
        temperature=temperature if np.isfinite(temperature) else ROOM_TEMPERATURE,
        temperature_is_stated=bool(np.isfinite(temperature)),
        ready_descriptors=ready,
        ready_names=names,
        notes=(*limited(odd.values(), ODD_ONES_TOLD), *report.notes),
        odd_ratios=len(odd),
        md_conditions=fitted,
        beyond=of_library,
    )


def _md_conditions(
    quantity: Property,
    report: MatchReport,
    md: PolymerTable,
    rows: Sequence[PolymerRow],
    library_rows: NDArray[np.int64],
    tolerance: float,
) -> tuple[MDConditions, dict[int, str]]:
    """Return where the MD values hold that are compared, and which of the library hold too far from these, and why."""
    kelvin = np.array([rows[number].md_temperature for number in library_rows.tolist()], dtype=np.float64)
    pressures = pressures_of_values(md, "md", quantity.key)
    megapascal = np.array([_middle(pressures, one.counted_rows) for one in report.library])
    compared = [link.library for link in report.links]
    tacticities = tacticities_of(md)
    of_fit = (
        {tacticities[row] for one in compared for row in report.library[one].counted_rows} if tacticities else set()
    )
    fitted = MDConditions(
        MDTemperatures.of([] if quantity.key in TEMPERATURES else kelvin[compared], tolerance),
        MDPressures.of(megapascal[compared], PRESSURE_TOLERANCE),
        tuple(sorted(of_fit - {""})),
    )
    reasons = fitted.reasons(kelvin, megapascal)
    return fitted, {index: reason for index, reason in enumerate(reasons) if reason}


def _outlying_pairs(report: MatchReport, measured: MergedTable, rows: Sequence[PolymerRow]) -> dict[int, Note]:
    """Return a sentence about every measured polymer whose ratio to its MD value is far from that of the others."""
    own = np.array([(row.md, row.measured) for row in rows[: len(report.measured)]], dtype=np.float64).reshape(-1, 2)
    compared = np.isfinite(own).all(axis=1)
    sound = compared & (np.sign(own[:, 0]) * np.sign(own[:, 1]) > 0)
    if sound.sum() < MOSTLY * compared.sum():
        return {}  # a property of both signs, or one that can be zero: a ratio says nothing
    ratios = np.full(len(own), np.nan)
    ratios[sound] = own[sound, 0] / own[sound, 1]
    usual = float(np.median(ratios[sound])) if sound.any() else np.nan
    sentences = {}
    for index in far_off(ratios, AGAINST_MD).tolist():
        lines = ", ".join(str(measured.table.lines[row]) for row in report.measured[index].rows)
        where = f"{measured.table.name}, line{'s' if ',' in lines else ''} {lines} ({rows[index].label})"
        sentences[index] = Note(
            f"{where}: the MD value is {times(ratios[index])} the measured value {shortest(rows[index].measured)}, for the "
            f"other polymers {shortest(usual, 3)} times. Is the value right?"
        )
    return sentences


def _one_sided(
    tables: tuple[LoadedTable, ...], quantity: Property, only: MergedTable, kind: ValueKind, task: Task
) -> Assembly:
    """Show what there is while the other half is missing."""
    column = only.table.values[(kind, quantity.key)]
    rows = []
    missing = missing_half(tables, quantity, kind)
    for row in task.each(np.flatnonzero(np.isfinite(column.values)).tolist(), ROWS_AT_ONCE):
        value = float(column.values[row])
        polymer = Polymer((row,), value, np.nan, None, only.table.ids[row])
        if kind == "measured":
            rows.append(_row(only, polymer, "no MD value", missing.reason, measured=value))
        else:
            rows.append(_row(only, polymer, "predicted", missing.reason, md=value))
    empty, none = _frozen([]), np.zeros(0, dtype=np.int64)
    measured = _frozen([row.measured for row in task.each(rows)]) if kind == "measured" else empty
    return Assembly(
        tables,
        quantity,
        None,
        tuple(rows),
        measured,
        none,
        empty,
        (),
        none,
        ROOM_TEMPERATURE,
        temperature_is_stated=False,
        missing=missing,
    )


def _row(
    side: MergedTable,
    polymer: Polymer,
    state: RowState = "waiting",
    reason: str = "",
    *,
    measured: float = np.nan,
    md: float = np.nan,
    library_index: int = -1,
    is_md: bool = False,
) -> PolymerRow:
    """Show a polymer; all at once, for there may be hundreds of thousands."""
    first = polymer.rows[0]
    table = side.table
    identifier = table.ids[first] or polymer.id
    return PolymerRow(
        key=side.keys[first],
        name=table.names[first],
        id=identifier,
        smiles=table.smiles[first],
        measured=measured,
        md=md,
        state=state,
        reason=reason,
        library_index=library_index,
        details=RowDetails(table.details, first),
        md_id=identifier if is_md else "",
    )


def _invalid_row(side: MergedTable, problem: RowProblem, row: int) -> PolymerRow:
    """Show a row whose repeat unit cannot be read; ``row`` is -1 where the table does not hold it."""
    name = side.table.label(row) if row >= 0 else problem.text
    return PolymerRow(
        key=f"{side.table.name}:{problem.line}",
        name=name,
        id="",
        smiles="",
        measured=np.nan,
        md=np.nan,
        state="invalid",
        reason=f"{side.table.name}, line {problem.line}: {problem.reason}.",
    )


def _measured_smiles(report: MatchReport, measured: MergedTable, index: int | None) -> str:
    """Return the repeat unit of the measured polymer that a library polymer without one is linked to, if there is any."""
    return "" if index is None else measured.table.smiles[report.measured[index].rows[0]]


def _stated_class(table: PolymerTable, row: int) -> str:
    """Return what class a table says that a polymer is of; nothing where it does not say."""
    return next((cells[row] for head, cells in table.details.items() if simplified(head) in _CLASS_HEADINGS), "")


def _middle(values: FloatArray | None, rows: Sequence[int]) -> float:
    """Return the median of a condition of some rows; nan where none of them states it."""
    if values is None:
        return np.nan
    if len(rows) == 1:
        return float(values[rows[0]])  # there may be very many
    stated = values[list(rows)]
    stated = stated[np.isfinite(stated)]
    return float(np.median(stated)) if len(stated) else np.nan


def _mean_temperature(kelvin: FloatArray | None, rows: Sequence[int]) -> float:
    if kelvin is None:
        return float("nan")
    stated = [one for one in kelvin[list(rows)].tolist() if np.isfinite(one)]
    return sum(stated) / len(stated) if stated else float("nan")


def _joined(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


def _frozen(values: Sequence[float]) -> FloatArray:
    array = np.asarray(values, dtype=np.float64)
    array.flags.writeable = False
    return array
