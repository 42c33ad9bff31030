"""Results and tables -> CSV files that spreadsheets open correctly and that we read back identically."""

import csv
import io
import math
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import TracebackType
from typing import IO, Literal

from affinecal_gui.files import replacing, write_atomically
from affinecal_gui.tables.cells.formula_texts import neutralised
from affinecal_gui.task import UNWATCHED, Task

Cell = str | float | int | bool | None


@dataclass(frozen=True, slots=True)
class CsvStyle:
    """How a CSV file is written.

    ``byte_order_mark`` makes Excel read the file as UTF-8; ``decimal_comma`` writes semicolons between the columns, as
    spreadsheets in countries with a decimal comma expect.
    """

    byte_order_mark: bool = False
    decimal_comma: bool = False
    neutralise_formulas: bool = True

    @property
    def delimiter(self) -> str:
        """What stands between the cells."""
        return ";" if self.decimal_comma else ","


PLAIN = CsvStyle()
_TEXTS_REMEMBERED = 500  # units, names of models and notes come again in every row

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")  # no cell of a table holds them for a reason


def number_text(value: float, *, decimal_comma: bool = False) -> str:
    """Write a number with as many digits as bring back the very same number; nan is an empty cell."""
    if not math.isfinite(value):
        return ""
    text = repr(int(value)) if value == int(value) and abs(value) < 1e15 else repr(float(value))
    return text.replace(".", ",") if decimal_comma else text


def cleaned_text(text: str) -> str:
    """Return a text without control characters and outer blanks, its line ends written in one way."""
    return _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def _cell_text(cell: Cell, style: CsvStyle) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, str):
        return _plain_text(cell, neutralise=style.neutralise_formulas)
    return number_text(float(cell), decimal_comma=style.decimal_comma)


@lru_cache(_TEXTS_REMEMBERED)
def _plain_text(text: str, *, neutralise: bool) -> str:
    cleaned = cleaned_text(text)
    return neutralised(cleaned) if neutralise else cleaned


def csv_bytes(columns: Sequence[str], rows: Iterable[Sequence[Cell]], style: CsvStyle = PLAIN) -> bytes:
    """Return a table as the bytes of a CSV file."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=style.delimiter, lineterminator="\n")
    writer.writerow([_cell_text(column, style) for column in columns])
    for row in rows:
        writer.writerow([_cell_text(cell, style) for cell in row])
    return text.getvalue().encode("utf-8-sig" if style.byte_order_mark else "utf-8", errors="replace")


def csv_line(cells: Sequence[Cell], style: CsvStyle = PLAIN) -> bytes:
    """Return one row of a table as the bytes of a line of a CSV file."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=style.delimiter, lineterminator="\n")
    writer.writerow([_cell_text(cell, style) for cell in cells])
    return text.getvalue().encode("utf-8", errors="replace")


def write_table(
    path: str | os.PathLike[str],
    columns: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    *,
    style: CsvStyle = PLAIN,
    overwrite: bool = False,
    task: Task = UNWATCHED,
) -> None:
    """Write a table as CSV; see :func:`affinecal_gui.files.write_atomically` for the errors."""
    write_atomically(path, csv_bytes(columns, rows, style), overwrite=overwrite, task=task)


@dataclass(frozen=True, slots=True)
class PredictionRow:
    """One line of a table of predictions; values are in ``unit``, nan where there is none."""

    id: str
    name: str
    smiles: str
    md_value: float
    measured_value: float
    calibrated_value: float
    unit: str
    used_for_fitting: bool
    model: str
    lower: float = math.nan  # interval of the calibrated value
    upper: float = math.nan
    out_of_fold_value: float = math.nan
    inside_training_range: bool | None = None
    note: str = ""
    final_fit_value: float = math.nan  # by the fit to all polymers used; a polymer of the fit has been seen by it
    residual_percent: float = math.nan  # 100 (calibrated / measured - 1)
    measured_id: str = ""  # in the table of measured values; ``id`` is that of the MD table where it has any
    md_origin: str = (
        ""  # what MD value the calibrated one rests on, in the words of study.md_origin; "" without a value
    )
    surrogate_value: float = math.nan  # the predicted MD value, where there is no simulated one


PREDICTION_COLUMNS = (
    "id",
    "measured id",
    "name",
    "smiles",
    "MD value",
    "measured value",
    "calibrated value",
    "lower",
    "upper",
    "unit",
    "used for fitting",
    "model",
    "out-of-fold value",
    "final-fit value",
    "residual, %",
    "inside training range",
    "note",
    "md_origin",
    "surrogate value",
)


def prediction_cells(row: PredictionRow) -> tuple[Cell, ...]:
    """Return the cells of a line of predictions, in the order of :data:`PREDICTION_COLUMNS`."""
    return (
        row.id,
        row.measured_id,
        row.name,
        row.smiles,
        row.md_value,
        row.measured_value,
        row.calibrated_value,
        row.lower,
        row.upper,
        row.unit,
        row.used_for_fitting,
        row.model,
        row.out_of_fold_value,
        row.final_fit_value,
        row.residual_percent,
        row.inside_training_range,
        row.note,
        row.md_origin,
        row.surrogate_value,
    )


