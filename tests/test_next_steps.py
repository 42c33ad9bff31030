"""``affinecal screen --cost-measuring``: what to measure and to simulate next, the same for every engine, with its cost."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.calibration.sharing.expected_gain import best_other
from affinecal_gui.calibration.sharing.with_training import TrainedCalibrator
from affinecal_gui.cli import CANNOT, DONE, run_command
from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.study.calibrator_files.calibrator_file import open_calibrator, save_calibrator_file
from affinecal_gui.study.calibrator_files.making import calibrator_file_of
from affinecal_gui.study.describing.describing import describe_text
from affinecal_gui.tasks.screening import next_steps
from affinecal_gui.tasks.screening.engines.engines import LocalProcesses
from affinecal_gui.tasks.screening.library import partitions
from affinecal_gui.tasks.screening.next_steps import StepsWanted
from affinecal_gui.tasks.screening.screening import screen_library
from tests.predicting_calibrator import predicting_calibrator
from tests.screening_here import Here, contents_of
from tests.study.small_study import small_result

WISH = "Cp > 1800 J/(kg K)"


@pytest.fixture(autouse=True)
def short_partitions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partitions, "FEWEST_ROWS", 12)


@pytest.fixture(scope="module")
def predicting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("predicting") / "predicting.affinecal-model"
    save_calibrator_file(path, predicting_calibrator())
    return path


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A library of polymers that nobody has measured, some of which were simulated; some come again."""
    texts = [f"*{'C' * carbons}N({'C' * branch})*" for carbons in range(1, 7) for branch in range(1, 5)]
    lines = [f"P{row},{text},{3100 + 23 * row if row % 3 == 0 else ''}" for row, text in enumerate(texts)]
    lines += [lines[4].replace("P4", "Again"), "Known,*CC(*)Cl,3000", "Broken,*CC(,1"]
    path = tmp_path / "library.csv"
    path.write_text("\n".join(["id,smiles,Cp [J/(kg K)]", *lines, ""]), encoding="utf-8")
    return path


def steps_in(folder: Path) -> list[dict[str, str]]:
    with (folder / "next_steps.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_steps_are_listed_by_what_they_gain_for_their_cost(tmp_path: Path, library: Path, predicting: Path) -> None:
    out = tmp_path / "out"
    wanted = StepsWanted(measuring=4.0, simulating=2.0, further=3)
    report = screen_library(library, [predicting], out, where=WISH, steps=wanted, engine=Here())
    found = steps_in(out)
    assert any("to measure at a cost of 4 each" in line and "follow: 3." in line for line in report)
    assert [int(row["rank"]) for row in found] == list(range(1, len(found) + 1))
    ratios = [float(row["gain_per_cost"]) for row in found]
    assert ratios == sorted(ratios, reverse=True)
    assert {row["step"] for row in found} == {"measure", "simulate"}
    for row in found:
        assert float(row["cost"]) == {"measure": 4.0, "simulate": 2.0}[row["step"]]
        assert float(row["gain_per_cost"]) == float(row["gain"]) / float(row["cost"])
    # What was simulated is not simulated again, what was measured is left out, and each polymer stands there once.
    assert {row["origin"] for row in found if row["step"] == "simulate"} == {"predicted md"}
    assert not {row["id"] for row in found} & {"Known", "Broken", "Again"}
    assert len({(row["id"], row["step"]) for row in found}) == len(found)
    # The polymers that would be measured anyway gain what the next one of the list would, and what they teach.
    measured = {row["id"]: row for row in found if row["step"] == "measure"}
    worth = np.array([float(row["probability"]) for row in measured.values()])
    gains = np.array([float(row["gain"]) for row in measured.values()])
    assert (gains >= np.minimum(worth, best_other(worth, 3)) - 1e-12).all()
    assert json.loads((out / "manifest.json").read_text(encoding="utf-8"))["complete"]


def test_the_list_is_the_same_for_any_engine_and_after_a_stop_and_goes_when_it_is_not_wanted(
    tmp_path: Path, library: Path, predicting: Path
) -> None:
    wanted = StepsWanted(simulating=0.5)
    screen_library(library, [predicting], tmp_path / "here", where=WISH, steps=wanted, engine=Here())
    expected = contents_of(tmp_path / "here")
    screen_library(library, [predicting], tmp_path / "two", where=WISH, steps=wanted, engine=LocalProcesses(2))
    assert contents_of(tmp_path / "two") == expected
    stopped = tmp_path / "stopped"
    with pytest.raises(Cancelled):
        screen_library(library, [predicting], stopped, where=WISH, steps=wanted, engine=Here(most=1))
    assert not (stopped / "next_steps.csv").exists()
    screen_library(library, [predicting], stopped, where=WISH, steps=wanted, engine=Here(), resume=True)
    assert contents_of(stopped) == expected
    # Other costs are another list of the same rows.
    going_on = Here()
    dear = StepsWanted(simulating=50.0)
    screen_library(library, [predicting], stopped, where=WISH, steps=dear, engine=going_on, resume=True)
    assert going_on.done == []
    assert steps_in(stopped) != steps_in(tmp_path / "here")
    screen_library(library, [predicting], stopped, where=WISH, engine=Here(), resume=True)
    assert not (stopped / "next_steps.csv").exists()


def test_the_most_probable_polymers_are_looked_at_however_the_library_is_divided(
    tmp_path: Path, library: Path, predicting: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = StepsWanted(further=0)
    screen_library(library, [predicting], tmp_path / "all", where=WISH, steps=wanted, engine=Here())
    # Where nothing is measured afterwards, a measurement gains its probability and a simulation nothing.
    found = steps_in(tmp_path / "all")
    assert {row["step"] for row in found} == {"measure"}
    assert [row["gain"] for row in found] == [row["probability"] for row in found]
    monkeypatch.setattr(next_steps, "LOOKED_AT", 5)
    screen_library(library, [predicting], tmp_path / "five", where=WISH, steps=wanted, engine=Here())
    assert [row["row"] for row in steps_in(tmp_path / "five")] == [row["row"] for row in found[:5]]


def test_as_high_as_possible_gains_the_improvement_upon_what_was_measured(
    tmp_path: Path, library: Path, predicting: Path
) -> None:
    opened = open_calibrator(predicting)
    assert isinstance(opened.calibrator, TrainedCalibrator)
    wishes = "Cp < 9 kJ/(kg K) and Cp as high as possible"
    screen_library(library, [predicting], tmp_path / "out", where=wishes, steps=StepsWanted(further=0), engine=Here())
    found = steps_in(tmp_path / "out")
    assert found
    assert "probability" not in found[0]
    best = opened.calibrator.training.measured.max()
    for row in found:
        X = np.array([describe_text(row["smiles"])[0]])
        md = np.array([float(row["md"])])
        own = opened.calibrator.apply(md, X) if row["origin"] == "md" else opened.calibrator.apply_unsimulated(X)[1]
        shown = opened.calibrator.errors_shown(simulated=row["origin"] == "md")
        spread = np.log(own.upper[0] / own.lower[0]) / 2.0 / shown.half_width
        errors = np.random.default_rng(7).choice(shown.values.ravel(), 4000)
        by_hand = np.maximum(np.log(own.values[0] / best) + spread * errors, 0.0).mean()
        assert float(row["gain"]) == pytest.approx(by_hand, rel=0.3, abs=0.01)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--cost-measuring", "0", "--where", WISH],
            "The cost of measuring a polymer must be a number above 0, and not 0.",
        ),
        (["--cost-simulating", "-2", "--where", WISH], "simulating a polymer must be a number above 0, and not -2."),
        (["--cost-simulating", "inf", "--where", WISH], "must be a number above 0, and not inf."),
        (["--then-measure", "500", "--where", WISH], "between 0 and 100 further measurements, and not to 500"),
        (["--cost-measuring", "1"], "there is none. Say what is wished"),
    ],
)
def test_what_cannot_be_a_cost_or_has_no_wish_is_refused(
    tmp_path: Path, library: Path, predicting: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    out = tmp_path / "out"
    command = ["screen", "--quiet", str(library), "--calibrator", str(predicting), "--output", str(out), *words]
    assert run_command(command) == CANNOT
    assert said in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("wish", [WISH, "Cp as high as possible"])
def test_a_library_in_which_no_row_has_a_value_has_no_next_steps(tmp_path: Path, predicting: Path, wish: str) -> None:
    library = tmp_path / "library.csv"
    library.write_text("id,smiles\na,*CC(\nb,\nc,*CC(*)[Fe]\n", encoding="utf-8")
    said = screen_library(library, [predicting], tmp_path / "out", where=wish, steps=StepsWanted(), engine=Here())
    assert said[0] == "0 of 3 rows have a calibrated value of specific heat capacity."
    assert steps_in(tmp_path / "out") == []
    assert json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))["complete"]


