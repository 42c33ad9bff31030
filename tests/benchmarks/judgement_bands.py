"""How often the intervals of parameters hold a known truth, in the simulated studies of ``judgement.py``."""

import numpy as np

from affinecal_gui.calibration.calibrators.linear.affine import AFFINE
from affinecal_gui.calibration.calibrators.linear.log_difference import LOG_DIFFERENCE
from affinecal_gui.calibration.calibrators.linear.ordinary import ORDINARY
from affinecal_gui.calibration.results import Calibration, Estimate
from tests.benchmarks.judgement_designs import AffineTruth

LARGEST = 0.8
"""Quantile of the size of the true coefficients above which they are the largest."""

HEADS = ("gamma", "largest", "alpha_1", "beta", "none", "clear")


def holds(found: Estimate, true: float) -> float:
    """1 where an interval holds the truth, 0 where it does not, nan where there is none."""
    return float("nan") if np.isnan(found.lower) else float(found.lower <= true <= found.upper)


def band_coverage(found: Calibration, truth: AffineTruth) -> dict[str, list[float]]:
    """By calibrator: shares of gamma and of the largest of them inside, alpha_1, beta inside; no interval of beta; clear.

    gamma is that at the mean MD value: gamma (1 + beta f), in units of what the fit has for it.
    """
    middle = float(np.log(found.md).mean())
    told = {}
    for name in (ORDINARY.key, LOG_DIFFERENCE.key, AFFINE.key):
        result, row = found.models[name], [float("nan")] * len(HEADS)
        own, beta = result.coefficients, result.parameters.get("beta")
        # The difference calibrator has alpha_1 = 1, and only then is its gamma that of the truth.
        if own is not None and (name == AFFINE.key or (truth.alpha_1, truth.beta) == (1.0, 0.0)):
            fitted = 1.0 + (0.0 if beta is None else beta.value * middle)
            true = -own.sign * truth.gamma * own.scale * (1.0 + truth.beta * middle) / fitted
            inside = (own.lower <= true) & (true <= own.upper)
            large = np.abs(true) >= np.quantile(np.abs(true), LARGEST)
            row[0], row[1] = float(inside.mean()), float(inside[large].mean())
            row[5] = float(((own.lower > 0.0) | (own.upper < 0.0)).mean())
        if "alpha_1" in result.parameters and (name == AFFINE.key or not truth.gamma.any()):
            centre = truth.centre if own is None else own.mean
            row[2] = holds(result.parameters["alpha_1"], truth.alpha_1_about(centre))
        if beta is not None:
            row[3], row[4] = holds(beta, truth.beta), float(np.isnan(beta.lower))
        told[name] = row
    return told


def print_bands(rows: dict[str, list[list[float]]]) -> None:
    """Print the mean of many studies, in percent, one line per calibrator."""
    print("  parameters     " + "".join(f"{head:>9}" for head in HEADS))
    for name, values in rows.items():
        columns = np.array(values).T
        mean = [float(np.nanmean(column)) if np.isfinite(column).any() else np.nan for column in columns]
        print(f"  {name:<15}" + "".join(f"{'':>9}" if np.isnan(one) else f"{100 * one:>9.1f}" for one in mean))
