"""One id may be written in several ways, and an id of two polymers names neither of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affinecal_gui.tables.matching.ids import id_key, same_id
from affinecal_gui.tables.matching.matching import MatchReport, match
from tests.tables.making import polymers

ID = "id,smiles,density"
PE, PP, PEO, PVF = "*CC*", "*CC(*)C", "*CCO*", "*CC(*)F"


def pairs(measured: list[tuple[str, str]], md: list[tuple[str, str]]) -> tuple[dict[int, int], MatchReport]:
    """Return the MD row by measured row, of tables of (id, repeat unit)."""
    one = polymers([(name, unit, f"{1 + 0.01 * i}") for i, (name, unit) in enumerate(measured)], "measured", ID)
    other = polymers([(name, unit, f"{1.1 + 0.01 * i}") for i, (name, unit) in enumerate(md)], "md", ID)
    report = match(one, other, "density")
    linked = {link.measured: link.library for link in report.links}
    return {
        row: report.library[linked[index]].rows[0]
        for index, polymer in enumerate(report.measured)
        if index in linked
        for row in polymer.rows
    }, report


@pytest.mark.parametrize("measured", ["{}", "{}.0", "000{}", "PI {}", "PI{}", "PI-{}", "pi_00{}", "Pi. {}", "PI–{}"])
@pytest.mark.parametrize("md", ["{}", "{}.0", "000{}", "PI {}", "PI{}", "PI-{}", "pi_00{}"])
def test_every_way_of_writing_a_number_meets_every_other(measured: str, md: str) -> None:
    linked, report = pairs(
        [(measured.format(number), "") for number in (3, 1, 2)],
        [(md.format(number), unit) for number, unit in ((1, PE), (2, PP), (3, PEO))],
    )
    assert linked == {0: 2, 1: 0, 2: 1}
    has_letters = [text.casefold().startswith("p") for text in (measured, md)]
    told = [note for note in report.notes if note.startswith("Ids of measured.csv were taken for those of md.csv: ")]
    assert len(told) == (has_letters[0] != has_letters[1])


@pytest.mark.parametrize(
    ("one", "other"),
    [("1-2", "12"), ("10E5", "1000000"), ("MAR1", "1 Mar"), ("1.5", "15"), ("1a", "1"), ("PI1", "PE1"), ("-1", "1")],
)
def test_other_ids_stay_texts(one: str, other: str) -> None:
    assert id_key(one) != id_key(other)
    assert same_id(one) == one.casefold()


@given(st.text(max_size=30))
def test_any_text_has_a_key_that_does_not_change_any_more(text: str) -> None:
    assert id_key(same_id(text)) == id_key(text)
    assert id_key(id_key(text)) == id_key(text)


def test_numbers_do_not_stand_for_ids_with_different_letters() -> None:
    assert pairs([("1", ""), ("2", "")], [("PE1", PE), ("PP2", PP)])[0] == {}


def test_an_id_of_two_md_polymers_is_ambiguous_without_a_repeat_unit() -> None:
    linked, report = pairs([("P1", ""), ("P3", "")], [("P3", PVF), ("P1", PE), ("P3", PEO)])
    assert linked == {0: 1}
    (left_out,) = report.unmatched
    assert left_out.state == "ambiguous"
    assert left_out.candidates == (0, 2)
    assert "the id P3 stands for 2 polymers in md.csv (lines 2, 4)" in left_out.reason


def test_the_repeat_unit_decides_which_polymer_of_an_id_is_meant() -> None:
    linked, report = pairs([("P3", "*COC*")], [("P3", PVF), ("P1", PE), ("P3", PEO)])
    assert linked == {0: 2}
    assert any("the id P3 stands for 2 polymers" in note and "repeat unit tells" in note for note in report.notes)


def test_an_id_is_ambiguous_though_only_one_of_its_polymers_has_a_value() -> None:
    measured = polymers([("P3", "1.0"), ("P1", "0.9")], "measured", "id,density")
    md = polymers([("P3", PVF, "", "2000"), ("P3", PEO, "1.1", ""), ("P1", PE, "0.95", "")], "md", f"{ID},Cp")
    report = match(measured, md, "density")
    assert [(link.measured, report.library[link.library].rows) for link in report.links] == [(1, (2,))]
    assert [one.state for one in report.unmatched] == ["ambiguous"]


@pytest.mark.parametrize("md_unit", ["", PE])
def test_an_id_of_two_measured_polymers_is_ambiguous_unless_repeat_units_decide(md_unit: str) -> None:
    linked, report = pairs([("P1", PE), ("P1", PP), ("P2", "")], [("P1", md_unit), ("P2", PEO)])
    assert linked == ({0: 0, 2: 1} if md_unit else {2: 1})
    assert len(report.unmatched) == (1 if md_unit else 2)
    if not md_unit:
        assert all("the id P1 stands for 2 polymers in measured.csv (lines 2, 3)" in u.reason for u in report.unmatched)


@pytest.mark.parametrize(
    ("measured", "md", "linked"),
    [
        (["1"], ["1", "01"], {}),
        (["01"], ["1", "01"], {}),
        (["1", "01"], ["1"], {}),
        (["1", "01"], ["01", "1"], {0: 1, 1: 0}),
        (["PI 1"], ["PI1", "PI01"], {}),
        (["1.0"], ["1"], {0: 0}),
    ],
)
def test_two_ids_of_one_table_that_another_may_write_alike_are_ambiguous(
    measured: list[str], md: list[str], linked: dict[int, int]
) -> None:
    units = [PE, PP]
    found, report = pairs([(text, "") for text in measured], list(zip(md, units, strict=False)))
    assert found == linked
    assert all(one.state == "ambiguous" for one in report.unmatched)


def test_reports_of_one_id_and_one_polymer_stay_reports() -> None:
    linked, report = pairs([("P1", PE), ("p1", "*CCCC*"), ("P1", ""), ("P2", "")], [("P1", PE), ("P1", PE), ("P2", PP)])
    assert [polymer.rows for polymer in report.measured] == [(0, 1, 2), (3,)]
    assert linked == {0: 0, 1: 0, 2: 0, 3: 2}
    assert report.unmatched == ()


def test_a_row_without_repeat_unit_under_the_id_of_two_polymers_is_none_of_them() -> None:
    linked, report = pairs([("P1", PE), ("P1", PP), ("P1", "")], [("P1", PE), ("P2", PP)])
    assert linked == {0: 0, 1: 1}
    assert [(one.measured, one.state) for one in report.unmatched] == [(2, "ambiguous")]


def test_stereoisomers_under_one_id_are_told_apart_or_ambiguous() -> None:
    cis, trans = "*C/C=C\\C*", "*C/C=C/C*"
    md = [("B1", cis), ("B1", trans), ("P1", PE)]
    assert pairs([("B1", trans), ("P1", PE)], md)[0] == {0: 1, 1: 2}
    assert pairs([("B1", ""), ("P1", PE)], md)[0] == {1: 2}
    assert pairs([("B1", "*CC=CC*"), ("P1", PE)], md)[0] == {1: 2}


@pytest.mark.parametrize(
    ("measured", "md", "told"),
    [
        (["1", "2", "3"], ["1", "2", "3"], True),  # both may number their rows, each for itself
        (["1", "2", "3"], ["3", "2", "1"], True),
        (["0", "1", "2"], ["5", "6", "7"], False),  # no pair
        (["3", "1", "2"], ["1", "2", "3"], False),  # not in order: they name polymers
        (["P1", "P2", "P3"], ["P1", "P2", "P3"], False),
    ],
)
def test_ids_that_count_the_measured_rows_are_told_where_they_alone_make_the_pairs(
    measured: list[str], md: list[str], told: bool
) -> None:
    units = [PE, PP, PEO]
    _, report = pairs([(text, "") for text in measured], list(zip(md, units, strict=True)))
    assert any("made by ids that count the rows of measured.csv" in note for note in report.notes) is told
    _, sure = pairs(list(zip(measured, units, strict=True)), list(zip(measured, units, strict=True)))
    assert not any("count the rows" in note for note in sure.notes)


def test_an_id_is_ambiguous_where_the_name_beside_it_belongs_to_another_id() -> None:
    measured = polymers([("1", "PE", "0.9"), ("2", "PP", "1.0"), ("3", "PVF", "1.1")], "measured", "id,name,density")
    md = polymers([("1", "PP", "1.2"), ("2", "PE", "1.3"), ("3", "polyfluoroethene", "1.4")], "md", "id,name,density")
    report = match(measured, md, "density")
    assert [(link.measured, link.library) for link in report.links] == [(2, 2)]
    assert [one.state for one in report.unmatched] == ["ambiguous", "ambiguous"]
    assert "PE: its id is that of PP in md.csv (line 2)" in report.unmatched[0].reason
