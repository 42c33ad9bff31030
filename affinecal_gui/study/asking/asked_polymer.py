"""What is shown of a polymer that somebody asks about: numbers and sentences; no widget computes any of them."""

from dataclasses import dataclass
from math import isfinite, nan

from affinecal_gui.study.md_origin import MDOrigin
from affinecal_gui.study.shown.inspector_content import InspectorContent


@dataclass(frozen=True, slots=True)
class AskedPolymer:
    """The answer to one text. Empty parts are left out of the picture."""

    asked: str  # the text as it was typed or pasted
    smiles: str = ""  # as it was read; "" where the text is no polymer
    hint: str = ""  # why it is none, in a sentence
    content: InspectorContent | None = None
    row: str = ""  # key of the row of the tables that is this polymer
    standing: str = ""  # whether the tables know it, in a sentence
    value: float = nan  # calibrated, unit of the property
    lower: float = nan
    upper: float = nan
    level: float = nan  # of the interval
    origin: MDOrigin | None = None  # of the value; None without one
    basis: str = ""  # how the value came about, in sentences
    missing: str = ""  # why there is no value, in a sentence
    is_waiting: bool = False  # there will be one as soon as everything is learned
    notes: tuple[str, ...] = ()  # what had to be interpreted in the text
    sentence: str = ""  # the result, for a text

    @property
    def has_value(self) -> bool:
        """Whether there is a calibrated value."""
        return isfinite(self.value)
