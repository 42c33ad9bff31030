"""Describe tens of thousands of random and hostile texts: only reasons for the user may come back, soon and in little memory.

python -m tests.benchmarks.fuzz_descriptors [number of texts, 20000] [seed, 1]
"""

import contextlib
import random
import resource
import sys
import time
from collections import Counter

from affinecal_gui.errors import UserError
from affinecal_gui.polymers.descriptors.descriptors import describe
from tests.benchmarks.options import Options
from tests.polymers.hostile_texts import random_text


def megabytes() -> float:
    """Return the largest memory of this process so far."""
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes / (1024**2 if sys.platform == "darwin" else 1024)


def processor_seconds(text: str) -> float:
    """Return the processor time of one description."""
    begun = time.process_time()
    with contextlib.suppress(UserError):
        describe(text)
    return time.process_time() - begun


def main() -> None:
    """Run and report."""
    options = Options(__doc__)
    options.size("number", 20_000, 20)
    options.size("seed", 1, 1)
    chosen = options.read()
    number, choice = chosen.number, random.Random(chosen.seed)
    describe("*CC*")
    at_start = megabytes()
    outcomes: Counter[str] = Counter()
    faults: list[tuple[str, str]] = []
    slowest = (0.0, "")
    started = time.perf_counter()
    for _ in range(number):
        text = random_text(choice)
        begun = time.process_time()
        try:
            describe(text)
            outcomes["described"] += 1
        except UserError as error:
            outcomes[type(error).__name__] += 1
        except Exception as error:  # noqa: BLE001 - a fault is what the run is looking for
            outcomes["FAULT"] += 1
            faults.append((text, repr(error)))
        passed = time.process_time() - begun
        if passed > slowest[0]:
            # Once more: only what is slow again is slow because of the text.
            slowest = max(slowest, (min(passed, processor_seconds(text)), text))
    print(f"{number} texts in {time.perf_counter() - started:.1f} s: {dict(outcomes)}")
    print(f"slowest: {slowest[0] * 1e3:.1f} ms of processor time, {slowest[1][:100]!r} ({len(slowest[1])} characters)")
    print(f"memory: {at_start:.0f} MB after the first description, {megabytes():.0f} MB at most afterwards")
    for text, error in faults[:20]:
        print(f"FAULT {error}: {text!r}")


if __name__ == "__main__":
    main()
