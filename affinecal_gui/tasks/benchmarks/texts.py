"""The service behind ``affinecal benchmark --protocol texts``: what phrases say beyond an embedding."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from affinecal_gui import __version__
from affinecal_gui.calibration.networks.fitting import NetworkOptions
from affinecal_gui.calibration.networks.texts import (
    AFFINE,
    L1_CHOICES,
    NOTHING,
    PAPER_L1,
    STARTS,
    TEXT_METHODS,
    TextBenchmark,
    TextErrors,
    phrases_of,
    run_texts,
)
from affinecal_gui.errors import UserError
from affinecal_gui.numbers import decimal, significant
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.writing.csv_export import Cell, write_table
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.benchmarks.text_tables import Texts, read_texts
from affinecal_gui.tasks.writing.json_file import write_json
from affinecal_gui.tasks.writing.results_folder import results_folder

OUTPUTS = (
    "benchmark.json", "benchmark.csv", "repetitions.csv", "phrases.csv", "predictions.csv", "benchmark.svg",
    "benchmark.png",
)  # fmt: skip
CSV_COLUMNS = ("method", "mean error", "standard error")
REPETITION_COLUMNS = ("method", "partition", "error", "penalty")
PHRASE_COLUMNS = (
    "phrase", "coefficient", "times the mean of g2", "texts that have it", "partitions in which it is not zero",
)  # fmt: skip
PREDICTION_COLUMNS = ("text", "partition", "measured", "predicted", "g1", "g2", "g3")

_SHOWN = 8  # phrases of each sign in the sentences


def benchmark_texts(
    embeddings: Path,
    counts: Path,
    target: str,
    output: Path,
    *,
    repetitions: int = 1,
    most_epochs: int | None = None,
    overwrite: bool = False,
    task: Task = UNWATCHED,
) -> list[str]:
    """Fit the methods to four fifths of the texts, predict the others, and write tables and a figure of the phrases.

    Parameters
    ----------
    embeddings, counts, target
        Tables of the texts (:func:`affinecal_gui.tasks.benchmarks.text_tables.read_texts`).
    output
        Folder for the results.
    repetitions
        Random partitions.
    most_epochs
        Of any network; fewer than usual are for trying out.

    Returns
    -------
    list of str
        Errors and phrases, for a person.

    Raises
    ------
    UserError
        The files are no such tables, or a result exists already and ``overwrite`` is false, or the networks diverge.
    Cancelled
        When asked to stop; nothing is left behind.
    """
    with results_folder(output, OUTPUTS, overwrite=overwrite, inputs=(embeddings, counts)) as folder:
        task.report(0.0, f"Reading {embeddings.name}")
        texts, notes = read_texts(embeddings, counts, target, task=task)
        options = NetworkOptions(starts=STARTS)
        if most_epochs is not None:
            options = replace(options, most_epochs=most_epochs)
        try:
            found = run_texts(texts.data, repetitions=repetitions, options=options, task=task.part(0.05, 0.97))
        except ValueError as error:
            raise UserError(
                "The training of the networks diverges: counts or embeddings of very different sizes are the usual reason. "
                "Divide large counts by the length of the text."
            ) from error
        task.report(0.97, "Writing the results")
        phrases = phrases_of(found.coefficients, texts.phrases)
        how = [*notes, *how_it_was_done(texts, found)]
        content = {
            "program": f"AffineCal {__version__}",
            "protocol": "texts",
            "error": _measure(texts),
            "classes": texts.classes,
            "partitions": repetitions,
            "how": how,
            "methods": {
                key: {"title": TEXT_METHODS[key], "errors": one.error.tolist()} for key, one in found.methods.items()
            },
        }
        write_json(folder / "benchmark.json", content)
        write_table(folder / "benchmark.csv", CSV_COLUMNS, [_line(key, one) for key, one in found.methods.items()])
        write_table(folder / "repetitions.csv", REPETITION_COLUMNS, _repetition_rows(found))
        write_table(folder / "phrases.csv", PHRASE_COLUMNS, _phrase_rows(texts, found, phrases))
        write_table(folder / "predictions.csv", PREDICTION_COLUMNS, _prediction_rows(texts, found))
        _draw(texts, phrases, folder)
        task.report(1.0, "Done")
    return [
        *how,
        *table_of(texts, found),
        *spoken(texts, phrases),
        verdict(found),
        f"Written to {output}: {', '.join(OUTPUTS)}.",
    ]


def _measure(texts: Texts) -> str:
    return "RMSE" if texts.classes is None else "share of texts in the wrong class"


def how_it_was_done(texts: Texts, found: TextBenchmark) -> list[str]:
    """Say in sentences how the figures came about."""
    held = len(found.partitions[0].held)
    n, p = texts.data.embeddings.shape
    # By the names a score among them is noticed, from which a class would be no art to tell.
    named = [shortened(column) for column in texts.columns]
    columns = ", ".join(named) if p < 5 else f"{named[0]}, {named[1]} … {named[-1]}"
    partitions = len(found.partitions)
    chosen = ", ".join(f"{one:g}" for one in sorted(set(found.methods[AFFINE].chosen.tolist())))
    offered = ", ".join(f"{one:g}" for one in L1_CHOICES)
    sentences = [
        f"{n} texts with embeddings of {p} numbers (columns {columns}) and {len(texts.phrases)} phrases; {held} texts, drawn "
        f"at random{'' if partitions == 1 else f' {partitions} times'}, are predicted by what is fitted to the other "
        f"{n - held}.",
        f"y = g1 + g2 g3: g1 and g2 are networks of the embedding, g2 between 0 and 1, and g3 is linear in the counts. Its "
        f"penalty on absolute values is chosen among {offered} ({PAPER_L1:g} in the paper) by texts that the networks hold "
        f"out: {chosen}.",
    ]
    falling = sum(not one.network.converged for one in found.partitions)
    if falling:
        sentences.append(
            f"In {falling} of {partitions} partitions the held-out loss was still falling when the epochs ended: errors and "
            "coefficients are not the final ones."
        )
    return sentences


def table_of(texts: Texts, found: TextBenchmark) -> list[str]:
    """Write the errors as a table: a line for each method."""
    wide = max(map(len, TEXT_METHODS.values()))
    several = len(found.partitions) > 1
    lines = [f"{_measure(texts)[0].upper()}{_measure(texts)[1:]}{', mean ± standard error' if several else ''}:"]
    for key, one in found.methods.items():
        spread = f" ± {significant(_standard_error(one) or 0.0, 2)}" if several else ""
        time = "" if key == NOTHING else f"{significant(one.seconds, 2) + ' s':>12}"
        lines.append(f"  {TEXT_METHODS[key]:<{wide}}{significant(float(one.error.mean())) + spread:>18}{time}")
    return lines


def spoken(texts: Texts, phrases: Sequence[tuple[str, float, int]]) -> list[str]:
    """Say which phrases count, and for what."""
    if not phrases:
        return ["No phrase has a coefficient: beyond the embedding the counts say nothing that outweighs the penalty."]
    up, down = ("higher", "lower") if texts.classes is None else (f"“{texts.classes[1]}”", f"“{texts.classes[0]}”")
    sentences = [f"{len(phrases)} of {len(texts.phrases)} phrases have a coefficient that is not zero."]
    for word, sign in ((up, 1.0), (down, -1.0)):
        own = [(phrase, value) for phrase, value, _ in phrases if sign * value > 0.0][:_SHOWN]
        listed = ", ".join(f"{shortened(phrase)} {significant(value, 2, signed=True)}" for phrase, value in own)
        sentences.append(f"For {word}: {listed or 'none'}.")
    return sentences


def verdict(found: TextBenchmark) -> str:
    """Say what the best linear method has against the networks, and in what time."""
    ours = found.methods[AFFINE]
    linear = [key for key in found.methods if key not in (AFFINE, NOTHING)]
    best = min(linear, key=lambda key: float(found.methods[key].error.mean()))
    other = found.methods[best]
    low, high = float(other.error.mean()), float(ours.error.mean())
    word = "beats" if low < high else "does as well as" if low == high else "does not beat"
    gaps = other.error - ours.error
    clear = ""
    if len(gaps) > 1:
        spread = float(gaps.std(ddof=1) / np.sqrt(len(gaps)))
        clear = f" ({decimal(float(gaps.mean()) / spread, 1, signed=True)} standard errors)" if spread else ""
    return (
        f"The best linear method {word} the networks{clear}: {TEXT_METHODS[best]} {significant(low)}, {TEXT_METHODS[AFFINE]} "
        f"{significant(high)}; the networks take {significant(ours.seconds / max(other.seconds, 1e-9), 2)} times as long."
    )


def _standard_error(one: TextErrors) -> float | None:
    n = len(one.error)
    return float(one.error.std(ddof=1) / np.sqrt(n)) if n > 1 else None


def _line(key: str, one: TextErrors) -> tuple[Cell, ...]:
    return TEXT_METHODS[key], float(one.error.mean()), _standard_error(one)


def _repetition_rows(found: TextBenchmark) -> Iterator[tuple[Cell, ...]]:
    for key, one in found.methods.items():
        for partition, (error, chosen) in enumerate(zip(one.error, one.chosen, strict=True)):
            yield TEXT_METHODS[key], partition, float(error), None if np.isnan(chosen) else float(chosen)


def _phrase_rows(
    texts: Texts, found: TextBenchmark, phrases: Sequence[tuple[str, float, int]]
) -> Iterator[tuple[Cell, ...]]:
    factor = float(np.mean([one.mean_factor for one in found.partitions]))
    having = np.asarray((texts.data.counts > 0).sum(axis=0)).ravel()
    places = {phrase: place for place, phrase in enumerate(texts.phrases)}
    for phrase, value, often in phrases:
        yield phrase, value, value * factor, int(having[places[phrase]]), often


def _prediction_rows(texts: Texts, found: TextBenchmark) -> Iterator[tuple[Cell, ...]]:
    for partition, one in enumerate(found.partitions):
        for row, g1, g2, g3 in zip(one.held, *one.terms, strict=True):
            measured, said = float(texts.data.y[row]), float(g1 + g2 * g3)
            if texts.classes is None:
                shown: tuple[Cell, Cell] = (measured, said)
            else:
                shown = texts.classes[int(measured)], texts.classes[int(said > 0.0)]
            yield texts.names[row], partition, *shown, float(g1), float(g2), float(g3)


def _draw(texts: Texts, phrases: Sequence[tuple[str, float, int]], folder: Path) -> None:
    from affinecal_gui.figures.plots.phrases import phrase_figure
    from affinecal_gui.figures.saving import save_figure

    figure = phrase_figure([(phrase, value) for phrase, value, _ in phrases], texts.classes)
    for suffix in ("svg", "png"):
        save_figure(figure, folder / f"benchmark.{suffix}")
