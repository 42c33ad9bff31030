"""The service behind ``affinecal benchmark --protocol eigenvalues``: how fast eigenvalues fall, beside what was published."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from affinecal_gui import __version__
from affinecal_gui.bundled import resources
from affinecal_gui.calibration.kernels.eigenvalues.decay import (
    NORMS,
    PAPER_DRAWS,
    PAPER_KERNELS,
    PAPER_OVERLAPS,
    DecayRates,
    EigenvalueDecay,
    Norm,
    run_eigenvalue_decay,
)
from affinecal_gui.calibration.names import KERNEL_TITLES
from affinecal_gui.calibration.results import FloatArray, KernelName
from affinecal_gui.numbers import decimal, significant
from affinecal_gui.tables.writing.csv_export import Cell, write_table
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.writing.json_file import write_json
from affinecal_gui.tasks.writing.results_folder import results_folder

OUTPUTS = ("benchmark.json", "benchmark.csv", "repetitions.csv", "benchmark.svg", "benchmark.png")
CSV_COLUMNS = (
    "c", "matrix", "kernel of K3", "kernel of K2", "overlap", "s mean", "s standard deviation", "published mean",
    "published standard deviation", "difference, standard errors",
)  # fmt: skip
REPETITION_COLUMNS = ("c", "kernel of K3", "kernel of K2", "overlap", "draw", "s of K2", "s of K3", "s of K2 o K3")

LARGE = 2.0
"""Standard errors of the difference of two means beyond which it asks for an explanation."""

_TOLD = (0, 5, 10)  # overlaps in the table for a person


@dataclass(frozen=True, slots=True)
class PublishedDecay:
    """Means and standard deviations over the draws of the published program, whose c is the trace.

    Arrays are those of the experiment with the paper's kernels and overlaps, without the axis of the draws.
    """

    origin: str
    draws: int
    mean: DecayRates
    sd: DecayRates


@dataclass(frozen=True, slots=True)
class MeanRate:
    """The mean of s over the draws, of one matrix, and what was published; the cells of :data:`CSV_COLUMNS`."""

    c: Norm
    matrix: str  # "K2", "K3", "K2 o K3"
    target: KernelName | None  # of K3; None where the matrix has no part of it
    source: KernelName | None  # of K2
    overlap: int | None
    mean: float
    sd: float | None  # None of a single draw
    published_mean: float | None  # None where nothing was published
    published_sd: float | None
    difference: float | None  # in standard errors of the difference that as many other draws would have


def benchmark_eigenvalues(
    output: Path, *, draws: int = PAPER_DRAWS, overwrite: bool = False, task: Task = UNWATCHED
) -> list[str]:
    """Run the experiment with the draws of the published program and write tables and a figure to a folder.

    Returns
    -------
    list of str
        The table of means, for a person.

    Raises
    ------
    UserError
        A result exists already and ``overwrite`` is false, or the folder cannot be written.
    Cancelled
        When asked to stop; nothing is left behind.
    """
    with results_folder(output, OUTPUTS, overwrite=overwrite) as folder:
        found = run_eigenvalue_decay(draws=draws, task=task.part(0.0, 0.95))
        task.report(0.95, "Writing the results")
        published = read_published_decay()
        means = mean_rates(found, published)
        summary = _summary(found, means)
        content = {
            "program": f"AffineCal {__version__}",
            "protocol": "eigenvalues",
            "draws": draws,
            "published": published.origin,
            "how": summary,
            "means": [asdict(one) for one in means],
        }
        write_json(folder / "benchmark.json", content)
        write_table(folder / "benchmark.csv", CSV_COLUMNS, [tuple(asdict(one).values()) for one in means])
        write_table(folder / "repetitions.csv", REPETITION_COLUMNS, _repetition_rows(found))
        _draw(found, published, folder)
        task.report(1.0, "Done")
    return [*_table(found, published), *summary, f"Written to {output}: {', '.join(OUTPUTS)}."]


def read_published_decay() -> PublishedDecay:
    """Return the published figures that come with the program."""
    content = json.loads((resources() / "published" / "eigenvalue_decay.json").read_text(encoding="utf-8"))

    def rates(statistic: str) -> DecayRates:
        return DecayRates(
            np.array([content["source"][kernel][statistic] for kernel in PAPER_KERNELS]),
            np.array([content["target"][kernel][statistic] for kernel in PAPER_KERNELS]),
            np.array([[content["product"][one][two][statistic] for two in PAPER_KERNELS] for one in PAPER_KERNELS]),
        )

    return PublishedDecay(content["origin"], content["draws"], rates("mean"), rates("sd"))


def mean_rates(found: EigenvalueDecay, published: PublishedDecay) -> list[MeanRate]:
    """Set every mean of the paper's kernels and overlaps beside the published one, which is that of the trace."""
    means = []
    for norm in NORMS:
        rates = found.rates[norm]
        for matrix in ("K2", "K3", "K2 o K3"):
            ours, mean, sd = (_of(matrix, one) for one in (rates, published.mean, published.sd))
            for place in np.ndindex(mean.shape):
                s = ours[place]
                deviation = float(s.std(ddof=1)) if found.draws > 1 else None
                known, spread = (float(mean[place]), float(sd[place])) if norm == "trace" else (None, None)
                gap = None
                if deviation is not None and known is not None and spread is not None:
                    error = np.sqrt(deviation**2 / found.draws + spread**2 / published.draws)
                    gap = float((s.mean() - known) / error)
                kernels = [PAPER_KERNELS[k] for k in place[: 2 if matrix == "K2 o K3" else 1]]
                target = kernels[0] if matrix != "K2" else None
                source = kernels[-1] if matrix != "K3" else None
                overlap = PAPER_OVERLAPS[place[-1]] if matrix != "K3" else None
                means.append(
                    MeanRate(norm, matrix, target, source, overlap, float(s.mean()), deviation, known, spread, gap)
                )
    return means


