"""What a calibrator without its training polymers gives away of them: an attack does no better than guessing.

The attackers know every candidate: its repeat unit, descriptors and MD value, and the penalties of the fit. Half of the
candidates, dealt at random, are the training set; the others are from the same population, so that an attacker who guesses is
right for one in two. The same attack on what a study knows finds every one of them, which shows that it is an attack.
"""

import csv
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

from affinecal_gui.bundled import resources
from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.calibrators.registry import source_keys
from affinecal_gui.calibration.cross_validation.several_sources import SourceFeatures
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import FloatArray, Penalties
from affinecal_gui.calibration.sharing.coefficients_only import CoefficientsOnly, without_training
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge, to_modes
from affinecal_gui.study.calibrator_files.stored_coefficients import arrays_of_coefficients, facts_of_coefficients
from affinecal_gui.study.calibrator_files.stored_sources import arrays_of_closed_sources
from affinecal_gui.study.describing.describing import FORCE_FIELD, blocks_of, describe_polymers
from affinecal_gui.study.fitting.quantum import CORRECTED, Simulated, quantum_values
from affinecal_gui.study.records.stored_records import to_plain
from affinecal_gui.tables.units.properties import find_property
from tests.calibration.simulated_polymers import FEW_PENALTIES

SPLITS = 6
SIZES = blocks_of(FORCE_FIELD).sizes
GUESSING = (0.35, 0.65)
"""Of the area under the curve, mean of six splits of 60 candidates: 0.5 with a standard deviation of 0.03 by chance; simple
polymers lie nearer to the centre of any training set, measured or not."""


