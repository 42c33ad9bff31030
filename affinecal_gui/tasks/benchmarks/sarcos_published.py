"""The published figures of the robot arm, and how far ours are from them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from affinecal_gui.bundled import resources
from affinecal_gui.calibration.calibrators.registry import kernel_keys
from affinecal_gui.calibration.kernels.methods import TransferName
from affinecal_gui.calibration.kernels.protocol import TransferBenchmark
from affinecal_gui.calibration.names import calibrator_title
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.numbers import decimal

LARGE = 2.0
"""Standard errors of the difference of two means beyond which it asks for an explanation."""

Table = Mapping[tuple[int, TransferName, int], float]
"""By torque (from 0), method and training set size."""


@dataclass(frozen=True, slots=True)
class Published:
    """Mean RMSE as printed, and mean and standard deviation in the results file of the authors' program."""

    paper_origin: str
    authors_origin: str
    paper_mean: Table
    authors_mean: Table
    authors_sd: Table
    repetitions: int


@dataclass(frozen=True, slots=True)
class PublishedDifference:
    """One mean of ours beside the published one."""

    target: int
    method: TransferName
    size: int
    ours: float
    published: float
    standard_errors: float  # (ours - published) / standard error of that difference


@dataclass(frozen=True, slots=True)
class Differences:
    """All means that were published too."""

    all: tuple[PublishedDifference, ...]

    @property
    def large(self) -> tuple[PublishedDifference, ...]:
        """Those beyond two standard errors."""
        return tuple(one for one in self.all if abs(one.standard_errors) > LARGE)

    @property
    def sentence(self) -> str:
        """How many there are, and whether ours are lower or higher."""
        if not self.all:
            return "None of these figures was published."
        lower = sum(one.standard_errors < 0 for one in self.large)
        count = len(self.large)
        text = f"{count} of {len(self.all)} means differ from the published ones by more than two standard errors"
        if not count:
            return f"{text}."
        most = max(self.large, key=lambda one: abs(one.standard_errors))
        return (
            f"{text}, {lower} lower and {count - lower} higher; the most: torque {most.target + 1}, "
            f"{calibrator_title(most.method, log_scale=True)}, n = {most.size} "
            f"({decimal(most.standard_errors, 1, signed=True)})."
        )


def read_published() -> Published:
    """Return the published figures that come with the program."""
    text = (resources() / "published" / "sarcos.json").read_text(encoding="utf-8")
    content = json.loads(text)

    def table(values: dict[str, dict[str, list[float]]]) -> Table:
        return {
            (int(target) - 1, name, size): value
            for target, methods in values.items()
            for name in kernel_keys()
            for size, value in zip(content["sizes"], methods.get(name, []), strict=False)
        }

    paper, authors = content["paper"], content["authors_file"]
    return Published(
        paper["origin"],
        authors["origin"],
        table(paper["mean"]),
        table(authors["mean"]),
        table(authors["sd"]),
        int(content["repetitions"]),
    )


def none_published() -> Published:
    """Return no figures, for an experiment that was not published."""
    return Published("", "", {}, {}, {}, 0)


def differences(benchmark: TransferBenchmark, published: Published) -> Differences:
    """Set our means beside those of the authors' results file."""
    found = []
    for name in benchmark.rmse:
        mean, sd = benchmark.mean(name), benchmark.sd(name)
        for q, target in enumerate(benchmark.targets):
            for k, size in enumerate(benchmark.sizes):
                key = (target, name, size)
                if key in published.authors_mean and np.isfinite(sd[q, k]):
                    gap = float(mean[q, k]) - published.authors_mean[key]
                    error = _error(sd[q, k], benchmark.repetitions, published.authors_sd[key], published.repetitions)
                    found.append(
                        PublishedDifference(
                            target, name, size, float(mean[q, k]), published.authors_mean[key], gap / error
                        )
                    )
    return Differences(tuple(found))


def _error(sd: FloatArray | float, count: int, other_sd: float, other_count: int) -> float:
    return float(np.sqrt(np.square(sd) / count + other_sd**2 / other_count))
