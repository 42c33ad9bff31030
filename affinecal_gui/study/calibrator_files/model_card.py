"""The model card of a calibrator file: what it is, from which data, how good it is, and where it must not be used."""

from collections.abc import Sequence

import numpy as np

from affinecal_gui.calibration.calibrators.registry import RAW, calibrator
from affinecal_gui.calibration.names import calibrator_in_sentence, calibrator_title
from affinecal_gui.calibration.results import ERROR_LEVEL, Calibration, Metrics, ModelName, ModelResult
from affinecal_gui.numbers import shortest, significant, with_interval
from affinecal_gui.study.calibrator_files.description import CalibratorFacts, Grade, SourceFacts
from affinecal_gui.study.data.assembly import ROOM_TEMPERATURE
from affinecal_gui.study.md_conditions import MDPressures, MDTemperatures
from affinecal_gui.study.quantum_properties import MOVED_WORDS

_HOLDS = {
    "open": "This file holds the repeat units, the measured values and the MD values of its training polymers.",
    "closed": (
        "This file holds coefficients only: no repeat unit, no measured value and no MD value of a training polymer. Its "
        "intervals and its range of validity are therefore told by the distance from the centre of the training polymers, "
        "and differ from those of the study; its values do not."
    ),
}

_PREDICTS = (
    "It also predicts the MD values of polymers that nobody has simulated, by those of {} polymers, whose repeat units it "
    "holds as well. What is calibrated from predicted MD values has wider intervals."
)


def model_card(
    facts: CalibratorFacts,
    calibration: Calibration,
    grade: Grade,
    tables: Sequence[str],
    notes: Sequence[str],
    *,
    simulated: int = 0,
    sources: SourceFacts | None = None,
) -> str:
    """Return the card as Markdown.

    Parameters
    ----------
    facts
        Of the calibrator.
    calibration
        The calibration that it comes from.
    grade
        What the file holds.
    tables
        Names of the tables of the study.
    notes
        What tables say of their sources and licences, in sentences.
    simulated
        How many polymers with MD values its surrogate learned from; 0 where it has none.
    sources
        What a calibrator of several sources needs of a polymer beside its MD value.
    """
    result, raw = calibration.models[facts.model], calibration.models[RAW]
    title = calibrator_title(facts.model, log_scale=facts.log_scale)
    quantity, unit = facts.quantity, facts.quantity.unit or "no unit"
    scale = "natural logarithm of the property" if facts.log_scale else "property itself"
    return "\n".join(
        [
            f"# {title} calibrator of {quantity.title.lower()}",
            "",
            f"Turns MD values of {quantity.title.lower()} ({unit}) into calibrated ones: {calibrator(facts.model).equation}, "
            f"fitted to the {scale}.",
            "",
            "## What it was trained with",
            "",
            f"- {facts.polymers} polymers with measured and MD values, from {', '.join(tables)}.",
            *(f"- {sentence}" for sentence in notes),
            *(f"- {_hold_at(held)}" for held in (facts.md_temperatures, facts.md_pressures) if held is not None),
            f"- {_HOLDS[grade]}",
            *([f"- {_PREDICTS.format(simulated)}"] if simulated else []),
            *([f"- {_corrects(sources, facts)}"] if sources is not None else []),
            "",
            "## How good it is",
            "",
            f"On polymers that it had not seen ({facts.protocol}); intervals over polymers, {100 * ERROR_LEVEL:.0f} %:",
            "",
            f"| | RMSE, {unit} | mean absolute error, {unit} |",
            "|---|---|---|",
            _errors(title, result.metrics),
            *([] if facts.model == RAW else [_errors("MD as it is", raw.metrics)]),
            "",
            _coverage(result, calibration),
            *(["", facts.advice] if facts.advice else []),
            "",
            "## Where it must not be used",
            "",
            *(f"- {sentence}" for sentence in _out_of_scope(facts.model, facts, sources)),
            "",
        ]
    )


def _hold_at(held: MDTemperatures | MDPressures) -> str:
    refused = f"One that holds further than {held.tolerance_in_words} away is not calibrated."
    return f"Its MD values hold at {held.words}. {refused}"


def _corrects(sources: SourceFacts, facts: CalibratorFacts) -> str:
    instead = calibrator_in_sentence(calibrator(facts.model).one_source, log_scale=facts.log_scale)
    return (
        f"It takes the {' and the '.join(sources.names[1:])} of a polymer as well, which is worked out from its repeat unit "
        f"and its MD value, at the temperature that a table states, else at {shortest(ROOM_TEMPERATURE)} K. A polymer that "
        f"has none, or whose MD value is predicted, is calibrated by {instead}, and its row says so."
    )


def _errors(title: str, metrics: Metrics) -> str:
    rmse = with_interval(metrics.rmse, *metrics.rmse_interval)
    mae = with_interval(metrics.mae, *metrics.mae_interval)
    return f"| {title} | {rmse} | {mae} |"


def _coverage(result: ModelResult, calibration: Calibration) -> str:
    inside = (result.out_of_fold_lower <= calibration.measured) & (calibration.measured <= result.out_of_fold_upper)
    if not np.isfinite(result.out_of_fold_lower).any():
        return "It has no intervals."
    share = significant(100 * float(inside.mean()), 3)
    return (
        f"The study's {100 * calibration.interval_level:g} % intervals hold {share} % of the {len(inside)} held-out measured "
        "values."
    )


def _out_of_scope(model: ModelName, facts: CalibratorFacts, sources: SourceFacts | None) -> list[str]:
    found = [
        "MD values of another simulation protocol than that of the MD values it was trained with: their errors are others.",
        "Polymers outside the range of validity: each row of a result says so.",
        f"Any other property than {facts.quantity.title.lower()}, and temperatures or phases that the study did not hold.",
    ]
    if calibrator(model).uses_descriptors and facts.descriptors.computed:
        found.append("Another force field than that whose tables are named in calibrator.json.")
    if sources is not None:
        moved = MOVED_WORDS[sources.rigid_bonds]
        found.append(
            f"MD values of simulations that move other vibrations than {moved}: their quantum correction is another."
        )
    return found
