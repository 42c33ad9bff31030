"""How well calibrators predict new polymers by several rules that choose their penalties.

``python -m tests.benchmarks.penalty_choice --md PI1070.csv [--designs strong,ordinary] [--n 12,20,62] [--sets 20]``

Simulated measurements of real polymers as in ``judgement.py``. Printed for each design and n, and for log-difference and
affine: the root mean square error of the values of new polymers against the noise-free truth, mean over sets, with penalties
at the lowest held-out error, by the mean that held-out errors alone weigh, and by that which the restricted likelihood
weighs as well; and the difference of the last two with its standard error. Up to 100 polymers each is held out alone.
"""

import argparse
from dataclasses import replace

import numpy as np

from affinecal_gui.calibration.calibrators.fitted import fit_calibrator
from affinecal_gui.calibration.calibrators.linear.affine import AFFINE
from affinecal_gui.calibration.calibrators.linear.log_difference import LOG_DIFFERENCE
from affinecal_gui.calibration.calibrators.training import training_part
from affinecal_gui.calibration.cross_validation.choosing_penalties import choose_penalties, penalties_from
from affinecal_gui.calibration.cross_validation.penalty_search import chosen_penalties
from affinecal_gui.calibration.data.scale import learn_scale
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.threads import one_thread_each
from tests.benchmarks.judgement_designs import DESIGNS, SIZES, Polymers, Sample, sample
from tests.benchmarks.judgement_options import StudyOptions, polymers_of

MODELS = (LOG_DIFFERENCE.key, AFFINE.key)
RULES = ("lowest", "held-out errors", "and likelihood")


def errors(polymers: Polymers, drawn: Sample) -> list[list[float]]:
    """Root mean square errors of one set, by calibrator and rule."""
    rows, new, options = drawn.measured, drawn.others, CalibrationOptions()
    scale = learn_scale(polymers.X[rows], SIZES)
    part = training_part(drawn.y[rows], polymers.f[rows], scale.apply(polymers.X[rows]), SIZES, None, options.log_scale)
    groups, n = np.arange(len(rows)), len(rows)
    first, second = np.array(options.lambda_1), np.array(options.lambda_2)
    pairs = [part.ridge(a, b) for a in first for b in second]
    found = choose_penalties(part, groups, (groups,), options, MODELS, first, second, pairs)
    told = []
    for model in MODELS:
        searched = found[model]
        alone = replace(searched, log_likelihood=None)
        rules = (
            chosen_penalties(searched.surface, options.lambda_beta),
            penalties_from(alone, part, n, options),
            penalties_from(searched, part, n, options),
        )
        values = (
            fit_calibrator(model, part, own).predict(polymers.f[new], scale.apply(polymers.X[new])) for own in rules
        )
        told.append([float(np.sqrt(np.mean((value - drawn.truth[new]) ** 2))) for value in values])
    return told


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = StudyOptions(
        __doc__, designs=("strong,weak,ordinary,t3,nonlinear", "strong"), numbers=("12,20,62", "12"), sets=(20, 1)
    )
    parser.size("--others", 400, 40, help="new polymers of each study")
    return parser.read()


def main() -> None:
    """Print one line for each design, number of measured polymers and calibrator."""
    told = arguments()
    polymers = polymers_of(told)
    print(f"{'design, n':<28}" + "".join(f"{rule:>17}" for rule in RULES) + f"{'change':>20}")
    with one_thread_each(1):
        for design in told.designs.split(","):
            for n in map(int, told.n.split(",")):
                if n not in DESIGNS[design].numbers:
                    continue
                found = np.array(
                    [errors(polymers, sample(design, polymers, n, told.others, seed)) for seed in range(told.sets)]
                )
                for model, own in zip(MODELS, found.transpose(1, 0, 2), strict=True):
                    change = own[:, 2] - own[:, 1]
                    sure = np.std(change, ddof=1) / np.sqrt(len(change)) if len(change) > 1 else float("nan")
                    print(
                        f"{f'{design}, {n}, {model}':<28}"
                        + "".join(f"{one:>17.4f}" for one in own.mean(axis=0))
                        + f"{change.mean():>11.4f} ± {sure:.4f}",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
