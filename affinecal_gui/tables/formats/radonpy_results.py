"""A folder of RadonPy results as one table: one row for each polymer, runs that failed their own checks left out and told.

RadonPy keeps each run in a folder of its own, with one row in ``ID/analyze/results.csv``; earlier results lie beside it
under names with a date and are not read. Runs of one polymer under the same conditions are repeats: their mean, standard
deviation and number are what a table of MD values has.
"""

import csv
import io
import os
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.raw_table import RawTable, TextColumn
from affinecal_gui.task import UNWATCHED, Task

RESULTS = Path("analyze", "results.csv")
INPUT = Path("input_data.csv")

MOST_RUNS = 200_000
MOST_BYTES = 1_000_000
"""Of one file of results, which has some kilobytes."""

_NAMED = 3  # runs that are named with a reason

FAILED = -9999.0
"""What Spacier, which drives such runs, writes for a value that could not be computed; 0 for one that is pending."""

MOST_ORDERED = 0.1
"""Nematic order parameter from which RadonPy calls a system partially oriented."""

_MAY_BE_ZERO = ("qm_", "nematic")
_ABOUT_THE_RUN = (
    "dbid", "monomer_id", "smiles", "copoly", "ter_", "tacticity", "input_tacticity", "temp", "press", "dp", "n_mol",
    "forcefield", "check_", "do_", "remarks", "uuid", "date", "python_ver", "radonpy_ver", "rdkit_ver", "lammps_ver",
    "preset_", "input_", "confid", "charge", "nematic", "monomer_dir", "psi4_ver", "mn", "mw", "n_atom",
)  # fmt: skip
_OF_CONDUCTION = ("thermal_conductivity", "thermal_diffusivity")

_FALSE = {"false", "0", "0.0", "no", "none"}
_NOT_EQUILIBRATED = "did not reach an equilibrium"
_ORIENTED = "system is partially oriented"


@dataclass(frozen=True, slots=True)
class _Run:
    """One run, as its results say."""

    name: str  # of its folder
    identifier: str
    polymer: tuple[str, str, str, str]  # repeat unit, tacticity, temperature, pressure
    values: Mapping[str, float]


class _UnusableError(Exception):
    """Why a run cannot be used; the words are counted."""


def read_result_folder(path: str, name: str, *, task: Task = UNWATCHED) -> RawTable:
    """Read the latest results of all polymers in a folder, at any depth.

    Raises
    ------
    TableError
        There are no results in it, or none that can be used.
    """
    aside: dict[str, list[str]] = {}
    runs: list[_Run] = []
    for number, results in enumerate(_result_files(Path(path), name)):
        if number % 20 == 0:
            task.check()
            task.report(0.0, f"Read {number:,} results of simulations")
        folder = results.parent.parent.name
        try:
            runs.append(_usable(results, aside))
        except _UnusableError as reason:
            aside.setdefault(str(reason), []).append(folder)
    if not runs and not aside:
        raise TableError(
            f"{name} is a folder without results of RadonPy (ID/analyze/results.csv). Choose a file in it, or another folder."
        )
    if not runs:
        raise TableError(f"No result in {name} can be used. {' '.join(_told(aside))}")
    return _table(path, name, runs, tuple(_told(aside)))


def _result_files(folder: Path, name: str) -> Iterator[Path]:
    """Yield the files of results in an order that does not depend on the system; links are not followed."""
    found = 0
    for here, folders, _ in os.walk(folder):
        folders.sort()
        results = Path(here) / RESULTS
        if results.is_file() and not results.is_symlink() and not results.parent.is_symlink():
            found += 1
            if found > MOST_RUNS:
                raise TableError(f"{name} holds more than {MOST_RUNS:,} results. Choose a part of it.")
            yield results


def _usable(results: Path, aside: dict[str, list[str]]) -> _Run:
    """Return the run of a file of results without the values that failed; these are noted as left aside."""
    row = _only_row(results)
    folder = results.parent.parent
    remarks = row.get("remarks", "").lower()
    if _is_false(row.get("check_eq", "")) or _NOT_EQUILIBRATED in remarks:
        raise _UnusableError("did not reach equilibrium")
    ordered = _number(row.get("nematic_order_parameter", ""))
    if _ORIENTED in remarks or (ordered is not None and ordered >= MOST_ORDERED):
        raise _UnusableError("are partially oriented, not amorphous")
    if row.get("smiles_2", "").strip():
        raise _UnusableError("are copolymers, which folders are not read for")
    unit = row.get("smiles_1", "").strip() or row.get("smiles_list", "").strip() or _unit_of_input(folder)
    if not unit:
        raise _UnusableError("name no repeat unit")
    values: dict[str, float] = {}
    conducts = not _is_false(row.get("do_TC", "")) and not _is_false(row.get("check_tc", ""))
    for heading, cell in row.items():
        value = _number(cell)
        if value is None or heading.lower().startswith(_ABOUT_THE_RUN):
            continue
        if value == FAILED or (value == 0.0 and not heading.startswith(_MAY_BE_ZERO)):
            what = "have a value that failed" if value == FAILED else "have a value that is pending"
            aside.setdefault(f"{what} ({heading})", []).append(folder.name)
        elif heading in _OF_CONDUCTION and not conducts:
            aside.setdefault(f"failed their own check of {heading}", []).append(folder.name)
        else:
            values[heading] = value
    if not values:
        raise _UnusableError("have no value yet")
    polymer = (unit, row.get("tacticity", "").strip(), row.get("temp", "").strip(), row.get("press", "").strip())
    return _Run(
        folder.name, row.get("DBID", "").strip() or row.get("monomer_ID", "").strip() or folder.name, polymer, values
    )


