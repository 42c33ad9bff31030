"""The command that ranks all calibrators: what it writes and says, further sources, and its answers to bad input."""

import csv
import json
from pathlib import Path

import pytest

from affinecal_gui.__main__ import main
from affinecal_gui.calibration.calibrators.registry import calibrator_keys, further_keys, linear_keys
from affinecal_gui.tasks.fitting.comparing import OUTPUTS


def words_of(examples: Path, output: Path, *more: str) -> list[str]:
    words = ["compare", "--experiment", str(examples / "optical_measured_and_md.csv"), "--quiet"]
    return [*words, "--md", str(examples / "optical_measured_and_md.csv"), "--output", str(output), *more]


@pytest.fixture(scope="module")
def compared(examples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All calibrators on the smallest bundled example."""
    output = tmp_path_factory.mktemp("compare") / "results"
    assert main(words_of(examples, output)) == 0
    return output


def test_every_table_and_figure_is_written(compared: Path) -> None:
    assert {path.name for path in compared.iterdir()} == set(OUTPUTS)
    content = json.loads((compared / "comparison.json").read_text(encoding="utf-8"))
    assert set(content["models"]) == set(content["ranking"]) == set(calibrator_keys()) - set(further_keys())
    errors = [content["models"][name]["out_of_fold"]["rmse_target_scale"] for name in content["ranking"]]
    assert errors == sorted(errors)
    assert content["recommendation"]["best"] == content["ranking"][0]
    assert content["overlap"]["sentence"]
    with (compared / "comparison.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["rank"]) for row in rows] == list(range(1, len(errors) + 1))
    assert [float(row["RMSE, target scale"]) for row in rows] == pytest.approx(errors)
    assert [row["best"] for row in rows] == ["yes", *["no"] * (len(errors) - 1)]
    assert sum(row["recommended"] == "yes" for row in rows) == 1


@pytest.mark.usefixtures("blank_figures")
def test_the_linear_calibrators_have_the_errors_of_fit(compared: Path, examples: Path, tmp_path: Path) -> None:
    words = ["fit", "--experiment", str(examples / "optical_measured_and_md.csv"), "--quiet"]
    words += ["--md", str(examples / "optical_measured_and_md.csv"), "--output", str(tmp_path / "fit")]
    assert main(words) == 0
    alone = json.loads((tmp_path / "fit" / "metrics.json").read_text(encoding="utf-8"))
    together = json.loads((compared / "comparison.json").read_text(encoding="utf-8"))
    for name in linear_keys():
        assert together["models"][name]["out_of_fold"] == alone["models"][name]["out_of_fold"]


@pytest.mark.usefixtures("blank_figures")
def test_some_methods_with_a_further_source(examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = ["--methods", "only_source", "direct", "--source", "Abbe_number", "--kernel", "matern32"]
    more += ["--kernel-factor", "linear"]
    assert main(words_of(examples, tmp_path / "out", *more)) == 0
    said = capsys.readouterr().out
    assert "also learned from the MD values of Abbe_number" in said
    content = json.loads((tmp_path / "out" / "comparison.json").read_text(encoding="utf-8"))
    assert set(content["models"]) == {*linear_keys(), "only_source", "direct"}
    options = content["transfer"]["options"]
    assert [options[f"kernel_{name}"] for name in ("source", "factor", "target")] == ["matern32", "linear", "matern32"]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--methods", "magic"], "There is no method “magic”"),
        (["--source", "colour", "--methods", "direct"], "no further property “colour”"),
    ],
)
def test_what_is_not_there_is_one_sentence(
    examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], words: str
) -> None:
    assert main(words_of(examples, tmp_path / "out", *more)) == 2
    said = capsys.readouterr().err
    assert words in said
    assert len(said.splitlines()) == 1
    assert not (tmp_path / "out").exists()
