"""Learning to predict MD values from a large table: seconds, memory, and how near what is predicted comes.

    python -m tests.benchmarks.large_surrogate [rows, 100000] [--new 10000]

The table looks like one of real polymers: every row is a mixture of three bundled polymers' descriptors by random shares,
with 2 % of each descriptor's standard deviation as noise. Its MD value is the density in the same mixture, plus a bend, plus
noise of 0.005 g/cm³, below which no error can fall. Times are by the clock and of the processors; the peak is that of this
process, with the table of descriptors that it was given.
"""

import csv
import os
import time
from pathlib import Path

import numpy as np

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.surrogate.surrogate import fit_surrogate
from affinecal_gui.study.describing.describing import FORCE_FIELD, blocks_of, describe_polymers
from tests.benchmarks.large_tables import peak
from tests.benchmarks.options import Options

EXAMPLES = Path(__file__).resolve().parents[2] / "resources" / "examples"
NOISE = 0.005  # g/cm³


def real_polymers(most: int) -> tuple[FloatArray, FloatArray]:
    """Return the descriptors (p, d) and densities (p,) of bundled polymers."""
    with (EXAMPLES / "md_radonpy.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["density"]][:most]
    described = describe_polymers([row["smiles"] for row in rows]).values
    density = np.array([float(row["density"]) for row in rows])
    there = np.isfinite(described).all(axis=1)
    return described[there], density[there]


def mixtures(
    descriptors: FloatArray, values: FloatArray, rows: int, generator: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Return (rows, d) descriptors and (rows,) MD values that look like those of real polymers."""
    shares = generator.dirichlet(np.ones(3), rows)
    parts = generator.integers(len(values), size=(rows, 3))
    mixed, value = np.zeros((rows, descriptors.shape[1])), np.zeros(rows)
    for place in range(3):
        mixed += shares[:, [place]] * descriptors[parts[:, place]]
        value += shares[:, place] * values[parts[:, place]]
    # One mixture differs from another by more than their densities: the most even one is 0.1 g/cm³ denser.
    value += 0.3 * (shares.prod(axis=1) / (1 / 27)) / 3 + generator.normal(0.0, NOISE, rows)
    for column, spread in enumerate(descriptors.std(axis=0)):
        mixed[:, column] += generator.normal(0.0, 0.02 * spread, rows)
    return mixed, value


def main() -> None:
    """Measure and print."""
    options = Options(__doc__)
    options.size("rows", 100_000, 60)
    options.size("--new", 10_000, 5, help="polymers to predict")
    options.size("--polymers", 1_000, 20, help="bundled polymers to mix")
    chosen = options.read()
    print(f"load of the machine: {', '.join(f'{load:.1f}' for load in os.getloadavg())}; {os.cpu_count()} processors")
    generator = np.random.default_rng(0)
    real, density = real_polymers(chosen.polymers)
    descriptors, values = mixtures(real, density, chosen.rows, generator)
    new, truth = mixtures(real, density, chosen.new, generator)
    before = peak()
    began, spent = time.perf_counter(), time.process_time()
    found = fit_surrogate(values, descriptors, blocks_of(FORCE_FIELD).sizes)
    print(
        f"{chosen.rows:,} x {descriptors.shape[1]} learned in {time.perf_counter() - began:.1f} s "
        f"({time.process_time() - spent:.1f} s of processors), peak {peak():.2f} GB ({before:.2f} GB before)"
    )
    began = time.perf_counter()
    predicted = found.predict(new)
    print(f"{chosen.new:,} predicted in {time.perf_counter() - began:.1f} s")
    error = predicted.values - truth
    inside = np.abs(error) < 1.645 * predicted.deviation
    print(
        f"error {np.sqrt(np.mean(error**2)):.4f} g/cm³ (leave-one-out {found.rmse:.4f}; noise {NOISE}; spread of the values "
        f"{truth.std():.4f}); {100 * inside.mean():.1f} % within 1.645 standard deviations"
    )


if __name__ == "__main__":
    main()
