"""Whether the same data give the same answer: other seeds, rows in another order, other folds, on the bundled examples.

``python -m tests.benchmarks.same_answer [--dealings 8] [--examples heat_capacity density refractive_index]``

The folds of the default protocol are always the same. Printed for each example and linear calibrator is by how many per cent
the calibrated values of the library, and the ends of their 90 % intervals, lie from their mean over so many other dealings
(95th percentile over polymers and dealings); and whether another seed, and rows in another order, give the very same values
and ends. Then which measured values are flagged, and the seconds of one calibration.
"""

from unittest.mock import patch

import numpy as np

from affinecal_gui.calibration import options
from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.calibrators.registry import linear_keys
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import Calibration
from tests.benchmarks.options import Options
from tests.calibration.bundled_examples import SIZES, load_example

ENDS = ("library_lower", "library_upper")
QUICK = {"repetitions": 1, "outer_folds": 3, "lambda_1_grid": (1.0, 10.0), "lambda_2_grid": (1.0, 10.0)}


def calibrated(name: str, dealing: int, seed: int, order: np.ndarray | None, smoke: bool) -> Calibration:
    """Calibrate an example with a dealing and a seed, its measured rows in an order."""
    measured, md, X, library_md, library_X = load_example(name)
    rows = np.arange(len(md)) if order is None else order
    chosen = CalibrationOptions(seed=seed, measure_next=0, **(QUICK if smoke else {}))
    with patch.object(options, "DEALING", dealing):
        return calibrate(measured[rows], md[rows], X[rows], library_md, library_X, SIZES, chosen)


def are_the_same(one: Calibration, other: Calibration, model: str) -> str:
    """Say whether values and ends of intervals agree to the last bit."""
    same = all(
        np.array_equal(getattr(one.models[model], what), getattr(other.models[model], what), equal_nan=True)
        for what in ("library", *ENDS)
    )
    return "the same" if same else "NOT the same"


def away(values: list[np.ndarray]) -> float:
    """Return the 95th percentile of how far values (m,) of several dealings lie from their mean, in per cent."""
    table = np.array(values)
    mean = table.mean(axis=0)
    return 100.0 * float(np.nanquantile(np.abs(table / mean - 1.0), 0.95))


def main() -> None:
    """Print one line for each example and calibrator."""
    parser = Options(__doc__)
    parser.size("--dealings", 8, 2, help="how many")
    parser.size("--examples", ["heat_capacity", "density", "refractive_index"], ["refractive_index"])
    chosen = parser.read()
    for name in chosen.examples:
        found = [calibrated(name, dealing, 0, None, chosen.smoke) for dealing in range(chosen.dealings)]
        n = len(found[0].measured)
        seeded = calibrated(name, 0, 1, None, chosen.smoke)
        turned = calibrated(name, 0, 0, np.random.default_rng(0).permutation(n), chosen.smoke)
        for model in linear_keys():
            if model not in found[0].models:
                continue
            value, lower, upper = (
                away([getattr(one.models[model], what) for one in found]) for what in ("library", *ENDS)
            )
            print(
                f"{name} ({n}) {model:15}: other folds: values {value:.4f} %, ends of intervals {lower:.2f} and {upper:.2f} "
                f"%; another seed: {are_the_same(seeded, found[0], model)}; other order: "
                f"{are_the_same(turned, found[0], model)}",
                flush=True,
            )
        far = [[one.row for one in some.far_values or ()] for some in found]
        seconds = np.median([one.seconds for one in found])
        print(
            f"{name}: flagged rows {far[0]}, the same for all folds: {far.count(far[0]) == len(far)}; {seconds:.2f} s"
        )


if __name__ == "__main__":
    main()
