"""Time of a description: beside RDKit's own floor, beside the reference implementation, and how it grows.

    python -m tests.benchmarks.descriptors [table with a "smiles" column, resources/examples/md_radonpy.csv] [peers, 12]

Times are processor times of this process, the shortest of a few runs, and every ratio is measured in this one run,
polymer by polymer in turn, so that other work on the machine disturbs as little as can be. The floor is what any
description needs from RDKit: parse one unit, add hydrogens, compute Gasteiger charges.
"""

import csv
import math
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from rdkit import Chem, RDLogger
from rdkit.Chem import rdPartialCharges

from affinecal_gui.errors import UserError
from affinecal_gui.polymers.descriptors.descriptors import describe
from affinecal_gui.polymers.reading.repeat_unit import parse_repeat_unit
from tests.benchmarks.options import Options

REPEATS = 5
EXAMPLES = Path(__file__).resolve().parent.parent.parent / "resources" / "examples" / "md_radonpy.csv"


def seconds(task: Callable[[], object], repeats: int = REPEATS) -> float:
    """Return the shortest time of a few runs."""
    times = []
    for _ in range(repeats):
        started = time.process_time()
        task()
        times.append(time.process_time() - started)
    return min(times)


def floor(text: str) -> None:
    """Do what no description can do without."""
    rdPartialCharges.ComputeGasteigerCharges(Chem.AddHs(Chem.MolFromSmiles(text)))


def reference(text: str) -> None:
    """Describe with the reference implementation."""
    from radonpy.core import poly
    from radonpy.ff.descriptor import FF_descriptor
    from radonpy.ff.gaff2_mod import GAFF2_mod

    force_field = GAFF2_mod()
    ring = poly.make_cyclicpolymer(text, n=10, return_mol=True)
    force_field.ff_assign(ring, charge="gasteiger")
    FF_descriptor(force_field, polar=True).ff_kernel_mean([ring])


def summary(name: str, times: list[float]) -> str:
    """Return one line about some times."""
    milliseconds = [1e3 * value for value in times]
    return (
        f"{name:<34} median {statistics.median(milliseconds):9.3f} ms   mean {statistics.mean(milliseconds):9.3f} ms   "
        f"longest {max(milliseconds):9.2f} ms"
    )


def beside_the_floor(texts: list[str], passes: int) -> None:
    """Compare with RDKit's floor, polymer by polymer, in passes over all of them, as files are described.

    A polymer that is described several times in a row finds everything in the processor's caches, which no file does.
    """
    tasks = {
        "RDKit floor": floor,
        "reading the repeat unit": parse_repeat_unit,
        "description, reading included": describe,
    }
    shortest = {name: [math.inf] * len(texts) for name in tasks}
    for _ in range(passes):
        for number, text in enumerate(texts):
            for name, task in tasks.items():
                taken = seconds(partial(task, text), repeats=1)
                shortest[name][number] = min(shortest[name][number], taken)
    for name, times in shortest.items():
        print(summary(name, times))
    floors, _, ours = shortest.values()
    ratios = [mine / bare for mine, bare in zip(ours, floors, strict=True)]
    print(f"description / floor: median {statistics.median(ratios):.2f}, total {sum(ours) / sum(floors):.2f}")


def beside_the_reference(texts: list[str]) -> None:
    """Compare with the reference implementation, polymer by polymer, one run each."""
    try:
        import radonpy.core.poly  # noqa: F401 - only whether it is there
    except ImportError:
        print("The reference implementation (radonpy-pypi) is not installed.")
        return
    ours, theirs = [], []
    for text in texts:
        ours.append(seconds(lambda text=text: describe(text)))
        theirs.append(seconds(lambda text=text: reference(text), repeats=1))
    print(summary("reference, ring of ten", theirs))
    print(summary("description of the same polymers", ours))
    ratios = [peer / mine for peer, mine in zip(theirs, ours, strict=True)]
    print(f"reference / description: median {statistics.median(ratios):.0f}, total {sum(theirs) / sum(ours):.0f}")


def growth_with_atoms(sizes: list[int]) -> None:
    """Show how the time grows with the length of a repeat unit."""
    for name, part, atoms in (("CH2", "C", 1), ("phenylene ether", "c1ccc(cc1)O", 7), ("vinylene", "C=C", 2)):
        found = []
        for size in sizes:
            unit = parse_repeat_unit("*" + part * max(1, size // atoms) + "*")
            number = unit.molecule.GetNumAtoms() - 2
            found.append(f"{number} atoms {1e3 * seconds(lambda unit=unit: describe(unit), repeats=3):.1f} ms")
        print(f"{name}: {', '.join(found)}")


def growth_with_polymers(texts: list[str]) -> None:
    """Show that the time per polymer does not grow with their number."""
    for number in (len(texts) // 4, len(texts) // 2, len(texts)):
        started = time.process_time()
        for text in texts[:number]:
            describe(text)
        passed = time.process_time() - started
        print(f"{number} polymers: {passed:.2f} s, {1e3 * passed / number:.3f} ms each")


def main() -> None:
    """Run and report."""
    RDLogger.DisableLog("rdApp.*")
    options = Options(__doc__)
    options.add_argument("table", nargs="?", type=Path, default=EXAMPLES)
    options.size("peers", 12, 0)
    options.size("--most", 1_000_000, 4)
    options.size("--passes", 5, 1)
    options.size("--atoms", [30, 60, 125, 250, 500, 1000], [30])
    chosen = options.read()
    path, peers = chosen.table, chosen.peers
    started = time.process_time()
    describe("*CC*")
    print(f"first description, tables read: {1e3 * (time.process_time() - started):.0f} ms")
    with path.open(encoding="utf-8-sig", newline="") as file:
        texts = [row["smiles"] for row in csv.DictReader(file)][: chosen.most]
    described = []
    for text in texts:
        try:
            describe(text)
            described.append(text)
        except UserError as error:
            print(f"{text}: {error}")
    print(f"{len(described)} of {len(texts)} polymers of {path.name} described")
    beside_the_floor(described, chosen.passes)
    if peers:
        beside_the_reference(described[:: max(1, len(described) // max(1, peers))][:peers])
    growth_with_atoms(chosen.atoms)
    growth_with_polymers(described)


if __name__ == "__main__":
    main()
