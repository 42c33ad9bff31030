"""The robot arm with learned source features: a network of the other torques, and the methods that go on training it.

The source is one network of six torques (layers of 256, 128, 64, 32, 16, Adagrad with steps of 0.01), trained on the half of
the rows that training sets are drawn from. Its last hidden layer are 16 source features of the seventh. The methods that use
its weights replace its six outputs by one that starts at zero.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from affinecal_gui.calibration.data.folds import IntArray, contiguous_folds, held_out_in_turn
from affinecal_gui.calibration.kernels.protocol import TransferBenchmark
from affinecal_gui.calibration.kernels.tasks import work_through
from affinecal_gui.calibration.networks.candidates import (
    FINE_TUNING,
    L2_SP,
    MAML,
    PAC_NET,
    TUNING_EPOCHS,
    NeuralMethod,
    WarmStart,
)
from affinecal_gui.calibration.networks.models import Alone, predict
from affinecal_gui.calibration.networks.perceptron import Perceptron, Reals
from affinecal_gui.calibration.networks.starting import RETRAINED, Adapting, adaptable, pruned
from affinecal_gui.calibration.networks.training import Recipe, train
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.threads import one_thread_each

WIDTHS = (256, 128, 64, 32, 16)
SOURCE_RECIPE = Recipe(rate=0.01, batch=32, l2=0.0, optimiser="adagrad")
SOURCE_EPOCHS = 50
TUNING_RECIPE = Recipe(rate=1e-3, batch=10, l2=0.01)
FOLDS = 5
TUNING_METHODS = (FINE_TUNING, L2_SP, PAC_NET, MAML)


@dataclass(frozen=True, slots=True)
class ArmNetwork:
    """The source network of one target torque."""

    model: Alone  # of six outputs
    learned: Reals  # (1, size)
    x: Reals  # (n, d) standardised inputs of the rows it was trained with
    y: Reals  # (n, outputs)
    mean: FloatArray  # (d,) of the inputs, and their standard deviations
    sd: FloatArray

    def features(self, inputs: FloatArray) -> FloatArray:
        """(k, 16) values of the last hidden layer at ``inputs`` (k, d)."""
        scaled = self.scaled(inputs)
        return self.model.perceptron.hidden(self.learned, scaled, len(WIDTHS)).astype(np.float64)

    def scaled(self, inputs: FloatArray) -> Reals:
        """(k, d) standardised inputs."""
        found: Reals = ((inputs - self.mean) / self.sd).astype(np.float32)
        return found


def train_arm_network(
    inputs: FloatArray, outputs: FloatArray, target: int, rows: IntArray, *, epochs: int = SOURCE_EPOCHS
) -> ArmNetwork:
    """Train a network for all outputs but the target, on some rows."""
    others = np.delete(outputs, target, axis=1)[rows]
    mean, sd = inputs[rows].mean(axis=0), inputs[rows].std(axis=0, ddof=1)
    x = ((inputs[rows] - mean) / sd).astype(np.float32)
    y = ((others - others.mean(axis=0)) / others.std(axis=0, ddof=1)).astype(np.float32)
    model = Alone(Perceptron((inputs.shape[1], *WIDTHS), outputs=others.shape[1]))
    generator = np.random.default_rng(target)
    learned = model.start(generator).astype(np.float32)
    with one_thread_each(SOURCE_RECIPE.batch):
        for epoch in train(model, learned, (x[None],), y[None], SOURCE_RECIPE, generator):
            if epoch >= epochs:
                break
    return ArmNetwork(model, learned, x, y, mean, sd)


def arm_starts(network: ArmNetwork, *, epochs: int = RETRAINED) -> dict[str, WarmStart]:
    """Return what each method that goes on training the network starts from, with one output that starts at zero."""
    whole = network.model.perceptron
    last = whole.widths[-1] + 1
    body = whole.size - last * whole.outputs

    def with_one_output(learned: Reals, fill: float = 0.0) -> Reals:
        return np.concatenate([learned[:, :body], np.full((1, last), fill, dtype=learned.dtype)], axis=1)

    single = Alone(replace(whole, outputs=1))
    cut = pruned(network.model, network.learned, network.x, network.y, SOURCE_RECIPE, epochs, 0)
    plain = with_one_output(network.learned)
    # Without a last layer no gradient would reach the others.
    begun = plain.copy()
    begun[:, body:] = single.start(np.random.default_rng(0))[:, body:]
    easy = adaptable(single, begun, network.x, network.y, Adapting(rounds=4 * epochs), 0)
    free = None if cut.free is None else with_one_output(cut.free, 1.0)
    return {
        FINE_TUNING.key: WarmStart(plain),
        L2_SP.key: WarmStart(plain),
        PAC_NET.key: WarmStart(with_one_output(cut.learned), free),
        MAML.key: WarmStart(easy),
    }


def tune_arm_network(
    network: ArmNetwork,
    method: NeuralMethod,
    start: WarmStart,
    sets: Sequence[IntArray],
    inputs: FloatArray,
    y: FloatArray,
    evaluation: IntArray,
    *,
    most_epochs: int = TUNING_EPOCHS[-1],
) -> tuple[FloatArray, FloatArray]:
    """Train on each training set, for as many epochs as five folds of it prefer.

    Parameters
    ----------
    network, method, start
        What is trained, and from where.
    sets
        r training sets of as many rows each.
    inputs, y
        (N, d) and (N,) of all rows.
    evaluation
        Rows to predict.

    Returns
    -------
    (r,) RMSE on the evaluation rows, and (r,) numbers of epochs.
    """
    model = Alone(replace(network.model.perceptron, outputs=1))
    x = network.scaled(inputs)
    epochs = tuple(sorted({min(one, most_epochs) for one in TUNING_EPOCHS}))
    rows = np.stack(sets)
    means, sds = y[rows].mean(axis=1, keepdims=True), y[rows].std(axis=1, ddof=1, keepdims=True)
    sds = np.where(sds > 0.0, sds, 1.0)
    folds = held_out_in_turn(contiguous_folds(rows.shape[1], min(FOLDS, rows.shape[1])))
    errors = np.zeros((len(rows), len(epochs)))
    for told, asked in folds:
        scaled = (y[rows[:, told]] - means) / sds
        for step, learned in enumerate(_trained(model, method, start, x[rows[:, told]], scaled, epochs)):
            said = predict(model, learned, (x[rows[:, asked]],)).astype(np.float64)
            errors[:, step] += np.sum(((y[rows[:, asked]] - means) / sds - said) ** 2, axis=1)
    chosen = np.argmin(errors, axis=1)
    rmse = np.empty(len(rows))
    held = x[evaluation][None]
    last = epochs[: int(chosen.max()) + 1]
    for step, learned in enumerate(_trained(model, method, start, x[rows], (y[rows] - means) / sds, last)):
        # Each network predicts once, by itself: the many evaluation rows of all networks would not stay in a cache.
        for r in np.flatnonzero(chosen == step):
            said = predict(model, learned[r : r + 1], (held,))[0].astype(np.float64) * sds[r] + means[r]
            rmse[r] = np.sqrt(np.mean((said - y[evaluation]) ** 2))
    return rmse, np.array(epochs, dtype=np.float64)[chosen]


def _trained(
    model: Alone, method: NeuralMethod, start: WarmStart, x: Reals, y: FloatArray, epochs: Sequence[int]
) -> Iterator[Reals]:
    """Yield what was learned (r, size) after each number of epochs, from rows ``x`` (r, n, d) and values ``y`` (r, n)."""
    learned = np.repeat(start.learned, len(x), axis=0)
    if epochs[0] == 0:
        yield learned
    steps = train(
        model,
        learned,
        (x,),
        y.astype(np.float32),
        TUNING_RECIPE,
        np.random.default_rng(0),
        towards=learned.copy() if method == L2_SP else None,
        free=start.free,
    )
    for epoch in steps if epochs[-1] else ():
        if epoch in epochs:
            yield learned
        if epoch == epochs[-1]:
            break


def with_tuned_networks(
    benchmark: TransferBenchmark,
    networks: Mapping[int, ArmNetwork],
    sets: Sequence[IntArray],
    inputs: FloatArray,
    outputs: FloatArray,
    evaluation: IntArray,
    *,
    most_epochs: int = TUNING_EPOCHS[-1],
    task: Task = UNWATCHED,
) -> TransferBenchmark:
    """Add the methods that go on training the source networks to a comparison of kernel methods.

    Parameters
    ----------
    benchmark
        The comparison, whose training sets are the first rows of ``sets``.
    networks
        By target.
    sets
        Of each repetition, the rows in the order in which they are drawn.
    inputs, outputs, evaluation
        As the comparison was given them.
    """
    shape = (len(benchmark.targets), len(benchmark.sizes), benchmark.repetitions)
    rmse = {method.key: np.empty(shape) for method in TUNING_METHODS}
    epochs = {method.key: np.empty((*shape, 1)) for method in TUNING_METHODS}
    with one_thread_each(SOURCE_RECIPE.batch):
        starts = {q: arm_starts(networks[q], epochs=min(RETRAINED, most_epochs)) for q in benchmark.targets}
    jobs = [
        (method, q, k)
        for method in TUNING_METHODS
        for q in range(len(benchmark.targets))
        for k in range(len(benchmark.sizes))
    ]

    def work(job: tuple[NeuralMethod, int, int]) -> tuple[FloatArray, FloatArray]:
        method, q, k = job
        target = benchmark.targets[q]
        drawn = [rows[: benchmark.sizes[k]] for rows in sets]
        return tune_arm_network(
            networks[target],
            method,
            starts[target][method.key],
            drawn,
            inputs,
            outputs[:, target],
            evaluation,
            most_epochs=most_epochs,
        )

    for (method, q, k), (errors, ends) in zip(
        jobs, work_through(work, jobs, 0, task, "Training networks"), strict=True
    ):
        rmse[method.key][q, k], epochs[method.key][q, k, :, 0] = errors, ends
    return replace(
        benchmark,
        rmse={**benchmark.rmse, **rmse},
        penalties={**benchmark.penalties, **epochs},
        penalty_names={**benchmark.penalty_names, **dict.fromkeys(rmse, ("epochs",))},
    )
