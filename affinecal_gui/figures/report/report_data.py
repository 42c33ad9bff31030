"""What a report is made of."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from affinecal_gui.calibration.calibrators.registry import DEFAULT
from affinecal_gui.calibration.results import Calibration, ModelName
from affinecal_gui.figures.quantity import Quantity
from affinecal_gui.figures.style import look
from affinecal_gui.polymers.descriptors.blocks import DescriptorBlocks


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A table that was read."""

    name: str
    gives: str  # "measured Cp, J/(kg K)"
    rows: int
    rejected: int = 0


@dataclass(frozen=True, slots=True)
class ReportPolymer:
    """One polymer, numbers in the unit of the quantity; nan where there is none."""

    name: str
    smiles: str
    measured: float
    md: float
    calibrated: float
    lower: float
    upper: float
    state: str  # "used", "left out" ...
    reason: str = ""
    outside: bool = False  # the range of validity


@dataclass(frozen=True, slots=True)
class ReportSuggestion:
    """One polymer worth measuring next; percentages of the mean interval width of the library as it is."""

    name: str
    smiles: str
    narrower: float  # by which it would narrow the mean interval
    in_all: float  # together with those above it


@dataclass(frozen=True, slots=True)
class ReportWay:
    """One way to do it again: a command, and what to know before typing it."""

    sentence: str
    command: str


@dataclass(frozen=True, slots=True)
class ReportData:
    """Everything a report is made of. The same data give the same report, byte for byte."""

    quantity: Quantity
    calibration: Calibration
    model: ModelName = DEFAULT  # whose parameters, coefficients and calibrated values are shown
    advice: str = ""  # that another calibrator is recommended than the one shown
    blocks: DescriptorBlocks | None = None
    files: tuple[ReportFile, ...] = ()
    match_summary: str = ""
    measured_polymers: tuple[ReportPolymer, ...] = ()  # calibrated: out of fold where used
    other_polymers: tuple[ReportPolymer, ...] = ()  # with an MD value only
    measure_next: tuple[ReportSuggestion, ...] = ()
    measure_next_sentence: str = ""  # what the list is
    forecast: tuple[str, ...] = ()  # of the error with more measurements, in sentences
    explanation: str = ""  # what the parameters mean for the physics
    command: str = ""  # how to do it again without a window, in the folder of the tables
    ways: tuple[ReportWay, ...] = ()  # the same where there is more to say
    versions: Mapping[str, str] = field(default_factory=dict)
    date: str = ""

    def title_of(self, model: str) -> str:
        """Return what a calibrator is called."""
        return look(model, log=self.calibration.log_scale).title
