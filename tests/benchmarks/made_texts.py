"""Which of a few phrases that matter `affinecal benchmark --protocol texts` finds in made texts, and how the methods err.

    python -m tests.benchmarks.made_texts [TEXTS] [NUMBERS] [PHRASES] [--keep FOLDER]

Scores follow the embedding, and twelve of the two hundred commonest phrases, which count up to twice as much where the
embedding says so; classes are the upper and the lower half of them. FOLDER keeps the tables.
"""

import csv
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from affinecal_gui.calibration.networks.fitting import NetworkOptions
from affinecal_gui.calibration.networks.texts import STARTS, TEXT_METHODS, phrases_of, run_texts
from affinecal_gui.tasks.benchmarks.text_tables import read_texts
from tests.benchmarks.options import Options

MATTER, COMMON = 12, 200


def make_texts(n, p, d, seed=5):
    """Return embeddings (n, p), counts (n, d), scores (n,), and what each phrase adds (d,)."""
    rng = np.random.default_rng(seed)
    vectors = rng.standard_normal((n, p))
    counts = (rng.random((n, d)) < 0.3 / np.arange(1, d + 1) ** 0.6) * (1 + rng.poisson(0.3, (n, d)))
    adds = np.zeros(d)
    adds[rng.choice(min(COMMON, d), min(MATTER, d), replace=False)] = rng.choice([-2.0, -1.5, 1.5, 2.0], min(MATTER, d))
    factor = 1.0 / (1.0 + np.exp(-vectors[:, 1]))
    scores = 1.2 * np.tanh(vectors[:, 0]) + 0.5 * vectors[:, 2] + factor * (counts @ adds)
    return vectors, counts, scores + 0.4 * rng.standard_normal(n), adds


def write_texts(folder, vectors, counts, scores):
    """Write the two tables as a user would bring them, and return their paths."""
    median = np.median(scores)
    with (folder / "embeddings.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["text", "score", "half", *(f"e{k}" for k in range(vectors.shape[1]))])
        for row, score in enumerate(scores):
            half = "upper" if score > median else "lower"
            table.writerow([f"t{row}", f"{score:.5g}", half, *(f"{value:.5g}" for value in vectors[row])])
    with (folder / "counts.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["text", "phrase", "count"])
        table.writerows(
            [f"t{row}", f"phrase {k}", int(counts[row, k])] for row, k in zip(*np.nonzero(counts), strict=True)
        )
    return folder / "embeddings.csv", folder / "counts.csv"


def main():
    """Print the errors of all methods, and how many of the largest coefficients are phrases that matter."""
    options = Options(__doc__)
    options.size("texts", 2000, 60)
    options.size("numbers", 64, 3)
    options.size("phrases", 1500, 20)
    options.size("--partitions", 3, 1)
    options.add_argument("--keep", type=Path)
    chosen = options.read()
    *made, adds = make_texts(chosen.texts, chosen.numbers, chosen.phrases)
    with TemporaryDirectory() as place:
        folder = chosen.keep or Path(place)
        folder.mkdir(exist_ok=True)
        paths = write_texts(folder, *made)
        for target, left_out in (("score", "half"), ("half", "score")):
            # The other answer, left in, would be a number of the embedding.
            with paths[0].open(encoding="utf-8", newline="") as file:
                lines = list(csv.reader(file))
            at = lines[0].index(left_out)
            own = folder / f"embeddings_{target}.csv"
            with own.open("w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows([*row[:at], *row[at + 1 :]] for row in lines)
            texts, _ = read_texts(own, paths[1], target)
            how = NetworkOptions(starts=STARTS, most_epochs=2) if chosen.smoke else None
            found = run_texts(texts.data, repetitions=chosen.partitions, options=how)
            print(f"{target}: {'RMSE' if texts.classes is None else 'share of wrong classes'}, processor time")
            for key, one in found.methods.items():
                error = one.error.std(ddof=1) / np.sqrt(len(one.error)) if len(one.error) > 1 else np.nan
                print(f"  {TEXT_METHODS[key]:<42}{one.error.mean():8.3f} ± {error:.3f}{one.seconds:9.2f} s")
            told = phrases_of(found.coefficients, texts.phrases)
            true = {f"phrase {k}": adds[k] for k in np.flatnonzero(adds)}
            right = sum(np.sign(value) == np.sign(true.get(phrase, 0.0)) for phrase, value, _ in told[: len(true)])
            print(f"  {len(told)} phrases; of the {len(true)} largest {right} matter and have their sign", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
