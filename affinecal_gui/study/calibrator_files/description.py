"""What a calibrator file says in JSON: what it is, what it calibrates, and how to read its numbers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from affinecal_gui.calibration.results import ModelName
from affinecal_gui.calibration.sharing.coefficients_only import LinearForm
from affinecal_gui.polymers.vibrations.constraint import Constraint
from affinecal_gui.study.md_conditions import MDPressures, MDTemperatures
from affinecal_gui.tables.units.properties import Property

FORMAT_VERSION = 5
"""The newest that is read. A file says the lowest that can read it: 5 with the training polymers, whose intervals earlier
versions would make wider or narrower far from the fit (4 to 1, where they were made so); 4 of several sources; 1 with
coefficients of one source only."""

WITH_TRAINING = 5
SEVERAL_SOURCES = 4
COEFFICIENTS_ONLY = 1

MANIFEST = "manifest.json"
DESCRIPTION = "calibrator.json"
TRAINING = "training.json"
COEFFICIENTS = "coefficients.json"
SOURCES = "sources.json"
SURROGATE = "surrogate.json"
CARD = "MODEL_CARD.md"
CHECKSUMS = "checksums.json"

Grade = Literal["open", "closed"]
"""Whether the training polymers are in the file, or coefficients only."""


def numbers_member(name: str) -> str:
    """Return the name of the member that holds an array: plain little-endian numbers of eight bytes, nothing else."""
    return f"numbers/{name}.f64"


@dataclass(frozen=True, slots=True)
class CalibratorManifest:
    """What a calibrator file says about itself."""

    format: str
    version: int
    saved: str  # date and time, ISO 8601
    program: Mapping[str, str]  # names and versions
    grade: Grade
    summary: str  # the calibrator in a few words
    has_surrogate: bool = False  # predicts the MD values of polymers that nobody has simulated


@dataclass(frozen=True, slots=True)
class DescriptorFacts:
    """Which descriptors a calibrator looks at."""

    names: tuple[str, ...]  # (d,) in their order; their blocks follow from them
    computed: bool  # by the force field; else they come with the table
    force_field: str = ""  # its name
    tables: str = ""  # SHA-256 of its tables


@dataclass(frozen=True, slots=True)
class CalibratorFacts:
    """What a calibrator calibrates, and what is known of it in words."""

    quantity: Property
    model: ModelName
    log_scale: bool
    level: float  # of the intervals
    protocol: str  # by which it was checked, as the study says it
    polymers: int  # of the fit
    descriptors: DescriptorFacts
    typical_md: float  # of the MD values of the study, two digits: whether another table has the same unit
    advice: str = ""  # that another calibrator is recommended; "" where it is this one
    md_temperatures: MDTemperatures | None = None  # of the MD values of the fit; files of earlier versions do not say
    md_pressures: MDPressures | None = None  # likewise


@dataclass(frozen=True, slots=True)
class TrainingFacts:
    """How a calibrator with its training polymers was fitted, beside the numbers."""

    protocol: Literal["default", "paper"]
    blocks_off: tuple[int, ...]
    block_factors: tuple[tuple[int, float], ...]
    names: tuple[str, ...]  # (n,) of the polymers, as the study shows them
    smiles: tuple[str, ...]  # (n,) as written
    wide_beyond: bool = False  # how intervals widen far from the fit; before format 3 they did so less
    cautious_prior: bool = True  # whether penalties were chosen with caution; before format 5 they were


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """What a calibrator of several sources needs of a polymer beside its MD value."""

    names: tuple[str, ...]  # (1 + p,) inside a sentence; the MD value first
    rigid_bonds: Constraint  # of the simulation, by which the MD value is corrected for quantum effects
    form: LinearForm | None = None  # of the mean source, with coefficients only


@dataclass(frozen=True, slots=True)
class SurrogateFacts:
    """How MD values are predicted, beside the numbers: as in :mod:`affinecal_gui.calibration.surrogate.surrogate`."""

    level: float  # target scale
    length: float
    noise: float
    amplitude: float
    rmse: float
    rows: int
    simulated: tuple[str, ...]  # repeat units, as written, of the polymers with MD values


@dataclass(frozen=True, slots=True)
class ArrayShapes:
    """The arrays of a file."""

    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
