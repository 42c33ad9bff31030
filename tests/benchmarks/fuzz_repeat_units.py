"""Fuzz the reading of repeat units and polymer identity: counts of outcomes, slowest inputs, peak memory.

    python -m tests.benchmarks.fuzz_repeat_units [--count 20000] [--seed 1] [--data FOLDER]

Texts are mutated from the published lists in FOLDER (PI1070.csv, odd_polymer_smiles.csv; by default ../shared/data beside
the checkout) or, without them, from units written here, mixed with generated ones: very long and deep chains, ladders,
macrocycles, dense metal rings, ions, stereo marks. Every text must be refused with one reason, or read; what is read must
keep its identity when it is written differently. Exits with 1 if anything else happens, if a text takes more than
LONGEST seconds of processor time, or if memory grows by more than LARGEST megabytes.
"""

import csv
import random
import re
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from affinecal_gui.polymers.chain.identity import polymer_identity
from affinecal_gui.polymers.reading.repeat_unit import MAXIMUM_LENGTH, InvalidRepeatUnit, parse_repeat_unit
from tests.benchmarks.options import Options
from tests.polymers.chain_rewriting import rewritten

LONGEST = 1.0
LARGEST = 200.0
SHARED_DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
OWN = [
    "*CC*",
    "*CC(*)c1ccccc1",
    "*Oc1ccc(cc1)C(C)(C)c1ccc(cc1)OC(*)=O",
    "*C[C@H](C)C[C@@H](*)C",
    "*/C=C/C*",
    "*CC(*)C(=O)[O-].[Na+]",
    "*c1cc2c(cc1*)C1(CC2(C)C)CC(C)(C)c2cc3c(cc21)Oc1c(O3)c(C#N)cc(C)c1C#N",
    "*C1CC2(C1)CC(*)C2",
    "*=C1C=CC(=*)C=C1",
    "[*:1]CC[*:2]",
    "{[$]CC[$]}",
]
PIECES = [
    *"*()[]=#-+.:@/\\%123456789 CNOSPFcnos",
    *(
        "[*]",
        "[*:1]",
        "[R1]",
        "[Cu]",
        "[2H]",
        "[nH]",
        "[N+]",
        "[O-]",
        "[Na+]",
        "[C@H]",
        "[C@@]",
        "(C)",
        "C(=O)",
        "c1ccccc1",
    ),
    *(
        "C1CC1",
        "/C=C/",
        "\\C",
        "%12",
        "[Q]",
        "＊",
        "–",
        "{",
        "}",
        "$",
        "<",
        ">",
        "|",
        ";",
        ",",
        "'",
        "\x00",
        "é",
        "[Fe]",
        "[13C]",
    ),
    *(
        "C12C3C4C1C5C2C3C45",
        "[Si](C)(C)O",
        "S(=O)(=O)",
        "=*",
        "#*",
        "~",
        "->",
        "[#6]",
        "[Xx]",
        "[C:7]",
        "[CH99]",
        "[999C]",
    ),
]


def published(folder: Path) -> list[str]:
    """Texts of the published lists, or our own."""
    texts: list[str] = []
    for name in ("PI1070.csv", "odd_polymer_smiles.csv"):
        if (folder / name).is_file():
            with (folder / name).open(encoding="utf-8") as file:
                texts += [row["smiles"] for row in csv.DictReader(file)]
    return texts or OWN


def mutated(text: str, other: str, choice: random.Random) -> str:
    """Change a text in one to four places."""
    for _ in range(choice.choice([1, 1, 1, 1, 2, 3])):
        place = choice.randrange(len(text) + 1)
        end = min(len(text), place + choice.choice([1, 1, 1, 2, 5, 20]))
        kind = choice.randrange(12)
        if kind <= 1:
            text = text[:place] + choice.choice(PIECES) + text[place:]
        elif kind == 2:
            text = text[:place] + text[end:]
        elif kind == 3:
            text = text[:place] + choice.choice(PIECES) + text[end:]
        elif kind == 4:
            text = text[:place] + text[place:end] * choice.choice([2, 3, 10]) + text[end:]
        elif kind == 5:
            start = choice.randrange(len(other) + 1)
            text = text[:place] + other[start : start + choice.randrange(1, 40)] + text[place:]
        elif kind <= 10:
            atoms = [match.start() for match in re.finditer(r"[CNOSc](?![a-z])", text)]
            if atoms:
                at = choice.choice(atoms)
                text = (
                    text[:at]
                    + choice.choice(["N", "O", "C", "[N+]", "[C@H]", "[Si]", "S", "n", "[O-]", "[13CH2]"])
                    + text[at + 1 :]
                )
        else:
            text = (
                text[::-1]
                if choice.random() < 0.1
                else text.replace("*", choice.choice(["*", "[*]", "[1*]", "[R]", ""]), 1)
            )
    return text


