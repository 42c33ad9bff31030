"""How often bands of coefficients and intervals of parameters hold a known truth, in many simulated studies.

``python -m tests.benchmarks.band_coverage --md PI1070.csv [--designs strong,weak] [--n 12,20,62] [--sets 200] [--first 100]
[--known]``

The studies, and what is printed of them, are those of ``judgement.py``, with standard errors over sets; the last lines of a
number of polymers are about the sets of all designs with a correction within the range. Bands follow from the fit to all
polymers, so that as few as can be are held out, and a set takes a third of that time; ordinary regression, whose scatter is
that of held-out residuals, is left out. ``--known`` takes the penalties that were chosen as known, as it is done where they
are set by hand.
"""

import argparse

import numpy as np

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.calibrators.linear.ordinary import ORDINARY
from affinecal_gui.calibration.calibrators.registry import penalised_keys
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.refit import refit
from affinecal_gui.calibration.results import Calibration
from tests.benchmarks.judgement_bands import band_coverage, print_bands
from tests.benchmarks.judgement_designs import DESIGNS, SIZES, Polymers, sample
from tests.benchmarks.judgement_options import StudyOptions, polymers_of

FEW_HELD_OUT = CalibrationOptions(measure_next=0, repetitions=1, outer_folds=2)
HELD_OUT = CalibrationOptions(measure_next=0, repetitions=1)

Rows = dict[str, list[list[float]]]


def fitted(polymers: Polymers, rows: np.ndarray, y: np.ndarray, *, known: bool) -> Calibration:
    """Calibrate one simulated study, and fit it again with its own penalties if these are to be taken as known."""
    X, f = polymers.X[rows], polymers.f[rows]
    found = calibrate(np.exp(y), np.exp(f), X, f[:0], X[:0], SIZES, HELD_OUT if known else FEW_HELD_OUT)
    chosen = {name: found.models[name].penalties for name in penalised_keys()}
    return refit(found, {name: one for name, one in chosen.items() if one is not None}) if known else found


def studies(polymers: Polymers, design: str, n: int, sets: range, *, known: bool) -> Rows:
    """Return by calibrator what the bands of each set hold."""
    rows: Rows = {}
    for seed in sets:
        drawn = sample(design, polymers, n, 0, seed)
        assert drawn.line is not None
        found = fitted(polymers, drawn.measured, drawn.y[drawn.measured], known=known)
        for name, row in band_coverage(found, drawn.line).items():
            if name != ORDINARY.key:
                rows.setdefault(name, []).append(row)
    return rows


def arguments() -> argparse.Namespace:
    """Read the command line."""
    usual = "strong,weak,alpha06,coupled,t3,heteroscedastic,ordinary"
    parser = StudyOptions(__doc__, designs=(usual, "strong,ordinary"), numbers=("12,20,62", "12"), sets=(200, 1))
    parser.add_argument(
        "--first", type=int, default=100, help="number of the first set; the prior was chosen by others"
    )
    parser.add_argument("--known", action="store_true", help="take penalties as known")
    return parser.read()


def main() -> None:
    """Print one block for each number of measured polymers and design, and one for all designs with a correction."""
    told = arguments()
    polymers = polymers_of(told)
    sets = range(told.first, told.first + told.sets)
    for n in map(int, told.n.split(",")):
        together: Rows = {}
        for design in told.designs.split(","):
            if n not in DESIGNS[design].numbers:
                continue
            rows = studies(polymers, design, n, sets, known=told.known)
            print(f"\n{design}, n = {n}, {len(sets)} sets")
            print_bands(rows)
            if design != "ordinary" and not DESIGNS[design].extrapolates:
                for name, own in rows.items():
                    together.setdefault(name, []).extend(own)
        print(f"\nall with a correction within the range, n = {n}", flush=True)
        print_bands(together)


if __name__ == "__main__":
    main()
