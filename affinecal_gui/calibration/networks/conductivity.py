"""The paper's experiment on lattice thermal conductivity: what networks trained for another property know of this one.

Networks for the scattering phase space (SPS) of many crystals, of which the best are kept, are the sources; the target is
the thermal conductivity of the few crystals that have one. Facts of the published program that the paper leaves open are
followed: Keras' initial weights, penalties l2 Σ w² on weights alone, 52 of the 256 training crystals held out to stop at,
weights of the last epoch, equal shares for g1 and g2, and five contiguous folds.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Event
from time import thread_time
from types import MappingProxyType
from typing import Literal

import numpy as np

from affinecal_gui.calibration.checking.paper_protocol import shuffled_split
from affinecal_gui.calibration.data.folds import contiguous_folds, held_out_in_turn
from affinecal_gui.calibration.kernels.tasks import work_through
from affinecal_gui.calibration.networks.candidates import (
    NEURAL_METHODS,
    NetworkCandidate,
    NeuralMethod,
    WarmStart,
    candidates,
)
from affinecal_gui.calibration.networks.models import predict
from affinecal_gui.calibration.networks.perceptron import Reals
from affinecal_gui.calibration.networks.source_networks import (
    LAYERS,
    MOST_EPOCHS,
    Crystals,
    Ints,
    SourceNetworks,
    standardised,
    train_sources,
)
from affinecal_gui.calibration.networks.starting import starts_of
from affinecal_gui.calibration.networks.training import train
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.threads import one_thread_each

PAPER_NETWORKS, PAPER_SOURCES, PAPER_SPLITS = 100, 10, 10
TEST_CRYSTALS = 5
FOLDS = 5

Scaling = Literal["all", "training"]
"""What scales the logarithm of the target: all measured crystals, as published, or the training part alone."""

_STACK = 140_000
"""Numbers that are learned at a time: with what Adam remembers of them they should stay in a processor's cache."""


@dataclass(frozen=True, slots=True)
class NetworkRuns:
    """How a method did with one source network."""

    rmse: FloatArray  # (splits,) in the unit of the target
    chosen: Ints  # (splits,) place of what was chosen among the candidates
    seconds: float = field(compare=False)  # of processor time


RunKey = tuple[str, int]
"""A method, by its key, and the number of a source network."""

NOTHING_KNOWN: Mapping[RunKey, NetworkRuns] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class MethodErrors:
    """How a method did."""

    rmse: FloatArray  # (sources, splits) in the unit of the target; one row of Direct, which has no start
    chosen: Ints  # (sources, splits) place of what was chosen among the candidates
    candidates: tuple[str, ...]  # what could be chosen
    seconds: float = field(compare=False)  # of processor time

    @property
    def runs(self) -> FloatArray:
        """(runs,) errors of all runs."""
        return self.rmse.ravel()


@dataclass(frozen=True, slots=True)
class Target:
    """The measured crystals in single precision, as networks are given them, and their partitions."""

    x: Reals  # (n, d) standardised descriptors
    log_y: FloatArray  # (n,) ln of the target
    features: Mapping[
        tuple[int, int], Reals
    ]  # by source and layer from 1: (n, width) what the network makes of each crystal
    partitions: tuple[tuple[Ints, Ints], ...]  # rows to train with and to test with
    scaling: Scaling


@dataclass(frozen=True, slots=True)
class ConductivityBenchmark:
    """Errors of every method on the same partitions."""

    crystals: int
    measured: int
    networks: SourceNetworks
    target: Target
    splits: int
    scaling: Scaling
    methods: Mapping[str, MethodErrors]


def prepare_target(crystals: Crystals, sources: SourceNetworks, splits: int, scaling: Scaling) -> Target:
    """Put together what the methods are given: the measured crystals, as descriptors and as the source networks see them."""
    known = np.isfinite(crystals.target)
    x = standardised(crystals.descriptors)[known].astype(np.float32)
    features = {
        (number, layer): model.perceptron.hidden(learned, x, layer)
        for number, (model, learned) in enumerate(zip(sources.models, sources.learned, strict=True))
        for layer in range(1, LAYERS + 1)
    }
    partitions = tuple(shuffled_split(len(x), len(x) - TEST_CRYSTALS, TEST_CRYSTALS, seed) for seed in range(splits))
    return Target(x, np.log(crystals.target[known]), features, partitions, scaling)


@dataclass(frozen=True, slots=True)
class RowSplit:
    """Rows to fit and rows to predict, of one partition or of one of its folds."""

    training: Ints
    held: Ints


@dataclass(frozen=True, slots=True)
class TrainingJob:
    """One candidate, trained for some of the parts of one source network."""

    method: NeuralMethod
    source: int
    candidate: NetworkCandidate
    start: WarmStart | None
    seed: int  # of its initial weights, batches and dropout
    parts: tuple[RowSplit, ...]


