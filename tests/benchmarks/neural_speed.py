"""How quickly stacked networks are trained, beside a loop over single ones as a notebook would write it.

The networks of affine transfer on conductivities: 40 crystals of 278 descriptors, source features of width 75, batches of
two, dropout, penalties, Adam. Both trainings end at predictions of the same quality; random numbers differ.

Where TensorFlow is installed (nothing here needs it: an environment with it, numpy, scipy and threadpoolctl will do, started
in the checkout), also beside a model of Keras: its ``fit``, as published, and a loop over a compiled function of one step.
"""

import sys
from time import process_time

import numpy as np

from affinecal_gui.calibration.networks.models import Affine
from affinecal_gui.calibration.networks.perceptron import Perceptron
from affinecal_gui.calibration.networks.training import Recipe, train
from affinecal_gui.threads import one_thread_each
from tests.benchmarks.keras_loop import keras_is_there, keras_seconds
from tests.benchmarks.options import Options
from tests.calibration.textbook_networks import textbook_affine


def main() -> int:
    """Print microseconds of processor time for a step of one network, and their ratio."""
    options = Options(__doc__)
    options.size("epochs", 20, 1)
    options.size("networks", 32, 2)
    chosen = options.read()
    rng = np.random.default_rng(0)
    f, x = rng.standard_normal((40, 75)), rng.standard_normal((40, 278))
    y = np.tanh(f[:, 0]) + f[:, 1] * x[:, 0]
    print(
        f"{'g1, g2':>8}{'g3':>6}{'together':>10}{'one':>10}{'loop':>10}   µs for a step of a network; loop / together"
    )
    with one_thread_each(40):
        for width, other in ((18, 69), (37, 139), (56, 208)):
            model = Affine(Perceptron((75, width), heads=2), Perceptron((278, other)))
            together = max(1, 140_000 // model.size)
            times = []
            for count in (together, 1):
                spent = 0.0
                for _ in range(max(1, chosen.networks // count)):
                    learned = model.start(rng, count).astype(np.float32)
                    inputs = [np.repeat(part[None].astype(np.float32), count, axis=0) for part in (f, x)]
                    target = np.repeat(y[None].astype(np.float32), count, axis=0)
                    begun = process_time()
                    steps = train(model, learned, inputs, target, Recipe(dropout=0.5), rng)
                    next(epoch for epoch in steps if epoch == chosen.epochs)
                    spent += process_time() - begun
                times.append(spent / (max(1, chosen.networks // count) * count) / chosen.epochs / 20)
            begun = process_time()
            textbook_affine(f, x, y, width, other, epochs=chosen.epochs, dropout=0.5, seed=0)
            times.append((process_time() - begun) / chosen.epochs / 20)
            shown = "".join(f"{1e6 * time:>10.0f}" for time in times)
            print(f"{width:>8}{other:>6}{shown}   {times[2] / times[0]:.1f}", flush=True)
            if keras_is_there():
                fitted, compiled = keras_seconds(f, x, y, width, other, epochs=chosen.epochs)
                print(
                    f"{'':>14}Keras: fit {1e6 * fitted:.0f}, {fitted / times[0]:.0f} times as long; a loop over a compiled "
                    f"step {1e6 * compiled:.0f}, {compiled / times[0]:.0f} times",
                    flush=True,
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
