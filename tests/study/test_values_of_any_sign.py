"""A measured or simulated value that is zero or negative is a value like any other: nothing divides by it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.__main__ import main
from affinecal_gui.calibration.results import Penalties
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.shown.row_values import row_values
from affinecal_gui.study.state import StudyState

UNITS = ("CC", "CC(C)", "CCO", "CC(O)", "CC(F)", "CC(Cl)", "CC(C#N)", "CC(OC)", "CCS", "CC(CC)")
RISING = tuple(1.0 + 0.5 * number for number in range(10))
OF_NO_KNOWN_PROPERTY = ("crystallinity [%]", "zeta potential [mV]", "second virial coefficient", "log10 permeability")


def tables(folder: Path, heading: str, measured: Sequence[float], md: Sequence[float]) -> tuple[Path, Path]:
    """Write both tables, with descriptors of twelve random numbers, which make the fit quick."""
    own = np.random.default_rng(3).uniform(size=(len(UNITS), 12))
    names = ",".join(f"own_{number}" for number in range(own.shape[1]))
    paths = folder / "measured.csv", folder / "md.csv"
    lines = [f"*{unit}*,{value:g}" for unit, value in zip(UNITS, measured, strict=True)]
    paths[0].write_text("\n".join([f"smiles,{heading}", *lines]) + "\n", encoding="utf-8")
    lines = [
        f"*{unit}*,{value:g},{','.join(map(str, row))}"
        for unit, value, row in zip(UNITS, md, own.tolist(), strict=True)
    ]
    paths[1].write_text("\n".join([f"smiles,{heading},{names}", *lines]) + "\n", encoding="utf-8")
    return paths


def calibrated(folder: Path, heading: str, measured: Sequence[float], md: Sequence[float]) -> Derived:
    loaded = load_tables(tables(folder, heading, measured, md))
    assert not loaded.errors
    state = StudyState().with_tables(loaded.tables)
    settings = replace(state.settings, log_scale=False, penalties=Penalties(1.0, 1.0, 1.0))
    return derive(replace(state, settings=settings), Derived())


def rmse_of_md(derived: Derived) -> float:
    assert derived.snapshot.calibration is not None
    return float(derived.snapshot.calibration.models["md"].metrics.rmse)


@pytest.mark.parametrize("heading", [*OF_NO_KNOWN_PROPERTY, "CTE [1/K]"])
def test_a_zero_among_the_measured_values_is_calibrated(tmp_path: Path, heading: str) -> None:
    derived = calibrated(tmp_path, heading, (0.0, *RISING[1:]), RISING)
    assert rmse_of_md(derived) == pytest.approx(np.sqrt(0.1), rel=1e-12)  # one of ten pairs differs, by 1


@pytest.mark.parametrize(
    ("measured", "md"),
    [
        ((-1.0, *RISING[1:]), RISING),
        (RISING, (0.0, *RISING[1:])),
        (RISING, (0.0,) * 10),
        ((0.0,) * 5 + RISING[5:], (0.0,) * 5 + RISING[5:]),
        (tuple(value - 3.0 for value in RISING), tuple(value - 2.5 for value in RISING)),
        (tuple(-value for value in RISING), tuple(-1.1 * value for value in RISING)),
    ],
    ids=["one negative", "one MD zero", "all MD zero", "half of both zero", "both signs", "all negative"],
)
def test_every_number_shown_is_finite_or_left_out(
    tmp_path: Path, measured: tuple[float, ...], md: tuple[float, ...]
) -> None:
    derived = calibrated(tmp_path, "zeta potential [mV]", measured, md)
    expected = np.sqrt(np.mean((np.array(md) - np.array(measured)) ** 2))
    assert rmse_of_md(derived) == pytest.approx(expected, rel=1e-12, abs=1e-12)
    shown = row_values(derived.snapshot)
    assert np.isfinite(shown.calibrated).all()
    np.testing.assert_array_equal(np.isnan(shown.residual_percent), shown.measured == 0.0)


def test_a_zero_reaches_the_figures_and_the_report(tmp_path: Path) -> None:
    measured, md = tables(tmp_path, "crystallinity [%]", (0.0, *RISING[1:]), (0.0, *RISING[1:5], -1.0, *RISING[6:]))
    words = ["--experiment", str(measured), "--md", str(md), "--penalties", "1", "1", "--quiet", "--report"]
    assert main(["fit", *words, "--output", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / "report.pdf").stat().st_size > 0


@pytest.mark.usefixtures("blank_figures")
def test_on_the_logarithm_a_zero_is_left_out_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measured, md = tables(tmp_path, "crystallinity [%]", (0.0, *RISING[1:]), RISING)
    words = ["--experiment", str(measured), "--md", str(md), "--penalties", "1", "1", "--quiet", "--log"]
    assert main(["fit", *words, "--output", str(tmp_path / "out")]) == 0
    assert "The measured value 0 has no logarithm" in capsys.readouterr().out
    assert "no logarithm" in (tmp_path / "out" / "left_out.csv").read_text(encoding="utf-8")


def test_a_decimal_slip_shows_among_negative_values(tmp_path: Path) -> None:
    measured = [-value for value in RISING]
    measured[4] *= 1000.0
    derived = calibrated(tmp_path, "log10 permeability", measured, [-1.1 * value for value in RISING])
    assert derived.assembly is not None
    assert "the MD value is 1/910 of the measured value −3000" in " ".join(derived.assembly.notes)
