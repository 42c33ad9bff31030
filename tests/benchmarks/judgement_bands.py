"""How often the intervals of parameters hold a known truth, in the simulated studies of ``judgement.py``."""

import numpy as np

from affinecal_gui.calibration.calibrators.linear.affine import AFFINE
from affinecal_gui.calibration.calibrators.linear.combined import COMBINED
from affinecal_gui.calibration.calibrators.linear.log_difference import LOG_DIFFERENCE
from affinecal_gui.calibration.calibrators.linear.ordinary import ORDINARY
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.results import Calibration, Estimate
from affinecal_gui.calibration.uncertainty.parameter_bands import einstein_p_value
from tests.benchmarks.judgement_designs import AffineTruth

LARGEST = 0.8
"""Quantile of the size of coefficients above which they are the largest."""

REJECTED_BELOW = 0.1

HEADS = ("gamma", "largest", "shown", "alpha_0", "alpha_1", "beta", "none", "clear", "F test")


def holds(found: Estimate, true: float) -> float:
    """1 where an interval holds the truth, 0 where it does not, nan where there is none."""
    return float("nan") if np.isnan(found.lower) else float(found.lower <= true <= found.upper)


def band_coverage(found: Calibration, truth: AffineTruth) -> dict[str, list[float]]:
    """By calibrator: how often bands hold the truth, in the order of :data:`HEADS`.

    gamma: all of them; "largest" those that are truly the largest, "shown" those whose estimates are; alpha_0, alpha_1, beta;
    studies without an interval of beta; the share of gamma clear of zero; where Einstein's theory is true, studies in which
    the F test rejects it at 10 %. gamma is that at the mean MD value, gamma (1 + beta f), in units of the fit.
    """
    middle = float(np.log(found.md).mean())
    told = {}
    for name in (ORDINARY.key, LOG_DIFFERENCE.key, AFFINE.key, COMBINED.key):
        result, row = found.models[name], dict.fromkeys(HEADS, float("nan"))
        own, beta = result.coefficients, result.parameters.get("beta")
        # Those of which the difference calibrator is a part have alpha_1 = 1, and only then is their gamma that of the truth.
        if own is not None and (name == AFFINE.key or (truth.alpha_1, truth.beta) == (1.0, 0.0)):
            fitted = 1.0 + (0.0 if beta is None else beta.value * middle)
            true = -own.sign * truth.gamma * own.scale * (1.0 + truth.beta * middle) / fitted
            inside = (own.lower <= true) & (true <= own.upper)
            row["gamma"] = float(inside.mean())
            for head, size in (("largest", np.abs(true)), ("shown", np.abs(own.gamma))):
                row[head] = float(inside[size >= np.quantile(size, LARGEST)].mean())
            row["clear"] = float(((own.lower > 0.0) | (own.upper < 0.0)).mean())
        if "alpha_1" in result.parameters and (name == AFFINE.key or not truth.gamma.any()):
            centre = truth.centre if own is None else own.mean
            row["alpha_0"] = holds(result.parameters["alpha_0"], truth.alpha_0_about(centre))
            row["alpha_1"] = holds(result.parameters["alpha_1"], truth.alpha_1_about(centre))
        if beta is not None:
            row["beta"], row["none"] = holds(beta, truth.beta), float(np.isnan(beta.lower))
        if name == AFFINE.key and (truth.alpha_1, truth.beta) == (1.0, 0.0):
            row["F test"] = float(_einstein(found) < REJECTED_BELOW)
        told[name] = list(row.values())
    return told


def _einstein(found: Calibration) -> float:
    kept_fit = found.kept_fit
    assert isinstance(kept_fit, KeptFit)
    return einstein_p_value(kept_fit.fits[AFFINE.key], kept_fit.left_open[AFFINE.key], kept_fit.problem.polymers)


def print_bands(rows: dict[str, list[list[float]]]) -> None:
    """Print the mean of many studies and its standard error, in percent, one line per calibrator."""
    print("  parameters     " + "".join(f"{head:>14}" for head in HEADS))
    for name, values in rows.items():
        print(f"  {name:<15}" + "".join(f"{_mean(column):>14}" for column in np.array(values).T))


def _mean(values: np.ndarray) -> str:
    known = 100.0 * values[np.isfinite(values)]
    if not len(known):
        return ""
    error = f" ± {np.std(known, ddof=1) / np.sqrt(len(known)):.1f}" if len(known) > 1 else ""
    return f"{known.mean():.1f}{error}"