def extremes(choice: random.Random) -> Iterator[str]:
    """Texts built to be hard: size, depth, symmetry, density."""
    size = choice.choice([50, 300, 1000, 1900])
    part = choice.choice(
        ["C", "CO", "C(C)", "[C@H](C)", "C(F)(F)", "C=C", "c1ccc(cc1)", "[Si](C)(C)O", "/C=C/", "C(=O)N"]
    )
    yield "*" + part * (size // max(1, len(re.findall(r"[A-Zc]", part)))) + "*"
    depth = choice.choice([20, 200, 900])
    yield "*CC(*)" + "C(" * depth + "C" + ")" * depth
    yield "*CC(*)" + "C(C)(" * (depth // 2) + "C" + ")" * (depth // 2)
    rings = choice.choice([3, 8, 20, 45])
    yield "*C(*)C8" + choice.choice(["c1ccc(cc1)", "C1=CC=C(C=C1)", "C1CCC(CC1)"]) * rings + "C8"
    yield "*[C@H](*)[C@@H]8" + "c1ccc(cc1)" * rings + "C8"
    yield "*" + "C1CC2(C1)CC(C2)" * rings + "*"
    ladder = "".join(f"C%{10 + number % 80}" for number in range(rings))
    yield f"*{ladder}{ladder}*"
    metal = choice.choice(["[Pt]", "[Fe]", "[Ti]"])
    closures = [f"%{10 + number}" for number in range(choice.choice([3, 6, 11, 14]))]
    yield f"*C(*){metal}{''.join(closures)}" + "".join(f".C{one}" for one in closures)
    yield f"*C(*){metal}{''.join(closures)}.{metal}{''.join(reversed(closures))}"
    yield "*CC*" + ".[Na+]" * choice.choice([1, 50, 500]) + ".[O-]S(=O)(=O)c1ccc(C)cc1" * choice.choice([1, 20])
    yield "*" + "".join(choice.choice(["C[C@H](C)", "C[C@@H](C)", "/C=C/", "/C=C\\"]) for _ in range(size // 8)) + "*"
    yield "*CC(*)" + "C1CC1" * (size // 10)
    yield "".join(choice.choice(PIECES) for _ in range(choice.choice([3, 10, 40, 200])))
    yield "(" * size + "*CC*" + ")" * size
    yield "*" + "C" * choice.choice([4_990, 6_000, 100_000]) + "*"
    yield "*" + "[" * size + "*"


def texts(count: int, choice: random.Random, folder: Path) -> Iterator[str]:
    """One in eight texts is an extreme, the others are mutations."""
    source = published(folder)
    made = 0
    while made < count:
        batch = list(extremes(choice))
        batch += [mutated(choice.choice(source), choice.choice(source), choice) for _ in range(7 * len(batch))]
        for text in batch[: count - made]:
            made += 1
            yield text


def timed(work: Callable[[], None]) -> float:
    """Processor time in seconds."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> int:
    """Run, print, and tell whether everything held."""
    options = Options(__doc__)
    options.size("--count", 20_000, 10)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--data", type=Path, default=SHARED_DATA)
    arguments = options.read()
    choice = random.Random(arguments.seed)
    counts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    slowest: list[tuple[float, str, str]] = []
    failures: list[str] = []
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for text in texts(arguments.count, choice, arguments.data):
        spent = {}
        outcome = {}

        def read(text: str = text, outcome: dict[str, object] = outcome) -> None:
            try:
                outcome["unit"] = parse_repeat_unit(text)
            except InvalidRepeatUnit as error:
                outcome["reason"] = str(error)

        try:
            spent["read"] = timed(read)
            if "reason" in outcome:
                counts["refused"] += 1
                reasons[re.sub(r"\d[\d,]*|\"[^\"]*\"|\[[^\]]*\]", "…", str(outcome["reason"]))[:70]] += 1
            else:
                counts["read"] += 1
                unit = outcome["unit"]
                spent["identity"] = timed(
                    lambda unit=unit, outcome=outcome: outcome.update(found=polymer_identity(unit))
                )
                spent["smiles"] = timed(lambda unit=unit, outcome=outcome: outcome.update(smiles=unit.smiles))
                found, smiles = outcome["found"], outcome["smiles"]
                # The canonical text of a unit may be longer than what is read.
                again = polymer_identity(parse_repeat_unit(smiles)) if len(smiles) <= MAXIMUM_LENGTH else found
                if (again.key, again.stereo_key) != (found.key, found.stereo_key):
                    failures.append(f"other identity from its own SMILES: {text[:150]} -> {smiles[:150]}")
                if unit.molecule.GetNumAtoms() < 120:
                    counts["rewritten"] += 1
                    other = rewritten(unit, choice)
                    again = polymer_identity(parse_repeat_unit(other))
                    if again.key != found.key:
                        failures.append(f"other identity when rewritten: {text[:200]} -> {other[:200]}")
                    elif again.stereo_key != found.stereo_key:
                        counts["stereo differs when rewritten"] += 1
                        failures.append(f"other stereo when rewritten: {text[:200]} -> {other[:200]}")
        except Exception as error:  # noqa: BLE001 - the very thing that is looked for
            failures.append(f"{type(error).__name__}: {str(error)[:100]}: {text[:200]!r}")
        slowest += [(seconds, part, text[:60]) for part, seconds in spent.items()]
        if len(slowest) > 3000:
            slowest = sorted(slowest, reverse=True)[:12]
    slowest = sorted(slowest, reverse=True)[:12]
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"{arguments.count:,} texts: " + ", ".join(f"{number:,} {name}" for name, number in counts.items()))
    print(f"memory grew by {grown:.0f} MB")
    print("slowest (processor time):")
    for seconds, part, text in slowest:
        print(f"  {seconds:6.3f} s  {part:9s} {text!r}")
    print("most frequent reasons:")
    for reason, number in reasons.most_common(25):
        print(f"  {number:6,}  {reason}")
    for failure in failures[:40]:
        print("FAILED", failure)
    print(f"{len(failures)} failures")
    return 1 if failures or slowest[0][0] > LONGEST or grown > LARGEST else 0


if __name__ == "__main__":
    sys.exit(main())
