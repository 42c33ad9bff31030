"""The report of a matching names every row once, says why, and suggests what may have been meant."""

import csv
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.errors import Cancelled
from affinecal_gui.tables.matching.match_report import COLUMNS, match_lines, write_match_report
from affinecal_gui.tables.matching.matching import match
from affinecal_gui.tables.matching.suggestions import suggest
from affinecal_gui.tables.meaning.remembered import choices_of, shape_of, with_choices
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.units.properties import find_property
from affinecal_gui.tables.values.filters import only, phases_of
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.task import Task
from tests.tables.making import pasted, polymers

MD = polymers(
    [("PE", "*CC*", "4700"), ("PP", "*CC(*)C", "4300"), ("PS", "*CC(*)c1ccccc1", "2800"), ("PVC", "*CC(*)Cl", "2200")],
    "md",
)


def test_every_row_of_the_measured_file_is_on_one_line() -> None:
    measured = polymers(
        [
            ("PE", "*CC*", "2300"),
            ("PE film", "*CCCC*", "2200"),
            ("bad", "*C", "1000"),
            ("PVF", "*CC(*)F", "1300"),
            ("PS", "*CC(*)c1ccccc1", "n.d."),
            ("PVC", "*C(Cl)C*", "950"),
        ],
        "measured",
    )
    report = match(measured, MD, "Cp")
    lines = match_lines(report, measured, MD, suggest(report, measured, MD))
    assert [(line.state, line.measured_lines) for line in lines] == [
        ("matched", (2, 3)),
        ("invalid", (4,)),
        ("no MD value", (5,)),
        ("invalid", (6,)),
        ("matched after rewriting", (7,)),
    ]
    assert all(line.reason for line in lines if line.state in ("invalid", "no MD value"))


def test_the_report_is_a_csv_file(tmp_path: Path) -> None:
    measured = polymers([("PE", "*CCCC*", "2300"), ("=cmd()", "*CC(*)F", "1300")], "measured")
    path = tmp_path / "report.csv"
    write_match_report(path, match_lines(match(measured, MD, "Cp"), measured, MD))
    with path.open(encoding="utf-8", newline="") as file:
        heading, first, second = list(csv.reader(file))
    assert heading == list(COLUMNS)
    assert first[:5] == ["matched after rewriting", "2", "PE", "*CCCC*", "2300"]
    assert first[5:10] == ["2", "PE", "*CC*", "4700", "repeat unit"]
    assert second[2] == "'=cmd()"


def test_the_most_similar_polymer_is_suggested_however_units_are_cut() -> None:
    library = polymers(
        [("PE", "*CC*", "4700"), ("nylon 6", "*CCC(=O)NCCC*", "3000"), ("PS", "*CC(*)c1ccccc1", "2800")], "md"
    )
    for smiles in ("*NCCCCC(*)=O", "*CCCCC(=O)N*", "*C(=O)NCCCC*"):
        measured = polymers([("nylon 5", smiles, "1700")], "measured")
        report = match(measured, library, "Cp")
        (found,) = suggest(report, measured, library)
        assert report.library[found.library].rows == (1,)
        assert found.similarity > 0.8
        assert "nylon 6" in found.sentence
        assert match_lines(report, measured, library, [found])[0].suggestion == found.sentence


def test_nothing_is_suggested_where_nothing_is_alike() -> None:
    measured = polymers([("PTFE", "*C(F)(F)C(*)(F)F", "1000")], "measured")
    assert suggest(match(measured, MD, "Cp"), measured, MD) == ()


def test_the_search_can_be_cancelled() -> None:
    measured = polymers([("PVF", "*CC(*)F", "1300")], "measured")
    with pytest.raises(Cancelled):
        suggest(match(measured, MD, "Cp"), measured, MD, task=Task(cancelled=lambda: True))


HEADING = "name,smiles,Cp,T [°C],phase"
FILTERED = polymers(
    [
        ("PE", "*CC*", "2300", "25", "solid"),
        ("PP", "*CC(*)C", "2900", "200", "melt"),
        ("PS", "*CC(*)c1ccccc1", "1250", "", "solid"),
        ("PVC", "*CC(*)Cl", "950", "20", ""),
    ],
    "measured",
    HEADING,
)


@pytest.mark.parametrize(
    ("temperatures", "phases", "keep_unknown", "names"),
    [
        ((290.0, 300.0), None, True, ("PE", "PS", "PVC")),
        ((290.0, 300.0), None, False, ("PE", "PVC")),
        (None, ["solid"], True, ("PE", "PS", "PVC")),
        (None, ["solid"], False, ("PE", "PS")),
        ((290.0, 300.0), ["solid"], False, ("PE",)),
        (None, None, True, ("PE", "PP", "PS", "PVC")),
    ],
)
def test_rows_of_other_temperatures_and_phases_are_left_out_and_listed(
    temperatures: tuple[float, float] | None, phases: list[str] | None, keep_unknown: bool, names: tuple[str, ...]
) -> None:
    kept = only(FILTERED, temperatures=temperatures, phases=phases, keep_unknown=keep_unknown)
    assert kept.names == names
    assert kept.rows_read == len(kept) + kept.rows_rejected == 4
    assert len([problem for problem in kept.problems if problem.rejects_row]) == kept.rows_rejected
    column = kept.values[("measured", "Cp")]
    np.testing.assert_array_equal(
        column.values, [FILTERED.values[("measured", "Cp")].values[FILTERED.names.index(n)] for n in names]
    )
    assert kept.details["phase"] == tuple(FILTERED.details["phase"][FILTERED.names.index(n)] for n in names)


def test_the_phases_of_a_table_are_counted() -> None:
    assert phases_of(FILTERED) == {"solid": 2, "melt": 1, "": 1}


TEXT = "what;ever;value;spread\nPE;*CC*;2,3;0,1\nPP;*CC(*)C;1,9;0,2\n"


def test_choices_are_remembered_for_files_of_the_same_shape() -> None:
    raw = pasted(TEXT)
    chosen = guess_roles(raw).with_column(2, quantity=find_property("Cp"), unit="J/(g K)").with_kind("md")
    saved = choices_of(chosen)
    other = pasted(TEXT.replace("2,3", "2,4"), "other.csv")
    assert shape_of(other) == shape_of(raw)
    assert shape_of(pasted("a;b\n1;2\n")) != shape_of(raw)
    again = with_choices(guess_roles(other), saved)
    assert again is not None
    assert again.certain
    assert [column.role for column in again.columns] == [column.role for column in chosen.columns]
    table = to_polymer_table(other, again)
    np.testing.assert_allclose(table.values[("md", "Cp")].values, [2400, 1900])


@pytest.mark.parametrize(
    "damage",
    [
        None,
        [],
        {},
        {"version": 2},
        {"version": 1, "kind": "md", "columns": 3},
        {"version": 1, "kind": "md", "columns": [{"heading": "what"}]},
    ],
)
def test_damaged_choices_are_not_followed(damage: object) -> None:
    assert with_choices(guess_roles(pasted(TEXT)), damage) is None


@pytest.mark.parametrize(
    ("field", "value"), [("role", "king"), ("decimal", ";"), ("of", 17), ("unit", 3), ("heading", "x")]
)
def test_choices_with_a_wrong_entry_are_not_followed(field: str, value: object) -> None:
    roles = guess_roles(pasted(TEXT))
    saved = choices_of(roles)
    saved["columns"][2][field] = value
    assert with_choices(roles, saved) is None