def run_method(
    method: NeuralMethod,
    target: Target,
    sources: SourceNetworks,
    starts: Sequence[WarmStart] = (),
    *,
    most_epochs: int = MOST_EPOCHS,
    task: Task = UNWATCHED,
) -> MethodErrors:
    """Choose a candidate by five folds of each training part, fit it, and predict the test part, with every source network.

    Parameters
    ----------
    method
        Which.
    target
        The measured crystals and their partitions.
    sources
        The source networks, each of which is used with each partition; without transfer, their numbers are seeds.
    starts
        Of each source network, what a method that goes on training it starts from.
    most_epochs
        Candidates end there at the latest.
    """
    # Without transfer there are as many starts as source networks: one of them is as much a matter of chance as one network.
    # (The published runs are ten equal ones for each partition.)
    with one_thread_each(len(target.log_y)):
        runs = [
            run_with_network(
                method, target, sources, place, starts[place] if starts else None, most_epochs=most_epochs, task=task
            )
            for place in range(len(sources.models))
        ]
    return errors_of_runs(runs, _grid(method, target, sources, 0, most_epochs))


def errors_of_runs(runs: Sequence[NetworkRuns], grid: Sequence[NetworkCandidate]) -> MethodErrors:
    """Put the runs of a method with all source networks together; ``grid`` is what it chose from."""
    labels = tuple(candidate.label(epochs) for candidate in grid for epochs in candidate.epochs)
    return MethodErrors(
        np.stack([one.rmse for one in runs]),
        np.stack([one.chosen for one in runs]),
        labels,
        sum(one.seconds for one in runs),
    )


def _grid(
    method: NeuralMethod, target: Target, sources: SourceNetworks, place: int, most_epochs: int
) -> list[NetworkCandidate]:
    """Return what a method chooses from with one source network."""
    width = sources.models[place].perceptron.widths[1]
    return [
        replace(one, epochs=tuple(sorted({min(epochs, most_epochs) for epochs in one.epochs})))
        for one in candidates(method, target.x.shape[1], width)
    ]


def run_with_network(
    method: NeuralMethod,
    target: Target,
    sources: SourceNetworks,
    place: int,
    start: WarmStart | None = None,
    *,
    most_epochs: int = MOST_EPOCHS,
    task: Task = UNWATCHED,
) -> NetworkRuns:
    """Do as :func:`run_method` with the one source network at ``place``; what it is does not depend on the others."""
    begun = thread_time()
    grid = _grid(method, target, sources, place, most_epochs)
    folds = [[RowSplit(rows[a], rows[b]) for a, b in _inner(len(rows))] for rows, _ in target.partitions]

    def predictions(candidate: NetworkCandidate, parts: Sequence[RowSplit]) -> list[FloatArray]:
        return _run(TrainingJob(method, place, candidate, start, sources.numbers[place], tuple(parts)), target, task)

    errors = []
    for candidate in grid:
        parts = [part for some in folds for part in some]
        squares = [
            np.mean((found - target.log_y[part.held]) ** 2, axis=1)
            for found, part in zip(predictions(candidate, parts), parts, strict=True)
        ]
        errors.append(np.array(squares).reshape(len(folds), FOLDS, len(candidate.epochs)).mean(axis=1))
    places = np.argmin(np.concatenate(errors, axis=1), axis=1)  # of (splits, candidates and their epochs)
    flat = [(number, step) for number, one in enumerate(grid) for step in range(len(one.epochs))]
    chosen = [flat[at] for at in places]
    rmse = np.empty(len(folds))
    for number, candidate in enumerate(grid):
        mine = [split for split, (one, _) in enumerate(chosen) if one == number]
        wanted = [RowSplit(*target.partitions[split]) for split in mine]
        for split, part, found in zip(mine, wanted, predictions(candidate, wanted) if mine else (), strict=True):
            said = np.exp(found[chosen[split][1]])
            rmse[split] = np.sqrt(np.mean((said - np.exp(target.log_y[part.held])) ** 2))
    return NetworkRuns(rmse, places, thread_time() - begun)


