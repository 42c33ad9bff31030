"""The report says what the window shows, and its commands give the same numbers again."""

import ast
import csv
import datetime
import json
import re
import shlex
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from affinecal_gui.__main__ import main
from affinecal_gui.calibration.results import Penalties
from affinecal_gui.cli import command_parser
from affinecal_gui.commands.choice_arguments import choices_of
from affinecal_gui.errors import UserError
from affinecal_gui.figures.report.report_content import report_document
from affinecal_gui.figures.report.report_document import Heading
from affinecal_gui.python.choosing import choices_of as face_choices
from affinecal_gui.study.data.assembly import assemble
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.importing.examples import example_files, find_example
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.results.exporting import prediction_rows
from affinecal_gui.study.results.reporting import report_data, write_report
from affinecal_gui.study.results.reproducing import command_to_copy, python_to_copy, ways_to_reproduce
from affinecal_gui.study.shown.row_values import row_values
from affinecal_gui.study.snapshot import MatchingChoices, Snapshot
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.stored.study_file import save_study
from tests.study.small_study import small_result, small_state, write_tables

DAY = datetime.date(2026, 11, 28)


@pytest.fixture(scope="module")
def coarse_calibrations_of_module() -> None:
    """The report tells of the search of the product."""


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    return replace(small_result().snapshot, settings=small_state().settings)


@pytest.fixture(scope="module")
def example() -> tuple[StudyState, Snapshot]:
    """The bundled example as the window shows it."""
    loaded = load_tables(example_files(find_example("heat_capacity")))
    state = StudyState().with_tables(loaded.tables).with_property("Cp")
    shown = derive(state, Derived()).snapshot
    return state, replace(shown, settings=state.settings.shown_for(shown.calibration))


def test_every_polymer_is_in_the_report_with_the_numbers_of_the_window(snapshot: Snapshot) -> None:
    data = report_data(snapshot, small_state(), date=DAY)
    values = row_values(snapshot)
    shown = {one.name: one for one in (*data.measured_polymers, *data.other_polymers)}
    assert len(shown) == len(snapshot.rows)
    for i, row in enumerate(snapshot.rows):
        one = shown[row.label]
        found = (one.measured, one.md, one.calibrated, one.lower, one.upper)
        expected = (values.measured[i], values.md[i], values.calibrated[i], values.lower[i], values.upper[i])
        assert np.array_equal(found, expected, equal_nan=True)
        assert (one.state, one.reason) == (row.state, row.reason)
    assert all(np.isnan(one.measured) for one in data.other_polymers)
    assert data.date == "28 November 2026"


def test_blocks_switched_off_are_named_and_not_drawn(snapshot: Snapshot) -> None:
    off = replace(snapshot, settings=replace(snapshot.settings, blocks_off=frozenset({"charge", "mass"})))
    data = report_data(off, small_state(), date=DAY)
    assert data.calibration.settings["blocks_off"] == ["charge", "mass"]
    assert data.blocks is not None
    assert len(data.blocks.blocks) == 8


def test_with_every_block_switched_off_the_report_has_no_coefficients(snapshot: Snapshot) -> None:
    assert snapshot.blocks is not None
    every = frozenset(block.name for block in snapshot.blocks.blocks)
    data = report_data(
        replace(snapshot, settings=replace(snapshot.settings, blocks_off=every)), small_state(), date=DAY
    )
    assert data.blocks is None
    titles = [e.text for e in report_document(data, most_rows=5).elements if isinstance(e, Heading)]
    assert "Coefficients" not in titles
    assert "Parameters of the affine calibrator" in titles


def test_without_a_calibration_there_is_no_report() -> None:
    with pytest.raises(UserError, match="no calibration yet"):
        report_data(Snapshot(), StudyState())


def test_a_report_of_another_calibrator_than_the_recommended_one_says_so(
    example: tuple[StudyState, Snapshot],
) -> None:
    state, snapshot = example
    assert snapshot.calibration is not None
    recommended = snapshot.calibration.recommendation.recommended
    other = next(name for name in snapshot.calibration.models if name != recommended)
    shown = {
        name: report_data(replace(snapshot, settings=replace(snapshot.settings, model=name)), state, date=DAY).advice
        for name in (recommended, other)
    }
    assert shown[recommended] == ""
    assert "is not the recommended calibrator" in shown[other]