@cache
def polymers() -> list[dict[str, str]]:
    """Return 60 polymers of a bundled example."""
    with (resources() / "examples" / "md_radonpy.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(line for line in file if not line.startswith("#")) if row["Cp"]]
    return rows[::5][:60]


def units() -> list[str]:
    return [row["smiles"] for row in polymers()]


@cache
def corrected() -> FloatArray:
    """Return their MD values without what is classical in them."""
    md, _, _ = candidates()
    simulated = Simulated(units(), md, np.full(len(md), 300.0))
    return quantum_values(find_property("Cp"), simulated, "hydrogen").values


@cache
def candidates() -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return MD values, descriptors, and measured values made from them, of 60 polymers of a bundled example."""
    md = np.array([float(row["Cp"]) for row in polymers()])
    X = describe_polymers(units()).values
    generator = np.random.default_rng(0)
    z = (X - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-9)
    measured = 0.45 * md * np.exp(z @ generator.normal(0.0, 0.015, X.shape[1]) + generator.normal(0.0, 0.08, len(md)))
    return md, X, measured


@cache
def learned(seed: int) -> tuple[np.ndarray, KeptFit]:
    """Return which candidates a calibration has learned from, and its kept fit."""
    md, X, measured = candidates()
    member = np.zeros(len(md), dtype=bool)
    member[np.random.default_rng(seed).permutation(len(md))[: len(md) // 2]] = True
    options = CalibrationOptions(repetitions=1, outer_folds=5, measure_next=0, bands="none", **FEW_PENALTIES)
    further = SourceFeatures((CORRECTED,), corrected()[member, None], corrected()[:0, None])
    made = calibrate(measured[member], md[member], X[member], md[:0], X[:0], SIZES, options, sources=further)
    assert isinstance(made.kept_fit, KeptFit)
    return member, made.kept_fit


def area(score: FloatArray, member: np.ndarray) -> float:
    """Return how often a member scores higher than another candidate: 0.5 is guessing, 1 certainty."""
    yes, no = score[member][:, None], score[~member][None]
    return float((yes > no).mean() + 0.5 * (yes == no).mean())


def solved_for_members(Z: FloatArray, c: FloatArray, penalties: Penalties, caution: float) -> FloatArray:
    """Solve the normal equations of a ridge fit for the residual of every candidate: those of others are nought."""
    penalty = FusedRidge(SIZES, penalties.lambda_1, penalties.lambda_2)
    modes, target = to_modes(np.ascontiguousarray(Z), SIZES), penalty.eigenvalues * to_modes(c[None], SIZES)[0]
    system = np.vstack([modes.T, caution * np.eye(len(Z))])
    return np.abs(np.linalg.lstsq(system, np.append(target, np.zeros(len(Z))), rcond=None)[0])


def together(scores: Sequence[FloatArray]) -> FloatArray:
    """Add up scores of the same candidates, each in units of its own scatter."""
    return np.asarray(sum(one / max(float(one.std()), 1e-300) for one in scores))


def attacks(closed: CoefficientsOnly, penalties: Penalties) -> dict[str, FloatArray]:
    """Return by every attack how likely each candidate is a member."""
    md, X, _ = candidates()
    stored = (X - closed.units.centre) / closed.units.unit
    spread = np.maximum(X.std(axis=0), 1e-9)
    # One of several sources holds what stands in for it as well: attackers take both together.
    held = [closed.coefficients[-1], *([] if closed.sources is None else [closed.sources.coefficients])]
    own, c = (X - X.mean(axis=0)) / spread, held[-1]
    found = closed.apply(md, X, corrected()[:, None])
    tried = {
        "nearness to the centre": -(stored**2).mean(axis=1),
        "narrow interval": -np.log(found.upper / found.lower),
        "inside the range": found.inside.astype(float),
        "along the coefficients": np.abs(stored @ c),
    }
    for caution in (1e-6, 1e-3, 1e-1, 1.0):
        tried[f"solved in units of the file, {caution}"] = together(
            [solved_for_members(stored, c, penalties, caution) for c in held]
        )
        guessed = [c * spread / closed.units.unit for c in held]
        tried[f"solved in guessed units, {caution}"] = together(
            [solved_for_members(own, c, penalties, caution) for c in guessed]
        )
    return tried


@pytest.mark.parametrize("model", ["log_difference", "affine", "combined", "log_difference_sources", "affine_sources"])
def test_no_attack_tells_who_is_in_the_training_set(model: str) -> None:
    found: dict[str, list[float]] = {}
    for seed in range(SPLITS):
        member, kept_fit = learned(seed)
        penalties = kept_fit.fits["affine"].penalties
        assert penalties is not None
        for name, score in attacks(without_training(kept_fit, model), penalties).items():
            found.setdefault(name, []).append(area(score, member))
    for name, areas in found.items():
        assert GUESSING[0] < float(np.mean(areas)) < GUESSING[1], (name, areas)


def test_the_same_attack_on_what_the_study_knows_finds_them() -> None:
    _, X, _ = candidates()
    for seed in range(SPLITS):
        member, kept_fit = learned(seed)
        one = kept_fit.fits["log_difference"]
        assert one.penalties is not None
        score = solved_for_members(kept_fit.everything.scale.apply(X), one.c, one.penalties, 1e-9)
        assert area(score, member) > 0.95


def numbers_in(value: object) -> list[float]:
    if isinstance(value, dict):
        return [number for own in value.values() for number in numbers_in(own)]
    if isinstance(value, list):
        return [number for own in value for number in numbers_in(own)]
    return [float(value)] if isinstance(value, int | float) and not isinstance(value, bool) else []


@pytest.mark.parametrize("model", ["md", "ordinary", "log_difference", "affine", "combined", *source_keys()])
def test_no_stored_number_is_one_of_the_training_set(model: str) -> None:
    md, X, measured = candidates()
    member, kept_fit = learned(0)
    closed = without_training(kept_fit, model)
    of_sources = {} if closed.sources is None else arrays_of_closed_sources(closed.sources)
    stored = np.concatenate(
        [
            np.array(numbers_in(to_plain(facts_of_coefficients(closed)))),
            np.array([] if closed.sources is None else numbers_in(to_plain(closed.sources.form))),
            *(values.ravel() for values in {**arrays_of_coefficients(closed), **of_sources}.values()),
        ]
    )
    stored = np.unique(stored[np.abs(stored) > 1e-9])
    known = (md[member], measured[member], corrected()[member])
    for secret in (*known, *map(np.log, known), X[member].ravel()):
        secret = secret[(np.abs(secret) > 1e-9) & (np.round(secret * 64.0) != secret * 64.0)]
        nearest = np.abs(secret[:, None] / stored[None] - 1.0).min(axis=1)
        assert (nearest > 1e-9).all()


def test_measured_values_are_not_known_better_than_the_calibrator_says() -> None:
    """Whoever has a calibrator can calibrate the MD value of a member; nothing in the file brings them nearer to it."""
    for seed in range(3):
        member, kept_fit = learned(seed)
        md, X, measured = candidates()
        closed = without_training(kept_fit, "affine")
        value = closed.apply(md, X).values
        half = np.log(closed.apply(md, X).upper / value)
        residual = np.log(measured / value)
        error = np.sqrt(np.nanmean(residual[member] ** 2))
        # Scores are sorted: none belongs to anybody, and the best of them for all is no better than none.
        scores = closed.scores / closed.scores[-1]
        shifts = np.concatenate([scores, -scores])
        better = [np.sqrt(np.nanmean((residual - shift * half)[member] ** 2)) for shift in shifts]
        assert min(better) > 0.9 * error
        assert (np.diff(closed.scores) >= 0.0).all()


@pytest.mark.parametrize("model", ["ordinary", "affine", "combined", "affine_sources"])
def test_closed_intervals_hold_new_polymers_as_often_as_they_say(model: str) -> None:
    inside, count = 0, 0
    md, X, measured = candidates()
    for seed in range(SPLITS):
        member, kept_fit = learned(seed)
        found = without_training(kept_fit, model).apply(md[~member], X[~member], corrected()[~member, None])
        known = np.isfinite(found.values)
        held = measured[~member][known]
        inside += int(((found.lower[known] <= held) & (held <= found.upper[known])).sum())
        count += int(known.sum())
    assert count > 150
    assert 0.82 < inside / count < 0.985
