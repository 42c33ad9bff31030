"""The bundled examples load without a question and match as their descriptions say."""

from importlib.resources import files
from pathlib import Path

import pytest

from affinecal_gui.study.importing.examples import EXAMPLES as BUNDLED
from affinecal_gui.tables.matching.matching import match
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.tables.values.polymer_table import PolymerTable

EXAMPLES = Path(str(files("affinecal_gui.resources"))) / "examples"


def load(name: str) -> PolymerTable:
    raw = read_table(EXAMPLES / name)
    roles = guess_roles(raw)
    assert roles.questions == ()
    return to_polymer_table(raw, roles)


@pytest.mark.parametrize(
    ("name", "kind", "rows", "keys"),
    [
        ("heat_capacity_measured.csv", "measured", 81, ["Cp"]),
        ("density_measured.csv", "measured", 57, ["density"]),
        ("md_radonpy.csv", "md", 333, ["density", "Cp", "refractive_index", "thermal_conductivity"]),
    ],
)
def test_example_loads_without_questions(name: str, kind: str, rows: int, keys: list[str]) -> None:
    table = load(name)
    assert len(table) == table.rows_read == rows
    assert table.problems == ()
    assert [key for key in table.values] == [(kind, key) for key in keys]  # noqa: C416 - a mapping


def test_measured_and_md_values_in_one_file_are_told_apart() -> None:
    table = load("optical_measured_and_md.csv")
    assert len(table) == 26
    for kind in ("measured", "md"):
        assert [quantity.key for quantity in table.properties(kind)] == ["refractive_index", "abbe_number"]
    assert table.values[("measured", "refractive_index")].values[0] == 1.466
    assert table.values[("md", "refractive_index")].values[0] == 1.455129941


def test_heat_capacity_example_keeps_range_repeats_and_source() -> None:
    table = load("heat_capacity_measured.csv")
    column = table.values[("measured", "Cp")]
    assert column.quantity.unit == "J/(kg K)"
    assert column.lowest is not None
    assert column.highest is not None
    assert column.repeats is not None
    assert (column.values[0], column.lowest[0], column.highest[0], column.repeats[0]) == (1200.0, 1100.0, 1335.0, 9.0)
    assert table.details["source"][1] == "NIST Chemistry WebBook SRD 69 (Domalski & Hearing)"


def test_md_example_gives_uncertainties_and_temperature() -> None:
    table = load("md_radonpy.csv")
    column = table.values[("md", "Cp")]
    assert (column.values[0], column.uncertainty[0]) == (4699.0, 139.683)
    assert table.temperature is not None
    assert set(table.temperature) == {300.0}


@pytest.mark.parametrize(
    ("measured", "md", "key", "found", "total"),
    [
        ("heat_capacity_measured.csv", "md_radonpy.csv", "Cp", 62, 81),
        ("density_measured.csv", "md_radonpy.csv", "density", 57, 57),
        ("simpoly_measured.csv", "md_radonpy.csv", "density", 51, 130),
        ("density_measured.csv", "radonpy_runs", "density", 24, 57),
        ("optical_measured_and_md.csv", "optical_measured_and_md.csv", "refractive_index", 26, 26),
        ("optical_measured_and_md.csv", "optical_measured_and_md.csv", "abbe_number", 26, 26),
    ],
)
def test_examples_match_as_described(measured: str, md: str, key: str, found: int, total: int) -> None:
    first = load(measured)
    second = first if md == measured else load(md)
    report = match(first, second, key)
    assert report.summary == f"{found} of {total} measured polymers have an MD value."
    assert len(report.links) + len(report.unmatched) == len(report.measured) == total
    for link in report.links:
        if measured == md:
            assert report.measured[link.measured].rows == report.library[link.library].rows


def test_the_example_of_runs_shows_repeats_and_runs_that_failed_a_check() -> None:
    table = load("radonpy_runs")
    simulated = load("md_radonpy.csv")
    mean = dict(zip(simulated.smiles, simulated.values[("md", "density")].values.tolist(), strict=True))
    column = table.values[("md", "density")]
    assert column.values.tolist() == pytest.approx([mean[smiles] for smiles in table.smiles], rel=1e-5)
    assert column.repeats is not None
    assert {1.0, 2.0, 3.0} <= set(column.repeats.tolist())
    assert {one.reason for one in table.flagged} == {"not-equilibrated", "oriented", "conductivity-check"}


def test_the_words_of_an_example_count_what_is_in_its_files() -> None:
    (example,) = [example for example in BUNDLED if example.key == "radonpy_runs"]
    runs = list((EXAMPLES / "radonpy_runs").rglob("results.csv"))
    assert f"{len(runs)} runs of {len(load('radonpy_runs'))} polymers" in example.subtitle
