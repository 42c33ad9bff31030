"""SDF -> raw tables: one row per structure, its repeat unit as SMILES and its data fields as columns."""

from collections.abc import Iterator
from pathlib import Path

from affinecal_gui.tables.errors import TableError, shortened
from affinecal_gui.tables.formats.molfiles import END_GROUPS_LEFT_OUT, repeat_unit_of_molfile
from affinecal_gui.tables.raw_table import CELL_SEPARATOR, RawTable
from affinecal_gui.tables.text.encodings import guess_encoding
from affinecal_gui.tables.text.options import ReadOptions
from affinecal_gui.tables.text.table_builder import TableBuilder, unique_headings
from affinecal_gui.task import Task

MAXIMUM_BYTES = 200 * 1024**2
MAXIMUM_RECORD = 2_000_000
MAXIMUM_COLUMNS = 16_384
STRUCTURES_TOLD = 5


def is_sdf(head: bytes) -> bool:
    """Whether a file begins as an MDL structure file: its fourth line ends in V2000 or V3000."""
    lines = head[:2000].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return len(lines) > 4 and lines[3].rstrip().endswith((b"V2000", b"V3000"))


def read_sdf(path: str, name: str, options: ReadOptions, *, task: Task) -> RawTable:
    """Read structures and their data fields.

    A structure that cannot be read leaves its SMILES empty, so that its row is listed as one without repeat unit.

    Raises
    ------
    TableError
        The file is too large, or its structures do not end.
    """
    size = Path(path).stat().st_size
    if size > MAXIMUM_BYTES:
        raise TableError(f"{name} has {size / 1024**2:.0f} MB; SDF files up to 200 MB can be read. Save it as CSV.")
    with Path(path).open("rb") as file:
        encoding = options.encoding or guess_encoding(file.read(100_000)).encoding
    rows: list[tuple[int, dict[str, str]]] = []
    headings: dict[str, None] = {"smiles": None, "name": None}
    remarks = _Remarks()
    for number, record in _records(path, name, encoding):
        if len(rows) % 200 == 0:
            task.check()
            task.report(0.0, f"Reading structure {len(rows) + 1} of {name}")
        fields, remark = _fields(record)
        if remark:
            remarks.add(remark, f"{shortened(fields['name'])} (line {number})".strip())
        headings.update(dict.fromkeys(fields))
        if len(headings) > MAXIMUM_COLUMNS:
            raise TableError(f"{name} has more than {MAXIMUM_COLUMNS} different data fields.")
        rows.append((number, fields))
    builder = TableBuilder(unique_headings(headings), list(headings))
    for number, fields in rows:
        builder.add(number, [fields.get(heading, "") for heading in headings])
    return builder.table(
        path=path,
        name=name,
        format="sdf",
        header_line=1,
        notes=remarks.notes(name),
        options=options,
        encoding=encoding,
    )


def _records(path: str, name: str, encoding: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (number of its first line, lines) of every record."""
    lines: list[str] = []
    first, length = 1, 0
    with Path(path).open(encoding=encoding, errors="replace") as file:
        for number, line in enumerate(file, 1):
            text = line.rstrip("\n")
            if text.startswith("$$$$"):
                yield first, lines
                lines, first, length = [], number + 1, 0
                continue
            lines.append(text)
            length += len(text)
            if length > MAXIMUM_RECORD:
                raise TableError(f"{name}: the structure in line {first} does not end. Is the file complete?")
    if any(line.strip() for line in lines):
        yield first, lines


def _fields(record: list[str]) -> tuple[dict[str, str], str]:
    """Return the cells of a structure by heading, and a remark about its brackets; "" when there is none."""
    end = next((i for i, line in enumerate(record) if line.startswith("M  END")), len(record) - 1)
    smiles, remark = repeat_unit_of_molfile("\n".join(record[: end + 1]) + "\n")
    found = {"smiles": smiles, "name": record[0].strip() if record else ""}
    key = ""
    for line in record[end + 1 :]:
        if line.startswith(">"):
            start, stop = line.find("<"), line.rfind(">")
            key = line[start + 1 : stop].strip() if 0 <= start < stop else ""
            if key.casefold() in ("smiles", "name"):
                key = key if key.casefold() == "name" and not found["name"] else f"{key} field"
            found.setdefault(key, "")
        elif key and line.strip():
            found[key] = f"{found[key]} {line.strip()}".strip().replace(CELL_SEPARATOR, " ")
    found.pop("", None)
    return found, remark


class _Remarks:
    """What was found about the brackets of structures, told once for many."""

    def __init__(self) -> None:
        self._found: dict[str, list[str]] = {}

    def add(self, remark: str, called: str) -> None:
        """Note what was found in a structure."""
        self._found.setdefault(remark, []).append(called)

    def notes(self, name: str) -> list[str]:
        """Return them as sentences."""
        found = []
        for remark, called in self._found.items():
            shown = ", ".join(called[:STRUCTURES_TOLD])
            more = f" and {len(called) - STRUCTURES_TOLD} others" if len(called) > STRUCTURES_TOLD else ""
            verb = "" if remark == END_GROUPS_LEFT_OUT else "is not read, because "
            found.append(f"{name}: {shown}{more}: {verb}{remark}.")
        return found
