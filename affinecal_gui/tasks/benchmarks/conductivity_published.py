"""The published figures of the conductivity experiment, and how far ours are from them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from affinecal_gui.bundled import resources
from affinecal_gui.calibration.networks.conductivity import PAPER_SPLITS, ConductivityBenchmark
from affinecal_gui.calibration.results import FloatArray

LARGE = 2.0
"""Standard errors beyond which a difference asks for an explanation."""

PAPER_CRYSTALS, PAPER_MEASURED = 320, 45


@dataclass(frozen=True, slots=True)
class PublishedMethod:
    """RMSE in W/(m K)."""

    mean: float
    error: float  # standard error over the 100 runs
    median: float
    by_split: FloatArray  # (10,) means over the source networks


@dataclass(frozen=True, slots=True)
class PublishedConductivity:
    """What was published, by method."""

    origin: str
    methods: Mapping[str, PublishedMethod]


@dataclass(frozen=True, slots=True)
class MethodMean:
    """A method's errors in short, beside the published ones; None where nothing was published, or of other data."""

    key: str
    mean: float
    error: float | None  # standard error over the runs, as published
    median: float
    published_mean: float | None = None
    published_error: float | None = None
    published_median: float | None = None
    difference: float | None = None  # of the means, on the same partitions
    paired: float | None = None  # it, in standard errors of the mean of the differences of the partitions
    unpaired: float | None = None  # it, in standard errors of the difference of two means over runs

    @property
    def is_large(self) -> bool:
        """Whether either yardstick calls the difference more than chance."""
        return any(abs(one) > LARGE for one in (self.paired, self.unpaired) if one is not None)


def read_published_conductivity() -> PublishedConductivity:
    """Return the published figures that come with the program."""
    content = json.loads((resources() / "published" / "conductivity.json").read_text(encoding="utf-8"))
    return PublishedConductivity(
        content["origin"],
        {
            key: PublishedMethod(one["mean"], one["error"], one["median"], np.array(one["by_split"]))
            for key, one in content["methods"].items()
        },
    )


def method_means(found: ConductivityBenchmark, published: PublishedConductivity) -> list[MethodMean]:
    """Set every method's errors beside the published ones of the same partitions."""
    same = (found.crystals, found.measured) == (PAPER_CRYSTALS, PAPER_MEASURED) and found.splits <= PAPER_SPLITS
    means = []
    for key, one in found.methods.items():
        runs = one.rmse.size
        error = float(one.rmse.std(ddof=1) / np.sqrt(runs)) if runs > 1 else None
        summary = key, float(one.rmse.mean()), error, float(np.median(one.rmse))
        beside = published.methods.get(key)
        if beside is None or not same:
            means.append(MethodMean(*summary))
            continue
        gaps = one.rmse.mean(axis=0) - beside.by_split[: found.splits]
        spread = float(gaps.std(ddof=1) / np.sqrt(len(gaps))) if len(gaps) > 1 else 0.0
        means.append(
            MethodMean(
                *summary,
                beside.mean,
                beside.error,
                beside.median,
                float(gaps.mean()),
                float(gaps.mean() / spread) if spread else None,
                None if error is None else float((summary[1] - beside.mean) / np.hypot(error, beside.error)),
            )
        )
    return means
