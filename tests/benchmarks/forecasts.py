"""Whether the forecast of an error holds: half of the measured polymers are hidden, and the error with all of them forecast.

``python -m tests.benchmarks.forecasts --md PI1070.csv [--designs ordinary,strong] [--n 40,62,124] [--sets 4]``

``--md`` is RadonPy's table (see ``judgement.py``), designs are those of ``judgement_designs.py``. n polymers are measured, of
which the forecast knows half. What it is asked for is the error of a fit to all n on new polymers, noise and all. The
calibrator is the combined one.

Printed for each design and n: in how many sets the band holds the error, in how many the error lies below and above it; the
mean width of the band (ln of the ratio of its ends); mean and scatter of ln(forecast / true); in how many sets the error is
said to fall, and in how many it did, by more than 1 %. A set takes about two seconds.
"""

import argparse

import numpy as np

from affinecal_gui.calibration.calibrators.linear.combined import COMBINED
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.checking.forecast import forecast_errors
from affinecal_gui.calibration.cross_validation.combined import weights_in_parts
from affinecal_gui.calibration.cross_validation.out_of_fold import fit_all, prepare
from affinecal_gui.calibration.data.problem import CalibrationProblem, pose_problem
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import ErrorForecast
from affinecal_gui.threads import one_thread_each
from tests.benchmarks.judgement_designs import SIZES, Polymers, Sample, sample
from tests.benchmarks.judgement_options import StudyOptions, polymers_of

DESIGNS = ("ordinary", "weak", "strong", "nonlinear", "t3")


def posed(polymers: Polymers, drawn: Sample, rows: np.ndarray, seed: int) -> CalibrationProblem:
    """Return the problem of calibrating these polymers."""
    nothing = np.zeros((0, polymers.X.shape[1]))
    measured, md = np.exp(drawn.y[rows]), np.exp(polymers.f[rows])
    return pose_problem(measured, md, polymers.X[rows], np.zeros(0), nothing, SIZES, CalibrationOptions(seed=seed))


def true_error(polymers: Polymers, drawn: Sample, rows: np.ndarray, seed: int, model: str) -> float:
    """Return what a fit to these polymers errs on new ones, target scale."""
    problem = posed(polymers, drawn, rows, seed)
    everything = prepare(problem, np.arange(len(rows)), (seed, 3), final=True)
    fits, _ = fit_all(problem, [everything], thin=False)
    f, Z = polymers.f[drawn.others], everything.scale.apply(polymers.X[drawn.others])
    members = calibrator(model).combines or (model,)
    weights = np.ones(1)
    if calibrator(model).combines:
        weights = weights_in_parts(model, [everything], problem.groups, fits)[0]
    value = sum(w * fits[name][0].predict(f, Z) for w, name in zip(weights, members, strict=True))
    return float(np.sqrt(np.mean((value - drawn.y[drawn.others]) ** 2)))


def forecast(polymers: Polymers, drawn: Sample, seed: int) -> ErrorForecast:
    """Forecast from the first half of the measured polymers."""
    return forecast_errors(posed(polymers, drawn, drawn.measured[: len(drawn.measured) // 2], seed), COMBINED.key)


def run(polymers: Polymers, name: str, n: int, seeds: range, others: int) -> np.ndarray:
    """Return (sets, 6): inside, below, above, width, ln(forecast / true), said to fall, fell."""
    rows = []
    for seed in seeds:
        drawn = sample(name, polymers, n, others, seed)
        found = forecast(polymers, drawn, seed)
        true = true_error(polymers, drawn, drawn.measured, seed, found.model)
        before = true_error(polymers, drawn, drawn.measured[: n // 2], seed, found.model)
        value, lower, upper = found.at(n)
        inside = [lower <= true <= upper, true < lower, true > upper]
        rows.append([*inside, np.log(upper / lower), np.log(value / true), found.falls, true < 0.99 * before])
    return np.array(rows, dtype=np.float64)


def show(title: str, rows: np.ndarray) -> None:
    """Print one line."""
    inside, below, above, width, off, said, fell = rows.T
    print(
        f"{title:<18}{int(inside.sum()):>4} of {len(rows):<4}{int(below.sum()):>6}{int(above.sum()):>6}{width.mean():>8.2f}"
        f"{off.mean():>8.2f} ± {off.std():.2f}{int(said.sum()):>7}{int(fell.sum()):>6}{int((said * fell).sum()):>6}"
    )


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = StudyOptions(__doc__, designs=(",".join(DESIGNS), "ordinary"), numbers=("40,62,124", "40"), sets=(4, 1))
    parser.size("--first", 0, 0, help="number of the first set")
    parser.size("--others", 400, 40, help="new polymers of each study")
    return parser.read()


def main() -> None:
    """Print a line for each design and number of measured polymers, and one for all."""
    told = arguments()
    polymers = polymers_of(told)
    print(
        f"{'':<18}{'inside':>12}{'below':>6}{'above':>6}{'width':>8}{'ln(forecast/true)':>15}{'falls: said, fell, both':>22}"
    )
    every = []
    with one_thread_each(1):
        for name in told.designs.split(","):
            for n in map(int, told.n.split(",")):
                rows = run(polymers, name, n, range(told.first, told.first + told.sets), told.others)
                show(f"{name}, {n // 2} of {n}", rows)
                every.append(rows)
    show("all", np.concatenate(every))


if __name__ == "__main__":
    main()
