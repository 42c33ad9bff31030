"""Whether the values of a file are measured or simulated."""

import dataclasses
import re
from collections.abc import Sequence

from affinecal_gui.tables.evidence.column_evidence import kinds_of_rows, label_of, profile_of, quantity_of
from affinecal_gui.tables.headings.column_roles import ColumnRole, Roles
from affinecal_gui.tables.headings.heading_words import MD_WORDS, MEASURED_WORDS, SIMULATION_SETTINGS
from affinecal_gui.tables.headings.role_names import VALUE_ROLES, FileKind, ValueKind
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.units.property_names import simplified


def settle_kind(
    raw: RawTable, columns: list[ColumnRole], others: Sequence[Roles]
) -> tuple[list[ColumnRole], FileKind, float, str]:
    """Decide whether the values are measured or simulated, from headings, file name and what is loaded already."""
    values = [column for column in columns if column.role in VALUE_ROLES]
    if not values:
        return columns, "none", 1.0, "no values"
    said = {column.column: quantity_of(label_of(raw, column.column))[1] for column in values}
    of_rows = _said_in_every_row(raw, columns)
    said = {number: kind or of_rows for number, kind in said.items()}
    columns = [dataclasses.replace(column, says=said.get(column.column)) for column in columns]
    kinds = {kind for kind in said.values() if kind is not None}
    for_md, for_measured = _evidence(raw, columns)
    other = _kind_of_the_silent(columns, kinds, sum(for_md.values()), sum(for_measured.values()), others)
    if other is not None:
        settled = [
            dataclasses.replace(column, role=column.says or other) if column.column in said else column
            for column in columns
        ]
        return settled, "both", 0.95, "headings name both"
    if kinds:
        kind = kinds.pop()
        confidence, reason = 0.95, "the table says so"
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


def _said_in_every_row(raw: RawTable, columns: Sequence[ColumnRole]) -> ValueKind | None:
    """Return the kind that a column such as "method" names in all rows; None where no column does."""
    for column in columns:
        if column.role in ("detail", "name", "source", "phase"):
            kinds = kinds_of_rows(profile_of(raw.columns[column.column]))
            if len(kinds) == 1:
                return next(iter(kinds))
    return None


def _kind_of_the_silent(
    columns: Sequence[ColumnRole],
    kinds: set[ValueKind],
    for_md: float,
    for_measured: float,
    others: Sequence[Roles],
) -> ValueKind | None:
    """Return what columns hold whose headings do not say it, in a file that holds both kinds; None where it holds one.

    A file that is simulated by all other signs, and has "density exp" beside "density", holds both kinds.
    """
    if len(kinds) == 2:
        return "md" if for_md >= for_measured else "measured"
    values = [column for column in columns if column.role in VALUE_ROLES]
    said = {column.quantity.key for column in values if column.says is not None and column.quantity is not None}
    silent = {column.quantity.key for column in values if column.says is None and column.quantity is not None}
    if not kinds or not said & silent:
        return None
    missing = _still_missing(others)
    for_md, for_measured = for_md + 0.75 * (missing == "md"), for_measured + 0.75 * (missing == "measured")
    if kinds == {"measured"} and for_md > for_measured:
        return "md"
    return "measured" if kinds == {"md"} and for_measured > for_md else None


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
    # Who measures often takes over the ids of the simulations, so these alone say little.
    if "monomer id" in names:
        for_md["monomer_ID"] = 0.25
    if sum(column.role == "uncertainty" for column in columns) >= 2:
        for_md["a deviation for several properties"] = 1.0
    if sum(column.role in VALUE_ROLES for column in columns) >= 4:
        for_md["several properties"] = 1.0
    if raw.row_count >= 250:
        for_md["hundreds of rows"] = 1.0
    ids = next((column for column in columns if column.role == "id"), None)
    if ids is not None and raw.row_count and re.fullmatch(r"PI\d+", raw.columns[ids.column][0]):
        for_md["RadonPy's ids"] = 0.25
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
    if roles & {"lowest", "highest", "range"} and not any(name.endswith((" min", " max")) for name in names):
        for_measured["ranges found"] = 1.0
    if "unit" in roles:
        for_measured["units by row"] = 1.0
    if raw.row_count < 250:
        for_measured["few rows"] = 0.5
    return for_md, for_measured
