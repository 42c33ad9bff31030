"""The linear calibrators with several source features in the place of the MD value, one record each.

They are the forms of :mod:`affinecal_gui.calibration.calibrators.linear`, with a weight for each source; which sources are
taken is chosen by held-out error. Where a polymer lacks a source, the calibrator of the MD value alone stands in.
"""

from dataclasses import replace

from affinecal_gui.calibration.calibrators.calibrator import Calibrator, Equation
from affinecal_gui.calibration.calibrators.linear.affine import AFFINE
from affinecal_gui.calibration.calibrators.linear.log_difference import LOG_DIFFERENCE
from affinecal_gui.calibration.calibrators.linear.ordinary import ORDINARY
from affinecal_gui.calibration.calibrators.parameters import ALPHA_0, ALPHA_K, BETA_OF_MEAN, INTERCEPT

_CHOSEN = "Which of the sources it takes is chosen by held-out error."

ORDINARY_SOURCES = replace(
    ORDINARY,
    key="ordinary_sources",
    role="copper",
    name="ordinary, sources",
    name_in_sentence="ordinary regression on several sources",
    short_title="Ord., sources",
    equation="y = α₀ + Σ αₖ fₖ",
    explanation=f"A straight line with a weight for each source: MD, quantum-corrected MD, further tables. {_CHOSEN}",
    linear=None,
    one_source=ORDINARY.key,
    parameters=(ALPHA_0, ALPHA_K),
    report_equation=Equation(
        "Ordinary, several sources",
        r"$y = \alpha_0 + \sum_k \alpha_k f_k$",
        "<i>y</i> = <i>α</i><sub>0</sub> + Σ<sub><i>k</i></sub> <i>α</i><sub><i>k</i></sub> <i>f</i><sub><i>k</i></sub>",
    ),
)

LOG_DIFFERENCE_SOURCES = replace(
    LOG_DIFFERENCE,
    key="log_difference_sources",
    role="moss",
    name="log-diff., sources",
    name_on_linear_scale="difference, sources",
    name_in_sentence="the difference from several sources",
    short_title="Diff., sources",
    equation="y = Σ αₖ fₖ + c + xᵀγ, Σ αₖ = 1",
    explanation="The difference between the measured value and a weighted mean of the sources, predicted from the "
    f"descriptors. {_CHOSEN}",
    linear=None,
    one_source=LOG_DIFFERENCE.key,
    penalties=(),
    parameters=(INTERCEPT, ALPHA_K),
    report_equation=Equation(
        "",
        r"$y = \sum_k \alpha_k f_k + c + x^\mathrm{T}\gamma, \quad \sum_k \alpha_k = 1$",
        "<i>y</i> = Σ<sub><i>k</i></sub> <i>α</i><sub><i>k</i></sub> <i>f</i><sub><i>k</i></sub> + <i>c</i> + "
        "<i>x</i><sup>T</sup><i>γ</i>, Σ<sub><i>k</i></sub> <i>α</i><sub><i>k</i></sub> = 1",
    ),
)

AFFINE_SOURCES = replace(
    AFFINE,
    key="affine_sources",
    role="navy",
    name="affine, sources",
    name_in_sentence="affine on several sources",
    short_title="Affine, sources",
    equation="y = α₀ + Σ αₖ fₖ − (1 + β f̄) xᵀγ",
    explanation=f"As affine, with a weight for each source; f̄ is the mean of the sources that are taken. {_CHOSEN}",
    linear=None,
    one_source=AFFINE.key,
    penalties=(),
    parameters=(ALPHA_0, ALPHA_K, BETA_OF_MEAN),
    report_equation=Equation(
        "Affine, several sources",
        r"$y = \alpha_0 + \sum_k \alpha_k f_k - (1 + \beta \bar{f})\; x^\mathrm{T}\gamma$",
        "<i>y</i> = <i>α</i><sub>0</sub> + Σ<sub><i>k</i></sub> <i>α</i><sub><i>k</i></sub> <i>f</i><sub><i>k</i></sub> "
        "− (1 + <i>β</i> <i>f̄</i>) <i>x</i><sup>T</sup><i>γ</i>",
    ),
)

SEVERAL_SOURCES: tuple[Calibrator, ...] = (ORDINARY_SOURCES, LOG_DIFFERENCE_SOURCES, AFFINE_SOURCES)
"""Simplest first."""
