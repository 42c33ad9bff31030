"""Whether intervals still hold after polymers were measured because they were suggested.

``python -m tests.benchmarks.after_suggestions --md PI1070.csv [--designs weak,strong] [--n 20] [--sets 8]
[--first 40]``

``--md`` is RadonPy's table (see ``judgement.py``). n of n + 200 polymers are measured, and three times the five that are
suggested. Printed for each design is in how many per cent the 90 % intervals of the recommended calibrator hold what
measuring the remaining polymers gives: before, and after the three rounds, with standard errors over the sets.
"""

import numpy as np

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import Calibration
from tests.benchmarks.judgement_designs import SIZES, Polymers, Sample, sample
from tests.benchmarks.judgement_options import StudyOptions, polymers_of

ROUNDS = 3
AT_ONCE = 5
OTHERS = 200


def calibrated(
    polymers: Polymers, drawn: Sample, measured: np.ndarray, rest: np.ndarray, suggested: int
) -> Calibration:
    """Calibrate what is measured; the library is the rest."""
    options = CalibrationOptions(interval_level=0.9, bands="none", measure_next=suggested)
    f, X = polymers.f, polymers.X
    return calibrate(
        np.exp(drawn.y[measured]), np.exp(f[measured]), X[measured], np.exp(f[rest]), X[rest], SIZES, options
    )


def held(found: Calibration, new: np.ndarray) -> float:
    """Return the share of new values (m,) on the target scale inside the intervals of the recommended calibrator."""
    result = found.models[found.recommendation.recommended]
    return float(np.mean((new >= np.log(result.library_lower)) & (new <= np.log(result.library_upper))))


def before_and_after(polymers: Polymers, design: str, n: int, seed: int) -> tuple[float, float]:
    """Return the shares before any suggestion was followed, and after all rounds."""
    drawn = sample(design, polymers, n, OTHERS, seed)
    measured, rest = drawn.measured, drawn.others
    found = calibrated(polymers, drawn, measured, rest, AT_ONCE)
    before = held(found, drawn.y[rest])
    for turn in range(ROUNDS):
        chosen = np.array([one.library_index for one in found.measure_next])
        measured, rest = np.concatenate([measured, rest[chosen]]), np.delete(rest, chosen)
        found = calibrated(polymers, drawn, measured, rest, AT_ONCE if turn < ROUNDS - 1 else 0)
    return before, held(found, drawn.y[rest])


def main() -> None:
    """Print a line for each design and number of polymers."""
    parser = StudyOptions(__doc__, designs=("ordinary,weak,strong", "strong"), numbers=("20", "12"), sets=(8, 2))
    parser.add_argument("--first", type=int, default=40, help="number of the first set")
    told = parser.read()
    polymers = polymers_of(told)
    print(f"{'':16}{'before':>14}{'after':>14}")
    for design in told.designs.split(","):
        for n in map(int, told.n.split(",")):
            found = 100 * np.array(
                [before_and_after(polymers, design, n, told.first + one) for one in range(told.sets)]
            )
            mean, sure = found.mean(axis=0), found.std(axis=0, ddof=1) / np.sqrt(len(found))
            print(
                f"{design:13}{n:3d}" + "".join(f"{a:8.1f} ± {b:.1f}" for a, b in zip(mean, sure, strict=True)),
                flush=True,
            )


if __name__ == "__main__":
    main()
