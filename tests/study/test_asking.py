"""Asking a study about a polymer: what is typed or pasted is read or refused, found in the tables, and answered."""

from dataclasses import replace

import pytest

from affinecal_gui.polymers.copolymers.composition import identity_of
from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit
from affinecal_gui.study.asking.answering import NOT_IN_TABLES, Answers, learn, prepare_answers
from affinecal_gui.study.asking.asked_text import read_asked
from affinecal_gui.study.asking.clipboard_formats import NoStructureOnClipboard, structure_on_clipboard
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.shown.inspection import inspect_polymer
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.study import Study
from tests.study.small_study import small_result, small_state

ATOMS = """    0.0000    0.0000    0.0000 C   0  0
    1.5000    0.0000    0.0000 C   0  0
    2.0000    1.0000    0.0000 C   0  0
    3.0000    1.0000    0.0000 N   0  0
"""
BONDS = "  1  2  1  0\n  2  3  1  0\n  3  4  3  0\n"
HEADER = "\n  drawn by hand\n\n"
BY_ATTACHMENT_POINTS = (
    f"{HEADER}  4  3  0  0  0  0  0  0  0  0999 V2000\n{ATOMS}{BONDS}M  APO  2   1   1   2   2\nM  END\n"
)
BY_R_GROUPS = (
    f"{HEADER}  6  5  0  0  0  0  0  0  0  0999 V2000\n{ATOMS}"
    "   -1.0000    0.0000    0.0000 R#  0  0\n    2.0000   -1.0000    0.0000 R#  0  0\n"
    f"{BONDS}  1  5  1  0\n  2  6  1  0\nM  RGP  2   5   1   6   2\nM  END\n"
)
BY_STARS = BY_R_GROUPS.replace("R# ", "*  ").replace("M  RGP  2   5   1   6   2\n", "")
VERSION_3000 = f"""{HEADER}  0  0  0     0  0            999 V3000
M  V30 BEGIN CTAB
M  V30 COUNTS 4 3 0 0 0
M  V30 BEGIN ATOM
M  V30 1 C 0 0 0 0 ATTCHPT=1
M  V30 2 C 1.5 0 0 0 ATTCHPT=2
M  V30 3 C 2 1 0 0
M  V30 4 N 3 1 0 0
M  V30 END ATOM
M  V30 BEGIN BOND
M  V30 1 1 1 2
M  V30 2 1 2 3
M  V30 3 3 3 4
M  V30 END BOND
M  V30 END CTAB
M  END
"""
ACRYLONITRILE = identity_of("*CC(*)C#N")


@pytest.mark.parametrize(
    "text",
    [
        "*CC(*)C#N",
        "  [*]CC([*])C#N \n",
        BY_ATTACHMENT_POINTS,
        BY_R_GROUPS,
        BY_STARS,
        VERSION_3000,
        BY_STARS.lstrip("\n"),  # its first line, which is empty, is lost easily
        BY_STARS.strip(),
        BY_STARS.replace("\n", "\r\n"),
        f"{BY_STARS}> <name>\nacrylonitrile\n\n$$$$\n",
    ],
)
def test_one_polymer_is_read_from_each_way_to_give_it(text: str) -> None:
    assert identity_of(read_asked(text).smiles) == ACRYLONITRILE


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{BY_STARS}$$$$\n{BY_STARS}$$$$\n", "There are 2 structures"),
        (BY_STARS.replace("  1  2  1  0", "  1  9  1  0"), "The molfile cannot be read"),
        ("InChI=1S/C8H8/c1-2-8-6-4-3-5-7-8/h2-7H,1H2", "InChI, which has no marks for the ends"),
        ('<?xml version="1.0" encoding="UTF-8" ?><CDXML></CDXML>', "Copy As > SMILES or MOL Text"),
        ("$RXN\n\n\n\n  1  1\n", "This is a reaction"),
        ("C" * 300_000, "the longest that is read"),
    ],
)
def test_what_is_no_repeat_unit_is_refused_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(InvalidRepeatUnit) as refused:
        read_asked(text)
    assert said in str(refused.value)
    assert str(refused.value).endswith(".")


def with_lengths(molfile: str) -> bytes:
    return b"".join(bytes([len(line)]) + line.encode() for line in molfile.split("\n"))


@pytest.mark.parametrize(
    ("formats", "text", "read"),
    [
        ({"chemical/x-mdl-molfile": BY_STARS.encode(), "text/plain": b"aspirin"}, "aspirin", BY_STARS),
        ({'application/x-qt-windows-mime;value="MDLCT"': with_lengths(BY_STARS)}, "", BY_STARS),
        ({"chemical/x-daylight-smiles": "*CC*".encode("utf-16"), "chemical/x-cdx": b"VjCD"}, "", "*CC*"),
        ({"chemical/x-cdx": b"VjCD0100", "text/plain": b"*CC*"}, "*CC*", "*CC*"),
    ],
)
def test_the_clipboards_of_drawing_programs_are_read(formats: dict[str, bytes], text: str, read: str) -> None:
    assert structure_on_clipboard(formats, text).rstrip("\n") == read.rstrip("\n")


