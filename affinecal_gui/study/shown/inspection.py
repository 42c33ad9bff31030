"""The service behind the inspector: everything there is to say about one polymer of a finished calibration."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

import numpy as np

from affinecal_gui.calibration.einstein import implied_wavenumber
from affinecal_gui.calibration.results import Calibration, IntervalParts, Validity
from affinecal_gui.errors import UserError
from affinecal_gui.numbers import significant
from affinecal_gui.polymers.copolymers.composition import Composition, parse_composition
from affinecal_gui.polymers.copolymers.composition_drawing import draw_composition_svg
from affinecal_gui.polymers.descriptors.attribution import Attribution, MixedAttribution
from affinecal_gui.polymers.drawing.drawing import share_colours
from affinecal_gui.study.data.row_columns import columns_of
from affinecal_gui.study.md_origin import md_origin
from affinecal_gui.study.quantum_properties import HEAT_CAPACITIES
from affinecal_gui.study.shown.correction import NOT_LINEAR, correction_of, mixed_correction_of
from affinecal_gui.study.shown.inspector_content import (
    Effect,
    InspectorContent,
    IntervalShare,
    NearestPolymer,
    RangeLine,
    ValueLine,
)
from affinecal_gui.study.shown.row_values import largest_value, row_values
from affinecal_gui.study.shown.vibration_content import VibrationContent, shares_of_surplus, vibration_content
from affinecal_gui.study.snapshot import PolymerRow, Snapshot
from affinecal_gui.study.words.interval_words import PARTS, narrowing_sentence, part_words
from affinecal_gui.study.words.validity_words import validity_sentence
from affinecal_gui.task import UNWATCHED, Task

PICTURE_SIZE = (320, 200)
NEAREST_SHOWN = 3
_ROLES = {"measurement": "ochre", "simulation": "blue", "few_polymers": "green", "model_form": "grey"}  # of the palette
KIND_LABELS = (("atom", "atoms"), ("bond", "bonds"), ("angle", "angles"), ("dihedral", "dihedrals"))
_SHARES_OF_SURPLUS = (
    "What each atom with its hydrogens takes off the heat capacity, J/(kg K): its part in every vibration, times what "
    "that one holds too much in the simulation."
)


def inspect_polymer(snapshot: Snapshot, row_key: str, *, task: Task = UNWATCHED) -> InspectorContent | None:
    """Return what the inspector shows of a row; None when there is no such row.

    Raises
    ------
    Cancelled
        When the task was cancelled; it is asked between two parts that cannot be asked themselves.
    """
    row = snapshot.row(row_key)
    if row is None:
        return None
    return _Inspection(snapshot, row, task).content()


class _Inspection:
    def __init__(self, snapshot: Snapshot, row: PolymerRow, task: Task) -> None:
        self.snapshot, self.row, self.task = snapshot, row, task
        self.calibration: Calibration | None = snapshot.calibration
        self.quantity = snapshot.quantity
        self.composition = _parsed(row.smiles)
        task.check()
        self.values = row_values(snapshot, (row,))

    def content(self) -> InspectorContent:
        symbol = self.quantity.symbol_html if self.quantity is not None else ""
        log_scale = self.calibration.log_scale if self.calibration is not None else False
        attribution, shares = self._shares()
        of_surplus = {} if shares else shares_of_surplus(self.snapshot, self.row, self.composition)
        picture = coloured_picture(self.composition, shares or of_surplus, task=self.task)
        out_of_fold = bool(self.values.out_of_fold[0])
        inside, ranges, validity = self._validity()
        target = f"ln {symbol}" if log_scale and not of_surplus else symbol
        return InspectorContent(
            key=self.row.key,
            label=self.row.label,
            id=self.row.id if self.row.name else "",
            smiles=self.row.smiles,
            svg=picture.svg,
            svg_dark=picture.svg_dark,
            legend_limit=picture.limit,
            legend_note=_SHARES_OF_SURPLUS
            if of_surplus
            else (note_on_shares(target) if shares else self._why_not_split()),
            symbol_html=symbol,
            target_html=target,
            unit=self.quantity.unit if self.quantity is not None else "",
            largest_value=largest_value(self.snapshot),
            values=self._value_lines(),
            told=self.snapshot.told_of(self.row),
            residual_percent=float(self.values.residual_percent[0]),
            residual_note="out-of-fold" if out_of_fold else "",
            wavenumbers=self._wavenumbers(),
            wavenumber_note=self._wavenumber_note(),
            vibrations=self._vibrations(),
            effects=effects_of(attribution),
            effects_sum=attribution.total if attribution is not None else float("nan"),
            interval_shares=self._interval_shares(),
            interval_note=self._interval_note(),
            ranges=ranges,
            validity=validity,
            inside=inside,
            nearest=self._nearest(),
        )

    # -- what the correction consists of --------------------------------------------------------------------------

    def _shares(self) -> tuple[Attribution | MixedAttribution | None, Mapping[int, float]]:
        """Return the attribution in target scale, and the share of each heavy atom with its hydrogens.

        The atoms of a copolymer have none.
        """
        self.task.check()
        try:
            if self.composition is not None and self.composition.is_copolymer:
                return mixed_correction_of(self.snapshot, self.row), {}
            correction = correction_of(self.snapshot, self.row)
        except UserError:
            return None, {}
        return correction.attribution, correction.shares

    def _vibrations(self) -> VibrationContent | None:
        self.task.check()
        return vibration_content(self.snapshot, self.row, self.composition)

    def _why_not_split(self) -> str:
        """Say why atoms are not coloured, where that is not plain to see."""
        result = None if self.calibration is None else self.calibration.models.get(self.snapshot.settings.model)
        kernels = result is not None and result.coefficients is not None and result.coefficients.average
        return NOT_LINEAR if kernels and self.composition is not None else ""

    # -- numbers --------------------------------------------------------------------------------------------------

    def _value_lines(self) -> tuple[ValueLine, ...]:
        lower, upper = float(self.values.lower[0]), float(self.values.upper[0])
        reports = next(
            (text for heading, text in self.row.details if heading.casefold().replace("_", " ") == "values found"), ""
        )
        note = f"{reports} values" if reports not in {"", "1"} else ("1 value" if reports else "")
        measured = ValueLine("Measured", self.row.measured, note=note)
        return (
            (measured, *self._predicted_lines())
            if self._is_predicted
            else (
                measured,
                ValueLine("MD", self.row.md, note=self._temperature_note() if isfinite(self.row.md) else ""),
                ValueLine("Calibrated", float(self.values.calibrated[0]), lower, upper),
            )
        )

    @property
    def _number(self) -> int:
        return columns_of(self.snapshot).number_of.get(self.row.key, -1)

    @property
    def _is_predicted(self) -> bool:
        """Whether there is a calibrated value although nobody simulated the polymer."""
        found = self.snapshot.predicted_md
        return found is not None and 0 <= self._number < found.values.size and isfinite(found.values[self._number])

    def _predicted_lines(self) -> tuple[ValueLine, ...]:
        """Return the predicted MD value, unless the calibrator uses none, and what follows from it."""
        found, number = self.snapshot.predicted_md, self._number
        assert found is not None
        assert found.model is not None
        value, lower, upper = (float(one[number]) for one in (found.values, found.lower, found.upper))
        if md_origin(found.model, simulated=False) == "no MD used":
            return (ValueLine("Calibrated, no MD used", value, lower, upper),)
        return (
            ValueLine("MD, predicted", float(found.md[number])),
            ValueLine("Calibrated from it", value, lower, upper),
        )

    def _temperature_note(self) -> str:
        return f"at {self._temperature:g} K" if self.snapshot.temperature_is_stated else ""

    @property
    def _temperature(self) -> float:
        """Of the MD value, K: what its own row states, else what is usual in the table."""
        own = self.row.md_temperature
        return own if isfinite(own) else self.snapshot.temperature

    def _wavenumbers(self) -> tuple[ValueLine, ...]:
        if self.quantity is None or self.quantity.key not in HEAT_CAPACITIES or not self.row.md > 0:
            return ()

        def of(value: float) -> float:
            return implied_wavenumber(value / self.row.md, self._temperature)

        lines = []
        if isfinite(self.row.measured):
            lines.append(ValueLine("From measured", of(self.row.measured)))
        calibrated = float(self.values.calibrated[0])
        if isfinite(calibrated):
            # A larger heat capacity means a slower vibration, so the bounds change places.
            upper, lower = of(float(self.values.lower[0])), of(float(self.values.upper[0]))
            lines.append(ValueLine("From calibrated", of(calibrated), lower, upper))
        return tuple(lines)

    def _wavenumber_note(self) -> str:
        if self.quantity is None or self.quantity.key not in HEAT_CAPACITIES:
            return ""
        stated = ""
        if not self.snapshot.temperature_is_stated:
            stated = " (no temperature is stated in the tables)"
        elif not isfinite(self.row.md_temperature):
            stated = " (the temperature of most MD values; none is stated for this one)"
        return (
            "The one vibration that would explain the ratio to the classical MD value by Einstein's theory at "
            f"{self._temperature:g} K{stated}."
        )

    @property
    def _parts(self) -> IntervalParts | None:
        """What the intervals of the library are made of, by the calibrator that is shown."""
        if self.calibration is None or self.row.library_index < 0:
            return None
        found = self.calibration.models.get(self.snapshot.settings.model)
        return found.parts if found is not None else None

    def _interval_shares(self) -> tuple[IntervalShare, ...]:
        parts, index = self._parts, self.row.library_index
        if parts is None or not isfinite(parts.model_form[index]):
            return ()
        shares = ((name, float(getattr(parts, name)[index])) for name in PARTS)
        words = part_words(parts)
        return tuple(IntervalShare(words[name], share, _ROLES[name]) for name, share in shares if share > 0.0)

    def _interval_note(self) -> str:
        return narrowing_sentence(self._parts, self.row.library_index) if self._parts is not None else ""

    # -- range of validity ----------------------------------------------------------------------------------------

    def _validity(self) -> tuple[bool, tuple[RangeLine, ...], str]:
        self.task.check()
        index = self.row.library_index
        if self.calibration is None or index < 0:
            return True, (), ""
        lines = range_lines(self.calibration, self.snapshot, self.calibration.validity, index)
        sentence = validity_sentence(self.calibration, self.snapshot.settings.model, index)
        if not sentence:
            return True, lines, "Inside the range of the polymers used for the fit."
        return False, lines, sentence

    def _nearest(self) -> tuple[NearestPolymer, ...]:
        self.task.check()
        index = self.row.library_index
        if self.calibration is None or index < 0:
            return ()
        training = {row.training_index: row for row in self.snapshot.rows if row.training_index >= 0}
        return nearest_polymers(training, self.calibration.validity, index, besides=self.row.key)


@dataclass(frozen=True, slots=True)
class ColouredPicture:
    """A repeat unit with its atoms in the colours of their shares, for the light and the dark window; "" without one."""

    svg: str
    svg_dark: str
    limit: float  # the colours run from minus to plus this; nan without shares


def coloured_picture(
    composition: Composition | None, shares: Mapping[int, float], *, task: Task = UNWATCHED
) -> ColouredPicture:
    """Draw a polymer with the shares of its atoms, by their index; not coloured where there are none."""
    limit = float(np.max(np.abs(list(shares.values())))) if shares else float("nan")
    if composition is None:
        return ColouredPicture("", "", limit)

    def drawn(*, dark: bool) -> str:
        task.check()
        colours = share_colours(shares, limit, dark=dark) if shares else None
        return draw_composition_svg(composition, *PICTURE_SIZE, dark=dark, atom_colours=colours)

    return ColouredPicture(drawn(dark=False), drawn(dark=True), limit)


def note_on_shares(target: str) -> str:
    """Say what the shares of atoms are of, and what zero means; ``target`` is the target scale as rich text."""
    return (
        f"Share of {target} by atom: its own terms, those of its hydrogens, and its part of each bond, angle and "
        "dihedral. 0 is the average polymer."
    )


def effects_of(attribution: Attribution | MixedAttribution | None) -> tuple[Effect, ...]:
    """Return the effect of each kind of term."""
    if attribution is None:
        return ()
    totals = attribution.kind_totals
    return tuple(Effect(label, totals[kind]) for kind, label in KIND_LABELS)  # type: ignore[index]


def range_lines(
    calibration: Calibration, snapshot: Snapshot, validity: Validity, index: int, *, md: str = "MD value"
) -> tuple[RangeLine, ...]:
    """Say in which respects polymer ``index`` of ``validity`` lies inside the range of the polymers of a calibration."""
    low, high = float(np.min(calibration.md)), float(np.max(calibration.md))
    blocks, off = snapshot.blocks, snapshot.settings.blocks_off
    columns = sum(block.size for block in blocks.blocks if block.name not in off) if blocks is not None else 0
    described = int(validity.descriptors_inside[index])
    return (
        RangeLine(f"{md} in {significant(low, 4)}–{significant(high, 4)}", bool(validity.md_inside[index])),
        RangeLine(f"{described} of {columns} descriptors", described >= 0.95 * columns),
    )


def nearest_polymers(
    training: Mapping[int, PolymerRow], validity: Validity, index: int, *, besides: str = ""
) -> tuple[NearestPolymer, ...]:
    """Return the polymers of the fit that resemble polymer ``index`` of ``validity``, ``besides`` one of them.

    ``training`` has the row of each polymer of the fit by its number there.
    """
    found = []
    for position, distance in zip(validity.nearest[index], validity.nearest_distance[index], strict=True):
        row = training.get(int(position))
        if row is not None and row.key != besides and isfinite(distance):
            found.append(NearestPolymer(row.key, row.label, row.smiles, float(distance)))
    return tuple(found[:NEAREST_SHOWN])


def _parsed(smiles: str) -> Composition | None:
    try:
        return parse_composition(smiles)
    except UserError:
        return None