def write_predictions(
    path: str | os.PathLike[str],
    rows: Iterable[PredictionRow],
    *,
    style: CsvStyle = PLAIN,
    overwrite: bool = False,
    task: Task = UNWATCHED,
) -> None:
    """Write calibrated values of polymers, one line each."""
    write_table(path, PREDICTION_COLUMNS, map(prediction_cells, rows), style=style, overwrite=overwrite, task=task)


@dataclass(frozen=True, slots=True)
class CoefficientRow:
    """One line of a table of coefficients."""

    block: str
    feature: str
    physical_value: float | str  # in ``physical_unit``; the element symbol for the masses
    physical_unit: str
    coefficient: float
    lower: float = math.nan
    upper: float = math.nan


COEFFICIENT_COLUMNS = ("block", "feature", "physical value", "physical unit", "coefficient", "lower", "upper")


def coefficient_cells(row: CoefficientRow) -> tuple[Cell, ...]:
    """Return the cells of a line of coefficients, in the order of :data:`COEFFICIENT_COLUMNS`."""
    return (
        row.block,
        row.feature,
        row.physical_value,
        row.physical_unit,
        row.coefficient,
        row.lower,
        row.upper,
    )


def write_coefficients(
    path: str | os.PathLike[str],
    rows: Iterable[CoefficientRow],
    *,
    columns: Sequence[str] = COEFFICIENT_COLUMNS,
    style: CsvStyle = PLAIN,
    overwrite: bool = False,
    task: Task = UNWATCHED,
) -> None:
    """Write the coefficients gamma, or average effects under their own heading, one line per descriptor."""
    write_table(path, columns, map(coefficient_cells, rows), style=style, overwrite=overwrite, task=task)


class DescriptorWriter:
    """Writes descriptors row by row as they are computed, and gives the file its name when all are there.

    One line per input row, in order: id, smiles, the descriptors by their names, status (ok or error), message.

    >>> import tempfile
    >>> from pathlib import Path
    >>> folder = tempfile.TemporaryDirectory()
    >>> with DescriptorWriter(Path(folder.name) / "out.csv", ("mass_H",)) as writer:
    ...     writer.ok("PI1", "*CC*", [0.74])
    ...     writer.error("PI2", "*C", "one attachment point")
    >>> print((Path(folder.name) / "out.csv").read_text(encoding="utf-8"), end="")
    id,smiles,mass_H,status,message
    PI1,*CC*,0.74,ok,
    PI2,*C,,error,one attachment point
    >>> folder.cleanup()
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        descriptor_names: Sequence[str],
        *,
        extra: Sequence[str] = (),
        style: CsvStyle = PLAIN,
        overwrite: bool = False,
    ) -> None:
        self._names = tuple(descriptor_names)
        self._extra = tuple(extra)
        self._style = style
        self._file = replacing(path, overwrite=overwrite)
        self._raw: IO[bytes] | None = None
        self.rows = 0
        self.errors = 0

    def __enter__(self) -> "DescriptorWriter":
        self._raw = self._file.__enter__()
        if self._style.byte_order_mark:
            self._raw.write(b"\xef\xbb\xbf")
        self._line(("id", "smiles", *self._extra, *self._names, "status", "message"))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool | None:
        return self._file.__exit__(kind, error, traceback)

    def ok(self, identifier: str, smiles: str, values: Sequence[float], extra: Sequence[Cell] = ()) -> None:
        """Write one described polymer."""
        if len(values) != len(self._names):
            raise ValueError(f"{len(values)} values for {len(self._names)} descriptors")
        self._row(identifier, smiles, values, "ok", "", extra)

    def error(self, identifier: str, smiles: str, message: str, extra: Sequence[Cell] = ()) -> None:
        """Write one polymer that could not be described, and why."""
        self.errors += 1
        self._row(identifier, smiles, [None] * len(self._names), "error", message, extra)

    def _row(
        self,
        identifier: str,
        smiles: str,
        values: Sequence[Cell],
        status: Literal["ok", "error"],
        message: str,
        extra: Sequence[Cell],
    ) -> None:
        self.rows += 1
        self._line((identifier, smiles, *extra, *values, status, message))

    def _line(self, cells: Sequence[Cell]) -> None:
        if self._raw is None:
            raise ValueError("the writer is not open: use it in a with statement")
        text = io.StringIO(newline="")
        csv.writer(text, delimiter=self._style.delimiter, lineterminator="\n").writerow(
            [_cell_text(cell, self._style) for cell in cells]
        )
        self._raw.write(text.getvalue().encode("utf-8", errors="replace"))
