"""What the window shows: one immutable picture of the study at a moment. Views read it and compute nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.calibrators.registry import DEFAULT, kernel_keys
from affinecal_gui.calibration.results import (
    Calibration,
    KernelName,
    ModelName,
    Penalties,
    TransferName,
)
from affinecal_gui.polymers.descriptors.blocks import DescriptorBlocks
from affinecal_gui.polymers.vibrations.constraint import Constraint
from affinecal_gui.study import setting_facts as facts
from affinecal_gui.tables.flagged_runs import FlaggedRuns
from affinecal_gui.tables.matching.combine_rules import CombineRule
from affinecal_gui.tables.units.properties import Property

if TYPE_CHECKING:  # it imports the chemistry, which the first window does not wait for
    from affinecal_gui.tables.matching.md_sources import SourceOffset

Weighting = Literal["none", "uncertainty", "repeats"]
"""How much a measured value counts: all the same, the more the surer it is, or the more reports are behind it."""

WEIGHTING_WORDS: Mapping[Weighting, str] = {
    "none": "all measured values count the same",
    "uncertainty": "measured values count by their uncertainty",
    "repeats": "measured values count by their number of reports",
}

SMALLEST_FACTOR, LARGEST_FACTOR = 0.01, 100.0
"""Between which the penalties of a block may be multiplied; beyond, a block is as good as switched off, or not penalised."""

RowState = Literal["used", "left out", "no MD value", "predicted", "invalid", "waiting"]
"""used: in the fit; left out: by the user; no MD value: measured only; predicted: MD value only; waiting: not yet fitted."""


@dataclass(frozen=True, slots=True)
class PolymerRow:
    """One polymer of the study: a measured one, or one with an MD value only. Missing numbers are nan."""

    key: str  # stable for the life of the study; selections, commands and undo name rows by it
    name: str
    id: str
    smiles: str  # of the repeat unit, two attachment points *
    measured: float  # canonical unit of the property
    md: float
    state: RowState
    reason: str = ""  # why, when the state needs a reason
    training_index: int = -1  # position among the n polymers of the fit; -1 when not in the fit
    library_index: int = -1  # position among the m polymers with an MD value; -1 when without
    details: Sequence[tuple[str, str]] = ()  # further columns of the file, as (heading, text): source, values found ...
    md_id: str = ""  # its id in the table of MD values; ``id`` is this one, or where there is none the measured one
    measured_id: str = ""  # its id in the table of measured values
    md_temperature: float = float("nan")  # K, of the MD value; nan where the table does not say
    measured_temperature: float = float("nan")  # K, mean of the rows of the measured value that state one
    polymer_class: str = ""  # of a measured polymer: as a table says, else by the groups in its main chain

    @property
    def label(self) -> str:
        """What to call the polymer: its name, else its id, else its repeat unit."""
        return self.name or self.id or self.smiles


@dataclass(frozen=True, slots=True)
class TableSummary:
    """One loaded file in a line of the data panel."""

    key: str
    file_name: str
    path: str
    rows: int
    rejected: int
    gives: str  # "measured Cp, J/(kg K)"
    flagged: tuple[FlaggedRuns, ...] = ()  # simulations that failed a check, by reason
    gives_briefly: tuple[str, ...] = ()  # in ever fewer words, for lists without room: "measured Cp"


@dataclass(frozen=True, slots=True)
class MatchingChoices:
    """Everything the user can choose about which values of which polymers are compared."""

    rule: CombineRule = "median"  # several reports of one polymer
    temperatures: tuple[float, float] | None = None  # K, lowest and highest to keep; None: all
    phases: frozenset[str] | None = None  # as written in the tables; None: all
    keep_unknown: bool = True  # rows without a temperature, or a phase, stay
    by_hand: frozenset[tuple[str, str]] = frozenset()  # key of a measured row, key of the MD row that it is
    md_on_one_level: bool = True  # differences between sources of MD values are taken away where that helps
    temperature_tolerance: float = 10.0  # K, between the temperatures of two values that are compared
    reports_off: frozenset[str] = frozenset()  # keys of measured rows that do not count among several of a polymer

    @property
    def links(self) -> Mapping[str, str]:
        """The MD row of every measured row that was linked by hand."""
        return dict(self.by_hand)


AS_IT_COMES = MatchingChoices()


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything the user can choose about the calibration; together with the tables it determines the result."""

    property_key: str = field(default="Cp", metadata=facts.PROPERTY_KEY.metadata)
    log_scale: bool = field(default=True, metadata=facts.LOG_SCALE.metadata)
    protocol: Literal["default", "paper"] = field(default="default", metadata=facts.PROTOCOL.metadata)
    # the calibrator shown large, exported and inspected
    model: ModelName = field(default=DEFAULT, metadata=facts.MODEL.metadata)
    # whether that is the recommended one, whichever it turns out to be; then ``model`` is that of before
    follows_advice: bool = field(default=True, metadata=facts.FOLLOWS_ADVICE.metadata)
    # None: chosen by cross-validation
    penalties: Penalties | None = field(default=None, metadata=facts.PENALTIES.metadata)
    left_out: frozenset[str] = field(default=frozenset(), metadata=facts.LEFT_OUT.metadata)  # row keys
    # names of descriptor blocks switched off
    blocks_off: frozenset[str] = field(default=frozenset(), metadata=facts.BLOCKS_OFF.metadata)
    interval_level: float = field(default=0.9, metadata=facts.INTERVAL_LEVEL.metadata)
    seed: int = field(default=0, metadata=facts.SEED.metadata)
    matching: MatchingChoices = field(default=AS_IT_COMES, metadata=facts.MATCHING.metadata)
    # with kernels, compared beside the linear calibrators
    methods: tuple[TransferName, ...] = field(default=(), metadata=facts.METHODS.metadata)
    # of those methods, on the MD value
    kernel_source: KernelName = field(default="rbf", metadata=facts.KERNEL_SOURCE.metadata)
    # of the factor of AffineTL-full, on the MD value; None: the same
    kernel_factor: KernelName | None = field(default=None, metadata=facts.KERNEL_FACTOR.metadata)
    kernel_target: KernelName = field(default="rbf", metadata=facts.KERNEL_TARGET.metadata)  # and on the descriptors
    # keys of further MD properties from which those methods learn
    sources: tuple[str, ...] = field(default=(), metadata=facts.SOURCES.metadata)
    weighting: Weighting = field(default="none", metadata=facts.WEIGHTING.metadata)  # of the measured values
    # name of a block, by what its penalties are multiplied
    block_penalties: frozenset[tuple[str, float]] = field(default=frozenset(), metadata=facts.BLOCK_PENALTIES.metadata)
    # bonds that the simulation does not let vibrate
    rigid_bonds: Constraint = field(default="hydrogen", metadata=facts.RIGID_BONDS.metadata)
    # whether measured values far from the fit count less
    robust: bool = field(default=False, metadata=facts.ROBUST.metadata)
    # what the user wrote about rows, each by its key; it changes no number
    notes: frozenset[tuple[str, str]] = field(default=frozenset(), metadata=facts.NOTES.metadata)
    # of coefficients and parameters
    bands: Literal["posterior", "bootstrap"] = field(default="posterior", metadata=facts.BANDS.metadata)

    @property
    def block_factors(self) -> Mapping[str, float]:
        """By what the penalties of each block are multiplied; blocks not named here have those of the model."""
        return dict(self.block_penalties)

    def note_of(self, row: str) -> str:
        """Return what the user wrote about the row with this key."""
        return next((text for key, text in self.notes if key == row), "") if self.notes else ""

    def with_note(self, row: str, text: str) -> "Settings":
        """Return the choices with another note about a row; an empty one takes it away."""
        others = {pair for pair in self.notes if pair[0] != row}
        return replace(self, notes=frozenset(others | {(row, text)} if text else others))

    def with_block_factor(self, block: str, factor: float) -> "Settings":
        """Return the choices with the penalties of a block multiplied by a factor."""
        others = {pair for pair in self.block_penalties if pair[0] != block}
        return replace(self, block_penalties=frozenset(others if factor == 1.0 else others | {(block, factor)}))

    def showing(self, model: ModelName) -> "Settings":
        """Return the choices with another calibrator shown large, which is compared then if it is not yet."""
        if model not in kernel_keys() or model in self.methods:
            return replace(self, model=model, follows_advice=False)
        methods = tuple(name for name in kernel_keys() if name == model or name in self.methods)
        return replace(self, model=model, follows_advice=False, methods=methods)

    def shown_for(self, calibration: Calibration | None) -> "Settings":
        """Return the choices as they are shown with a calibration: with the recommended calibrator if they follow that."""
        if calibration is None or not self.follows_advice:
            return self
        return replace(self, model=calibration.recommendation.recommended)


