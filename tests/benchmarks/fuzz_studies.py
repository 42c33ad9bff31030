"""Feed damaged study files to the reader: nothing but studies and sentences may come out, and soon.

Run by hand: ``python -m tests.benchmarks.fuzz_studies [CASES [SEED]]``. Every case takes a study and changes random bytes
of the file, or random values of its documents, or random pieces of a member that is then packed properly. A case fails
when anything but a UserError is raised, when it takes more than ten seconds, or when the process needs more than 3 GB.
"""

import copy
import json
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
import zipfile
from pathlib import Path

from affinecal_gui.errors import UserError
from affinecal_gui.study.stored.study_file import open_study, save_study
from tests.benchmarks.options import Options
from tests.study.damage import members, paths_in, set_at
from tests.study.small_study import small_result, small_state

SECONDS = 10
MEMORY = 3 * 1024**3
VALUES = (None, -1, 0, 1, 1e308, 2**60, "", "x", "t1", "\0", [], {}, True, [[1]], {"key": "Cp"}, "inf", [None] * 300)
PIECES = (
    b"",
    b",",
    b'"',
    b"\r\n",
    b"nan",
    b"inf",
    b"-1",
    b"1e999",
    b"\xff",
    b"\0",
    b"*CC(",
    b"9" * 400,
    b"," * 5000,
    b'"' * 3,
)


class TooSlow(Exception):  # noqa: N818 - an outcome
    """A case did not end in time."""


def stop(_signal: int, _frame: object) -> None:
    """Interrupt a case that takes too long."""
    raise TooSlow


def damage(whole: bytes, good: dict[str, bytes], chance: random.Random, path: Path) -> str:
    """Write a damaged study; returns how it was damaged."""
    kind = chance.choice(("bytes", "value", "piece"))
    if kind == "bytes":
        data = bytearray(whole)
        for _ in range(chance.randint(1, 6)):
            start = 0 if chance.random() < 0.5 else max(0, len(data) - 1500)
            place = chance.randrange(start, len(data))
            if chance.random() < 0.7:
                data[place] = chance.randrange(256)
            else:
                del data[place : place + chance.choice((1, 4, 1000))]
        path.write_bytes(data)
        return kind
    content = dict(good)
    for _ in range(chance.randint(1, 3)):
        name = chance.choice([name for name in content if name.endswith(".json" if kind == "value" else ".csv")])
        if kind == "value":
            plain = copy.deepcopy(json.loads(content[name]))
            top = set_at(plain, chance.choice(list(paths_in(plain))), chance.choice(VALUES))
            content[name] = json.dumps(plain if top is None else top).encode()
        else:
            data = bytearray(content[name])
            place = chance.randrange(len(data) + 1)
            data[place : place + chance.choice((0, 1, 3, 50))] = chance.choice(PIECES)
            content[name] = bytes(data)
    with zipfile.ZipFile(path, "w") as made:
        for name, data in content.items():
            made.writestr(name, data)
    return kind


def main() -> int:
    """Run the cases; returns how many failed."""
    options = Options(__doc__)
    options.size("cases", 2000, 20)
    options.size("first", 0, 0)
    chosen = options.read()
    cases, first = chosen.cases, chosen.first
    if not chosen.smoke:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, stop)
    failed, opened, slowest = 0, 0, 0.0
    kept = Path(tempfile.mkdtemp(prefix="affinecal-fuzz-"))
    save_study(kept / "good.affinecal", small_state(), small_result())
    whole, good = (kept / "good.affinecal").read_bytes(), members(kept / "good.affinecal")
    path = kept / "damaged.affinecal"
    for seed in range(first, first + cases):
        kind = damage(whole, good, random.Random(seed), path)
        began = time.perf_counter()
        signal.alarm(SECONDS)
        try:
            open_study(path)
            opened += 1
        except UserError as error:
            if path.name not in str(error) or "\n" in str(error):
                failed += 1
                print(f"case {seed} ({kind}): no sentence: {error}")
        except BaseException:  # noqa: BLE001 - whatever it is, it is what is looked for
            failed += 1
            print(f"case {seed} ({kind}):\n{traceback.format_exc()}")
            path.rename(kept / f"{seed}.affinecal")
        finally:
            signal.alarm(0)
        slowest = max(slowest, time.perf_counter() - began)
    print(
        f"{cases} cases: {opened} opened, {cases - opened - failed} refused, {failed} failed; slowest {slowest:.2f} s"
    )
    print(f"files in {kept}")
    return failed


if __name__ == "__main__":
    sys.exit(bool(main()))