def _run(job: TrainingJob, target: Target, task: Task) -> list[FloatArray]:
    """Return the predictions of ln y of each part, (number of epochs, held-out rows)."""
    found: list[FloatArray] = []
    # Parts of different sizes cannot be stacked.
    for parts in _chunks_alike(job.parts, max(1, _STACK // job.candidate.model.size)):
        rows = np.stack([part.training for part in parts])
        held = np.stack([part.held for part in parts])
        logs = target.log_y[rows]
        of = logs if target.scaling == "training" else target.log_y[None]
        mean, sd = of.mean(axis=1, keepdims=True), of.std(axis=1, ddof=1, keepdims=True)
        y = ((logs - mean) / sd).astype(np.float32)
        tables = [
            target.x if name == "descriptors" else target.features[job.source, job.method.layer]
            for name in job.candidate.inputs
        ]
        inputs, held_inputs = [table[rows] for table in tables], [table[held] for table in tables]
        steps = _fit(job, inputs, y, held_inputs, task)
        found += list(np.stack([values * sd + mean for values in steps], axis=1))
    return found


def _fit(job: TrainingJob, inputs: Sequence[Reals], y: Reals, held: Sequence[Reals], task: Task) -> list[FloatArray]:
    """Return the outputs (r, held-out rows) after each of the candidate's numbers of epochs."""
    candidate, start, r = job.candidate, job.start, len(y)
    model = candidate.model
    generator = np.random.default_rng(job.seed)
    first = model.start(generator) if start is None else start.learned
    learned = np.repeat(first.astype(np.float32), r, axis=0)
    found = [predict(model, learned, held).astype(np.float64)] if candidate.epochs[0] == 0 else []
    steps = train(
        model,
        learned,
        inputs,
        y,
        candidate.recipe,
        generator,
        towards=learned.copy() if candidate.anchored else None,
        free=None if start is None else start.free,
    )
    last = candidate.epochs[-1]
    for epoch in steps if last else ():
        task.check()
        if epoch in candidate.epochs:
            found.append(predict(model, learned, held).astype(np.float64))
        if epoch == last:
            break
    return found


def _inner(rows: int) -> list[tuple[Ints, Ints]]:
    return held_out_in_turn(contiguous_folds(rows, FOLDS))


def _chunks_alike(parts: Sequence[RowSplit], size: int) -> Iterator[Sequence[RowSplit]]:
    """Cut into runs of at most ``size`` parts that have as many rows to train with and to predict."""
    run: list[RowSplit] = []
    for part in parts:
        alike = not run or (len(part.training), len(part.held)) == (len(run[0].training), len(run[0].held))
        if len(run) == size or not alike:
            yield run
            run = []
        run.append(part)
    if run:
        yield run


def run_conductivity(
    crystals: Crystals,
    *,
    networks: int = PAPER_NETWORKS,
    keep: int = PAPER_SOURCES,
    splits: int = PAPER_SPLITS,
    scaling: Scaling = "all",
    methods: Sequence[NeuralMethod] = NEURAL_METHODS,
    most_epochs: int = MOST_EPOCHS,
    known: Mapping[RunKey, NetworkRuns] = NOTHING_KNOWN,
    finished: Callable[[RunKey, NetworkRuns], None] = lambda _key, _runs: None,
    task: Task = UNWATCHED,
) -> ConductivityBenchmark:
    """Train the source networks, and let all methods predict the same test crystals.

    Parameters
    ----------
    crystals
        The data.
    networks, keep
        How many source networks are trained, and how many of them, the best, are used.
    splits
        Partitions of the measured crystals, five of which are predicted.
    scaling
        What scales the logarithm of the target.
    methods
        Which.
    most_epochs
        Of any network.
    known
        Runs of the same experiment that were made before, which are not made again.
    finished
        Is handed every other run as soon as it is made, on any thread, one source network after the other.
    """
    sources = train_sources(crystals, networks, keep, most_epochs=most_epochs, task=task.part(0.0, 0.05))
    target = prepare_target(crystals, sources, splits, scaling)
    found, stopping = dict(known), Event()
    watched = replace(task.silent, cancelled=lambda: stopping.is_set() or task.cancelled())

    def work(one: tuple[NeuralMethod, int]) -> None:
        method, place = one
        begun = starts_of(method, sources.only(place), most_epochs=most_epochs, task=watched)
        start = begun[0] if begun else None
        runs = run_with_network(method, target, sources, place, start, most_epochs=most_epochs, task=watched)
        key = method.key, sources.numbers[place]
        found[key] = runs
        finished(key, runs)

    wanted = [
        (method, place)
        for place, number in enumerate(sources.numbers)
        for method in methods
        if (method.key, number) not in found
    ]
    shares = np.cumsum([0.0, *(method.work for method, _ in wanted)])

    def report(fraction: float, sentence: str) -> None:
        task.report(0.05 + 0.95 * float(shares[round(fraction * len(wanted))] / shares[-1]), sentence)

    sentence = "Training networks that predict conductivities"
    work_through(work, wanted, 0, replace(task, progress=report), sentence, stopping=stopping)
    errors = {
        method.key: errors_of_runs(
            [found[method.key, number] for number in sources.numbers], _grid(method, target, sources, 0, most_epochs)
        )
        for method in methods
    }
    return ConductivityBenchmark(len(crystals.source), len(target.log_y), sources, target, splits, scaling, errors)