def _only_row(results: Path) -> dict[str, str]:
    """Return the first row of a file of results by its headings."""
    try:
        if results.stat().st_size > MOST_BYTES:
            raise _UnusableError("have a file of results that is far too large")
        text = results.read_bytes().decode("utf-8-sig")
        row = next(csv.DictReader(io.StringIO(text)), None)
    except (OSError, UnicodeDecodeError, csv.Error):
        raise _UnusableError("have a file of results that cannot be read") from None
    # A last cell that is missing is how a file that was being written ends.
    if row is None or None in row or None in row.values():
        raise _UnusableError("have a file of results that is not complete")
    return {heading: cell for heading, cell in row.items() if heading}


def _unit_of_input(folder: Path) -> str:
    path = folder / INPUT
    try:
        if path.is_symlink() or path.stat().st_size > MOST_BYTES:
            return ""
        row = next(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"))), None) or {}
    except (OSError, UnicodeDecodeError, csv.Error):
        return ""
    cells = (row.get(key) or "" for key in ("smiles_1", "smiles_list", "smiles"))
    return next((cell.strip() for cell in cells if cell.strip()), "")


def _is_false(cell: str) -> bool:
    return cell.strip().lower() in _FALSE


def _number(cell: str) -> float | None:
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def _told(aside: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Say how many runs, or values, were left out for each reason."""
    for reason, names in sorted(aside.items(), key=lambda item: (-len(item[1]), item[0])):
        runs = "1 run" if len(names) == 1 else f"{len(names):,} runs"
        words = reason if len(names) > 1 else _of_one(reason)
        named = ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")
        yield f"{runs} {words}: not used ({named})."


def _of_one(reason: str) -> str:
    verb, _, rest = reason.partition(" ")
    singular = {"are": "is", "have": "has", "name": "names"}.get(verb, verb)
    return f"{singular} {rest}".replace("their own", "its own").replace("copolymers, which", "a copolymer, which")


def _table(path: str, name: str, runs: Sequence[_Run], notes: tuple[str, ...]) -> RawTable:
    """Combine the repeats of each polymer."""
    together: dict[tuple[str, str, str, str], list[_Run]] = {}
    for run in runs:
        together.setdefault(run.polymer, []).append(run)
    properties = list(dict.fromkeys(heading for run in runs for heading in run.values))
    repeated = {
        heading
        for heading in properties
        if any(sum(heading in run.values for run in several) > 1 for several in together.values())
    }
    headings = ["monomer_ID", "smiles", "tacticity", "temp", "press"]
    for heading in properties:
        headings += [heading, f"{heading}_std", f"{heading}_count"] if heading in repeated else [heading]
    rows = [_row(polymer, several, properties, repeated) for polymer, several in together.items()]
    combined = Counter(len(several) for several in together.values())
    of_several = sum(number for size, number in combined.items() if size > 1)
    read = f"{len(runs):,} results of RadonPy were read, of {len(rows):,} polymers"
    told = f"{read}; of {of_several:,} of them there are repeats, whose mean counts." if of_several else f"{read}."
    columns = tuple(TextColumn.of(cells) for cells in zip(*rows, strict=True))
    lines = np.arange(2, len(rows) + 2, dtype=np.int64)
    return RawTable(path, name, "radonpy", tuple(headings), columns, lines, notes=(told, *notes))


def _row(
    polymer: tuple[str, str, str, str], several: Sequence[_Run], properties: Sequence[str], repeated: set[str]
) -> list[str]:
    unit, tacticity, temperature, pressure = polymer
    row = [several[0].identifier, unit, tacticity, temperature, pressure]
    for heading in properties:
        values = [run.values[heading] for run in several if heading in run.values]
        row.append(repr(statistics.fmean(values)) if values else "")
        if heading in repeated:
            row += [repr(statistics.stdev(values)) if len(values) > 1 else "", str(len(values)) if values else ""]
    return row
