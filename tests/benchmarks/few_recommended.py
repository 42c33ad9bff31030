"""What is recommended with few measured heat capacities, against the quantum-corrected MD value that needs none.

Run by hand: ``python -m tests.benchmarks.few_recommended [--draws 400] [--sizes 4 8 12 20 40]``. So many polymers of the
bundled heat-capacity example are drawn, the same for a size whatever the others, calibrated, and all others predicted by the
calibrator that is recommended. The aim is an error that is on average at most 1.02 times that of the corrected values. Fewer
than eight polymers are not calibrated, and the corrected values are all there is.
"""

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

from tests.benchmarks.options import Options

EXAMPLES = Path(__file__).resolve().parents[2] / "resources" / "examples"
AIM = 1.02


def main() -> int:
    """Print a line for every size; returns the exit status."""
    options = Options(__doc__)
    options.size("--draws", 400, 1)
    options.size("--sizes", [4, 8, 12, 20, 40], [4, 8])
    chosen = options.read()
    from affinecal_gui.calibration.calibrate import calibrate
    from affinecal_gui.calibration.calibrators.quantum_corrected import QUANTUM_CORRECTED
    from affinecal_gui.calibration.cross_validation.given_values import GivenValues
    from affinecal_gui.calibration.cross_validation.several_sources import SourceFeatures
    from affinecal_gui.calibration.data.problem import FEWEST_POLYMERS
    from affinecal_gui.study.data.assembly import assemble
    from affinecal_gui.study.fitting.calibrating import (
        calibration_options,
        describe_library,
        quantum_library,
        training_of,
    )
    from affinecal_gui.study.fitting.quantum import CORRECTED
    from affinecal_gui.tasks.reading.data_files import DataFiles, read_study

    state, _ = read_study(DataFiles(EXAMPLES / "heat_capacity_measured.csv", EXAMPLES / "md_radonpy.csv"))
    settings = replace(state.settings, log_scale=True)
    assembly = assemble(state.tables, state.quantity, settings.matching)
    described = describe_library(assembly)
    training = training_of(assembly, described, settings)
    quantum = quantum_library(assembly, training, settings)
    assert quantum is not None
    measured, md = assembly.measured[training.rows], assembly.library_md[training.library]
    descriptors, corrected = described.values[training.library], quantum.values[training.library]
    chosen_options = replace(calibration_options(described, settings), bands="none", measure_next=0)
    worst = 0.0
    print(f"{'measured':>8}{'recommended':>13}{'corrected':>11}{'ratio':>8}           how often which")
    for size in chosen.sizes:
        if size < FEWEST_POLYMERS:
            print(f"{size:>8}   no calibration: the corrected values stand", flush=True)
            continue
        generator = np.random.default_rng(0)
        errors: list[tuple[float, float]] = []
        counts: Counter[str] = Counter()
        for _ in range(chosen.draws):
            drawn = generator.choice(len(measured), int(size), replace=False)
            rest = np.setdiff1d(np.arange(len(measured)), drawn)
            calibration = calibrate(
                measured[drawn],
                md[drawn],
                descriptors[drawn],
                md[rest],
                descriptors[rest],
                described.blocks.sizes,
                chosen_options,
                given={QUANTUM_CORRECTED.key: GivenValues(corrected[drawn], corrected[rest])},
                sources=SourceFeatures((CORRECTED,), corrected[drawn][:, None], corrected[rest][:, None]),
            )
            model = calibration.recommendation.recommended
            counts[model] += 1
            off = [np.log(calibration.models[name].library / measured[rest]) for name in (model, QUANTUM_CORRECTED.key)]
            own, known = (float(np.sqrt(np.nanmean(one**2))) for one in off)
            errors.append((own, known))
        own, known = np.mean(errors, axis=0)
        worst = max(worst, own / known)
        sure = float(np.std(np.diff(errors, axis=1)) / np.sqrt(len(errors)) / known)
        print(f"{size:>8}{own:13.4f}{known:11.4f}{own / known:8.3f} ± {sure:.3f}   {dict(counts)}", flush=True)
    return 0 if worst <= AIM or chosen.smoke else 1


if __name__ == "__main__":
    sys.exit(main())