@pytest.mark.usefixtures("blank_figures")
def test_the_report_of_the_example_is_complete(example: tuple[StudyState, Snapshot], tmp_path: Path) -> None:
    state, snapshot = example
    write_report(snapshot, state, tmp_path / "report.html", date=DAY)
    page = unescape((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert snapshot.calibration is not None
    affine = snapshot.calibration.models["affine"]
    for expected in (
        snapshot.match_summary,
        snapshot.calibration.recommendation.sentence,
        "nylon 612",
        "nylon 612; poly(1,3-dioxepane)",
        "md_radonpy.csv has no polymer with their repeat unit.",
        f"{affine.metrics.rmse:.3g}",
        "Worth measuring next",
        "affinecal fit --study study.affinecal --output results",
        "affinecal fit --experiment heat_capacity_measured.csv --md md_radonpy.csv --property Cp --output results",
        "25 values from 0.01 to 100, equal steps of the logarithm",
        "RDKit",
        "28 November 2026",
        *snapshot.calibration.notes,
    ):
        assert expected in page, expected
    used = [row for row in snapshot.rows if row.state == "used"]
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", page)
    assert {row.label for row in used} <= set(cells)


@pytest.mark.usefixtures("blank_figures")
def test_the_commands_of_the_report_give_the_same_numbers(
    example: tuple[StudyState, Snapshot], examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, snapshot = example
    expected = [(row.calibrated_value, row.lower, row.upper) for row in prediction_rows(snapshot)]
    save_study(tmp_path / "mine.affinecal", state)
    ways = ways_to_reproduce(state, "mine")
    assert len(ways) == 2
    for way, folder in zip(ways, (tmp_path, examples), strict=True):
        monkeypatch.chdir(folder)
        output = tmp_path / f"results of {folder.name}"
        words = [str(output) if word == "results" else word for word in shlex.split(way.command)[1:]]
        assert main(words) == 0
        with (output / "predictions.csv").open(encoding="utf-8", newline="") as file:
            lines = list(csv.DictReader(file))
        found = [tuple(float(line[column]) for column in ("calibrated value", "lower", "upper")) for line in lines]
        assert found == expected


def test_choices_that_the_command_has_no_word_for_leave_the_way_by_the_study_file(snapshot: Snapshot) -> None:
    shown = replace(small_state().settings, left_out=frozenset(), interval_level=0.9, follows_advice=True)
    plain = replace(small_state(), settings=shown)
    assert [way.command for way in ways_to_reproduce(plain, "a b")] == [
        "affinecal fit --study 'a b.affinecal' --output results",
        "affinecal fit --experiment measured.csv --md md.csv --property Cp --seed 3 --output results",
    ]
    for change in (
        {"left_out": frozenset({"t1.4"})},
        {"methods": ("direct",)},
        {"matching": MatchingChoices(rule="mean")},
    ):
        settings = replace(plain.settings, **change)  # type: ignore[arg-type]
        assert len(ways_to_reproduce(replace(plain, settings=settings))) == 1, change
    assert "after saving the study as study.affinecal" in ways_to_reproduce(plain)[0].sentence


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"interval_level": 0.8}, "--interval 0.8"),
        ({"log_scale": False}, "--linear"),
        ({"model": "ordinary"}, "--calibrator ordinary"),
        ({"model": "direct", "methods": ("direct",)}, "--calibrator direct"),
        ({"protocol": "paper"}, "--protocol paper"),
        ({"penalties": Penalties(1.0, 10.0)}, "--penalties 1.0 10.0 1.0"),
        ({"penalties": Penalties(0.1 + 0.2, 1e-7, 2.0)}, "--penalties 0.30000000000000004 1e-07 2.0"),
        ({"blocks_off": frozenset({"mass", "charge"})}, "--blocks-off charge mass"),
        ({"weighting": "uncertainty"}, "--weights uncertainty"),
        ({"bands": "bootstrap"}, "--bands bootstrap"),
        ({"robust": True}, "--robust"),
        (
            {"block_penalties": frozenset({("mass", 3.0), ("charge", 0.5)})},
            "--block-penalty charge=0.5 --block-penalty mass=3.0",
        ),
        ({"matching": MatchingChoices(temperature_tolerance=25.0)}, "--temperature-tolerance 25.0"),
        ({"matching": MatchingChoices(md_on_one_level=False)}, "--md-as-it-comes"),
    ],
)
def test_the_command_names_every_choice_and_understands_it(change: dict[str, object], words: str) -> None:
    settings = replace(small_state().settings, left_out=frozenset(), interval_level=0.9, seed=0)
    settings = replace(settings, follows_advice="model" not in change)
    state = replace(small_state(), settings=replace(settings, **change))  # type: ignore[arg-type]
    command = ways_to_reproduce(state)[1].command
    assert f" {words} --output" in command
    options = command_parser().parse_args(shlex.split(command)[1:])
    plain = replace(small_state(), settings=settings)
    assert choices_of(options).applied(plain).settings == state.settings


