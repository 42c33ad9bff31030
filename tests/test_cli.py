"""The commands without a window: what they write, what they say, and how they end."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.__main__ import main
from affinecal_gui.polymers.descriptors import describe, force_field_blocks

OUTPUTS = {
    "predictions.csv",
    "coefficients.csv",
    "metrics.json",
    "parity.svg",
    "parity.png",
    "coefficients.svg",
    "coefficients.png",
}


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def fitted(examples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of the bundled example."""
    output = tmp_path_factory.mktemp("fit") / "results"
    words = ["fit", "--experiment", str(examples / "heat_capacity_measured.csv")]
    words += ["--md", str(examples / "md_radonpy.csv"), "--output", str(output)]
    assert main(words) == 0
    return output


def test_fit_writes_every_result(fitted: Path) -> None:
    assert {path.name for path in fitted.iterdir()} == OUTPUTS
    metrics = json.loads((fitted / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["n_polymers"] == 62
    assert metrics["property"] == "Cp"
    assert metrics["unit"] == "J/(kg K)"
    errors = {name: model["out_of_fold"]["rmse_target_scale"] for name, model in metrics["models"].items()}
    # Measured with plain prototypes on this example: MD 0.82, ordinary 0.16-0.19, the others 0.14-0.17.
    assert errors["md"] == pytest.approx(0.82, abs=0.015)
    assert 0.16 <= errors["ordinary"] <= 0.19
    assert 0.14 <= errors["log_difference"] <= 0.17
    assert 0.15 <= errors["affine"] <= 0.175


def test_predictions_cover_the_whole_md_table(fitted: Path, examples: Path) -> None:
    rows = rows_of(fitted / "predictions.csv")
    assert len(rows) == len(rows_of(examples / "md_radonpy.csv"))
    used = [row for row in rows if row["used for fitting"] == "yes"]
    assert len(used) == 62
    assert {row["unit"] for row in rows} == {"J/(kg K)"}
    assert all(row["measured value"] for row in used)
    assert all(float(row["lower"]) <= float(row["calibrated value"]) <= float(row["upper"]) for row in rows)


def test_the_metrics_are_those_of_the_exported_values(fitted: Path) -> None:
    used = [row for row in rows_of(fitted / "predictions.csv") if row["used for fitting"] == "yes"]
    measured = np.array([float(row["measured value"]) for row in used])
    calibrated = np.array([float(row["calibrated value"]) for row in used])
    metrics = json.loads((fitted / "metrics.json").read_text(encoding="utf-8"))
    assert len(used) == metrics["n_polymers"]
    assert np.sqrt(np.mean((measured - calibrated) ** 2)) == pytest.approx(
        metrics["models"]["affine"]["out_of_fold"]["rmse"], rel=1e-9
    )


def test_coefficients_name_their_physical_values(fitted: Path) -> None:
    rows = rows_of(fitted / "coefficients.csv")
    assert len(rows) == 190
    assert [row["physical value"] for row in rows[:3]] == ["H", "C", "N"]
    assert {row["block"] for row in rows} == {
        "mass", "charge", "epsilon", "sigma", "k_bond", "r0", "polar", "k_angle", "theta0", "k_dih",
    }  # fmt: skip
    charges = [float(row["physical value"]) for row in rows if row["block"] == "charge"]
    assert charges == pytest.approx(np.linspace(-0.95, 0.95, 20))


def test_an_existing_result_is_not_overwritten_unasked(
    fitted: Path, examples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (fitted / "metrics.json").read_bytes()
    words = ["fit", "--experiment", str(examples / "heat_capacity_measured.csv")]
    words += ["--md", str(examples / "md_radonpy.csv"), "--output", str(fitted)]
    assert main(words) == 2
    assert "predictions.csv" in capsys.readouterr().err
    assert (fitted / "metrics.json").read_bytes() == before


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, "missing.csv"),
        ("", "E.csv"),
        ("name,smiles\nPE,*CC*\n", "E.csv"),
        ("name,smiles,Cp [J/(kg K)]\nPE,*CC*,1900\n", "at least 8"),
        ("name,smiles,Cp [J/(kg K)]\nPE,*CC,1900\n", "E.csv"),
        ("name,density [g/cm3]\nPE,0.95\n", "E.csv"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    content: str | None, expected: str, examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    experiment = tmp_path / ("missing.csv" if content is None else "E.csv")
    if content is not None:
        experiment.write_text(content, encoding="utf-8")
    words = ["fit", "--experiment", str(experiment), "--md", str(examples / "md_radonpy.csv")]
    assert main([*words, "--output", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert expected in error
    assert "Traceback" not in error
    assert not (tmp_path / "out").exists()


def test_an_unknown_property_names_the_known_ones(
    examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["fit", "--experiment", str(examples / "heat_capacity_measured.csv"), "--property", "colour"]
    assert main([*words, "--md", str(examples / "md_radonpy.csv"), "--output", str(tmp_path / "out")]) == 2
    assert "Cp" in capsys.readouterr().err


def test_describe_writes_one_row_per_input_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "polymers.csv"
    source.write_text(
        "label,unit\nPE,*CC*\nbroken,*CC(\nPS,*CC(*)c1ccccc1\nsilicone,*[Si](C)(C)O*\nPE again,*CC*\n", encoding="utf-8"
    )
    output = tmp_path / "descriptors.csv"
    words = ["describe", str(source), "--output", str(output), "--smiles-column", "unit"]
    assert main(words) == 0
    rows = rows_of(output)
    assert [row["smiles"] for row in rows] == ["*CC*", "*CC(", "*CC(*)c1ccccc1", "*[Si](C)(C)O*", "*CC*"]
    assert [row["status"] for row in rows] == ["ok", "error", "ok", "error", "ok"]
    assert "silicon" in rows[3]["message"]
    assert rows[1]["mass_H"] == ""
    np.testing.assert_allclose(
        [float(value) for value in list(rows[2].values())[2:192]], describe("*CC(*)c1ccccc1"), rtol=1e-12, atol=1e-300
    )
    assert "3 of 5 rows" in capsys.readouterr().out


def test_describe_says_which_column_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "numbers.csv"
    source.write_text("a,b\n1,2\n3,4\n", encoding="utf-8")
    assert main(["describe", str(source), "--output", str(tmp_path / "out.csv")]) == 2
    assert "numbers.csv" in capsys.readouterr().err
    assert not (tmp_path / "out.csv").exists()


def test_benchmark_writes_every_repetition(examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["benchmark", "--experiment", str(examples / "heat_capacity_measured.csv"), "--protocol", "paper"]
    words += ["--md", str(examples / "md_radonpy.csv"), "--property", "Cp", "--repetitions", "3"]
    assert main([*words, "--output", str(tmp_path / "out")]) == 0
    assert "ordinary" in capsys.readouterr().out
    content = json.loads((tmp_path / "out" / "benchmark.json").read_text(encoding="utf-8"))
    assert content["protocol"] == "paper"
    assert content["n_polymers"] == 62
    assert [repetition["seed"] for repetition in content["repetitions"]] == [0, 1, 2]
    for repetition in content["repetitions"]:
        assert len(repetition["test_ids"]) == content["test_size"]
        assert set(repetition["affine"]) == {
            "rmse", "lambda_1", "lambda_2", "alpha_0", "alpha_1", "beta", "iterations", "converged",
        }  # fmt: skip
        assert set(repetition["log_difference"]) == {"rmse", "lambda_1", "lambda_2"}
        assert repetition["affine"]["lambda_2"] in {50.0, 100.0, 150.0}
    for model in ("md", "ordinary", "log_difference", "affine"):
        errors = [repetition[model]["rmse"] for repetition in content["repetitions"]]
        assert content["models"][model]["rmse_mean"] == pytest.approx(np.mean(errors))
        assert content["models"][model]["rmse_sd"] == pytest.approx(np.std(errors, ddof=1))
    lines = rows_of(tmp_path / "out" / "benchmark.csv")
    assert len(lines) == 3 * 4
    assert {path.suffix for path in (tmp_path / "out").iterdir()} == {".json", ".csv", ".svg", ".png"}


def test_benchmark_takes_published_descriptors(examples: Path, tmp_path: Path) -> None:
    """The layout of the published table (monomer_ID, smiles, PID, mass_H ...), which has no values of a property."""
    blocks = force_field_blocks()
    lines = ["monomer_ID,smiles,PID," + ",".join(blocks.columns)]
    for row in rows_of(examples / "md_radonpy.csv"):
        values = ",".join(f"{value:.10g}" for value in describe(row["smiles"]))
        lines.append(f"{row['monomer_ID']},{row['smiles']},P{row['monomer_ID']},{values}")
    (tmp_path / "descriptors.csv").write_text("\n".join(lines), encoding="utf-8")
    words = ["benchmark", "--experiment", str(examples / "heat_capacity_measured.csv"), "--property", "Cp"]
    words += ["--md", str(examples / "md_radonpy.csv"), "--repetitions", "2"]
    assert main([*words, "--output", str(tmp_path / "computed")]) == 0
    words += ["--descriptors", str(tmp_path / "descriptors.csv")]
    assert main([*words, "--output", str(tmp_path / "ready")]) == 0
    computed, ready = (
        json.loads((tmp_path / name / "benchmark.json").read_text(encoding="utf-8")) for name in ("computed", "ready")
    )
    for one, other in zip(computed["repetitions"], ready["repetitions"], strict=True):
        assert one["test_ids"] == other["test_ids"]
        assert one["affine"]["lambda_1"] == other["affine"]["lambda_1"]
        assert one["affine"]["rmse"] == pytest.approx(other["affine"]["rmse"], abs=1e-5)


def test_a_folder_that_cannot_be_made_is_said_before_the_work(
    examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    words = ["fit", "--experiment", str(examples / "heat_capacity_measured.csv")]
    words += ["--md", str(examples / "md_radonpy.csv"), "--output", str(tmp_path / "file" / "sub")]
    assert main(words) == 2
    error = capsys.readouterr().err
    assert str(tmp_path / "file" / "sub") in error
    assert "Traceback" not in error


@pytest.mark.parametrize("option", [["--seed", "-1"], ["--seed", "two"], ["--calibrator", "best"]])
def test_options_that_make_no_sense_are_refused(
    option: list[str], examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["fit", "--experiment", str(examples / "density_measured.csv"), "--md", str(examples / "md_radonpy.csv")]
    with pytest.raises(SystemExit) as stop:
        main([*words, "--output", str(tmp_path / "out"), *option])
    assert stop.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_swapped_tables_and_averaged_md_values_are_said(
    examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    double = tmp_path / "md.csv"
    text = (examples / "md_radonpy.csv").read_text(encoding="utf-8")
    cells = text.splitlines()[1].split(",")
    cells[0], cells[6] = "EXTRA", "9999"
    double.write_text(text + ",".join(cells) + "\n", encoding="utf-8")
    words = ["fit", "--experiment", str(examples / "heat_capacity_measured.csv"), "--md", str(double)]
    assert main([*words, "--calibrator", "ordinary", "--output", str(tmp_path / "one")]) == 0
    assert "reported 2 times in md.csv" in capsys.readouterr().out
    rows = rows_of(tmp_path / "one" / "predictions.csv")
    assert {row["model"] for row in rows} == {"ordinary"}
    polyethylene = next(row for row in rows if row["id"] == "PI1")
    assert "reported 2 times" in polyethylene["note"]
    words = ["fit", "--experiment", str(examples / "md_radonpy.csv"), "--property", "Cp"]
    words += ["--md", str(examples / "heat_capacity_measured.csv"), "--output", str(tmp_path / "two")]
    main(words)
    captured = capsys.readouterr()
    assert "md_radonpy.csv looks like MD values" in captured.out + captured.err
