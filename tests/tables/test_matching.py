"""Measured and MD rows of one polymer find each other, and every row is accounted for."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affinecal_gui.errors import Cancelled
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.matching import polymer_reports
from affinecal_gui.tables.matching.matching import MatchReport, match
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.task import Task
from tests.tables.making import polymers
from tests.tries import tries


def assert_adds_up(report: MatchReport, measured: PolymerTable, md: PolymerTable) -> None:
    """Every row of both tables is in exactly one place, every polymer linked or listed as unmatched."""
    rows = [row for polymer in report.measured for row in polymer.rows] + list(report.measured_without_value)
    assert len(rows) + len(report.measured_invalid) == len(measured)
    assert len(set(rows)) == len(rows)
    rows = [row for polymer in report.library for row in polymer.rows] + list(report.md_without_value)
    assert len(rows) + len(report.md_invalid) == len(md)
    assert len(set(rows)) == len(rows)
    linked = [link.measured for link in report.links] + [one.measured for one in report.unmatched]
    assert sorted(linked) == list(range(len(report.measured)))


def test_the_same_polymer_written_differently_is_found() -> None:
    measured = polymers([("PE", "*CC*", "2300"), ("PEO", "*OCC*", "2000"), ("PVF", "*CC(*)F", "1300")], "measured")
    md = polymers([("a", "*CCCC*", "4700"), ("b", "*CO*", "3600"), ("c", "*CCO*", "4100")], "md")
    report = match(measured, md, "Cp")
    assert report.summary == "2 of 3 measured polymers have an MD value."
    assert [(link.measured, link.library, link.way) for link in report.links] == [
        (0, 0, "repeat unit"),
        (1, 2, "repeat unit"),
    ]
    assert all(link.rewritten for link in report.links)
    assert report.unmatched[0].measured == 2
    assert "PVF" in report.unmatched[0].reason
    assert_adds_up(report, measured, md)


def test_rows_of_one_polymer_become_one_with_median_and_spread() -> None:
    measured = polymers(
        [("PE", "*CC*", "2300"), ("PE", "*CCCC*", "2200"), ("PE", "C(*)C*", "1900"), ("PS", "*CC(*)c1ccccc1", "1250")],
        "measured",
    )
    md = polymers([("PE", "*CC*", "4700")], "md")
    report = match(measured, md, "Cp")
    assert len(report.measured) == 2
    assert report.measured[0].rows == (0, 1, 2)
    assert report.measured[0].value == 2200.0
    # Sample standard deviation of 2300, 2200, 1900.
    assert report.measured[0].uncertainty == pytest.approx(208.1666, rel=1e-6)
    assert any("3 measured values" in note and "median" in note for note in report.notes)
    assert math.isnan(report.measured[1].uncertainty)
    assert_adds_up(report, measured, md)


@pytest.mark.parametrize(
    ("rule", "value"), [("median", 2200.0), ("mean", 2133.333), ("first", 2300.0), ("last", 1900.0)]
)
def test_duplicates_are_combined_by_the_stated_rule(rule: str, value: float) -> None:
    measured = polymers([("PE", "*CC*", "2300"), ("PE", "*CC*", "2200"), ("PE", "*CC*", "1900")], "measured")
    md = polymers([("PE", "*CC*", "4700")], "md")
    report = match(measured, md, "Cp", rule=rule)  # type: ignore[arg-type]
    assert report.measured[0].value == pytest.approx(value, rel=1e-6)


def test_weights_are_the_numbers_of_reports() -> None:
    measured = polymers(
        [("PE", "*CC*", "2000", "3"), ("PE", "*CC*", "2400", "1")], "measured", "name,smiles,Cp,values_found"
    )
    md = polymers([("PE", "*CC*", "4700")], "md")
    assert match(measured, md, "Cp", rule="weighted").measured[0].value == 2100.0


def test_a_common_id_is_followed() -> None:
    heading = "id,smiles,Cp"
    measured = polymers([("P1", "", "2300"), ("P2", "*CC(*)C", "1900")], "measured", heading)
    md = polymers([("p2", "*C(C)C*", "4300"), ("P1", "*CC*", "4700")], "md", heading)
    report = match(measured, md, "Cp")
    assert [(link.measured, link.library, link.way) for link in report.links] == [(0, 1, "id"), (1, 0, "id")]
    assert_adds_up(report, measured, md)


def test_an_id_that_means_another_polymer_is_ignored_and_said_so() -> None:
    heading = "id,smiles,Cp"
    measured = polymers([("P1", "*CC(*)C", "1900")], "measured", heading)
    md = polymers([("P1", "*CC*", "4700"), ("P7", "*CC(*)C", "4300")], "md", heading)
    report = match(measured, md, "Cp")
    assert [(link.library, link.way) for link in report.links] == [(1, "repeat unit")]
    assert any("P1" in note and "another polymer" in note for note in report.notes)


CIS, TRANS, PLAIN = "*C/C=C\\C*", "*C/C=C/C*", "*CC=CC*"


@pytest.mark.parametrize(
    ("measured_smiles", "md_smiles", "linked", "word"),
    [
        (CIS, [CIS, TRANS, PLAIN], 0, ""),
        (TRANS, [CIS, TRANS, PLAIN], 1, ""),
        (PLAIN, [CIS, TRANS, PLAIN], 2, ""),
        (CIS, [PLAIN], 0, "ignored"),
        (PLAIN, [CIS], 0, "ignored"),
        (PLAIN, [CIS, TRANS], None, "several"),
        (CIS, [TRANS], None, "other stereochemistry"),
    ],
)
def test_cis_trans_and_unspecified(measured_smiles: str, md_smiles: list[str], linked: int | None, word: str) -> None:
    measured = polymers([("PB", measured_smiles, "1900")], "measured")
    md = polymers([(f"m{i}", smiles, str(4000 + i)) for i, smiles in enumerate(md_smiles)], "md")
    report = match(measured, md, "Cp")
    assert_adds_up(report, measured, md)
    if linked is None:
        assert report.links == ()
        assert word in report.unmatched[0].reason
    else:
        assert report.library[report.links[0].library].rows == (linked,)
        assert word in report.links[0].note
        assert bool(report.links[0].note) == bool(word)


def test_links_by_hand_come_first() -> None:
    measured = polymers([("PB", PLAIN, "1900"), ("PE", "*CC*", "2300")], "measured")
    md = polymers([("cis", CIS, "4000"), ("trans", TRANS, "4100"), ("PE", "*CC*", "4700")], "md")
    report = match(measured, md, "Cp", by_hand={0: 1})
    assert [(link.measured, link.library, link.way) for link in report.links] == [
        (0, 1, "by hand"),
        (1, 2, "repeat unit"),
    ]
    assert_adds_up(report, measured, md)


def test_rows_without_a_value_of_this_property_are_told_apart() -> None:
    heading = "name,smiles,Cp,density"
    measured = polymers([("PE", "*CC*", "2300", "0.95"), ("PP", "*CC(*)C", "", "0.9")], "measured", heading)
    md = polymers([("PE", "*CC*", "4700"), ("PP", "*CC(*)C", "4300")], "md")
    report = match(measured, md, "Cp")
    assert report.measured_without_value == (1,)
    assert report.summary == "1 of 1 measured polymer has an MD value."


def test_a_missing_property_is_one_sentence() -> None:
    measured = polymers([("PE", "*CC*", "2300")], "measured")
    md = polymers([("PE", "*CC*", "0.84")], "md", "name,smiles,density")
    with pytest.raises(TableError, match=r"md\.csv has no MD values of specific heat capacity"):
        match(measured, md, "Cp")


def test_no_common_polymer_is_a_result_not_an_error() -> None:
    report = match(polymers([("PE", "*CC*", "2300")], "measured"), polymers([("PP", "*CC(*)C", "4300")], "md"), "Cp")
    assert report.summary == "0 of 1 measured polymer has an MD value."


def test_matching_can_be_cancelled() -> None:
    table = polymers([("PE", "*CC*", "2300")], "measured")
    with pytest.raises(Cancelled):
        match(table, polymers([("PE", "*CC*", "4700")], "md"), "Cp", task=Task(cancelled=lambda: True))


# One polymer per line, written in several ways.
SPELLINGS = [
    ["*CC*", "*CCCC*", "C(*)C*", "[*]CC[*]", "[*:1]CC[*:2]"],
    ["*OCC*", "*COC*", "*CCO*", "*OCCOCC*"],
    ["*CC(*)C", "*C(C)C*", "CC(*)C*"],
    ["*CC(*)c1ccccc1", "*C(C*)c1ccccc1", "*CC(*)C1=CC=CC=C1"],
    ["*NCCCCCC(*)=O", "*C(=O)CCCCCN*", "*CCCC(=O)NCC*"],
    ["*Oc1ccc(*)cc1", "*c1ccc(O*)cc1"],
    ["*C(F)(F)C(*)(F)F", "*C(F)(F)*"],
    ["*CC(*)Cl", "*C(Cl)C*"],
]


@given(data=st.data())
@settings(max_examples=tries(40), deadline=None)
def test_any_spelling_and_order_gives_the_same_links(data: st.DataObject) -> None:
    kinds = st.lists(st.integers(0, len(SPELLINGS) - 1), min_size=1, max_size=8)

    def table(kind: str) -> tuple[PolymerTable, list[int]]:
        chosen = data.draw(kinds)
        rows = [
            (f"{kind}{i}", data.draw(st.sampled_from(SPELLINGS[polymer])), str(1000 + 10 * i))
            for i, polymer in enumerate(chosen)
        ]
        return polymers(rows, kind), chosen  # type: ignore[arg-type]

    measured, first = table("measured")
    md, second = table("md")
    report = match(measured, md, "Cp")
    assert_adds_up(report, measured, md)
    assert len(report.measured) == len(set(first))
    assert len(report.links) == len(set(first) & set(second))
    for link in report.links:
        kinds_linked = {first[row] for row in report.measured[link.measured].rows}
        kinds_linked |= {second[row] for row in report.library[link.library].rows}
        assert len(kinds_linked) == 1


def test_reports_that_are_no_scatter_are_asked_about_before_the_others() -> None:
    rows = [("PP", "*CC(*)C", "1800"), ("PP", "*C(C)C*", "1900"), ("PE", "*CC*", "1500"), ("PE", "*CCCC*", "2100")]
    report = match(polymers(rows, "measured"), polymers([("PE", "*CC*", "4700")], "md"), "Cp")
    doubtful, sound = report.notes[:2]
    assert doubtful.startswith("PE has 2 measured values in ")
    assert doubtful.endswith("They differ by 33 %, from 1500 to 2100: are all of this polymer, phase and unit?")
    assert sound.startswith("PP has 2 measured values in ")
    assert sound.endswith("is used.")


def test_very_long_tables_are_matched_alike_though_not_every_polymer_is_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Those that cannot be a measured polymer by their atoms are compared by their text."""
    measured = polymers([("PE", "*CCCC*", "2300"), ("PEO", "*COC*", "2000"), ("PVF", "*CC(*)F", "1300")], "measured")
    units = ("*CC*", "*OCC*", "*CC(*)C", "*CC(*)C", "*C(C)C*", "*CC(*)Cl", "*CS*")
    md = polymers([(f"P{number}", unit, f"{2000 + number}") for number, unit in enumerate(units)], "md")
    whole = match(measured, md, "Cp")
    monkeypatch.setattr(polymer_reports, "IDENTIFIED_AT_ONCE", 3)
    quick = match(measured, md, "Cp")
    values = [
        [(link.measured, report.library[link.library].value) for link in report.links] for report in (whole, quick)
    ]
    assert values[0] == values[1] == [(0, 2000.0), (1, 2001.0)]
    assert any("by their atoms" in note for note in quick.notes)
    identities = [{one.identity.key for one in report.library if one.identity is not None} for report in (whole, quick)]
    assert identities[0] == identities[1]
    assert_adds_up(quick, measured, md)
