"""What a calibrator is: one frozen record, from which every list, choice, table, figure and file takes what it needs.

Nothing heavy is imported here or by the records: the command line lists the calibrators before numpy is loaded. How a
calibrator is fitted is therefore a function that imports its mathematics when it is called.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from affinecal_gui.calibration.calibrators.parameters import Parameter

if TYPE_CHECKING:
    from affinecal_gui.calibration.calibrators.training import LinearFitting
    from affinecal_gui.calibration.kernels.method_fit import KernelFitting

PenaltyName = Literal["lambda_1", "lambda_2", "lambda_beta"]
"""A penalty that can be set by hand: the fields of :class:`affinecal_gui.calibration.results.Penalties`."""


@dataclass(frozen=True, slots=True)
class Equation:
    """An equation as a report sets it."""

    title: str  # "" for the title of the calibrator
    mathematics: str  # for matplotlib
    markup: str  # HTML


@dataclass(frozen=True, slots=True)
class Calibrator:
    """One calibrator: what it is called, what it is made of, and how it is fitted.

    It comes in one of five ways. A linear one is fitted in every calibration; one of several sources is the form of a linear
    one where more is known than one MD value; one with kernels is compared with those on request, and chooses its penalties
    itself; one that combines others is the weighted mean of their values; one that is given is not fitted at all: its values
    come with the data, where they can be had.
    """

    key: str  # in settings, files and on the command line
    name: str  # in a list or a table cell, small where it is no abbreviation
    short_title: str  # where there is no room for the title
    role: str  # of the palettes of window and figures: its hue and mark
    equation: str  # plain text; f the MD value, x the descriptors
    explanation: str  # one sentence
    linear: "Callable[[str], LinearFitting] | None" = None  # of its key
    kernels: "Callable[[], KernelFitting] | None" = None
    is_given: bool = False  # nothing is fitted: its values come with the data
    one_source: str = ""  # key of the linear calibrator of which it is the form with several source features
    combines: tuple[str, ...] = ()  # keys of the linear calibrators that it is the weighted mean of
    name_on_linear_scale: str = ""  # where it differs
    name_in_sentence: str = ""  # where it differs
    is_raw: bool = False  # the MD value itself: nothing is fitted
    uses_md: bool = True
    uses_descriptors: bool = True
    penalties: tuple[PenaltyName, ...] = ()  # that can be set by hand; with any, a linear calibrator has coefficients
    parameters: tuple[Parameter, ...] = ()  # that are shown; which of a linear fit they are makes its intervals
    sign: Literal[-1, 1] = 1  # of the correction by the descriptors: with -1, a positive coefficient lowers the value
    report_equation: Equation | None = None
    builds_on: tuple[str, ...] = ()  # keys of methods with kernels that must be fitted before it
    work: float = 1.0  # how much longer than a kernel ridge regression its fit takes, for the progress bar

    def __post_init__(self) -> None:
        ways = [
            self.linear is not None,
            self.kernels is not None,
            bool(self.combines),
            self.is_given,
            bool(self.one_source),
        ]
        if ways.count(True) != 1:
            raise ValueError(
                f"the calibrator {self.key!r} must come in one way: linear, of several sources, with kernels, combining "
                "others, or given"
            )

    @property
    def needs_kernels(self) -> bool:
        """Whether it is a method with kernels."""
        return self.kernels is not None

    @property
    def has_coefficients(self) -> bool:
        """Whether it has coefficients of the descriptors; one with kernels has average effects instead."""
        return bool(self.penalties or self.combines or (self.one_source and self.uses_descriptors))

    @property
    def needs_further_data(self) -> bool:
        """Whether it rests on more than measured and MD values and descriptors, which other data may not have."""
        return self.is_given or bool(self.one_source)

    @property
    def has_offset(self) -> bool:
        """Whether an offset is fitted; a calibrator with a slope alone is a line through the origin."""
        return any(one.of_fit == "alpha_0" for one in self.parameters)

    @property
    def has_slope(self) -> bool:
        """Whether the weight of the MD value is fitted."""
        return any(one.of_fit == "alpha_1" for one in self.parameters)

    @property
    def has_coupling(self) -> bool:
        """Whether its correction depends on the MD value, by beta."""
        return any(one.of_fit == "beta" for one in self.parameters)