def _of(matrix: str, rates: DecayRates) -> FloatArray:
    return {"K2": rates.source, "K3": rates.target, "K2 o K3": rates.product}[matrix]


def _repetition_rows(found: EigenvalueDecay) -> Iterator[tuple[Cell, ...]]:
    """Yield one line per pair of kernels, overlap and draw, with the cells of :data:`REPETITION_COLUMNS`."""
    for norm in NORMS:
        rates = found.rates[norm]
        for place in np.ndindex(rates.product.shape):
            t, s, d, draw = place
            yield (
                norm,
                found.kernels[t],
                found.kernels[s],
                found.overlaps[d],
                draw,
                float(rates.source[s, d, draw]),
                float(rates.target[t, draw]),
                float(rates.product[place]),
            )


def _draw(found: EigenvalueDecay, published: PublishedDecay, folder: Path) -> None:
    from affinecal_gui.figures.plots.eigenvalue_decay import eigenvalue_decay_figure
    from affinecal_gui.figures.saving import save_figure

    figure = eigenvalue_decay_figure(found, published.mean)
    for suffix in ("svg", "png"):
        save_figure(figure, folder / f"benchmark.{suffix}")


def _table(found: EigenvalueDecay, published: PublishedDecay) -> list[str]:
    """Write the means of K2 o K3 as a table: a line for each pair of kernels."""
    columns = [PAPER_OVERLAPS.index(overlap) for overlap in _TOLD]
    heads = ("c = trace", "published", "c = squared norm")
    width = 7 * len(_TOLD)
    names = {kernel: KERNEL_TITLES[kernel] for kernel in PAPER_KERNELS}
    wide = max(map(len, names.values()))
    lines = [
        f"Mean decay s of K2 o K3 over {found.draws} draws; subspaces with {', '.join(map(str, _TOLD))} of 10 dimensions in "
        "common:",
        f"  {'K3, of x':<{wide}}  {'K2, of source':<{wide}}  " + "  ".join(f"{head:>{width}}" for head in heads),
    ]
    trace, squared = (found.rates[norm].product.mean(axis=-1) for norm in NORMS)
    for t, target in enumerate(PAPER_KERNELS):
        for s, source in enumerate(PAPER_KERNELS):
            cells = [
                "".join(f"{decimal(float(values[t, s, d]), 3):>7}" for d in columns)
                for values in (trace, published.mean.product, squared)
            ]
            lines.append(f"  {names[target]:<{wide}}  {names[source]:<{wide}}  " + "  ".join(cells))
    return lines


def _summary(found: EigenvalueDecay, means: list[MeanRate]) -> list[str]:
    """Say which rule gives the published figures, how far ours are from them, and whether s falls with the overlap."""
    sentences = [
        "s is the smallest with lambda_i <= c i^(-1/s). The published figures are those with c = the trace, as in the "
        "published program; the text of the paper says the squared Frobenius norm, which gives smaller s."
    ]
    beside = [one for one in means if one.published_mean is not None and one.difference is not None]
    if beside:
        large = sum(abs(one.difference or 0.0) > LARGE for one in beside)
        farthest = max(abs(one.mean - (one.published_mean or 0.0)) for one in beside)
        sentences.append(
            f"{large or 'None'} of {len(beside)} means with the trace {'is' if large < 2 else 'are'} more than two standard "
            f"errors away from the published one; the farthest by {significant(farthest, 2)}."
        )
    for norm in NORMS:
        words = "trace" if norm == "trace" else "squared norm"
        sentences.append(f"With the {words}, {_growing(found, norm)}")
    return sentences


def _growing(found: EigenvalueDecay, norm: Norm) -> str:
    """Say where the mean of s of the product grows with the overlap, which it should not."""
    mean = found.rates[norm].product.mean(axis=-1)
    grows = np.argwhere(np.diff(mean, axis=-1) > 0.0)
    if not len(grows):
        return "s of K2 o K3 falls with every further dimension in common, whatever the kernels."
    pairs = {(int(t), int(s)) for t, s, _ in grows}
    named = ", ".join(
        f"{KERNEL_TITLES[found.kernels[t]]} with {KERNEL_TITLES[found.kernels[s]]} "
        f"({', '.join(f'{found.overlaps[d]} to {found.overlaps[d + 1]}' for a, b, d in grows if (a, b) == (t, s))})"
        for t, s in sorted(pairs)
    )
    return f"s of K2 o K3 falls with the overlap but for {named}."