@pytest.mark.parametrize(
    ("change", "arguments"),
    [
        ({}, ""),
        ({"interval_level": 0.8}, "interval=0.8"),
        ({"log_scale": False}, "log=False"),
        ({"robust": True}, "robust=True"),
        ({"model": "direct", "methods": ("direct",)}, "calibrator='direct'"),
        ({"penalties": Penalties(0.1 + 0.2, 1e-7, 2.0)}, "penalties=(0.30000000000000004, 1e-07, 2.0)"),
        ({"blocks_off": frozenset({"mass", "charge"})}, "blocks_off=['charge', 'mass']"),
        ({"weighting": "uncertainty", "bands": "bootstrap"}, "weights='uncertainty', bands='bootstrap'"),
        ({"block_penalties": frozenset({("mass", 3.0)})}, "block_penalties={'mass': 3.0}"),
        (
            {"matching": MatchingChoices(temperature_tolerance=25.0, md_on_one_level=False)},
            "temperature_tolerance=25.0, md_on_one_level=False",
        ),
    ],
)
def test_the_python_code_names_every_choice_and_understands_it(change: dict[str, object], arguments: str) -> None:
    settings = replace(small_state().settings, left_out=frozenset(), interval_level=0.9, seed=0)
    settings = replace(settings, follows_advice="model" not in change)
    state = replace(small_state(), settings=replace(settings, **change))  # type: ignore[arg-type]
    found = python_to_copy(state, "", is_saved=False, as_they_come=True)
    assert f"study.fit({arguments})\n" in found.text
    call = ast.parse(f"fit({arguments})", mode="eval").body
    assert isinstance(call, ast.Call)
    said = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
    assert face_choices(**said).applied(replace(small_state(), settings=settings)).settings == state.settings
    assert not found.needs_saving


def test_md_values_of_further_sources_are_in_what_is_copied(tmp_path: Path) -> None:
    """Of another group, for all polymers but two; the copied lines and words read the same tables in the same order."""
    measured, first = write_tables(tmp_path)
    lines = first.read_text(encoding="utf-8").splitlines()
    second = tmp_path / "md of another group.csv"
    second.write_text("\n".join([lines[0], *lines[3:]]), encoding="utf-8")
    loaded = load_tables((measured, first, second))
    assert not loaded.errors
    state = StudyState().with_tables(loaded.tables).with_property("Cp")
    found = python_to_copy(state, "", is_saved=False, as_they_come=True)
    assert not found.needs_saving
    said: dict[str, Any] = {}
    exec(found.text.partition("study.fit(")[0], said)
    again = said["study"].matches()
    here = assemble(state.tables, state.quantity, state.settings.matching)
    assert again.attrs["notes"] == list(here.notes)
    assert again.attrs["summary"] == here.summary
    command = command_to_copy(state, "", is_saved=False, as_they_come=True)
    options = command_parser().parse_args(shlex.split(command.text)[1:])
    assert (options.experiment, options.md, options.other_md) == (measured, first, [second])


def test_what_the_tables_do_not_tell_is_copied_with_the_study_file() -> None:
    shown = replace(small_state().settings, left_out=frozenset(), interval_level=0.9, follows_advice=True)
    plain = replace(small_state(), settings=shown)
    linked = replace(plain, settings=replace(plain.settings, left_out=frozenset({"t1.4"})))
    for copied, opening in (
        (python_to_copy, "ac.Study.open('/a/b.affinecal')"),
        (command_to_copy, "--study /a/b.affinecal"),
    ):
        for state, came in ((linked, True), (plain, False)):
            unsaved = copied(state, "/a/b.affinecal", is_saved=False, as_they_come=came)
            assert opening in unsaved.text
            assert unsaved.needs_saving
        saved = copied(plain, "/a/b.affinecal", is_saved=True, as_they_come=True)
        assert opening in saved.text
        assert not saved.needs_saving
        assert "study.affinecal" in copied(linked, "", is_saved=False, as_they_come=True).text


@pytest.mark.usefixtures("blank_figures")
def test_fit_of_a_study_keeps_its_choices_and_writes_the_report(tmp_path: Path, snapshot: Snapshot) -> None:
    save_study(tmp_path / "small.affinecal", small_state())
    output = tmp_path / "results"
    words = ["fit", "--study", str(tmp_path / "small.affinecal"), "--report", "--output", str(output)]
    assert main(words) == 0
    metrics = json.loads((output / "metrics.json").read_text(encoding="utf-8"))
    assert (metrics["seed"], metrics["interval_level"]) == (3, 0.8)
    assert metrics["n_polymers"] == len(snapshot.calibration.measured)  # type: ignore[union-attr]
    assert (output / "report.pdf").read_bytes().startswith(b"%PDF")
    assert "affinecal fit --study small.affinecal" in (output / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--study", "s.affinecal", "--md", "m.csv"], "give --study alone"),
        (["--experiment", "e.csv"], "Name two tables"),
        (["--study", "nowhere.affinecal"], "nowhere.affinecal"),
    ],
)
def test_fit_says_what_to_name(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fit", *words, "--output", str(tmp_path / "results")]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "results").exists()