SETTING_FACTS: Mapping[str, facts.SettingFacts] = {one.name: one.metadata["facts"] for one in fields(Settings)}
"""The facts of every setting by its name."""


def changed_settings(before: Settings, after: Settings) -> tuple[str, ...]:
    """Return the names of the settings that differ."""
    return tuple(name for name in SETTING_FACTS if getattr(before, name) != getattr(after, name))


@dataclass(frozen=True, slots=True)
class UnitDoubt:
    """Measured values that would agree with MD in another unit; offered as a correction, never applied unasked."""

    table: str  # key of the table
    unit: str  # in which its values may be
    sentence: str
    unnamed: bool = False  # the file names no unit, or one that may mean two: that it was read in is an assumption


@dataclass(frozen=True, slots=True)
class PropertyQuestion:
    """A column that is of no known property, while the tables have no property of which there are both kinds of values."""

    table: str  # key of the table
    sentence: str


@dataclass(frozen=True, slots=True, eq=False)
class CorrectedValues:
    """The MD values of a study without measured ones, less what is classical in them; by row, in canonical unit."""

    values: NDArray[np.float64]  # (r,) nan where there is none
    lower: NDArray[np.float64]  # (r,) nan where nothing is known of the error
    upper: NDArray[np.float64]  # (r,)
    problems: tuple[str, ...]  # (r,) "" or why there is no value
    temperatures: tuple[float, ...]  # (r,) K, at which the values hold
    interval_level: float
    notes: tuple[str, ...]  # what the intervals rest on, then what was assumed, in sentences
    modes: "MeanModes | None" = None  # of the polymers with a value


