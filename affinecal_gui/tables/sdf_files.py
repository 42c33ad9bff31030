"""SDF -> raw tables: one row per structure, its repeat unit as SMILES and its data fields as columns."""

from collections.abc import Iterator
from pathlib import Path

from rdkit import Chem, rdBase

from affinecal_gui.progress import CancelCheck, Progress, stop_if
from affinecal_gui.tables.encodings import guess_encoding
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.options import ReadOptions
from affinecal_gui.tables.raw_table import CELL_SEPARATOR, RawTable
from affinecal_gui.tables.table_builder import TableBuilder, unique_headings

MAXIMUM_BYTES = 200 * 1024**2
MAXIMUM_RECORD = 2_000_000
MAXIMUM_COLUMNS = 16_384


def is_sdf(head: bytes) -> bool:
    """Whether a file begins as an MDL structure file: its fourth line ends in V2000 or V3000."""
    lines = head[:2000].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return len(lines) > 4 and lines[3].rstrip().endswith((b"V2000", b"V3000"))


def read_sdf(path: str, name: str, options: ReadOptions, *, progress: Progress, cancelled: CancelCheck) -> RawTable:
    """Read structures and their data fields.

    End marks may be atoms ``*``, ``A``, ``Q``, ``X``, ``Pol`` or ``R#``. A structure that cannot be read leaves its
    SMILES empty, so that its row is listed as one without repeat unit.

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
    for number, record in _records(path, name, encoding):
        if len(rows) % 200 == 0:
            stop_if(cancelled)
            progress(0.0, f"Reading structure {len(rows) + 1} of {name}")
        fields = _fields(record)
        headings.update(dict.fromkeys(fields))
        if len(headings) > MAXIMUM_COLUMNS:
            raise TableError(f"{name} has more than {MAXIMUM_COLUMNS} different data fields.")
        rows.append((number, fields))
    builder = TableBuilder(unique_headings(headings), list(headings))
    for number, fields in rows:
        builder.add(number, [fields.get(heading, "") for heading in headings])
    return builder.table(path=path, name=name, format="sdf", header_line=1, options=options, encoding=encoding)


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


def _fields(record: list[str]) -> dict[str, str]:
    end = next((i for i, line in enumerate(record) if line.startswith("M  END")), len(record) - 1)
    found = {"smiles": _smiles("\n".join(record[: end + 1]) + "\n"), "name": record[0].strip() if record else ""}
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
    return found


def _smiles(block: str) -> str:
    """Return the SMILES of a structure with its end marks as ``*``; "" when it cannot be read."""
    with rdBase.BlockLogs():
        try:
            editable = Chem.RWMol(Chem.MolFromMolBlock(block, sanitize=False, removeHs=False))
            for atom in editable.GetAtoms():
                if atom.GetAtomicNum() == 0:
                    editable.ReplaceAtom(atom.GetIdx(), Chem.Atom(0))
            Chem.SanitizeMol(editable)
            return str(Chem.MolToSmiles(Chem.RemoveHs(editable)))
        except (ValueError, RuntimeError, TypeError):  # None for a block that cannot be read
            return ""
