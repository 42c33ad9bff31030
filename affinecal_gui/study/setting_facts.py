"""What is known of each setting beside its value: its step for undo, its option, its argument of Python.

The fields of :class:`affinecal_gui.study.snapshot.Settings` carry these facts; lists of settings are made from them. Nothing
heavy is imported here, because the command line reads the options before numpy is loaded.

Not among the facts is what a change of a setting makes stale: :mod:`affinecal_gui.study.derive` keeps every step of the work
by the values that went into it, so that no list of settings could go out of date there.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SettingFacts:
    """The facts of one setting."""

    undo: str  # label of the step that changes it alone
    merges: bool = False  # steps that follow each other are one, as those of a drag of a slider
    option: str = ""  # of the command line; "" where only a study file can say it
    off: str = ""  # the option that says no, of a setting that is yes or no
    argument: str = ""  # of ``Study.fit`` in Python
    help: str = ""  # of the option
    choices: tuple[str, ...] = ()  # that the option takes; () for anything of its type
    place: int = 0  # among the options of a command to copy

    @property
    def metadata(self) -> Mapping[str, "SettingFacts"]:
        """The facts as metadata of a field."""
        return {"facts": self}


PROPERTY_KEY = SettingFacts("Change property")  # --property, which belongs to the tables that are named beside it
LOG_SCALE = SettingFacts(
    "Change scale", option="--log", off="--linear", argument="log", help="fit the natural logarithm", place=4
)
PROTOCOL = SettingFacts(
    "Change protocol",
    option="--protocol",
    argument="protocol",
    help="how the calibrators are checked (default default)",
    choices=("default", "paper"),
    place=2,
)
MODEL = SettingFacts("Choose calibrator", option="--calibrator", argument="calibrator", place=1)
FOLLOWS_ADVICE = SettingFacts("Follow the recommendation")  # --calibrator ends it
PENALTIES = SettingFacts(
    "Change penalties",
    merges=True,
    option="--penalties",
    argument="penalties",
    help="λ₁, λ₂ and, if you like, λ of β, instead of those that cross-validation chooses",
    place=6,
)
LEFT_OUT = SettingFacts("Leave out rows")
NOTES = SettingFacts("Write a note")
BLOCKS_OFF = SettingFacts(
    "Switch descriptor blocks",
    option="--blocks-off",
    argument="blocks_off",
    help="descriptor blocks left out of the models, e.g. charge polar",
    place=7,
)
INTERVAL_LEVEL = SettingFacts(
    "Change interval level",
    option="--interval",
    argument="interval",
    help="of the intervals, between 0 and 1 (default 0.9)",
    place=9,
)
SEED = SettingFacts(
    "Change seed",
    option="--seed",
    argument="seed",
    help="of what is left to chance: bootstrap, forecasts, the paper's folds (default 0)",
    place=3,
)
MATCHING = SettingFacts("Change matching")
METHODS = SettingFacts("Compare other methods")
KERNEL_SOURCE = SettingFacts("Change the kernel of the MD value")
KERNEL_FACTOR = SettingFacts("Change the kernel of the factor")
KERNEL_TARGET = SettingFacts("Change the kernel of the descriptors")
SOURCES = SettingFacts("Change the further MD properties")
WEIGHTING = SettingFacts(
    "Change weights",
    option="--weights",
    argument="weights",
    help="let measured values count by their uncertainty, or by the number of reports behind them (default none)",
    choices=("none", "uncertainty", "repeats"),
    place=5,
)
BLOCK_PENALTIES = SettingFacts(
    "Change penalties of a block",
    option="--block-penalty",
    argument="block_penalties",
    help="multiply the penalties of a block, e.g. k_bond=3 (above 1: smaller and smoother coefficients); may be repeated",
    place=8,
)
RIGID_BONDS = SettingFacts(
    "Change rigid bonds",
    option="--rigid-bonds",
    argument="rigid_bonds",
    help="which bonds the simulation holds rigid, for the quantum correction of heat capacities (default hydrogen: those to "
    "hydrogen, as RadonPy does)",
    choices=("hydrogen", "all", "none"),
    place=11,
)
ROBUST = SettingFacts(
    "Change how far values count",
    option="--robust",
    off="--no-robust",
    argument="robust",
    help="let measured values that lie far from the fit count less, by Student's t distribution (all calibrators but those "
    "with kernels)",
    place=12,
)
BANDS = SettingFacts(
    "Change bands",
    option="--bands",
    argument="bands",
    help="of coefficients and parameters: where they lie at that level, or where refits to resampled polymers lie "
    "(default posterior)",
    choices=("posterior", "bootstrap"),
    place=10,
)
