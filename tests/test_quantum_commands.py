"""Quantum-corrected MD values by command: beside measured values, without any, and what is refused."""

import csv
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from affinecal_gui.cli import CANNOT, DONE, run_command
from affinecal_gui.polymers.copolymers.composition_spectrum import spectrum_of
from affinecal_gui.polymers.vibrations.heat_capacity import classical_surplus
from tests.study.small_study import write_tables

pytestmark = pytest.mark.usefixtures("blank_figures", "coarse_calibrations")

MD = """name,smiles,temp,Cp [J/(kg K)]
polyethylene,*CC*,300,4699
polystyrene,*CC(*)c1ccccc1,300,3400
warm,*CC*,400,4699
a mixture,*CC*|*CC(*)c1ccccc1|0.5|0.5,300,3900
borane,*CB(*)C,300,4000
too low,*CC*,300,41
cold,*CC*,0,4699
"""


def rows_of(path: Path) -> dict[str, dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


def corrected(text: str, kelvin: float, value: float, rigid: str = "hydrogen") -> float:
    return value - classical_surplus(spectrum_of(text), kelvin, rigid).heat_capacity  # type: ignore[arg-type]


@pytest.fixture
def md(tmp_path: Path) -> Path:
    path = tmp_path / "simulated.csv"
    path.write_text(MD, encoding="utf-8")
    return path


def test_an_md_table_alone_is_corrected(tmp_path: Path, md: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "out"
    words = ["fit", "--quiet", "--md", str(md), "--property", "Cp", "--report", "--output", str(output)]
    assert run_command(words) == DONE
    figures = {f"{name}.{suffix}" for name in ("corrected", "modes") for suffix in ("svg", "png")}
    written = {path.name for path in output.iterdir()}
    assert (
        written == {"predictions.csv", "metrics.json", "report.pdf", "report.html", "left_out.csv", *figures} & written
    )
    assert figures < written
    report = (output / "report.html").read_text(encoding="utf-8")
    for words_of_report in (
        "Quantum correction of specific heat capacity",
        "4 of 7 MD values corrected",
        "all of them but the stretching of bonds to hydrogen",
        "No GAFF2_mod type for boron atom 2 (3 bonds, sp2).",
        "Figure 2. Vibrations of the mean polymer",
    ):
        assert words_of_report in report
    found = rows_of(output / "predictions.csv")
    assert list(found) == ["polyethylene", "polystyrene", "warm", "a mixture", "borane", "too low", "cold"]
    for name, text, kelvin, value in (
        ("polyethylene", "*CC*", 300.0, 4699.0),
        ("polystyrene", "*CC(*)c1ccccc1", 300.0, 3400.0),
        ("warm", "*CC*", 400.0, 4699.0),
        ("a mixture", "*CC*|*CC(*)c1ccccc1|0.5|0.5", 300.0, 3900.0),
    ):
        row = found[name]
        assert float(row["calibrated value"]) == pytest.approx(corrected(text, kelvin, value))
        # The largest 10 % of the errors of the bundled example lie beyond 0.25 to 0.35 on the ln scale.
        assert 1.25 < float(row["upper"]) / float(row["calibrated value"]) < 1.45
        assert float(row["lower"]) * float(row["upper"]) == pytest.approx(float(row["calibrated value"]) ** 2)
        assert (row["model"], row["used for fitting"], row["note"]) == ("MD, quantum-corrected", "no", "")
    assert all(found[name]["calibrated value"] == "" for name in ("borane", "too low", "cold"))
    assert found["borane"]["note"] == "No GAFF2_mod type for boron atom 2 (3 bonds, sp2)."
    assert "The MD value 41 J/(kg K) is not above the quantum correction of 2618 J/(kg K)" in found["too low"]["note"]
    assert "must be a positive number of kelvin, not 0" in found["cold"]["note"]
    printed = capsys.readouterr().out
    assert "4 of 7 MD values corrected for quantum effects. Nothing is fitted." in printed
    assert "measured heat capacities that come with the program" in printed
    assert "No value for borane: No GAFF2_mod type" in printed
    metrics = json.loads((output / "metrics.json").read_text(encoding="utf-8"))
    assert metrics["calibrator"] == "quantum_corrected"
    assert metrics["n_corrected"] == 4


def test_with_few_measured_values_the_corrected_ones_are_written(
    tmp_path: Path, md: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few = tmp_path / "few.csv"
    few.write_text("name,smiles,Cp [J/(kg K)]\nPS,*CC(*)c1ccccc1,1250\nPVC,*CC(*)Cl,950\n", encoding="utf-8")
    output = tmp_path / "out"
    words = ["fit", "--quiet", "--experiment", str(few), "--md", str(md), "--output", str(output)]
    assert run_command(words) == DONE
    found = rows_of(output / "predictions.csv")
    row = found["PS"]
    value = corrected("*CC(*)c1ccccc1", 300.0, 3400.0)
    assert float(row["calibrated value"]) == pytest.approx(value)
    assert float(row["residual, %"]) == pytest.approx(100 * (value / 1250 - 1))
    assert (row["measured value"], row["model"], row["used for fitting"]) == ("1250", "MD, quantum-corrected", "no")
    assert "PVC" not in found
    assert "PVC" in rows_of(output / "left_out.csv")
    printed = capsys.readouterr().out
    assert "Only 1 measured polymer has an MD value and can be used; a calibration needs at least 8." in printed
    assert "the measured value differs from them by 0.1" in printed
    assert not (output / "parity.svg").exists()
    metrics = json.loads((output / "metrics.json").read_text(encoding="utf-8"))
    assert (metrics["calibrator"], metrics["n_measured"]) == ("quantum_corrected", 1)
    assert (output / "corrected.svg").exists()
    for option, wish in (("--forecast", "--forecast needs a calibration"), ("--calibrator=affine", "at least 8")):
        assert run_command([*words, option, "--overwrite"]) == CANNOT
        assert wish in capsys.readouterr().err
    assert float(rows_of(output / "predictions.csv")["PS"]["calibrated value"]) == pytest.approx(value)  # the old files


def test_what_the_simulation_holds_rigid_can_be_said(tmp_path: Path, md: Path) -> None:
    words = ["fit", "--quiet", "--md", str(md), "--rigid-bonds", "none", "--output", str(tmp_path / "out")]
    assert run_command(words) == DONE
    found = rows_of(tmp_path / "out" / "predictions.csv")
    # With nothing held rigid more is classical, so that less is left; four bonds to hydrogen hold 1.2 kJ/(kg K).
    assert float(found["polyethylene"]["calibrated value"]) == pytest.approx(corrected("*CC*", 300.0, 4699.0, "none"))
    assert corrected("*CC*", 300.0, 4699.0) - corrected("*CC*", 300.0, 4699.0, "none") == pytest.approx(1185, abs=2)


def test_a_table_without_temperatures_is_taken_at_room_temperature_and_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    md = tmp_path / "md.csv"
    md.write_text("name,smiles,Cp [J/(kg K)]\npolyethylene,*CC*,4699\n", encoding="utf-8")
    assert run_command(["fit", "--quiet", "--md", str(md), "--output", str(tmp_path / "out")]) == DONE
    found = rows_of(tmp_path / "out" / "predictions.csv")
    assert float(found["polyethylene"]["calibrated value"]) == pytest.approx(corrected("*CC*", 298.15, 4699.0))
    assert "states no temperature: the quantum correction is that at 298.15 K." in capsys.readouterr().out


def test_a_thermal_conductivity_is_scaled_and_called_an_estimate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    md = tmp_path / "md.csv"
    md.write_text("name,smiles,temp,thermal conductivity [W/(m K)]\nPE,*CC*,300,0.456\n", encoding="utf-8")
    assert run_command(["fit", "--quiet", "--md", str(md), "--output", str(tmp_path / "out")]) == DONE
    row = rows_of(tmp_path / "out" / "predictions.csv")["PE"]
    surplus = classical_surplus(spectrum_of("*CC*"), 300.0)
    assert float(row["calibrated value"]) == pytest.approx(0.456 * surplus.quantum / surplus.classical)
    assert row["lower"] == row["upper"] == ""
    printed = capsys.readouterr().out
    assert "Quantum-corrected thermal conductivities are estimates" in printed
    assert "have no interval" in printed


@pytest.mark.parametrize(
    ("text", "words", "sentence"),
    [
        ("smiles,density [g/cm3]\n*CC*,0.85\n", [], "Without measured values only heat capacities"),
        (MD, ["--property", "density"], "has no MD values of “density”; it has Cp."),
        (MD, ["--calibrator", "affine"], "--calibrator can only be quantum_corrected"),
        (MD, ["--penalties", "1", "10"], "--penalties is about a fit"),
        (MD, ["--weights", "repeats"], "--weights is about a fit"),
        (MD, ["--value-column", "Cp"], "--value-column needs measured values"),
    ],
)
def test_what_needs_measured_values_is_refused_without_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, words: list[str], sentence: str
) -> None:
    md = tmp_path / "md.csv"
    md.write_text(text, encoding="utf-8")
    output = tmp_path / "out"
    assert run_command(["fit", "--quiet", "--md", str(md), *words, "--output", str(output)]) == CANNOT
    assert sentence in capsys.readouterr().err
    assert not output.exists()


def test_measured_values_alone_are_not_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measured, _ = write_tables(tmp_path)
    assert run_command(["fit", "--experiment", str(measured), "--output", str(tmp_path / "out")]) == CANNOT
    assert "MD values of heat capacities do without measured ones: --md M.csv." in capsys.readouterr().err


def test_beside_measured_values_it_is_ranked_with_the_others_and_can_be_chosen(tmp_path: Path) -> None:
    measured, md = write_tables(tmp_path)
    words = ["fit", "--quiet", "--experiment", str(measured), "--md", str(md), "--calibrator", "quantum_corrected"]
    assert run_command([*words, "--output", str(tmp_path / "out")]) == DONE
    metrics = json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))
    assert list(metrics["models"])[:2] == ["md", "quantum_corrected"]
    own, raw = (metrics["models"][name]["out_of_fold"]["rmse_target_scale"] for name in ("quantum_corrected", "md"))
    assert own < raw
    pairs = metrics["recommendation"]["comparisons"]
    assert {"quantum_corrected"} <= {pair[side] for pair in pairs for side in ("better", "worse")}
    with (tmp_path / "out" / "predictions.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["model"] for row in rows} == {"MD, quantum-corrected"}
    # Nothing is fitted, so that every value is one that no measurement has touched; the interval is from held-out errors.
    for row in rows:
        assert float(row["calibrated value"]) == pytest.approx(float(row["final-fit value"]))
        assert float(row["lower"]) < float(row["calibrated value"]) < float(row["upper"])


def test_predict_corrects_polymers_that_the_study_has_not_seen(
    tmp_path: Path, md: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    measured, own = write_tables(tmp_path)
    words = ["predict", "--quiet", str(md), "--experiment", str(measured), "--md", str(own)]
    words += ["--calibrator", "quantum_corrected", "--output", str(tmp_path / "out.csv")]
    assert run_command(words) == DONE
    found = rows_of(tmp_path / "out.csv")
    assert float(found["warm"]["calibrated value"]) == pytest.approx(corrected("*CC*", 400.0, 4699.0))
    assert "not above the quantum correction" in found["too low"]["note"]
    assert "polymers calibrated with MD, quantum-corrected" in capsys.readouterr().out


def test_predict_takes_the_corrected_value_where_it_is_recommended_and_leaves_others_alone_elsewhere(
    examples: Path, tmp_path: Path
) -> None:
    new = tmp_path / "new.csv"
    new.write_text(
        "name,smiles,Cp [J/(kg K)],temperature [K]\nhigh,*CC*,4699,300\nlow,*CC(*)C,900,300\n", encoding="utf-8"
    )

    def predicted(measured: Path, md: Path) -> dict[str, dict[str, str]]:
        words = ["predict", "--quiet", str(new), "--experiment", str(measured), "--md", str(md), "--overwrite"]
        assert run_command([*words, "--output", str(tmp_path / "out.csv")]) == DONE
        return rows_of(tmp_path / "out.csv")

    found = predicted(*write_tables(tmp_path))
    assert float(found["high"]["calibrated value"]) == pytest.approx(corrected("*CC*", 300.0, 4699.0))
    assert "not above the quantum correction" in found["low"]["note"]
    found = predicted(examples / "heat_capacity_measured.csv", examples / "md_radonpy.csv")
    assert {row["model"] for row in found.values()} == {"combined"}
    assert float(found["low"]["calibrated value"]) > 0.0
    assert "quantum" not in found["low"]["note"]


def test_a_property_without_a_correction_is_refused_before_anything_is_described(
    examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = str(examples / "optical_measured_and_md.csv")
    words = ["fit", "--quiet", "--experiment", table, "--md", table, "--calibrator", "quantum_corrected"]
    with not_to_be_called("describe_polymers"):
        assert run_command([*words, "--output", str(tmp_path / "out")]) == CANNOT
    assert "has no quantum-corrected MD value" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["fit", "predict"])
def test_a_polymer_of_the_fit_without_a_correction_is_refused_before_anything_is_calibrated(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    measured, md = write_tables(tmp_path)
    md.write_text(md.read_text(encoding="utf-8").replace("3300,1.1,300", "3300,1.1,0"), encoding="utf-8")
    words = [command, *([str(md)] if command == "predict" else []), "--quiet", "--calibrator", "quantum_corrected"]
    words += ["--experiment", str(measured), "--md", str(md), "--output", str(tmp_path / "out.csv")]
    with not_to_be_called("calibrate"):
        assert run_command(words) == CANNOT
    assert "because one polymer of the fit has none" in capsys.readouterr().err


@contextmanager
def not_to_be_called(name: str) -> Iterator[None]:
    """Fail what begins the work of that name; undone at once, since the fixtures of this module replace it, too."""

    def begin(*_arguments: object, **_options: object) -> None:
        raise AssertionError("what takes long had begun before the refusal")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"affinecal_gui.study.fitting.calibrating.{name}", begin)
        yield


def test_the_benchmark_of_few_measurements_goes_from_none_to_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    measured, md = write_tables(tmp_path)
    words = ["benchmark", "--quiet", "--protocol", "few", "--experiment", str(measured), "--md", str(md)]
    assert run_command([*words, "--repetitions", "20", "--output", str(tmp_path / "out")]) == DONE
    with (tmp_path / "out" / "benchmark.csv").open(encoding="utf-8", newline="") as file:
        rows = {(int(row["measurements"]), row["model"]): row for row in csv.DictReader(file)}
    assert [number for number, model in rows if model == "quantum_corrected"] == [0, 4, 8, 10]
    assert float(rows[0, "quantum_corrected"]["rmse"]) < float(rows[0, "md"]["rmse"])
    assert rows[4, "ordinary"]["draws"] == "20"
    assert (10, "affine") in rows
    content = json.loads((tmp_path / "out" / "benchmark.json").read_text(encoding="utf-8"))
    assert content["n_polymers"] == 10
    assert len(content["errors"]) == len(rows)
    assert "mean of 20 random draws, and out of fold with all 10" in capsys.readouterr().out


def test_the_benchmark_of_few_measurements_needs_a_property_that_can_be_corrected(
    examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = str(examples / "optical_measured_and_md.csv")
    words = ["benchmark", "--quiet", "--protocol", "few", "--experiment", table, "--md", table]
    assert run_command([*words, "--output", str(tmp_path / "out")]) == CANNOT
    assert "has no quantum-corrected MD value" in capsys.readouterr().err
    assert run_command([*words, "--solver", "block", "--output", str(tmp_path / "out")]) == CANNOT
    assert "--solver belongs to --protocol paper; leave it out with --protocol few." in capsys.readouterr().err
