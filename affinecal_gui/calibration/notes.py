"""What the user should know about a calibration, in sentences."""

import numpy as np

from affinecal_gui.calibration.comparison import title
from affinecal_gui.calibration.intervals import guaranteed_coverage, level_within_reach
from affinecal_gui.calibration.out_of_fold import PENALISED
from affinecal_gui.calibration.parameter_bands import einstein_p_value, measurement_scatter, share_of_the_penalty
from affinecal_gui.calibration.workings import Workings

MOSTLY = 0.8
"""From this share on the penalty of beta is worth a remark."""

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
    if options.bands == "posterior":
        notes += _physics(workings)
    return tuple(notes)


def _physics(workings: Workings) -> list[str]:
    """Say what the parameters of the affine model allow to conclude."""
    problem, one, part = workings.problem, workings.fits["affine"], workings.everything.part
    scatter = measurement_scatter(problem.y, workings.held_out.models["affine"])
    notes = []
    p = einstein_p_value(one, part, scatter, problem.polymers)
    if np.isfinite(p):
        agrees = p >= 1.0 - problem.options.interval_level
        notes.append(
            f"α₁ = {one.alpha_1:.2f} and β = {one.beta:.2g} {'agree' if agrees else 'do not agree'} with α₁ = 1 and β = 0"
            f"{', the form that Einstein’s theory gives to heat capacities' if problem.options.log_scale else ''} "
            f"(p = {p:.2g})."
        )
    if len(one.c):
        share = share_of_the_penalty(one, part)
        if share > MOSTLY:
            notes.append(
                f"{100 * share:.0f} % of what is known about β is its penalty λ_β, not the measurements: read β as small, "
                f"not as measured."
            )
    return notes