def test_a_drawing_that_no_other_program_reads_is_answered_by_what_to_copy_instead() -> None:
    for name in ("chemical/x-cdx", 'application/x-qt-windows-mime;value="ChemDraw Interchange Format"'):
        with pytest.raises(NoStructureOnClipboard, match="choose Edit > Copy As > SMILES or MOL Text"):
            structure_on_clipboard({name: b"VjCD0100"}, "")
    with pytest.raises(NoStructureOnClipboard, match="There is no structure on the clipboard"):
        structure_on_clipboard({"image/png": b"\x89PNG"}, " ")


# -- a study with twelve MD values: too few to predict any -------------------------------------------------------


def small() -> tuple[Snapshot, Derived]:
    study = Study()
    study.open(small_state(), small_result())
    return study.snapshot(), study.derived


@pytest.fixture(scope="module")
def answers() -> Answers:
    snapshot, derived = small()
    return learn(prepare_answers(snapshot, derived), derived)


@pytest.mark.parametrize("asked", ["*CC(*)c1ccccc1", "*C(c1ccccc1)C*", "Polystyrene", "S3"])
def test_a_simulated_polymer_has_what_the_inspector_says_of_it_however_it_is_called(
    answers: Answers, asked: str
) -> None:
    answer = answers.ask(asked)
    expected = inspect_polymer(answers.snapshot, answer.row)
    assert expected is not None
    assert answer.content is not None
    assert answer.content.label == "polystyrene"
    assert repr(answer.content.values) == repr(expected.values)  # nan, which differs from itself, too
    calibrated = next(line for line in expected.values if line.label == "Calibrated")
    assert (answer.value, answer.lower, answer.upper) == (calibrated.value, calibrated.lower, calibrated.upper)
    assert (answer.origin, answer.level, answer.missing) == ("simulated", 0.8, "")
    assert answer.standing == "In the tables as polystyrene (S3): measured and simulated."
    assert "out-of-fold" in answer.basis
    assert "80 % interval" in answer.sentence


def test_marks_of_stereochemistry_that_one_side_lacks_are_told(answers: Answers) -> None:
    unmarked = answers.ask("*CC=CC*")
    assert unmarked.standing.startswith("In the tables as cis-polybutadiene (S12)")
    assert "here none are given" in unmarked.standing
    trans = answers.ask("*C/C=C/C*")
    assert trans.row == ""
    assert trans.standing.startswith(NOT_IN_TABLES)
    assert "only with other marks" in trans.standing


def test_with_too_few_md_values_a_new_polymer_has_a_picture_and_the_reason(answers: Answers) -> None:
    answer = answers.ask("*CC(*)C#N")
    assert answer.standing == NOT_IN_TABLES
    assert not answer.has_value
    assert answer.origin is None
    assert answer.missing == (
        "MD values cannot be predicted: that takes at least 30 MD values to learn from, and there are 12. Add rows to the "
        "MD table."
    )
    assert answer.content is not None
    assert "<svg" in answer.content.svg
    assert not answer.is_waiting
    assert answer.sentence == ""


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", ""),
        ("*CC", "There is only one attachment point (position 1): mark both ends of the repeat unit with *."),
        ("{[$]CC[$]}", "This is BigSMILES, which is not read. Write the repeat unit as a SMILES with * at both ends."),
        ("*CC(", 'Not a valid SMILES at position 4: this "(" is never closed.'),
    ],
)
def test_a_text_that_is_no_polymer_is_answered_by_a_hint_alone(answers: Answers, text: str, hint: str) -> None:
    answer = answers.ask(text)
    assert (answer.hint, answer.content, answer.missing) == (hint, None, "")


def test_before_everything_is_learned_the_tables_answer_and_the_others_wait() -> None:
    snapshot, derived = small()
    answers = prepare_answers(snapshot, derived)
    assert answers.is_waiting
    assert answers.ask("polystyrene").has_value
    waiting = answers.ask("*CC(*)C#N")
    assert waiting.is_waiting
    assert waiting.missing.startswith("Its MD value will be predicted")


def test_without_a_study_a_polymer_is_drawn_and_the_reason_given() -> None:
    answers = prepare_answers(Snapshot(), Derived())
    answer = learn(answers, Derived()).ask("*CC(*)C#N")
    assert answer.missing == "There is no calibration yet: load measured and MD values first."
    assert answer.content is not None
    assert "<svg" in answer.content.svg


def test_what_was_learned_is_kept_with_another_calibrator_and_forgotten_with_other_settings(answers: Answers) -> None:
    snapshot, derived = small()
    other = replace(snapshot, settings=replace(snapshot.settings, model="ordinary"))
    assert prepare_answers(other, derived, answers).learned == answers.learned
    left_out = replace(snapshot, settings=replace(snapshot.settings, left_out=frozenset()))
    assert prepare_answers(left_out, derived, answers).learned is None
