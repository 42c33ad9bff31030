"""Tables that call the same polymers by different ids, with the table that knows both."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.study.data.assembly import Assembly, assemble
from affinecal_gui.study.data.cross_references import further_ids
from affinecal_gui.tasks.reading.data_files import DataFiles, read_as, read_study

UNITS = [
    "*CC*",
    "*CC(C)*",
    "*CC(*)c1ccccc1",
    "*CC(*)Cl",
    "*CC(*)O",
    "*CO*",
    "*CCO*",
    "*CCCO*",
    "*CC(*)C#N",
    "*CC(F)(F)*",
]
PID = [f"P{10000 + 7 * i}" for i in range(10)]
NUMBER = [f"PI{i + 1}" for i in range(10)]
DESCRIPTORS = [[i + 0.5, *(float((i * j) % 7) for j in range(1, 10)), 3.0 * i, float(i % 2)] for i in range(10)]


def write(path: Path, heading: str, rows: list[list[object]]) -> Path:
    path.write_text("\n".join([heading, *(",".join(map(str, row)) for row in rows)]) + "\n", encoding="utf-8")
    return path


def found(folder: Path, measured: str, md: str, descriptors: str) -> Assembly:
    """Measured in reverse order; ``i`` stands for the numbers, ``p`` for the PIDs, ``s`` for repeat units."""
    columns = {"i": ("monomer_ID", NUMBER), "p": ("PID", PID), "s": ("smiles", UNITS)}

    def head(letters: str) -> str:
        return ",".join(columns[letter][0] for letter in letters)

    def cells(letters: str, row: int) -> list[object]:
        return [columns[letter][1][row] for letter in letters]

    one = write(folder / "e.csv", f"{head(measured)},Cp", [[*cells(measured, k), 1000 + k] for k in range(10)][::-1])
    two = write(folder / "m.csv", f"{head(md)},Cp", [[*cells(md, k), 4000 + k] for k in range(10)])
    names = ",".join([f"a_{j}" for j in range(10)] + ["b_0", "b_1"])
    three = write(
        folder / "d.csv", f"{head(descriptors)},{names}", [[*cells(descriptors, k), *DESCRIPTORS[k]] for k in range(10)]
    )
    state, _ = read_study(DataFiles(one, two, three, "Cp"))
    return assemble(state.tables, state.quantity)


@pytest.mark.parametrize(
    ("measured", "md", "descriptors"),
    [*product(("i", "p", "s", "isp"), ("i", "p", "is", "isp"), ("isp",)), ("p", "s", "ps"), ("i", "p", "ip")],
)
def test_every_polymer_is_found_and_brings_its_descriptors(
    measured: str, md: str, descriptors: str, tmp_path: Path
) -> None:
    assembly = found(tmp_path, measured, md, descriptors)
    assert assembly.measured_library.tolist() == list(range(10))[::-1]
    assert assembly.measured.tolist() == [1000 + k for k in range(10)][::-1]
    np.testing.assert_array_equal(assembly.ready_descriptors, DESCRIPTORS)


def test_the_measured_table_keeps_its_own_ids(tmp_path: Path) -> None:
    assembly = found(tmp_path, "p", "is", "isp")
    first = assembly.rows[0]
    assert (first.measured_id, first.md_id, first.smiles) == (PID[9], NUMBER[9], UNITS[9])


def test_numbers_are_no_names_in_another_column(tmp_path: Path) -> None:
    """The measured table counts its rows; the MD table has a code that happens to hold the same numbers."""
    one = write(tmp_path / "e.csv", "id,Cp", [[201 + k, 1000 + k] for k in range(10)])
    two = write(tmp_path / "m.csv", "PID,code,Cp", [[PID[k], 210 - k, 4000 + k] for k in range(10)])
    state, _ = read_study(DataFiles(one, two, property_key="Cp"))
    assert set(assemble(state.tables, state.quantity).measured_library.tolist()) == {-1}


def test_columns_that_name_polymers(tmp_path: Path) -> None:
    rows = [[NUMBER[k], PID[k], f"a{k // 2}", f"batch {k}", f"x{k}"] for k in range(10)]
    table = read_as(write(tmp_path / "t.csv", "monomer_ID,PID,code,batch,humid", rows), None).table
    assert further_ids(table) == (tuple(PID),)  # codes repeat, batches are no ids


def test_of_two_columns_of_ids_the_one_headed_as_in_the_md_table_counts(tmp_path: Path) -> None:
    one = write(tmp_path / "e.csv", "sample id,polymer id,Cp", [[10 - k, 1 + k, 1000 + k] for k in range(10)])
    two = write(tmp_path / "m.csv", "polymer_id,Cp", [[1 + k, 4000 + k] for k in range(10)])
    state, _ = read_study(DataFiles(one, two, property_key="Cp"))
    found_in = assemble(state.tables, state.quantity)
    assert found_in.measured.tolist() == [1000 + k for k in range(10)]
    assert found_in.library_md[found_in.measured_library].tolist() == [4000 + k for k in range(10)]
