"""What the user should know about a calibration, in sentences."""

import numpy as np

from affinecal_gui.calibration.bootstrap import einstein_p_value
from affinecal_gui.calibration.comparison import title
from affinecal_gui.calibration.intervals import guaranteed_coverage, level_within_reach
from affinecal_gui.calibration.out_of_fold import PENALISED
from affinecal_gui.calibration.workings import Workings

SYMBOLS = {"lambda_1": "λ₁", "lambda_2": "λ₂"}


def notes_of(workings: Workings) -> tuple[str, ...]:
    """Collect the remarks: about the data, the penalties, the intervals, and the physics."""
    problem, options = workings.problem, workings.problem.options
    level, n = options.interval_level, problem.polymers
    folds = int(workings.held_out.fold.max()) + 1
    notes = list(problem.notes)
    for model in PENALISED:
        surface = workings.surfaces.get(model)
        if surface is not None and surface.on_edge:
            which = " and ".join(SYMBOLS[name] for name in surface.on_edge)
            notes.append(
                f"The best {which} of the {title(model, options.log_scale)} model "
                f"{'lies' if len(surface.on_edge) == 1 else 'lie'} on the edge of the grid; a wider grid may predict better."
            )
    convergence = workings.fits["affine"].convergence
    if convergence is not None and not convergence.converged:
        notes.append("The affine fit has not converged; larger penalties make it easier.")
    if folds < options.outer_folds:
        notes.append(f"{n} polymers make {folds} folds, not {options.outer_folds}.")
    repetitions = len(workings.held_out.fold)
    if repetitions < options.repetitions:
        notes.append(
            f"With {n} polymers {'one repetition' if repetitions == 1 else f'{repetitions} repetitions'} of the held-out "
            f"checks {'is' if repetitions == 1 else 'are'} enough."
        )
    if level > level_within_reach(n):
        notes.append(
            f"The residuals of {n} polymers can support intervals of up to {100 * level_within_reach(n):.0f} %, not "
            f"{100 * level:g} %; the largest residual is used."
        )
    notes.append(
        f"Intervals of {100 * level:g} %: that share of the measured polymers lies inside by construction. For other "
        f"polymers of the same kind it is about {100 * level:g} % in simulations, and proven to be at least "
        f"{100 * guaranteed_coverage(level, n, folds):.0f} %."
    )
    if options.log_scale and "affine" in workings.draws:
        affine = workings.fits["affine"]
        p = einstein_p_value(affine, workings.draws["affine"])
        if np.isfinite(p):
            verdict = "agree" if p >= 1.0 - level else "do not agree"
            notes.append(
                f"α₁ = {affine.alpha_1:.2f} and β = {affine.beta:.3f} {verdict} with a bias that does not depend on the MD "
                f"value (α₁ = 1, β = 0; for heat capacities this is Einstein's theory), p = {p:.2g}."
            )
    return tuple(notes)
