"""The table of a partition: which columns it has, and how it is written and read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Literal

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tasks.screening.library.reading_rows import Reason

if TYPE_CHECKING:
    import pyarrow

Origin = Literal["md", "predicted md"]
"""Whether the MD value of a row stands in the library, or was predicted from the structure."""

MD: Origin = "md"
PREDICTED: Origin = "predicted md"

OWN_COLUMNS = ("value", "lower", "upper", "md", "origin", "inside_range", "reason", "message")
"""Of each property; with several properties, their key follows after a colon: ``value:density``."""

COMPRESSION = "zstd"


def column(name: str, quantity: Property, quantities: Sequence[Property]) -> str:
    """Return what the column of a property is called."""
    return name if len(quantities) == 1 else f"{name}:{quantity.key}"


@dataclass(frozen=True, slots=True, eq=False)
class Screened:
    """What one calibrator says of k rows; values are nan where there are none."""

    values: FloatArray  # (k,) unit of the property
    lower: FloatArray
    upper: FloatArray
    md: FloatArray
    origin: list[Origin | None]
    inside: list[bool | None]  # the range of validity; None without a value
    reasons: list[Reason]


@dataclass(frozen=True, slots=True, eq=False)
class RowBlock:
    """k rows that follow one another."""

    first_row: int  # of the library, from 1
    ids: list[str]
    names: list[str]
    smiles: list[str]
    identities: list[bytes | None]  # 16 bytes each, equal for the same polymer
    known: list[str | None]  # "measured" or "simulated" where a calibrator was trained with the polymer
    screened: list[Screened]  # by property
    chances: FloatArray | None  # (k,) that all wishes are met, nan where it cannot be told; None without wishes


PROBABILITY = "probability"
"""Of meeting all wishes."""


def schema_of(quantities: Sequence[Property], *, with_wishes: bool) -> "pyarrow.Schema":
    """Return the columns of a table."""
    import pyarrow

    fields = [
        ("row", pyarrow.int64()),
        ("id", pyarrow.string()),
        ("name", pyarrow.string()),
        ("smiles", pyarrow.string()),
        ("identity", pyarrow.binary(16)),
        ("known", pyarrow.string()),
    ]
    kinds = (*[pyarrow.float64()] * 4, pyarrow.string(), pyarrow.bool_(), pyarrow.string(), pyarrow.string())
    for quantity in quantities:
        fields += [(column(name, quantity, quantities), kind) for name, kind in zip(OWN_COLUMNS, kinds, strict=True)]
    if with_wishes:
        fields.append((PROBABILITY, pyarrow.float64()))
    return pyarrow.schema(fields, metadata={f"unit of {quantity.key}": quantity.unit for quantity in quantities})


def written(blocks: Sequence[RowBlock], quantities: Sequence[Property], sink: IO[bytes]) -> None:
    """Write rows as one Parquet file: the same bytes for the same rows."""
    import pyarrow
    import pyarrow.parquet

    schema = schema_of(quantities, with_wishes=any(block.chances is not None for block in blocks))
    batches = []
    for block in blocks:
        rows = range(block.first_row, block.first_row + len(block.ids))
        arrays = [list(rows), block.ids, block.names, block.smiles, block.identities, block.known]
        for own in block.screened:
            arrays += [*map(_numbers, (own.values, own.lower, own.upper, own.md)), own.origin, own.inside]
            arrays += [[reason.code for reason in own.reasons], [reason.sentence or None for reason in own.reasons]]
        if block.chances is not None:
            arrays.append(_numbers(block.chances))
        batches.append(
            pyarrow.record_batch(
                [pyarrow.array(cells, kind) for cells, kind in zip(arrays, schema.types, strict=True)], schema=schema
            )
        )
    pyarrow.parquet.write_table(
        pyarrow.Table.from_batches(batches, schema), sink, compression=COMPRESSION, row_group_size=1 << 20
    )


def _numbers(values: FloatArray) -> list[float | None]:
    """Return numbers with None where there is none: statistics of a Parquet file stop at nan."""
    return [None if value != value else value for value in values.tolist()]