def test_a_closed_calibrator_lists_measurements_by_probability_and_knows_no_best(tmp_path: Path, library: Path) -> None:
    closed = tmp_path / "closed.affinecal-model"
    save_calibrator_file(closed, calibrator_file_of(small_result(), "affine", "closed"))
    command = ["screen", "--quiet", str(library), "--calibrator", str(closed), "--output", str(tmp_path / "out")]
    assert run_command([*command, "--where", WISH, "--cost-measuring", "3", "--then-measure", "1"]) == DONE
    found = steps_in(tmp_path / "out")
    assert {row["step"] for row in found} == {"measure"}
    probabilities = [float(row["probability"]) for row in found]
    assert probabilities == sorted(probabilities, reverse=True)
    with pytest.raises(UserError, match="does not say what was measured"):
        screen_library(
            library, [closed], tmp_path / "high", where="Cp as high as possible", steps=StepsWanted(), engine=Here()
        )


def test_two_properties_as_high_as_possible_are_refused(tmp_path: Path, library: Path, predicting: Path) -> None:
    opened = open_calibrator(predicting)
    density = tmp_path / "density.affinecal-model"
    other = replace(opened, facts=replace(opened.facts, quantity=replace(opened.facts.quantity, key="density")))
    save_calibrator_file(density, other)
    with pytest.raises(UserError, match="one property as high or as low as possible"):
        screen_library(
            library,
            [predicting, density],
            tmp_path / "out",
            where="Cp as high as possible and density as low as possible",
            steps=StepsWanted(),
            engine=Here(),
        )


def test_what_a_line_leaves_open_is_that_of_the_textbook_in_any_order() -> None:
    one = calibrator_file_of(small_result(), "ordinary", "open").calibrator
    assert isinstance(one, TrainedCalibrator)
    md = np.array([2500.0, 1800.0, 3100.0])
    X = np.array([describe_text(text)[0] for text in ("*CCO*", "*CCCO*", "*CCS*")])
    found = one.covariance(md, X)
    f, new = np.log(one.training.md), np.log(md)
    about = new - f.mean()
    expected = 1.0 / len(f) + np.outer(about, about) / ((f - f.mean()) ** 2).sum()
    np.testing.assert_allclose(found, expected, rtol=1e-9)
    turned = [2, 0, 1]
    np.testing.assert_allclose(one.covariance(md[turned], X[turned]), expected[np.ix_(turned, turned)], rtol=1e-9)
