"""What the user chooses about matching: links by hand, the rule for several reports, temperatures and phases."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affinecal_gui.study.data.assembly import Assembly, assemble
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.importing.unit_doubts import with_measured_unit
from affinecal_gui.study.records.stored_errors import DamagedContent
from affinecal_gui.study.records.stored_records import from_json, to_json, to_plain
from affinecal_gui.study.shown.matching_content import MatchingContent, matching_content
from affinecal_gui.study.snapshot import MatchingChoices, Settings, Snapshot
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.stored.stored_settings import read_settings
from affinecal_gui.study.study import Study

SIDE_CHAINS = ("C", "CC", "CCC", "CCCC", "CCO", "CCN", "CF", "CCl", "c1ccccc1", "C#N", "C(=O)OC", "CCCCC")
POLYMERS = tuple(f"*CC(*){chain}" for chain in SIDE_CHAINS)


def state_of(folder: Path, measured: str, md: str) -> StudyState:
    (folder / "measured.csv").write_text(measured, encoding="utf-8")
    (folder / "md.csv").write_text(md, encoding="utf-8")
    loaded = load_tables([folder / "measured.csv", folder / "md.csv"])
    assert not loaded.errors
    return StudyState().with_tables(loaded.tables)


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> StudyState:
    """Twelve measured polymers, one of them three times; the first eight have an MD value."""
    rows = [f"p{i},{smiles},{1000 + 10 * i},glass,{290 + i}" for i, smiles in enumerate(POLYMERS)]
    rows += [f"p0,{POLYMERS[0]},1400,melt,450", f"p0,{POLYMERS[0]},1100,glass,"]
    measured = "name,smiles,measured Cp [J/(kg K)],phase,temperature [K]\n" + "\n".join(rows) + "\n"
    md = "id,smiles,MD Cp [J/(kg K)]\n" + "\n".join(f"m{i},{s},{2300 + 10 * i}" for i, s in enumerate(POLYMERS[:8]))
    return state_of(tmp_path_factory.mktemp("study"), measured, md + "\n")


def assembled(state: StudyState) -> Assembly:
    return assemble(state.tables, state.quantity, state.settings.matching)


def reported(state: StudyState) -> MatchingContent:
    return matching_content(assembled(state), Snapshot(settings=state.settings))


def test_the_rule_decides_what_several_reports_become(state: StudyState) -> None:
    found = {
        rule: assembled(state.with_matching(MatchingChoices(rule=rule))).measured[0]  # type: ignore[arg-type]
        for rule in ("median", "mean", "first", "last")
    }
    assert found == pytest.approx({"median": 1100.0, "mean": (1000 + 1400 + 1100) / 3, "first": 1000.0, "last": 1100.0})
    assert reported(state).several == 1


def test_single_reports_can_be_chosen(state: StudyState) -> None:
    """The first polymer is reported as 1000, 1400 and 1100 in rows 0, 12 and 13."""

    def chosen(*off: str, rule: str = "median") -> tuple[Assembly, MatchingContent]:
        settled = state.with_matching(MatchingChoices(rule=rule, reports_off=frozenset(off)))  # type: ignore[arg-type]
        return assembled(settled), reported(settled)

    assembly, content = chosen("t1.12")
    assert assembly.measured[0] == 1050.0
    assert len(assembly.measured) == 12
    line = next(line for line in content.lines if line.reports)
    assert [(r.key, r.line, r.value, r.counts) for r in line.reports] == [
        ("t1.0", 2, 1000.0, True),
        ("t1.12", 14, 1400.0, False),
        ("t1.13", 15, 1100.0, True),
    ]
    assert any("their median without line 14, as you chose, is used" in note for note in content.notes)
    assembly, content = chosen("t1.0", "t1.12")
    assert assembly.measured[0] == 1100.0
    assert any("the one you chose is used" in note for note in content.notes)
    # Of a polymer nothing of which is wanted, and of one with a single report, everything counts.
    assert chosen("t1.0", "t1.12", "t1.13")[0].measured[0] == 1100.0
    assert chosen("t1.5")[0].measured[5] == 1050.0
    settled = state.with_matching(MatchingChoices(reports_off=frozenset({"t1.12"})))
    again = read_settings(from_json(to_json(to_plain(settled.settings)), "settings.json"))
    assert again == settled.settings


def test_rows_of_other_temperatures_and_phases_are_left_out_and_listed(state: StudyState) -> None:
    glass = state.with_matching(MatchingChoices(phases=frozenset({"glass"})))
    assembly = assembled(glass)
    assert assembly.measured[0] == 1050.0  # the melt is gone
    assert "1 row is left out by temperature or phase." in assembly.summary
    content = reported(glass)
    assert content.counts["left out"] == 1
    assert content.phases == {"glass": 13, "melt": 1}
    assert content.temperatures == (290.0, 450.0)
    cold = state.with_matching(MatchingChoices(temperatures=(290.0, 295.0), keep_unknown=False))
    assert assembled(cold).measured[0] == 1000.0
    assert len(assembled(cold).measured) == 6
    # Rows keep their names in the study whatever is left out before them.
    late = state.with_matching(MatchingChoices(temperatures=(300.0, 400.0), keep_unknown=False))
    assert [row.key for row in assembled(late).rows if not math.isnan(row.measured)] == ["t1.10", "t1.11"]


def test_every_row_of_the_file_stands_in_the_report_once(state: StudyState) -> None:
    for choices in (
        MatchingChoices(),
        MatchingChoices(phases=frozenset({"melt"})),
        MatchingChoices(temperatures=(0, 1)),
    ):
        content = reported(state.with_matching(choices))
        lines = [number for line in content.lines for number in line.line.measured_lines]
        assert sorted(lines) == list(range(2, 16))


def test_the_report_suggests_the_most_similar_polymer(state: StudyState) -> None:
    line = next(line for line in reported(state).lines if line.line.measured_name == "p11")
    assert line.state == "no MD value"
    assert line.candidates
    assert 0.0 < line.similarity <= 1.0
    assert line.candidates[0] in reported(state).library


@settings(deadline=None)  # how long a computer takes is not what is tested
@given(st.lists(st.tuples(st.integers(0, 11), st.one_of(st.none(), st.integers(0, 7))), max_size=12))
def test_links_by_hand_hold_until_they_are_taken_away(state: StudyState, wishes: list[tuple[int, int | None]]) -> None:
    study = Study(state=state)
    expected: dict[int, int] = {}
    for measured, md in wishes:
        study.execute("Link", study.state.with_link(f"t1.{measured}", None if md is None else f"t2.{md}"))
        if md is None:
            expected.pop(measured, None)
        else:
            expected[measured] = md
    report = assembled(study.state).report
    assert report is not None
    links = {link.measured: link for link in report.links}
    for measured in range(12):
        if measured in expected:
            assert links[measured].way == "by hand"
            assert links[measured].library == expected[measured]
        elif measured < 8:
            assert links[measured].way == "repeat unit"
            assert links[measured].library == measured
        else:
            assert measured not in links
    assert len(report.links) + len(report.unmatched) == len(report.measured) == 12
    while study.undo():
        pass
    assert study.state == state


def test_a_link_is_saved_with_the_settings_and_read_back(state: StudyState) -> None:
    linked = state.with_link("t1.11", "t2.3")
    chosen = replace(
        linked.settings.matching, rule="last", temperatures=(290.0, 300.0), phases=frozenset({"glass", ""})
    )
    settings = linked.with_matching(chosen).settings
    assert read_settings(from_json(to_json(to_plain(settings)), "settings.json")) == settings
    # Of a file from before there was any choice: at whatever temperatures, all sources of MD values as they come.
    before = MatchingChoices(temperature_tolerance=1000.0, md_on_one_level=False)
    assert read_settings({"property_key": "Cp"}).matching == before


def test_rows_left_out_and_linked_are_the_same_after_a_table_is_read_again(state: StudyState) -> None:
    old = state.tables[0].table
    chosen = state.with_link("t1.5", "t2.1")
    chosen = replace(chosen, settings=replace(chosen.settings, left_out=frozenset({"t1.2", "t1.4"})))
    shorter = old.taken(np.array([row for row in range(len(old)) if row not in (1, 4)]))
    again = chosen.with_tables((shorter,))
    assert again.settings.left_out == {"t1.1"}  # row 2 moved up, row 4 is gone
    assert again.settings.matching.by_hand == {("t1.3", "t2.1")}
    without = chosen.without_table("t1")
    assert not without.settings.left_out
    assert not without.settings.matching.by_hand


def test_links_to_rows_that_are_not_there_do_not_count(state: StudyState) -> None:
    linked = state.with_link("t1.99", "t2.0").with_link("t1.11", "t9.0")
    found, expected = assembled(linked).report, assembled(state).report
    assert found is not None
    assert expected is not None
    assert found.links == expected.links
    assert found.unmatched == expected.unmatched


def test_a_wrong_unit_is_asked_about_and_put_right_only_on_wish(tmp_path: Path) -> None:
    rows = [f"{smiles},{(1000 + 10 * i) / 4184:.6f}" for i, smiles in enumerate(POLYMERS)]
    md = "smiles,MD Cp [J/(kg K)]\n" + "\n".join(f"{s},{2300 + 10 * i}" for i, s in enumerate(POLYMERS)) + "\n"
    wrong = state_of(tmp_path, "smiles,measured Cp [J/(g K)]\n" + "\n".join(rows) + "\n", md)
    assembly = assembled(wrong)
    assert assembly.measured[0] == pytest.approx(1000 / 4.184, rel=1e-4)  # as written, until somebody decides
    (doubt,) = assembly.unit_doubts
    assert doubt.table == "t1"
    assert doubt.unit == "cal/(g K)"
    right = wrong.with_tables((with_measured_unit(wrong.tables[0].table, "Cp", doubt.unit),))
    assert assembled(right).measured[0] == pytest.approx(1000, rel=1e-4)
    assert not assembled(right).unit_doubts
    roles = right.tables[0].table.roles
    assert roles is not None
    assert roles.first("measured").unit == "cal/(g K)"  # type: ignore[union-attr]


def test_values_per_mole_are_recognised_by_the_molar_masses(tmp_path: Path) -> None:
    from affinecal_gui.polymers.copolymers.molar_mass import molar_mass
    from affinecal_gui.polymers.reading.repeat_unit import parse_repeat_unit

    masses = [molar_mass(parse_repeat_unit(smiles)) for smiles in POLYMERS]
    rows = [f"{s},{1.2 * mass:.6f}" for s, mass in zip(POLYMERS, masses, strict=True)]  # 1200 J/(kg K), per mole
    md = "smiles,MD Cp [J/(kg K)]\n" + "\n".join(f"{s},2760" for s in POLYMERS) + "\n"
    wrong = state_of(tmp_path, "smiles,measured Cp [J/(kg K)]\n" + "\n".join(rows) + "\n", md)
    (doubt,) = assembled(wrong).unit_doubts
    assert doubt.unit == "J/(mol K)"
    right = with_measured_unit(wrong.tables[0].table, "Cp", doubt.unit)
    assert right.values[("measured", "Cp")].values == pytest.approx(1200, rel=1e-6)


def test_settings_of_matching_are_part_of_the_settings() -> None:
    assert Settings().matching == MatchingChoices()


def test_several_tables_of_md_values_are_brought_to_one_level_unless_that_is_declined(tmp_path: Path) -> None:
    measured = "name,smiles,measured density [g/cm3]\n" + "\n".join(
        f"p{i},{smiles},{0.9 + 0.01 * i:.3f}" for i, smiles in enumerate(POLYMERS)
    )
    state = state_of(tmp_path, measured + "\n", md_densities(0.0, 12))
    (tmp_path / "other.csv").write_text(md_densities(0.05, 9), encoding="utf-8")
    state = state.with_tables(load_tables([tmp_path / "other.csv"]).tables)
    level = assembled(state)
    assert [one.source for one in level.md_sources] == ["other.csv"]
    assert level.library_md == pytest.approx([0.88 + 0.01 * i for i in range(12)], abs=2e-3)
    assert any("lie 0.05" in note and "taken away" in note for note in level.notes)
    assert reported(state).md_sources[0] in level.notes
    declined = assembled(state.with_matching(MatchingChoices(md_on_one_level=False)))
    assert declined.library_md[0] == pytest.approx(0.905, abs=2e-3)
    assert any("as they come" in note for note in declined.notes)


def md_densities(shift: float, count: int) -> str:
    lines = [f"m{i},{s},{0.88 + 0.01 * i + shift + 1e-3 * (-1) ** i:.4f}" for i, s in enumerate(POLYMERS[:count])]
    return "\n".join(["id,smiles,MD density [g/cm3]", *lines]) + "\n"


def test_how_far_apart_temperatures_may_be_is_a_choice_that_is_kept(tmp_path: Path) -> None:
    measured = "name,smiles,measured Cp [J/(kg K)],T [K]\n" + "\n".join(
        f"p{i},{s},{1500 + i},{295 + 5 * i}" for i, s in enumerate(POLYMERS)
    )
    md = "id,smiles,temp,MD Cp [J/(kg K)]\n" + "\n".join(f"m{i},{s},300,{3000 + i}" for i, s in enumerate(POLYMERS))
    state = state_of(tmp_path, measured + "\n", md + "\n")
    assert np.flatnonzero(assembled(state).measured_library >= 0).tolist() == [0, 1, 2, 3]
    wide = state.with_matching(MatchingChoices(temperature_tolerance=30.0))
    assert np.flatnonzero(assembled(wide).measured_library >= 0).tolist() == list(range(8))
    assert read_settings(from_json(to_json(to_plain(wide.settings)), "settings.json")) == wide.settings
    with pytest.raises(DamagedContent, match="temperature_tolerance"):
        read_settings(from_json(to_json(to_plain(wide.settings)).replace(b"30.0", b"-1.0"), "settings.json"))
