"""Parquet -> raw tables."""

from pathlib import Path

from affinecal_gui.progress import CancelCheck, Progress, stop_if
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.options import ReadOptions
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.table_builder import TableBuilder, unique_headings

MAXIMUM_CELLS = 60_000_000


def read_parquet(path: str, name: str, options: ReadOptions, *, progress: Progress, cancelled: CancelCheck) -> RawTable:
    """Read a Parquet file group by group.

    Raises
    ------
    TableError
        The file is damaged or too large.
    """
    import pyarrow  # type: ignore[import-untyped, unused-ignore]  # heavy, and few files need it
    import pyarrow.parquet  # type: ignore[import-untyped, unused-ignore]

    try:
        with Path(path).open("rb") as source:
            file = pyarrow.parquet.ParquetFile(source)
            names = [str(column) for column in file.schema_arrow.names]
            rows = file.metadata.num_rows
            if rows * len(names) > MAXIMUM_CELLS:
                raise TableError(f"{name} has {rows:,} rows of {len(names)} columns. Leave columns out, or save parts.")
            builder = TableBuilder(unique_headings(names), names)
            number = 0
            for batch in file.iter_batches(batch_size=4096):
                stop_if(cancelled)
                columns = [[_text(cell) for cell in column.to_pylist()] for column in batch.columns]
                for cells in zip(*columns, strict=True):
                    number += 1
                    builder.add(number, cells)
                progress(number / max(rows, 1), f"Reading {name}")
    except (pyarrow.ArrowException, OSError):
        raise TableError(f"{name} is a damaged Parquet file. Save it again, or save the data as CSV.") from None
    return builder.table(path=path, name=name, format="parquet", header_line=1, options=options)


def _text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return repr(cell)
    return str(cell).strip()
