"""A study without a property of which there are measured and MD values says what is missing, and asks what it can."""

from pathlib import Path

import pytest

from affinecal_gui.study.data.assembly import Assembly, assemble
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.state import StudyState

CHAINS = ("C", "CC", "CCC", "CCCC", "c1ccccc1", "C#N")


def table(folder: Path, name: str, heading: str) -> Path:
    rows = [f"p{number},*CC(*){chain},{2.0 + 0.1 * number}" for number, chain in enumerate(CHAINS)]
    (folder / name).write_text("\n".join((f"id,smiles,{heading}", *rows, "")), encoding="utf-8")
    return folder / name


def assembled(*paths: Path) -> Assembly:
    loaded = load_tables(list(paths))
    assert not loaded.errors
    state = StudyState().with_tables(loaded.tables)
    return assemble(state.tables, state.quantity)


@pytest.mark.parametrize("heading", ["Result", "Messwert", "y"])
def test_a_measured_column_that_is_not_understood_is_asked_for_once_md_values_are_there(
    tmp_path: Path, heading: str
) -> None:
    found = assembled(
        table(tmp_path, "series.csv", f"measured {heading}"), table(tmp_path, "md.csv", "MD density [g/cm3]")
    )
    question = found.missing.question if found.missing is not None else None
    assert question is not None
    assert question.table == "t1"
    assert question.sentence.startswith("md.csv has MD values of density. Which property is")
    assert question.sentence.endswith("of series.csv?")
    assert question.sentence in found.summary
    assert {row.reason for row in found.rows} == {f"No table has MD values of \u201c{found.quantity.title}\u201d."}


def test_an_md_column_that_is_not_understood_is_asked_for_as_well(tmp_path: Path) -> None:
    found = assembled(
        table(tmp_path, "measured.csv", "measured density [g/cm3]"), table(tmp_path, "md.csv", "MD outcome")
    )
    question = found.missing.question if found.missing is not None else None
    assert question is not None
    assert question.table == "t2"
    assert question.sentence.endswith("of md.csv?")


def test_two_known_properties_are_told_apart_and_nothing_is_asked(tmp_path: Path) -> None:
    found = assembled(
        table(tmp_path, "measured.csv", "measured density [g/cm3]"), table(tmp_path, "md.csv", "MD Cp [J/(g K)]")
    )
    assert found.summary == (
        "6 measured polymers. md.csv has MD values of specific heat capacity. Add a table of MD values of density."
    )
    assert found.missing is not None
    assert found.missing.question is None


def test_without_a_table_of_the_other_kind_one_is_asked_for(tmp_path: Path) -> None:
    found = assembled(table(tmp_path, "measured.csv", "measured density [g/cm3]"))
    assert found.summary == "6 measured polymers. Add a table of MD values of density."
    assert {row.reason for row in found.rows} == {"No MD table is loaded yet."}


def test_a_column_that_is_not_understood_is_asked_for_before_there_is_a_table_of_the_other_kind(tmp_path: Path) -> None:
    found = assembled(table(tmp_path, "series.csv", "measured Result"))
    question = found.missing.question if found.missing is not None else None
    assert question is not None
    assert question.table == "t1"
    assert question.sentence == (
        f"Which property is \u201c{found.quantity.title}\u201d of series.csv? If it is none that AffineCal knows, add a "
        f"table of MD values of \u201c{found.quantity.title}\u201d."
    )
    assert found.summary == f"6 measured polymers. {question.sentence}"
