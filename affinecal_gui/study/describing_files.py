"""The service behind ``affinecal describe``: a table of repeat units in, a table of descriptors out, row by row."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.errors import UserError
from affinecal_gui.progress import CancelCheck, Progress, never, silent
from affinecal_gui.study.describing import FORCE_FIELD, blocks_of, describe_in_order
from affinecal_gui.tables.export import DescriptorWriter
from affinecal_gui.tables.raw_table import RawTable, TextColumn
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.roles import guess_roles


def describe_file(
    source: Path,
    output: Path,
    *,
    smiles_column: str | None = None,
    jobs: int = 1,
    overwrite: bool = False,
    progress: Progress = silent,
    cancelled: CancelCheck = never,
) -> str:
    """Describe every row of a file.

    Parameters
    ----------
    source
        Any table with a column of repeat units.
    output
        CSV with one row per input row, in order: id, smiles, the 190 descriptors, status ("ok" or "error"), message. It
        appears complete or not at all.
    smiles_column
        Heading of the repeat units; found from headings and contents when None.
    jobs
        Worker processes.

    Returns
    -------
    str
        How many rows were described, and why the first of the others were not.

    Raises
    ------
    UserError
        The file cannot be read, has no such column, or the output exists already and ``overwrite`` is false.
    """
    progress(0.0, f"Reading {source.name}")
    table = read_table(source, cancelled=cancelled)
    smiles, ids = _columns(table, smiles_column)
    total = table.row_count
    reasons: dict[str, int] = {}
    with DescriptorWriter(output, blocks_of(FORCE_FIELD).columns, overwrite=overwrite) as writer:
        results = describe_in_order(iter(smiles), processes=jobs, cancelled=cancelled)
        for number, (identifier, text, (values, reason)) in enumerate(
            zip(_texts(ids, total), smiles, results, strict=True)
        ):
            if values is None:
                writer.error(identifier, text, reason)
                reasons.setdefault(f"line {table.lines[number]}, {text or 'empty'}: {reason}", number)
            else:
                writer.ok(identifier, text, _numbers(values))
            progress((number + 1) / total, f"Described {number + 1} of {total} rows")
    described = total - writer.errors
    lines = [f"{described} of {total} rows described; written to {output}."]
    if reasons:
        lines.append(f"{writer.errors} rows have status error; the column “message” says why. The first:")
        lines += [f"  {reason}" for reason in list(reasons)[:3]]
    return "\n".join(lines)


def _columns(table: RawTable, smiles_column: str | None) -> tuple[TextColumn, TextColumn | None]:
    roles = guess_roles(table)
    if smiles_column is None:
        found = roles.first("smiles")
        if found is None:
            raise UserError(
                f"{table.name} has no column of repeat units among {', '.join(table.headings[:6])}. "
                "Name it with --smiles-column."
            )
        position = found.column
    elif smiles_column in table.headings:
        position = table.headings.index(smiles_column)
    else:
        raise UserError(f"{table.name} has no column “{smiles_column}”; it has {', '.join(table.headings[:6])}.")
    identifier = roles.first("id") or roles.first("name")
    ids = table.columns[identifier.column] if identifier is not None and identifier.column != position else None
    return table.columns[position], ids


def _texts(column: TextColumn | None, count: int) -> Iterator[str]:
    return iter(column) if column is not None else iter([""] * count)


def _numbers(values: NDArray[np.float64]) -> list[float]:
    numbers: list[float] = values.tolist()
    return numbers
