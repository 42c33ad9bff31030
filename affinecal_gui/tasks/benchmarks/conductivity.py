"""The service behind ``affinecal benchmark --protocol ltc``: affine transfer with networks, on thermal conductivities."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from affinecal_gui import __version__
from affinecal_gui.calibration.networks.candidates import NEURAL_METHODS
from affinecal_gui.calibration.networks.conductivity import (
    PAPER_NETWORKS,
    PAPER_SOURCES,
    PAPER_SPLITS,
    ConductivityBenchmark,
    NetworkRuns,
    RunKey,
    Scaling,
    run_conductivity,
)
from affinecal_gui.calibration.networks.kernel_rivals import RIVAL_TITLES, run_rivals
from affinecal_gui.calibration.networks.source_networks import MOST_EPOCHS
from affinecal_gui.errors import UserError
from affinecal_gui.files import write_atomically
from affinecal_gui.numbers import decimal, significant
from affinecal_gui.tables.row_stream import facts_of
from affinecal_gui.tables.writing.csv_export import Cell, write_table
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.benchmarks.conductivity_published import (
    LARGE,
    MethodMean,
    method_means,
    read_published_conductivity,
)
from affinecal_gui.tasks.benchmarks.crystal_table import read_crystals
from affinecal_gui.tasks.writing.finished_parts import FinishedParts
from affinecal_gui.tasks.writing.own_inputs import keep_inputs
from affinecal_gui.tasks.writing.results_folder import results_folder

OUTPUTS = ("benchmark.json", "benchmark.csv", "repetitions.csv", "benchmark.svg", "benchmark.png")
CSV_COLUMNS = (
    "method", "mean RMSE", "standard error", "median RMSE", "published mean", "published standard error",
    "published median", "difference on the same partitions", "difference, paired standard errors",
    "difference, standard errors of two means",
)  # fmt: skip
PART = "benchmark.part"
"""In the folder of the results: the runs that are finished, until all are."""

REPETITION_COLUMNS = ("method", "source network", "partition", "RMSE", "chosen")

TITLES = {**{one.key: one.title for one in NEURAL_METHODS}, **RIVAL_TITLES}


def benchmark_conductivity(
    data: Path,
    output: Path,
    *,
    splits: int = PAPER_SPLITS,
    networks: int = PAPER_NETWORKS,
    sources: int = PAPER_SOURCES,
    scaling: Scaling = "all",
    most_epochs: int = MOST_EPOCHS,
    overwrite: bool = False,
    resume: bool = False,
    task: Task = UNWATCHED,
) -> list[str]:
    """Run the experiment and write its tables and figure to a folder.

    It takes an hour. Every run is kept as soon as it is finished, whatever becomes of the program, and the same experiment
    can go on from there; the results are those of one that was never stopped.

    Parameters
    ----------
    data
        Table of crystals (:func:`affinecal_gui.tasks.benchmarks.crystal_table.read_crystals`).
    output
        Folder for the results.
    splits
        Partitions of the measured crystals.
    networks, sources
        Source networks that are trained, and how many of them, the best, are used.
    scaling
        What scales the logarithm of the target.
    most_epochs
        Of any network; fewer than the published 1,000 are for trying out.
    overwrite
        Replace results, and runs of an experiment that was stopped and does not go on.
    resume
        Go on where the same experiment was stopped.

    Returns
    -------
    list of str
        The table of means, for a person.

    Raises
    ------
    UserError
        The file is no such table, or a result, or runs of an experiment that was stopped, exist already and nothing says
        what becomes of them.
    Cancelled
        When asked to stop; the text says how many runs are finished, and how to go on.
    """
    if sources > networks:
        raise UserError(
            f"{sources} source networks cannot be chosen from {networks}; lower --sources or raise --networks."
        )
    keep_inputs((output / PART,), (data,))
    with results_folder(output, OUTPUTS, overwrite=overwrite, inputs=(data,)) as folder:
        task.report(0.0, f"Reading {data.name}")
        crystals, notes = read_crystals(data, task=task)
        made_from = {
            "input": facts_of(data, task=task).digest,
            "choice of networks, partitions, scaling and epochs": f"{sources}/{networks} {splits} {scaling} {most_epochs}",
            "version of the program": f"AffineCal {__version__}",
        }
        parts = FinishedParts(output / PART, made_from, overwrite=overwrite, resume=resume)
        with parts.told_how_to_go_on(len(NEURAL_METHODS) * sources, "runs of a method with a source network"):
            neural = run_conductivity(
                crystals,
                networks=networks,
                keep=sources,
                splits=splits,
                scaling=scaling,
                task=task.part(0.01, 0.96),
                most_epochs=most_epochs,
                known=_known_runs(parts.known, splits),
                finished=partial(_keep_runs, parts),
            )
            rivals = run_rivals(neural.target, sources, task=task.part(0.96, 0.98).silent)
        found = replace(neural, methods={**neural.methods, **rivals})
        task.report(0.98, "Writing the results")
        published = read_published_conductivity()
        means = method_means(found, published)
        how = [*notes, *how_it_was_done(found)]
        content = {
            "program": f"AffineCal {__version__}",
            "protocol": "ltc",
            "unit": "W/(m K)",
            "published": published.origin,
            "scaling": scaling,
            "partitions": splits,
            "source networks": [
                {"number": number, "RMSE, cm": float(error)}
                for number, error in zip(found.networks.numbers, found.networks.error, strict=True)
            ],
            "how": how,
            "means": [asdict(one) | {"title": TITLES[one.key]} for one in means],
        }
        text = json.dumps(content, indent=2, allow_nan=False, ensure_ascii=False)
        write_atomically(folder / "benchmark.json", text.encode() + b"\n")
        write_table(folder / "benchmark.csv", CSV_COLUMNS, [_cells(one) for one in means])
        write_table(folder / "repetitions.csv", REPETITION_COLUMNS, _repetition_rows(found))
        _draw(means, found, folder)
    parts.remove()
    task.report(1.0, "Done")
    return [
        *how,
        *table_of(means, found),
        *judgement(found, means),
        f"Written to {output}: {', '.join(OUTPUTS)}.",
    ]


def _keep_runs(parts: FinishedParts, key: RunKey, runs: NetworkRuns) -> None:
    method, number = key
    content = {"rmse": runs.rmse.tolist(), "chosen": runs.chosen.tolist(), "seconds": runs.seconds}
    parts.add(f"{method} {number}", content)


def _known_runs(parts: Mapping[str, Any], splits: int) -> dict[RunKey, NetworkRuns]:
    """Return the runs that are finished; what cannot be one is made again."""
    found: dict[RunKey, NetworkRuns] = {}
    for name, content in parts.items():
        try:
            method, number = name.split()
            rmse = np.array(content["rmse"], dtype=np.float64)
            chosen = np.array(content["chosen"], dtype=np.int64)
            runs = NetworkRuns(rmse, chosen, float(content["seconds"]))
            key = method, int(number)
        except (TypeError, ValueError, KeyError):
            continue
        if rmse.shape == chosen.shape == (splits,):
            found[key] = runs
    return found


def how_it_was_done(found: ConductivityBenchmark) -> list[str]:
    """Say in sentences how the figures came about, and where that differs from the publication."""
    nets = found.networks
    scaled = (
        "over all measured crystals, the held-out ones among them, as published"
        if found.scaling == "all"
        else "over each training part alone, which the published program does not do"
    )
    some = (
        []
        if found.splits == PAPER_SPLITS
        else [
            f"Published means are those of {PAPER_SPLITS} partitions; differences are taken on the same ones as here."
        ]
    )
    return [
        f"{found.crystals} crystals, {found.measured} of them with a conductivity: {found.splits} random partitions into "
        f"{found.measured - 5} to train with and 5 to predict, the published ones; the best {len(nets.numbers)} of "
        f"{nets.trained} networks for SPS. RMSE in W/(m K); logarithms are standardised {scaled}.",
        "Initial weights, batches and dropout are random with other seeds than the published ones, and differ between the "
        "source networks, where the published program has one seed for all.",
        *some,
    ]


def table_of(means: Sequence[MethodMean], found: ConductivityBenchmark) -> list[str]:
    """Write the means as a table: a line for each method."""
    wide = max(len(TITLES[one.key]) for one in means)
    lines = [
        f"{'':<{wide + 2}}{'mean ± s.e.':>15}{'median':>8}{'published':>15}{'median':>8}{'difference':>12}"
        f"{'paired s.e.':>13}{'processor':>12}"
    ]
    for one in means:
        spread = "" if one.error is None else f" ± {decimal(one.error, 1)}"
        beside = (
            ""
            if one.published_mean is None
            else f"{decimal(one.published_mean, 1)} ± {decimal(one.published_error or 0.0, 1)}"
        )
        cells = [
            f"{decimal(one.mean, 1) + spread:>15}",
            f"{decimal(one.median, 1):>8}",
            f"{beside:>15}",
            f"{'' if one.published_median is None else decimal(one.published_median, 1):>8}",
            f"{'' if one.difference is None else decimal(one.difference, 1, signed=True):>12}",
            f"{'' if one.paired is None else decimal(one.paired, 1, signed=True):>13}",
            f"{significant(found.methods[one.key].seconds, 2) + ' s':>12}",
        ]
        lines.append(f"  {TITLES[one.key]:<{wide}}" + "".join(cells))
    return lines


def judgement(found: ConductivityBenchmark, means: Sequence[MethodMean]) -> list[str]:
    """Say how many figures differ from the published ones, whether the order is theirs, and what kernels do in no time."""
    sentences = []
    beside = [one for one in means if one.published_mean is not None]
    if beside:
        large = [TITLES[one.key] for one in beside if one.is_large]
        sentences.append(
            f"{len(large) or 'None'} of {len(beside)} means differ from the published ones by more than {LARGE:g} standard "
            f"errors{': ' + ', '.join(large) if large else ''}."
        )
    elif means:
        sentences.append("No published figures stand beside these: they are of 320 crystals, 45 of them measured.")
    for title, keys in (("Feature extraction", "features"), ("Affine transfer", "affine")):
        rmse = [found.methods[f"{keys}_{layer}"].rmse for layer in (1, 2, 3)]
        shown = ", ".join(decimal(float(one.mean()), 1) for one in rmse)
        medians = ", ".join(decimal(float(np.median(one)), 1) for one in rmse)
        sentences.append(f"{title} from layers 1, 2, 3: mean {shown}, median {medians}.")
    return [*sentences, *kernel_sentences(found)]


def kernel_sentences(found: ConductivityBenchmark) -> Iterator[str]:
    """Say what the best kernel method has against the best network, by mean and by median, and in what time."""
    neural = [one.key for one in NEURAL_METHODS if one.key in found.methods]
    rivals = [key for key in RIVAL_TITLES if key in found.methods]
    for word, of in (("mean", np.mean), ("median", np.median)):
        best, rival = (min(keys, key=lambda key: float(of(found.methods[key].rmse))) for keys in (neural, rivals))
        ours, other = found.methods[best], found.methods[rival]
        times = ours.seconds / ours.rmse.size / max(other.seconds / other.rmse.size, 1e-9)
        low, high = float(of(other.rmse)), float(of(ours.rmse))
        verdict = "beats" if low < high else "does not beat"
        yield (
            f"By the {word}, the best kernel method {verdict} the best network: {TITLES[rival]} {decimal(low, 1)}, "
            f"{TITLES[best]} {decimal(high, 1)}; a run of the network takes {significant(times, 2)} times as long."
        )


def _cells(one: MethodMean) -> tuple[Cell, ...]:
    return (TITLES[one.key], *list(asdict(one).values())[1:])


def _repetition_rows(found: ConductivityBenchmark) -> Iterator[tuple[Cell, ...]]:
    for key, one in found.methods.items():
        for source, split in np.ndindex(one.rmse.shape):
            number = found.networks.numbers[source] if len(one.rmse) == len(found.networks.numbers) > 1 else None
            chosen = one.candidates[one.chosen[source, split]] if one.candidates else None
            yield TITLES[key], number, split, float(one.rmse[source, split]), chosen


def _draw(means: Sequence[MethodMean], found: ConductivityBenchmark, folder: Path) -> None:
    from affinecal_gui.figures.plots.conductivity import DrawnMethod, conductivity_figure
    from affinecal_gui.figures.saving import save_figure

    figure = conductivity_figure(
        [
            DrawnMethod(
                TITLES[one.key],
                one.key in RIVAL_TITLES,
                one.mean,
                one.error,
                one.median,
                one.published_mean,
                one.published_error,
            )
            for one in means
        ],
        f"{found.splits} partitions, {len(found.networks.numbers)} source networks",
    )
    for suffix in ("svg", "png"):
        save_figure(figure, folder / f"benchmark.{suffix}")