@dataclass(frozen=True, slots=True, eq=False)
class MeanModes:
    """The vibrations of a repeat unit, mean over polymers, at g wavenumbers."""

    wavenumbers: NDArray[np.float64]  # (g,) cm^-1
    moved: NDArray[np.float64]  # (g,) modes per repeat unit and 100 cm^-1 that the simulation moves
    quantum: NDArray[np.float64]  # (g,) the same, each mode by the fraction of R that it holds in truth
    polymers: int


@dataclass(frozen=True, slots=True, eq=False)
class FromPredictedMD:
    """Calibrated values of the measured polymers that nobody simulated, from predicted MD values; by row, canonical unit."""

    values: NDArray[np.float64]  # (r,) nan where there is none; out of fold for polymers of that fit
    lower: NDArray[np.float64]  # (r,) at the level of the study
    upper: NDArray[np.float64]  # (r,)
    md: NDArray[np.float64]  # (r,) predicted
    out_of_fold: NDArray[np.bool_]  # (r,) made without the polymer's own measurement, which is in that fit
    model: ModelName | None  # which gives the values; None without any
    sentence: str  # how many there are, and what they gained, or why there are none
    basis: str = ""  # how good predicted MD values and what follows from them are, in sentences

    @property
    def are_there(self) -> bool:
        """Whether any polymer has a value."""
        return bool(np.isfinite(self.values).any())


class RowIndex(Protocol):
    """What a snapshot knows of the columns of its rows, :class:`affinecal_gui.study.data.row_columns.RowColumns`."""

    @property
    def rows(self) -> tuple[PolymerRow, ...]:
        """The rows."""

    @property
    def number_of(self) -> Mapping[str, int]:
        """Position of a row by its key."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The study as it stands."""

    tables: tuple[TableSummary, ...] = ()
    quantity: Property | None = None  # the target property
    quantities: tuple[Property, ...] = ()  # properties that have both measured and MD values
    further_md: tuple[Property, ...] = ()  # other properties of which there are MD values
    rows: tuple[PolymerRow, ...] = ()
    match_summary: str = ""  # "62 of 81 measured polymers have an MD value."
    compared: bool = False  # whether there are measured and MD values of the property
    unit_doubts: tuple[UnitDoubt, ...] = ()
    property_question: PropertyQuestion | None = None
    bundled_md_would_help: bool = False  # measured values alone, and MD values of their property come with the program
    blocks: DescriptorBlocks | None = None
    descriptors: NDArray[np.float64] | None = None  # (m, d), rows by library_index; nan rows where not computed
    calibration: Calibration | None = None
    corrected: CorrectedValues | None = None  # where there are MD values alone, and they can be corrected
    predicted_md: FromPredictedMD | None = None  # once that has been learned
    weightings: tuple[Weighting, ...] = ()  # other than "none", for which the tables give the numbers
    temperature: float = 298.15  # K, of the MD values; room temperature where the tables do not say
    temperature_is_stated: bool = False
    md_sources: tuple["SourceOffset", ...] = ()  # how MD values from several sources lie to each other
    settings: Settings = field(default_factory=Settings)
    stale: bool = False  # the calibration belongs to earlier settings; a new one is on its way or wished for
    can_undo: str = ""  # label of the step that undo would take back; "" when there is none
    can_redo: str = ""
    columns: RowIndex | None = None  # where whoever made the rows made their columns as well

    def told_of(self, row: PolymerRow) -> str:
        """Return what the user wrote about a row, and why it is in its state."""
        note = self.settings.note_of(row.key)
        return " ".join(part for part in (f"Note: {note}" if note else "", row.reason) if part)

    def row(self, key: str) -> PolymerRow | None:
        """Return the row with this key, or None."""
        if self.columns is not None and self.columns.rows is self.rows:
            number = self.columns.number_of.get(key, -1)
            return self.rows[number] if number >= 0 else None
        return next((row for row in self.rows if row.key == key), None)
