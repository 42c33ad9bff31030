"""The import preview below the window: what is shown, counted, asked, remembered and corrected."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from affinecal_gui.errors import Cancelled
from affinecal_gui.study.importing.importing import Examined, doubts_about, examine, other_doubts, summary_of_table
from affinecal_gui.study.importing.loading import OpenTable, load_sources, load_tables, understand
from affinecal_gui.study.importing.remembered_choices import (
    LONGEST_EDITS,
    MOST_EDITS,
    MOST_SHAPES,
    RememberedChoices,
)
from affinecal_gui.study.importing.unit_doubts import with_measured_unit
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.table_source import NOTHING_CHOSEN, ColumnChoice, ImportChoices, TableSource
from affinecal_gui.study.words.correction_words import corrections_again
from affinecal_gui.tables.text.options import ReadOptions
from affinecal_gui.tables.units.properties import find_property
from affinecal_gui.tables.values.value_columns import cells_of
from affinecal_gui.task import Task

GERMAN = """Zusammenstellung;;;;
Stand 2024;;;;
Nr.;Polymer;Wiederholeinheit;cp [J/(g K)];Quelle
1;polyethylene;*CC*;2,342;NIST
2;polystyrene;*CC(*)c1ccccc1;1,210;CROW
3;polybutadiene;*CC=CC*;1,910 b);NIST
4;poly(p-xylylene);*Cc1ccc(C*)cc1;n. b.;CROW
5;poly(phenylene oxide);*Oc1c(C)cc(*)cc1C;1.240;CROW
6;poly(vinyl fluoride);*CCF;1,292;CROW
;Mittelwert;;1,5;
"""


@pytest.fixture
def german(tmp_path: Path) -> TableSource:
    path = tmp_path / "Cp.csv"
    path.write_text(GERMAN, encoding="cp1252")
    return TableSource(str(path))


def tints(found: Examined) -> dict[tuple[int, int], str]:
    return {(row.line, column): tint for row in found.rows for column, (tint, _) in row.tints.items()}


def test_the_preview_shows_what_will_be_used_and_what_not(german: TableSource) -> None:
    found = examine(german, NOTHING_CHOSEN)
    assert (found.used, found.total) == (3, 7)
    assert [row.used for row in found.rows] == [True, True, True, False, False, False, False]
    assert [problem.line for problem in found.problems] == [7, 8, 9, 10]
    assert tints(found) == {(6, 3): "caution", (7, 3): "bad", (8, 3): "bad", (9, 2): "bad", (10, 2): "bad"}
    assert [row.read_as.get(3) for row in found.rows[:3]] == [2342.0, 1210.0, 1910.0]
    assert any("footnote" in note and "line 6" in note for note in found.notes)
    assert not found.questions


def test_cells_that_the_study_still_holds_are_not_read_again_unless_the_file_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "measured.csv"
    path.write_text("id,smiles,Cp,gap [eV]\n1,*CC*,2300,8.8\n2,*CC(*)C,1900,8.1\n", encoding="utf-8")
    (table,) = load_tables([path]).tables
    beside = StudyState().with_tables((table,)).tables
    held = cells_of(table.values)
    assert held is not None
    source = TableSource(str(path))
    assert examine(source, NOTHING_CHOSEN, beside=beside).raw is held
    edited = examine(source, NOTHING_CHOSEN.with_edit(2, "Cp", "2400"), beside=beside)
    assert edited.raw is held
    assert edited.table is not None
    edited_cells = cells_of(edited.table.values)
    assert edited_cells is not None
    assert edited_cells.origin is None  # they are not those of the file
    assert edited_cells.column("Cp")[0] == "2400"
    in_grams = StudyState().with_tables((with_measured_unit(table, "Cp", "J/(g K)"),))
    assert examine(source, NOTHING_CHOSEN, beside=in_grams.tables).raw is held
    points = ReadOptions(delimiter=",")
    assert examine(source, replace(NOTHING_CHOSEN, options=points), beside=beside).raw is not held
    path.write_text("id,smiles,Cp,gap [eV]\n1,*CC*,2350,8.8\n2,*CC(*)C,1900,8.15\n", encoding="utf-8")
    assert examine(source, NOTHING_CHOSEN, beside=beside).raw.column("Cp")[0] == "2350"


def test_counts_follow_every_choice(german: TableSource) -> None:
    first = examine(german, NOTHING_CHOSEN)
    value = ColumnChoice(3, first.raw.headings[3], unit="cal/(g K)")
    in_calories = examine(german, NOTHING_CHOSEN.with_column(value), previous=first)
    assert in_calories.raw is first.raw  # not read again
    assert in_calories.rows[0].read_as[3] == pytest.approx(2.342 * 4184)
    edited = NOTHING_CHOSEN.with_edit(7, first.raw.headings[3], "1,3").with_edit(8, first.raw.headings[3], "1,240")
    edited = edited.with_edit(9, first.raw.headings[2], "*CC(*)F")
    corrected = examine(german, edited, previous=first)
    assert corrected.used == 6
    assert corrected.rows[4].read_as[3] == pytest.approx(1240)
    assert first.raw.columns[3][3] == "n. b."  # the table as read is untouched
    points = replace(NOTHING_CHOSEN, options=ReadOptions(decimal="."))
    assert examine(german, points, previous=first).used == 1
    no_values = NOTHING_CHOSEN.with_column(ColumnChoice(3, first.raw.headings[3], role="ignored"))
    assert examine(german, no_values, previous=first).used == 5


def test_a_role_that_only_one_column_has_moves(german: TableSource) -> None:
    first = examine(german, NOTHING_CHOSEN)
    moved = NOTHING_CHOSEN.with_column(ColumnChoice(4, "Quelle", role="name"))
    roles = examine(german, moved, previous=first).roles
    assert [column.role for column in roles.columns][1] == "detail"
    assert roles.first("name").heading == "Quelle"  # type: ignore[union-attr]


def test_another_property_and_roles_beside_a_value(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("smiles,x,dx\n*CC*,0.95,0.01\n*CC(*)C,0.85,0.02\n*CC(*)Cl,1.39,0.03\n", encoding="utf-8")
    source = TableSource(str(path))
    choices = NOTHING_CHOSEN.with_column(ColumnChoice(1, "x", role="measured", quantity=find_property("density")))
    choices = choices.with_column(ColumnChoice(2, "dx", role="uncertainty"))
    found = examine(source, choices)
    assert found.table is not None
    column = found.table.values[("measured", "density")]
    assert column.values.tolist() == [0.95, 0.85, 1.39]
    assert column.uncertainty.tolist() == [0.01, 0.02, 0.03]


def test_partners_are_counted_in_the_tables_of_the_study(german: TableSource, examples: Path) -> None:
    study = StudyState().with_tables(load_tables([examples / "md_radonpy.csv"]).tables)
    found = examine(german, NOTHING_CHOSEN, beside=study.tables)
    assert found.partners.sentence == "3 of these 3 polymers have an MD value in md_radonpy.csv."
    wrong = NOTHING_CHOSEN.with_column(ColumnChoice(3, found.raw.headings[3], unit="kJ/(g K)"))
    doubtful = examine(german, wrong, beside=study.tables, previous=found)
    assert doubtful.partners.suspected_unit
    assert doubtful.partners.column == 3
    assert doubtful.rows[0].read_as[3] == pytest.approx(2_342_000)  # offered, not applied


def test_long_tables_show_their_first_rows_before_the_counts(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("smiles,measured Cp [J/(kg K)]\n" + "*CC*,1900\n" * 1500, encoding="utf-8")
    parts: list[Examined] = []
    found = examine(TableSource(str(path)), NOTHING_CHOSEN, publish=parts.append)
    assert [part.complete for part in parts] == [False, True]
    assert len(parts[0].rows) == len(found.rows) == 200
    assert found.used == 1500
    with pytest.raises(Cancelled):
        examine(TableSource(str(path)), NOTHING_CHOSEN, task=Task(cancelled=lambda: True))


def test_a_table_that_cannot_be_used_says_why(tmp_path: Path) -> None:
    path = tmp_path / "none.csv"
    path.write_text("a,b\n1,2\n3,4\n5,6\n", encoding="utf-8")
    found = examine(TableSource(str(path)), NOTHING_CHOSEN)
    assert found.table is None
    assert "no column of repeat units" in found.error
    assert found.questions


def uncertain(folder: Path, name: str = "maybe.csv", rows: Iterable[str] = ("*CC*,1900", "*CC(*)C,1800")) -> Path:
    path = folder / name
    path.write_text("smiles,Cp\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_questions_are_asked_only_where_somebody_can_answer(tmp_path: Path) -> None:
    path = tmp_path / "gram.csv"
    path.write_text("smiles,Cp\n*CC*,1.9\n*CC(*)C,1.8\n", encoding="utf-8")
    asked = load_tables([path], ask=True)
    assert not asked.tables
    (table,) = asked.asked
    assert table.source.path == str(path)
    guessed = load_tables([path])
    assert guessed.tables[0].values[("measured", "Cp")].values[0] == 1900.0
    assert summary_of_table(guessed.tables[0]) == "gram.csv: 2 rows with measured Cp in J/(g K)."


def test_choices_are_remembered_for_files_of_the_same_shape(tmp_path: Path) -> None:
    remembered = RememberedChoices(tmp_path / "config" / "imports.json")
    first = tmp_path / "one.csv"
    first.write_text("smiles,Cp\n*CC*,1.9\n*CC(*)C,1.8\n", encoding="utf-8")
    (table,) = load_tables([first], remembered=remembered, ask=True).asked
    choices = NOTHING_CHOSEN.with_column(ColumnChoice(1, "Cp", unit="cal/(g K)"))
    found = examine(table.source, choices, raw=table.raw)
    remembered.remember(found.shape, found.choices.options, found.roles)
    second = tmp_path / "two.csv"
    second.write_text("smiles,Cp\n*CC(*)Cl,0.25\n", encoding="utf-8")
    again = load_tables([second], remembered=RememberedChoices(remembered.path), ask=True)
    assert not again.asked
    assert again.tables[0].values[("measured", "Cp")].values[0] == pytest.approx(0.25 * 4184)
    remembered.forget(found.shape)
    assert load_tables([second], remembered=remembered, ask=True).asked


def test_options_are_remembered_by_the_shape_of_the_file_before_anything_was_chosen(tmp_path: Path) -> None:
    remembered = RememberedChoices(tmp_path / "imports.json")
    text = "made by,an instrument\nsmiles,Cp [J/(kg K)]\n*CC*,1900\n*CC(*)C,1800\n"
    path = tmp_path / "a.csv"
    path.write_text(text, encoding="utf-8")
    options = ReadOptions(header_line=1)
    found = examine(TableSource(str(path)), replace(NOTHING_CHOSEN, options=options))
    remembered.remember(found.shape, options, found.roles)
    loaded = load_tables([path], remembered=remembered)
    roles = loaded.tables[0].roles if loaded.tables else None
    assert roles is None or [column.heading for column in roles.columns] == ["made by", "an instrument"]
    assert remembered.options_for(TableSource(str(path)).read()) == options


def test_two_sides_of_one_shape_are_not_taken_for_each_other(tmp_path: Path) -> None:
    remembered = RememberedChoices(tmp_path / "imports.json")
    measured, simulated = tmp_path / "measured.csv", tmp_path / "md.csv"
    for path, values in ((measured, (1.9, 1.8)), (simulated, (4.1, 4.0))):
        path.write_text(f"smiles,Cp\n*CC*,{values[0]}\n*CC(*)C,{values[1]}\n", encoding="utf-8")
    found = examine(TableSource(str(measured)), NOTHING_CHOSEN)
    assert found.roles.kind == "measured"
    remembered.remember(found.shape, ReadOptions(), found.roles)
    assert load_tables([measured], remembered=remembered, ask=True).tables
    (asked,) = load_tables([simulated], remembered=remembered, ask=True).asked
    shown = examine(asked.source, asked.choices, raw=asked.raw)
    assert any("measured, or from MD" in question for question in shown.questions)
    answered = examine(asked.source, replace(asked.choices, kind="md"), raw=asked.raw)
    assert not answered.questions
    assert answered.roles.kind == "md"


def test_what_is_remembered_is_bounded_and_never_trusted(tmp_path: Path) -> None:
    path = tmp_path / "imports.json"
    remembered = RememberedChoices(path)
    table = uncertain(tmp_path)
    found = examine(TableSource(str(table)), NOTHING_CHOSEN)
    for number in range(MOST_SHAPES + 5):
        remembered.remember(f"{number:032d}", ReadOptions(), found.roles)
    assert path.read_text(encoding="utf-8").count('"shape"') == MOST_SHAPES
    for content in (b"", b"[]", b'{"version": 1, "entries": [{}]}', b"\xff\x00", b'{"version":1,"entries":5}'):
        path.write_bytes(content)
        assert load_tables([table], remembered=remembered, ask=True).errors == ()


def test_tables_that_are_open_are_understood_again_beside_new_ones(tmp_path: Path) -> None:
    first, second = uncertain(tmp_path, "first.csv"), uncertain(tmp_path, "second.csv", ("*CC*,4100", "*CC(*)C,4000"))
    (table,) = load_tables([first]).tables
    again = load_sources([TableSource(str(second))], beside=[table])
    assert again.tables[0].roles is not None
    assert again.tables[0].roles.kind == "md"
    opened = OpenTable(TableSource(str(second)), TableSource(str(second)).read())
    assert understand([opened], beside=[table]).tables[0].roles == again.tables[0].roles


def test_pasted_text_goes_the_same_way(tmp_path: Path) -> None:
    path = tmp_path / "same.csv"
    path.write_text(GERMAN, encoding="utf-8")
    from_file = examine(TableSource(str(path)), NOTHING_CHOSEN)
    pasted = examine(TableSource("pasted table 1", GERMAN), ImportChoices())
    assert [row.cells for row in pasted.rows] == [row.cells for row in from_file.rows]
    assert pasted.used == from_file.used
    assert pasted.table is not None
    assert pasted.table.path == "pasted table 1"


def test_of_two_columns_of_one_property_the_one_taken_is_remembered(tmp_path: Path) -> None:
    remembered = RememberedChoices(tmp_path / "config" / "imports.json")
    path = tmp_path / "two.csv"
    path.write_text("smiles,Cp,Cp\n*CC*,2300,2310\n*CC(*)C,1900,1910\n*CC(*)Cl,950,960\n", encoding="utf-8")
    (asked,) = load_tables([path], remembered=remembered, ask=True).asked
    found = examine(asked.source, asked.choices, raw=asked.raw)
    remembered.remember(found.shape, found.choices.options, found.roles)
    (table,) = load_tables([path], remembered=remembered, ask=True).tables
    assert list(table.values[("measured", "Cp")].values) == [2300, 1900, 950]
    assert table.details["Cp (2)"] == ("2310", "1910", "960")


def test_the_summary_names_the_property_in_use(examples: Path) -> None:
    (table,) = load_tables([examples / "md_radonpy.csv"]).tables
    assert "MD ρ in g/cm³ and 3 more" in summary_of_table(table)
    assert "MD Cp in J/(kg K) and 3 more" in summary_of_table(table, "Cp")
    assert summary_of_table(table, "Cv") == summary_of_table(table)


def test_the_preview_says_nothing_of_the_command_line() -> None:
    text = "smiles,Cp,Cp\n*CC*,2300,2310\n*CC(*)C,1900,1910\n*CC(*)Cl,950,960\n"
    notes = examine(TableSource("pasted table 1", text), ImportChoices()).notes
    (rival,) = [note for note in notes if "could be it too" in note]
    assert rival.endswith("could be it too.")


def test_a_unit_that_cannot_be_converted_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "permeability.csv"
    path.write_text("smiles,Oxygen permeability [Barrer]\n*CC*,12\n*CC(*)C,3\n*CC(*)Cl,0.5\n", encoding="utf-8")
    (table,) = load_tables([path]).tables
    assert "measured Oxygen permeability in Barrer" in summary_of_table(table)


def test_only_what_may_make_numbers_wrong_is_told_on_loading(tmp_path: Path, examples: Path) -> None:
    def told(text: str) -> str:
        (tmp_path / "a.csv").write_text(text, encoding="utf-8")
        (table,) = load_tables([tmp_path / "a.csv"]).tables
        return doubts_about(table, "Cp")

    rows = "*CC*\t{}\n*CC(*)C\t{}\n*CC(*)Cl\t{}\n"
    assert told("smiles\tCp [J/(kg K)]\n" + rows.format("2300", "1900", "950")) == ""
    assert told("smiles\tCp\n" + rows.format("2300", "1900", "950")).startswith("a.csv: No unit is named")
    assert "thousands mark" in told("smiles\tCp [J/(kg K)]\n" + rows.format("2,300", "1,900", "950"))
    assert "molar mass" in told("smiles\tCp [J/(mol K)]\n" + rows.format("64", "80", "59"))
    two = "smiles\tCp\tCp liquid\tdensity\n" + rows.format("2,300\t2600\t0.9", "1,900\t2500\t0.9", "950\t2\t1")
    assert told(two).endswith(" 1 more: see Adjust… in the list of tables.")
    for name in ("heat_capacity_measured.csv", "density_measured.csv", "md_radonpy.csv", "optical_measured_and_md.csv"):
        (table,) = load_tables([examples / name]).tables
        assert [doubts_about(table, key) for _, key in table.values] == [""] * len(table.values)


def test_doubts_about_other_properties_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "md.csv"
    expansions = [f"{number}e-5" for number in range(20, 50)] + ["-3e-5"]
    rows = (f"*{'C' * number}O*,{1900 + number},{value}" for number, value in enumerate(expansions, start=1))
    path.write_text("smiles,Cp,volume_expansion\n" + "\n".join(rows), encoding="utf-8")
    (table,) = load_tables([path]).tables
    keys = {key for _, key in table.values}
    (expansion,) = keys - {"Cp"}
    assert doubts_about(table, "Cp") == ""
    assert "-3e-5" in doubts_about(table, expansion)
    assert any("-3e-5" in sentence for sentence in other_doubts(table, "Cp"))
    assert other_doubts(table, expansion) == ()


CORRECTED = "smiles,Cp [J/(kg K)]\n*CC*,1900\n*CC(*)C,ca 18OO\n"


def corrected(path: Path, remembered: RememberedChoices) -> None:
    """Open a file, correct a cell by hand, take the column to be in another unit, and import it."""
    source = TableSource(str(path))
    heading = "Cp [J/(kg K)]"
    choices = NOTHING_CHOSEN.with_edit(3, heading, "1800").with_column(ColumnChoice(1, heading, unit="cal/(g K)"))
    found = examine(source, choices)
    remembered.remember_corrections(found.shape, found.raw, found.choices, found.roles)


def test_cells_and_units_corrected_by_hand_come_back_with_the_same_file_wherever_it_lies(tmp_path: Path) -> None:
    remembered = RememberedChoices(tmp_path / "imports.json")
    path = tmp_path / "a.csv"
    path.write_text(CORRECTED, encoding="utf-8")
    corrected(path, remembered)
    moved = tmp_path / "copy.csv"
    moved.write_text(CORRECTED, encoding="utf-8")
    loaded = load_tables([moved], remembered=RememberedChoices(remembered.path), ask=True)
    assert loaded.tables[0].values[("measured", "Cp")].values.tolist() == pytest.approx([1900 * 4184, 1800 * 4184])
    assert loaded.choices[0].edits == ((3, "Cp [J/(kg K)]", "1800"),)
    assert "1 cell is as you corrected it" in corrections_again("copy.csv", loaded.choices[0])


@pytest.mark.parametrize(
    "other",
    [
        CORRECTED.replace("1900", "1901"),  # another value
        CORRECTED.replace("*CC*", "*CO*"),  # another polymer
        CORRECTED.replace("*CC*,1900\n", "\n*CC*,1900\n"),  # the same rows in other lines
        CORRECTED + "*CC(*)F,1500\n",  # a row more
        CORRECTED.replace("Cp [J/(kg K)]", "Cp [J/(g K)]"),  # another heading
    ],
)
def test_corrections_are_never_applied_to_another_file_even_of_the_same_name(tmp_path: Path, other: str) -> None:
    remembered = RememberedChoices(tmp_path / "imports.json")
    path = tmp_path / "a.csv"
    path.write_text(CORRECTED, encoding="utf-8")
    corrected(path, remembered)
    path.write_text(other, encoding="utf-8")
    loaded = load_tables([path], remembered=remembered)
    assert [choices.known_content or choices.edits for choices in loaded.choices] == [()]
    assert 1800.0 not in loaded.tables[0].values[("measured", "Cp")].values


def test_corrections_are_forgotten_with_the_file_and_not_kept_without_end(tmp_path: Path) -> None:
    remembered = RememberedChoices(tmp_path / "imports.json")
    path = tmp_path / "a.csv"
    path.write_text(CORRECTED, encoding="utf-8")
    corrected(path, remembered)
    found = examine(TableSource(str(path)), NOTHING_CHOSEN)
    remembered.forget_file(found.shape, found.raw)
    assert remembered.corrections_for(found.source, found.raw) is None
    many = replace(NOTHING_CHOSEN, edits=tuple((line, "Cp [J/(kg K)]", "1") for line in range(MOST_EDITS + 1)))
    remembered.remember_corrections(found.shape, found.raw, many, found.roles)
    assert remembered.corrections_for(found.source, found.raw) is None
    long = NOTHING_CHOSEN.with_edit(3, "Cp [J/(kg K)]", "1" * LONGEST_EDITS)
    remembered.remember_corrections(found.shape, found.raw, long, found.roles)
    assert remembered.corrections_for(found.source, found.raw) is None


def test_an_import_without_corrections_drops_those_of_before(tmp_path: Path) -> None:
    remembered = RememberedChoices(tmp_path / "imports.json")
    path = tmp_path / "a.csv"
    path.write_text(CORRECTED, encoding="utf-8")
    corrected(path, remembered)
    again = load_tables([path], remembered=remembered).choices[0]
    found = examine(TableSource(str(path)), again.uncorrected())
    remembered.remember_corrections(found.shape, found.raw, found.choices, found.roles)
    assert load_tables([path], remembered=remembered).choices[0].edits == ()
