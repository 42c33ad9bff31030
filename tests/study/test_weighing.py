"""How much each measured value counts: uncertainties and numbers of reports of the tables become weights of the fit."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.stats import norm

from affinecal_gui.calibration.calibrators.noise.weights import weights_from_repeats, weights_from_uncertainties
from affinecal_gui.calibration.results import Penalties
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.fitting.calibrating import DescribedLibrary, calibrate_study, training_of
from affinecal_gui.study.fitting.weighing import expected_range, quality_of, weigh
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.snapshot import Settings
from affinecal_gui.study.state import StudyState

UNITS = (
    "CC",
    "CC(C)(C)",
    "CCO",
    "CC(F)",
    "CC(Cl)",
    "CC(C)",
    "CC(O)",
    "CC(c1ccccc1)",
    "CC(C#N)",
    "CC(OC)",
    "CC(CC)",
    "CCS",
)
CP = np.array([1900.0, 1950.0, 2000.0, 1300.0, 950.0, 1930.0, 1500.0, 1210.0, 1250.0, 1700.0, 1850.0, 1400.0])
MD = np.array([4650.0, 4500.0, 3900.0, 2900.0, 2300.0, 4330.0, 3600.0, 3100.0, 2900.0, 3800.0, 4450.0, 3000.0])
SIZES = (12, 10)  # of the two blocks of descriptors
OWN = Penalties(0.7, 3.0, 0.5)


def study_of(folder: Path, heading: str, cells: list[str], more: str = "", **choices: object) -> StudyState:
    """Write and read twelve polymers with own descriptors in two blocks, and further columns of the measured values."""
    lines = [f"*{unit}*,{cp:g},{cell}" for unit, cp, cell in zip(UNITS, CP, cells, strict=True)]
    (folder / "measured.csv").write_text(f"smiles,Cp [J/(kg K)],{heading}\n" + "\n".join(lines) + "\n" + more, "utf-8")
    rng = np.random.default_rng(5)
    descriptors = np.abs(rng.normal(size=(len(UNITS), sum(SIZES))))
    names = ",".join([*(f"a_{j}" for j in range(SIZES[0])), *(f"b_{j}" for j in range(SIZES[1]))])
    rows = [
        f"*{unit}*,{md:g}," + ",".join(map(repr, row.tolist()))
        for unit, md, row in zip(UNITS, MD, descriptors, strict=True)
    ]
    (folder / "md.csv").write_text(f"smiles,Cp,{names}\n" + "\n".join(rows) + "\n", "utf-8")
    loaded = load_tables((folder / "measured.csv", folder / "md.csv"))
    assert not loaded.errors
    state = StudyState().with_tables(loaded.tables)
    return dataclasses.replace(state, settings=dataclasses.replace(state.settings, **choices))  # type: ignore[arg-type]


def derived_of(state: StudyState) -> tuple[Derived, Assembly]:
    derived = derive(state, Derived())
    assert isinstance(derived.assembly, Assembly)
    return derived, derived.assembly


UNCERTAIN = [f"{3 + 7 * i:g}" if i % 4 else "" for i in range(12)]
KNOWN = np.array([float(cell) if cell else np.nan for cell in UNCERTAIN])


def test_stated_uncertainties_are_those_of_the_polymers(tmp_path: Path) -> None:
    _, assembly = derived_of(study_of(tmp_path, "± Cp [J/(kg K)]", UNCERTAIN))
    quality = quality_of(assembly)
    np.testing.assert_array_equal(quality.uncertainty, KNOWN)
    np.testing.assert_array_equal(quality.reports, np.ones(12))
    assert quality.weightings == ("uncertainty",)


def test_a_table_without_either_offers_nothing(tmp_path: Path) -> None:
    derived, _ = derived_of(study_of(tmp_path, "source", ["a"] * 12))
    assert derived.snapshot.weightings == ()


def test_an_uncertainty_of_nought_says_nothing(tmp_path: Path) -> None:
    _, assembly = derived_of(study_of(tmp_path, "± Cp [J/(kg K)]", ["0"] * 12))
    assert quality_of(assembly).weightings == ()


def test_the_scatter_of_several_rows_is_divided_by_the_root_of_their_number(tmp_path: Path) -> None:
    more = "*CC*,1940,\n*CC*,1990,\n*CCO*,2000,\n"
    _, assembly = derived_of(study_of(tmp_path, "source", [""] * 12, more))
    quality = quality_of(assembly)
    assert quality.uncertainty[0] == pytest.approx(np.std([1900.0, 1940.0, 1990.0], ddof=1) / np.sqrt(3))
    assert np.isnan(quality.uncertainty[2])  # two reports that agree exactly say nothing about the error
    np.testing.assert_array_equal(quality.reports, [3.0, 1.0, 2.0, *[1.0] * 9])
    assert quality.weightings == ("uncertainty", "repeats")


def test_several_rows_are_as_uncertain_as_the_larger_of_scatter_and_statement(tmp_path: Path) -> None:
    more = "*CC*,1901,40\n*CC(C)(C)*,2350,1\n"
    _, assembly = derived_of(study_of(tmp_path, "± Cp [J/(kg K)]", ["30"] * 12, more))
    quality = quality_of(assembly)
    assert quality.uncertainty[0] == pytest.approx(np.hypot(30.0, 40.0) / 2)  # propagated: 25, scatter: 0.5
    assert quality.uncertainty[1] == pytest.approx(400.0 / 2)  # scatter: 400 / sqrt(2) / sqrt(2)


def test_ranges_and_numbers_of_reports(tmp_path: Path) -> None:
    cells = ["1800,2000,4", "1900,2000,", "2000,2000,3", *["1,1,1"] * 9]
    cells[3:] = [f"{cp:g},{cp:g},1" for cp in CP[3:]]
    _, assembly = derived_of(study_of(tmp_path, "lowest,highest,values_found", cells))
    quality = quality_of(assembly)
    assert quality.uncertainty[0] == pytest.approx(200.0 / 2.0588 / 2.0, rel=1e-4)  # d2 of four values: 2.0588
    assert quality.uncertainty[1] == pytest.approx(100.0 / np.sqrt(12.0))
    assert np.isnan(quality.uncertainty[2:]).all()
    np.testing.assert_array_equal(quality.reports, [4.0, np.nan, 3.0, *[1.0] * 9])


@pytest.mark.parametrize("number", [2, 3, 7, 40, 1000])
def test_the_expected_range_of_normal_values(number: int) -> None:
    """The oracle is the mean of the largest of them, by its density, twice."""
    largest, _ = quad(lambda x: x * number * norm.pdf(x) * norm.cdf(x) ** (number - 1), -10, 10, points=(0, 3))
    assert expected_range(number) == pytest.approx(2 * largest, rel=1e-6)


@pytest.mark.parametrize("log_scale", [True, False])
def test_weights_follow_the_uncertainty_on_the_scale_of_the_fit(tmp_path: Path, log_scale: bool) -> None:
    state = study_of(tmp_path, "± Cp [J/(kg K)]", UNCERTAIN, weighting="uncertainty", log_scale=log_scale)
    derived, assembly = derived_of(state)
    weighing = weigh(assembly, np.arange(12), state.settings)
    relative = KNOWN / CP if log_scale else KNOWN
    relative = np.where(np.isnan(relative), np.nanmedian(relative), relative)
    y, f = (np.log(CP), np.log(MD)) if log_scale else (CP, MD)
    expected = weights_from_uncertainties(y, f, relative, log_scale=False)
    assert weighing.weights is not None
    np.testing.assert_allclose(weighing.weights, expected, rtol=1e-9)
    (note,) = weighing.remarks
    median = f"{100 * np.median(relative):.1f} %" if log_scale else f"{np.median(relative):.0f} J/(kg K)"
    assert "3 of 12 have none" in note
    assert median in note
    assert derived.snapshot.calibration is not None
    assert note in derived.snapshot.calibration.notes


def test_weights_follow_the_number_of_reports(tmp_path: Path) -> None:
    cells = ["9", "", *["1"] * 9, "3"]
    state = study_of(tmp_path, "values_found", cells, weighting="repeats")
    _, assembly = derived_of(state)
    weighing = weigh(assembly, np.arange(2, 12), state.settings)
    np.testing.assert_allclose(weighing.weights, weights_from_repeats([*[1.0] * 9, 3.0]))
    (note,) = weigh(assembly, np.arange(12), state.settings).remarks
    assert "1 of 12 has none and counts as one report" in note


def test_weights_that_no_table_gives_are_said_to_be_equal(tmp_path: Path) -> None:
    for weighting in ("uncertainty", "repeats"):
        state = study_of(tmp_path, "source", ["a"] * 12, weighting=weighting)
        derived, assembly = derived_of(state)
        assert weigh(assembly, np.arange(12), state.settings).weights is None
        assert derived.snapshot.calibration is not None
        assert any(note.startswith("All measured values count the same") for note in derived.snapshot.calibration.notes)


def textbook_affine(Z: np.ndarray, f: np.ndarray, y: np.ndarray, w: np.ndarray, Lambda: np.ndarray) -> np.ndarray:
    """Minimise the weighted objective J of the affine model over beta; the rest by dense normal equations."""
    rows = len(y)

    def inner(beta: float) -> tuple[float, np.ndarray]:
        design = np.column_stack([np.ones(rows), f, -(1 + beta * f)[:, None] * Z])
        penalty = np.zeros((design.shape[1], design.shape[1]))
        penalty[2:, 2:] = Lambda
        theta = np.linalg.solve(design.T @ (w[:, None] * design) + penalty, design.T @ (w * y))
        r = y - design @ theta
        return w @ r**2 + theta @ penalty @ theta + w.sum() * OWN.lambda_beta * beta**2, design @ theta

    best = min(
        (
            minimize(lambda b: inner(b[0])[0], [start], method="Nelder-Mead", options={"xatol": 1e-10, "fatol": 1e-14})
            for start in (-0.5, 0.0, 0.5)
        ),
        key=lambda found: found.fun,
    )
    return inner(float(best.x[0]))[1]


@pytest.mark.parametrize("factor", [1.0, 0.2, 5.0])
@pytest.mark.parametrize("weighting", ["none", "uncertainty"])
def test_the_fit_is_that_of_the_textbook_with_weights_and_block_penalties(
    tmp_path: Path, weighting: str, factor: float
) -> None:
    """Dense normal equations with W and with Lambda of the second block by the factor squared, as both lambdas are."""
    cells = [f"{3 + 25 * (i % 5):g}" for i in range(12)]
    penalties = frozenset({("b", factor)}) if factor != 1.0 else frozenset()
    state = study_of(tmp_path, "± Cp [J/(kg K)]", cells, weighting=weighting, block_penalties=penalties, penalties=OWN)
    derived, _ = derived_of(state)
    calibration = derived.snapshot.calibration
    assert calibration is not None
    w = np.ones(12)
    if weighting == "uncertainty":
        w = weights_from_uncertainties(CP, MD, [float(cell) for cell in cells], log_scale=True)
        assert w.max() > 1.2 * w.min()
    affine = calibration.models["affine"]
    assert affine.coefficients is not None
    Z = (derived.snapshot.descriptors - affine.coefficients.mean) / affine.coefficients.scale
    f = np.log(MD)
    centre = np.average(f, weights=w)
    t = (f - centre) / np.sqrt(np.sum(w * (f - centre) ** 2) / (np.sum(w) - 1))
    M = np.diff(np.eye(sum(SIZES)), axis=0)
    M[SIZES[0] - 1] = 0.0  # the border of the two blocks
    scale = np.repeat([1.0, factor], SIZES)
    Lambda = OWN.lambda_1**2 * np.diag(scale**2) + OWN.lambda_2**2 * (M * scale).T @ (M * scale)
    np.testing.assert_allclose(np.log(affine.fitted), textbook_affine(Z, t, np.log(CP), w, Lambda), rtol=1e-6)


def test_weights_of_whole_numbers_are_repeated_rows(tmp_path: Path) -> None:
    """Fits, not what is learned about held-out polymers: five of one polymer are one polymer there."""
    state = study_of(tmp_path, "values_found", ["1"] * 12, penalties=OWN)
    derived, assembly = derived_of(state)
    described = derived.descriptors
    assert isinstance(described, DescribedLibrary)
    training = training_of(assembly, described, state.settings)
    twice = np.concatenate([training.rows, training.rows[:4]])
    repeated = dataclasses.replace(
        training, rows=twice, library=np.concatenate([training.library, training.library[:4]])
    )
    one = calibrate_study(assembly, described, repeated, state.settings)
    cells = ["3"] * 4 + ["1"] * 8  # 3 / (1 + 2 / 2) = 1.5, against 1
    weighted, other = derived_of(study_of(tmp_path, "values_found", cells, penalties=OWN, weighting="repeats"))
    weights = weigh(other, np.arange(12), Settings(weighting="repeats")).weights
    assert weights is not None
    np.testing.assert_allclose(weights / weights.min(), [1.5] * 4 + [1.0] * 8)
    assert weighted.snapshot.calibration is not None
    by_hand = np.polyfit(np.log(MD), np.log(CP), 1, w=np.sqrt(weights))
    ordinary = weighted.snapshot.calibration.models["ordinary"].parameters
    assert ordinary["alpha_1"].value == pytest.approx(by_hand[0], rel=1e-9)
    rows = np.concatenate([np.arange(12), np.arange(4)])
    by_rows = np.polyfit(np.log(MD)[rows], np.log(CP)[rows], 1)
    assert one.models["ordinary"].parameters["alpha_1"].value == pytest.approx(by_rows[0], rel=1e-9)


def test_other_weights_and_block_penalties_are_calibrated_anew(tmp_path: Path) -> None:
    state = study_of(tmp_path, "± Cp [J/(kg K)]", UNCERTAIN, penalties=OWN)
    before = derive(state, Derived())
    assert before.snapshot.calibration is not None
    for change in ({"weighting": "uncertainty"}, {"block_penalties": frozenset({("a", 3.0)})}):
        after_state = dataclasses.replace(state, settings=dataclasses.replace(state.settings, **change))  # type: ignore[arg-type]
        after = derive(after_state, before).snapshot.calibration
        assert after is not None
        fresh = derive(after_state, Derived()).snapshot.calibration
        assert fresh is not None
        affine = after.models["affine"].fitted
        np.testing.assert_array_equal(affine, fresh.models["affine"].fitted)
        assert np.abs(affine / before.snapshot.calibration.models["affine"].fitted - 1).max() > 1e-6
        assert derive(after_state, derive(after_state, before)).snapshot.calibration is not None


def test_other_penalties_keep_the_weights_and_their_note(tmp_path: Path) -> None:
    state = study_of(tmp_path, "± Cp [J/(kg K)]", UNCERTAIN, weighting="uncertainty", penalties=OWN)
    before = derive(state, Derived())
    moved = dataclasses.replace(state, settings=dataclasses.replace(state.settings, penalties=Penalties(2.0, 9.0, 0.5)))
    refitted, fresh = derive(moved, before).snapshot.calibration, derive(moved, Derived()).snapshot.calibration
    assert refitted is not None
    assert fresh is not None
    np.testing.assert_allclose(refitted.models["affine"].fitted, fresh.models["affine"].fitted, rtol=1e-7)
    assert any("count by their relative uncertainty" in note for note in refitted.notes)
