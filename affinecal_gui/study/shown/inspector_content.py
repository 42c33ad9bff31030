"""What the inspector says about one polymer: numbers and sentences; no widget computes any of them."""

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # which imports the chemistry
    from affinecal_gui.study.shown.vibration_content import VibrationContent


@dataclass(frozen=True, slots=True)
class ValueLine:
    """One number with what is known beside it: its interval, or a note."""

    label: str  # "Measured", "From calibrated"
    value: float  # nan: none, shown as a dash
    lower: float = nan
    upper: float = nan
    note: str = ""  # "9 values", "at 300 K"; shown where there is no interval


@dataclass(frozen=True, slots=True)
class Effect:
    """What one kind of force-field term adds to the calibrated value, in target scale."""

    label: str  # "atoms", "bonds", "angles", "dihedrals"
    value: float


@dataclass(frozen=True, slots=True)
class IntervalShare:
    """What one source of doubt makes of the variance behind an interval."""

    label: str  # "simulation"
    share: float  # 0 to 1
    role: str  # of the palette


@dataclass(frozen=True, slots=True)
class RangeLine:
    """One respect in which the polymer lies inside the range of the training data, or does not."""

    text: str  # "MD value in 1345–4699"
    inside: bool


@dataclass(frozen=True, slots=True)
class NearestPolymer:
    """A polymer of the fit that resembles the inspected one."""

    key: str  # of its row
    label: str
    smiles: str
    distance: float


@dataclass(frozen=True, slots=True)
class InspectorContent:
    """Everything the inspector shows about one polymer. Empty parts are left out of the picture.

    ``svg`` and ``svg_dark`` show the repeat unit on a transparent ground, with a circle behind each heavy atom in the
    colour of its share, for the light and the dark window. The colours run from ``-legend_limit`` to ``+legend_limit``,
    in target scale; nan means that the atoms are not coloured.
    """

    key: str  # of the row
    label: str
    id: str = ""
    smiles: str = ""
    svg: str = ""
    svg_dark: str = ""
    legend_limit: float = nan
    legend_note: str = ""  # rich text; what the shares are of, and what zero means
    symbol_html: str = ""  # of the property: "<i>C</i><sub>p</sub>"
    target_html: str = ""  # of the target scale: "ln <i>C</i><sub>p</sub>"
    unit: str = ""  # of the values
    largest_value: float = nan  # of the whole table, so that inspector and table write a value with the same places
    values: tuple[ValueLine, ...] = ()
    told: str = ""  # what the user noted about the polymer, and why it is in its state, in sentences
    residual_percent: float = nan
    residual_note: str = ""  # "out-of-fold"
    wavenumbers: tuple[ValueLine, ...] = ()  # cm⁻¹
    wavenumber_note: str = ""  # the temperature, and what the number means; shown as a tooltip and below the lines
    vibrations: "VibrationContent | None" = None  # of a heat capacity, or what goes with it
    effects: tuple[Effect, ...] = ()
    effects_sum: float = nan  # of the whole correction; the effects add up to it
    interval_shares: tuple[IntervalShare, ...] = ()  # they add up to one
    interval_note: str = ""  # what narrows the interval, in a sentence
    ranges: tuple[RangeLine, ...] = ()
    validity: str = ""  # one sentence; with an exclamation sign beside it when the polymer lies outside
    inside: bool = True
    nearest: tuple[NearestPolymer, ...] = ()
