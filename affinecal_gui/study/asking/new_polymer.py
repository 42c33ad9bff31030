"""What is said of a polymer that nobody has simulated: its MD value is predicted, then calibrated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, isfinite, nan

import numpy as np

from affinecal_gui.calibration.names import calibrator_in_sentence, capital
from affinecal_gui.errors import UserError
from affinecal_gui.numbers import significant
from affinecal_gui.polymers.copolymers.composition import Composition
from affinecal_gui.study.fitting.unsimulated import Unsimulated, UnsimulatedValues
from affinecal_gui.study.shown.correction import Correction, split_correction
from affinecal_gui.study.shown.inspection import (
    coloured_picture,
    effects_of,
    nearest_polymers,
    note_on_shares,
    range_lines,
)
from affinecal_gui.study.shown.inspector_content import InspectorContent, ValueLine
from affinecal_gui.study.shown.row_values import largest_value
from affinecal_gui.study.snapshot import PolymerRow, Snapshot
from affinecal_gui.study.words.comparison_words import not_recommended
from affinecal_gui.study.words.unsimulated_words import stands_in_place
from affinecal_gui.study.words.validity_words import range_sentence
from affinecal_gui.task import UNWATCHED, Task

OUT_OF_FOLD = "The value is out-of-fold: made without its own measurement."


@dataclass(frozen=True, slots=True)
class CalibratedValue:
    """A calibrated value in the unit of the property; nan where there is none."""

    value: float = nan
    lower: float = nan
    upper: float = nan
    out_of_fold: bool = False  # made without the measurement of the polymer, which is in the fit


def drawn_polymer(
    snapshot: Snapshot,
    smiles: str,
    composition: Composition,
    row: PolymerRow | None,
    shares: Mapping[int, float],
    *,
    task: Task = UNWATCHED,
) -> InspectorContent:
    """Show the structure of a polymer with the shares of its atoms, and what was measured of it if it is that of a row."""
    quantity = snapshot.quantity
    picture = coloured_picture(composition, shares, task=task)
    return InspectorContent(
        key=row.key if row is not None else "",
        label=row.label if row is not None else smiles,
        id=row.id if row is not None and row.name else "",
        smiles=smiles,
        svg=picture.svg,
        svg_dark=picture.svg_dark,
        legend_limit=picture.limit,
        symbol_html=quantity.symbol_html if quantity is not None else "",
        unit=quantity.unit if quantity is not None else "",
        largest_value=largest_value(snapshot),
        values=(ValueLine("Measured", row.measured),) if row is not None and isfinite(row.measured) else (),
    )


@dataclass(frozen=True, slots=True, eq=False)
class NewPolymer:
    """One polymer with all that was learned from a study."""

    snapshot: Snapshot
    trained: Unsimulated
    smiles: str
    values: UnsimulatedValues  # of this polymer alone
    number: int  # of its row, -1 without

    @property
    def calibrated(self) -> CalibratedValue:
        """Its value; of a polymer of the fit the one that was made without its measurement."""
        places = self.trained.places_in_fit(np.array([self.number], dtype=np.int64))
        values = self.trained.out_of_fold(self.values, places)
        held_out = bool(places[0] >= 0 and values.described[0])
        return CalibratedValue(
            float(values.values[0]), float(values.lower[0]), float(values.upper[0]), out_of_fold=held_out
        )

    @property
    def basis(self) -> str:
        """How the value came about, in sentences."""
        values, trained, settings = self.values, self.trained, self.snapshot.settings
        calibration = trained.calibrator.calibration
        sentences = [f"The MD value is predicted, with its standard deviation behind ±. {trained.sentence}"]
        if values.origin == "no MD used":
            name = calibrator_in_sentence(trained.model, log_scale=trained.log_scale)
            sentences = [f"{capital(name)} looks at the structure alone; no MD value is used."]
        if self.calibrated.out_of_fold:
            sentences.append(OUT_OF_FOLD)
        if settings.model != trained.model and not settings.follows_advice:
            sentences.append(stands_in_place(settings.model, trained.model, log_scale=trained.log_scale))
        sentences.append(not_recommended(calibration, trained.model))
        return " ".join(sentence for sentence in sentences if sentence)

    @property
    def correction(self) -> Correction | None:
        """What the descriptors add, where there is a value and it can be split among atoms."""
        trained, md = self.trained, float(self.values.md[0])
        if not isfinite(self.values.values[0]):
            return None
        try:
            return split_correction(
                trained.calibrator.calibration, trained.model, trained.blocks, self.smiles, md, called="It"
            )
        except UserError:
            return None

    def content(self, drawn: InspectorContent, correction: Correction | None) -> InspectorContent:
        """Add everything there is to say to the structure of the polymer, ``drawn`` with the shares of its correction."""
        values, trained, calibrated = self.values, self.trained, self.calibrated
        if not values.described[0]:
            return drawn
        target = f"ln {drawn.symbol_html}" if trained.log_scale else drawn.symbol_html
        attribution = correction.attribution if correction is not None else None
        inside = bool(values.inside[0])
        said = range_sentence(
            trained.model,
            inside=inside,
            md_inside=bool(values.md_inside[0]),
            structure_inside=bool(values.structure_inside[0]),
        )
        return replace(
            drawn,
            target_html=target,
            legend_note=note_on_shares(target) if correction is not None else "",
            values=(*drawn.values, *self._lines(calibrated)),
            residual_percent=_residual(drawn.values, calibrated.value),
            residual_note="out-of-fold" if calibrated.out_of_fold else "",
            effects=effects_of(attribution),
            effects_sum=attribution.total if attribution is not None else nan,
            ranges=range_lines(
                trained.calibrator.calibration, self.snapshot, values.validity, 0, md="Predicted MD value"
            ),
            validity=said or "Inside the range of the polymers used for the fit.",
            inside=inside,
            nearest=nearest_polymers(
                {place: self.snapshot.rows[row] for place, row in enumerate(trained.rows.tolist())},
                values.validity,
                0,
                besides=drawn.key,
            ),
        )

    def _lines(self, calibrated: CalibratedValue) -> tuple[ValueLine, ...]:
        md, deviation = float(self.values.md[0]), float(self.values.md_deviation[0])
        # The standard deviation of a simulation about the predicted value.
        own = 100.0 * (exp(deviation) - 1.0) if self.trained.log_scale else deviation
        unit = " %" if self.trained.log_scale else ""
        return (
            ValueLine("MD, predicted", md, note=f"± {significant(own, 2)}{unit}" if isfinite(own) else ""),
            ValueLine("Calibrated", calibrated.value, calibrated.lower, calibrated.upper),
        )


def _residual(lines: Sequence[ValueLine], value: float) -> float:
    """Return 100 (calibrated / measured - 1), nan where nothing was measured."""
    measured = next((line.value for line in lines if line.label == "Measured"), nan)
    return 100.0 * (value / measured - 1.0) if measured else nan
