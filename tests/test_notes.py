"""What is told of many remarks: nothing that matters is lost, and what is equal is said once."""

import copy
import json
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affinecal_gui.__main__ import main
from affinecal_gui.notes import Note, detail, limited, told

IGNORED = "polymers: their ids mean other polymers in md.csv, so the ids were ignored."


def ignored(name: str) -> Note:
    return Note(f"{name}: the id means another polymer in md.csv, so it was ignored.", subject=name, of_several=IGNORED)


def test_ten_equal_notes_are_one_and_the_first_are_named() -> None:
    notes = ["62 of 81 have a value.", *(ignored(f"P{number}") for number in range(10)), "Written."]
    assert told(notes) == [
        "62 of 81 have a value.",
        "10 polymers: their ids mean other polymers in md.csv, so the ids were ignored (P0, P1, P2 and 7 more).",
        "Written.",
    ]


def test_a_single_note_is_told_in_its_own_words() -> None:
    assert told([ignored("P1")]) == ["P1: the id means another polymer in md.csv, so it was ignored."]


def test_a_question_about_several_stays_a_question() -> None:
    notes = [Note(f"{n}: right?", subject=n, of_several="values are far off: are they right?") for n in ("A", "B")]
    assert told(notes) == ["2 values are far off: are they right (A, B)?"]


def test_details_are_told_only_in_full_and_then_every_note_by_itself() -> None:
    notes = [ignored("P1"), ignored("P2"), detail("15 descriptors do not vary."), "Written."]
    assert told(notes, in_full=True) == [str(note) for note in notes]
    assert "15 descriptors do not vary." not in told(notes)


def test_lines_that_are_no_notes_are_all_told_however_equal() -> None:
    assert told(["", "a  1", "", "a  1"]) == ["", "a  1", "", "a  1"]


def test_beyond_so_many_different_reasons_notes_become_details() -> None:
    notes = [
        Note(f"line {n}: {why}.", subject=f"line {n}", of_several=f"rows: {why}.")
        for n, why in enumerate(["no value", "no unit", "no value", "no id", "no value"])
    ]
    assert told(limited(notes, 2)) == ["3 rows: no value (line 0, line 2, line 4).", "line 1: no unit."]
    assert len(told(limited(notes, 2), in_full=True)) == 5


@given(st.lists(st.tuples(st.sampled_from("ABCDE"), st.sampled_from(["left out.", "doubtful?"]), st.booleans())))
def test_whatever_matters_is_told_and_counted(which: list[tuple[str, str, bool]]) -> None:
    notes = [Note(f"{who}: {why}", subject=who, of_several=f"of {why}", is_detail=off) for who, why, off in which]
    said = told(notes)
    for why in ("left out.", "doubtful?"):
        matter = [who for who, what, off in which if what == why and not off]
        lines = [line for line in said if line.startswith(f"{len(matter)} of {why[:-1]}")]
        assert len(lines) == (1 if len(matter) > 1 else 0)
        if len(matter) == 1:
            assert f"{matter[0]}: {why}" in said
    assert len(said) <= 2


def test_a_note_is_a_text_and_keeps_what_it_knows_when_it_is_copied() -> None:
    note = ignored("P1")
    for other in (copy.deepcopy(note), pickle.loads(pickle.dumps(note))):  # noqa: S301 - our own
        assert (other, other.subject, other.of_several, other.is_detail) == (note, "P1", IGNORED, False)
    assert json.loads(json.dumps([note])) == [str(note)]


EXAMPLES = Path(__file__).parents[1] / "resources" / "examples"


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The bundled example as words of a command of other names."""
    folder = tmp_path_factory.mktemp("tables")
    md = (EXAMPLES / "md_radonpy.csv").read_text(encoding="utf-8").splitlines()
    measured = (EXAMPLES / "heat_capacity_measured.csv").read_text(encoding="utf-8").splitlines()
    (folder / "md.csv").write_text("\n".join(md) + "\n", encoding="utf-8")
    (folder / "exp.csv").write_text("\n".join(measured) + "\n", encoding="utf-8")
    return ["--experiment", str(folder / "exp.csv"), "--md", str(folder / "md.csv"), "--quiet"]


@pytest.mark.usefixtures("blank_figures")
def test_fit_says_the_table_what_was_left_out_and_what_must_be_acted_on(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fit", *words, "--output", str(tmp_path / "out")]) == 0
    said = capsys.readouterr().out.splitlines()
    assert len(said) <= 20
    at = said.index("Out-of-fold RMSE (ln scale; J/(kg K); 95 % interval over polymers):")
    assert [line.split()[0] for line in said[at + 1 : at + 6]] == ["MD", "MD,", "ordinary", "log-difference", "affine"]
    for told_once in (
        "md.csv: No unit is named in the heading “Cp”; its values are read as J/(kg K).",
        "19 rows were left out; left_out.csv says which, and why.",
    ):
        assert said.count(told_once) == 1
    for part in (
        "2 polymers: the measured table does not mark double bonds",
        "is recommended",
        "are extrapolations, of which the out-of-fold errors and their intervals say nothing",
    ):
        assert sum(part in line for line in said) == 1
    assert not any("descriptors do not vary" in line or "by construction" in line for line in said)
    assert main(["fit", *words, "--verbose", "--overwrite", "--output", str(tmp_path / "out")]) == 0
    full = capsys.readouterr().out.splitlines()
    notes = json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))["notes"]
    assert set(notes) <= set(full)
    assert sum("left_out" not in line and "exp.csv, line " in line for line in full) == 19


@pytest.mark.usefixtures("blank_figures", "coarse_calibrations")
def test_the_other_commands_say_what_was_guessed_too(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    guessed = "md.csv: No unit is named in the heading “Cp”; its values are read as J/(kg K)."
    new = words[words.index("--md") + 1]
    short = ["--protocol", "paper", "--repetitions", "2"]
    assert main(["benchmark", *short, *words, "--output", str(tmp_path / "b")]) == 0
    assert guessed in capsys.readouterr().out.splitlines()
    predicted = ["predict", new, *words, "--calibrator", "ordinary", "--output", str(tmp_path / "p.csv")]
    assert main(predicted) == 0
    assert guessed in capsys.readouterr().out.splitlines()
