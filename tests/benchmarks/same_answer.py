"""Whether the same data give the same answer: other seeds and other orders of rows, on the three bundled examples.

``python -m tests.benchmarks.same_answer [--seeds 8] [--examples heat_capacity density refractive_index]``

Printed for each example and linear calibrator: by how many per cent the calibrated values of the library lie from their mean
over the seeds, and the ends of their 90 % intervals (95th percentile over polymers and seeds); and whether rows in another
order give the very same values. Then which measured values are flagged, and the seconds of one calibration.
"""

import numpy as np

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.calibrators.registry import linear_keys
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import Calibration
from tests.benchmarks.options import Options
from tests.calibration.bundled_examples import SIZES, load_example

QUICK = {"repetitions": 1, "outer_folds": 3, "lambda_1_grid": (1.0, 10.0), "lambda_2_grid": (1.0, 10.0)}


def calibrated(name: str, seed: int, order: np.ndarray | None, smoke: bool) -> Calibration:
    """Calibrate an example with a seed, its measured rows in an order."""
    measured, md, X, library_md, library_X = load_example(name)
    rows = np.arange(len(md)) if order is None else order
    options = CalibrationOptions(seed=seed, measure_next=0, **(QUICK if smoke else {}))
    return calibrate(measured[rows], md[rows], X[rows], library_md, library_X, SIZES, options)


def away(values: list[np.ndarray]) -> float:
    """Return the 95th percentile of how far values (m,) of several seeds lie from their mean, in per cent."""
    table = np.array(values)
    mean = table.mean(axis=0)
    return 100.0 * float(np.nanquantile(np.abs(table / mean - 1.0), 0.95))


def main() -> None:
    """Print one line for each example and calibrator."""
    parser = Options(__doc__)
    parser.size("--seeds", 8, 2, help="how many")
    parser.size("--examples", ["heat_capacity", "density", "refractive_index"], ["refractive_index"])
    chosen = parser.read()
    for name in chosen.examples:
        found = [calibrated(name, seed, None, chosen.smoke) for seed in range(chosen.seeds)]
        n = len(found[0].measured)
        turned = calibrated(name, 0, np.random.default_rng(0).permutation(n), chosen.smoke)
        for model in linear_keys():
            if model not in found[0].models:
                continue
            ends = [getattr(one.models[model], end) for end in ("library_lower", "library_upper") for one in found]
            value, lower, upper = (
                away(some)
                for some in (
                    [one.models[model].library for one in found],
                    ends[: len(found)],
                    ends[len(found) :],
                )
            )
            same = all(
                np.array_equal(
                    getattr(turned.models[model], what), getattr(found[0].models[model], what), equal_nan=True
                )
                for what in ("library", "library_lower", "library_upper")
            )
            print(
                f"{name} ({n}) {model:15}: values {value:.4f} %, ends of intervals {lower:.2f} and {upper:.2f} %; "
                f"other order: {'the same' if same else 'NOT the same'}",
                flush=True,
            )
        far = [[one.row for one in some.far_values or ()] for some in found]
        seconds = np.median([one.seconds for one in found])
        print(
            f"{name}: flagged rows {far[0]}, the same for all seeds: {far.count(far[0]) == len(far)}; {seconds:.2f} s"
        )


if __name__ == "__main__":
    main()
