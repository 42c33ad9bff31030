# ruff: noqa: E501 - the tables of bytes are as wide as they are
"""Feed the readers damaged files: nothing but tables and sentences may come out, and soon.

Run by hand: ``python -m tests.benchmarks.fuzz_readers [CASES [SEED]]``. Every case takes one of the awkward files or
bundled examples, damages it by one to six random changes, and takes it from the file to polymers. A case fails when
anything but a TableError is raised, when it takes more than ten seconds, or when the process needs more than 3 GB. The
failing files are kept in a folder that is printed.
"""

import collections
import io
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
import zipfile
from pathlib import Path

from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from tests.benchmarks.options import Options

REPOSITORY = Path(__file__).resolve().parent.parent.parent
SECONDS = 10
MEMORY = 3 * 1024**3
INTERESTING = (
    b"\x00", b"\xff", b'"', b"'", b"\n", b"\r", b"\r\n", b",", b";", b"\t", b"|", b"*", b"\xef\xbb\xbf", b"\xff\xfe", b"=",
    b"1e999", b"-", b"\xe2\x88\x92", b"nan", b"<5", b"1,5", b"1.5", b"\x1f", b"\x1a", b"\xc2\xa0", b"[" * 50, b"(" * 50,
    b"9" * 400, b"*CC*", b"#", b"\xf0\x9f\x98\x80", b"\xed\xa0\x80", b"A" * 5000, b"%", b"K", b"J/(kg K)", b"</c>", b"{", b"]",
)  # fmt: skip


class TooSlow(Exception):  # noqa: N818 - an outcome
    """A case did not end in time."""


def samples() -> list[tuple[str, bytes]]:
    """Return names and contents of the files to damage; large ones are cut to their first lines."""
    paths = [
        path
        for folder in ("tests/data/tables", "resources/examples")
        for path in sorted((REPOSITORY / folder).iterdir())
        if path.is_file() and path.suffix != ".py"
    ]
    return [(path.name, path.read_bytes()[:30_000]) for path in paths if path.stat().st_size]


def damaged(content: bytes, other: bytes, generator: random.Random) -> bytes:
    """Return the content after some random changes."""
    data = bytearray(content)
    for _ in range(generator.randint(1, 6)):
        place = generator.randrange(len(data) + 1)
        length = generator.choice((1, 1, 2, 8, 64, 1024))
        match generator.randrange(9):
            case 0 if data:
                data[generator.randrange(len(data))] = generator.randrange(256)
            case 1:
                data[place : place + length] = b""
            case 2:
                data[place:place] = generator.choice(INTERESTING)
            case 3:
                data[place:place] = data[place : place + length]
            case 4:
                start = generator.randrange(len(other) + 1)
                data[place:place] = other[start : start + length]
            case 5:
                del data[max(place, 1) :]
            case 6:
                old, new = generator.sample((b",", b";", b"\t", b"|", b" ", b"\n", b'"', b"."), 2)
                data = bytearray(bytes(data).replace(old, new, generator.choice((1, 5, -1))))
            case 7:
                data[place:place] = generator.randbytes(length)
            case _:
                data = bytearray(
                    bytes(data).decode("latin-1").encode(generator.choice(("utf-8", "utf-16", "utf-16-le")))
                )
        data = data[:200_000]
    return bytes(data)


def damaged_inside(content: bytes, other: bytes, generator: random.Random) -> bytes:
    """Return a ZIP archive, such as a workbook, with one of its members damaged."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        members = old.infolist()
        chosen = generator.randrange(len(members))
        for number, member in enumerate(members):
            data = old.read(member)
            new.writestr(member.filename, damaged(data, other, generator) if number == chosen else data)
    return file.getvalue()


def run(path: Path) -> str:
    """Take one file as far as it goes and say how it ended."""
    try:
        raw = read_table(path)
        roles = guess_roles(raw)
        if roles.kind in ("measured", "md"):
            guess_roles(raw, others=[roles.with_kind("md")])
        table = to_polymer_table(raw, roles, allow_empty=True)
    except TableError as error:
        sentence = str(error)
        if not 15 < len(sentence) < 1000 or "\n" in sentence.replace(path.name, ""):
            raise ValueError(f"not a sentence: {sentence!r}") from None
        return "refused"
    if table.rows_read != len(table) + table.rows_rejected:
        raise ValueError("the rows do not add up")
    for column in table.values.values():
        if len(column.values) != len(table):
            raise ValueError("a column has another length than its table")
    return "asked" if roles.questions else "loaded"


def main() -> None:
    """Run the cases and print how they ended."""
    options = Options(__doc__)
    options.size("cases", 10_000, 20)
    options.size("seed", 0, 0)
    chosen = options.read()
    cases, generator = chosen.cases, random.Random(chosen.seed)
    if not chosen.smoke:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    def alarm(*_: object) -> None:
        raise TooSlow

    signal.signal(signal.SIGALRM, alarm)
    files = samples()
    outcomes: collections.Counter[str] = collections.Counter()
    slowest = (0.0, "")
    kept = Path(tempfile.mkdtemp(prefix="fuzz_readers_"))
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        for case in range(cases):
            name, content = generator.choice(files)
            path = Path(folder) / name
            damage = damaged_inside if zipfile.is_zipfile(io.BytesIO(content)) and case % 4 else damaged
            path.write_bytes(damage(content, generator.choice(files)[1], generator))
            began = time.perf_counter()
            signal.alarm(SECONDS)
            try:
                outcome = run(path)
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                outcome = f"FAILED {type(error).__name__}"
                (kept / f"{case}_{name}").write_bytes(path.read_bytes())
                if outcomes[outcome] < 3:
                    print(f"case {case}, {name}:", file=sys.stderr)
                    traceback.print_exc(limit=-4)
            finally:
                signal.alarm(0)
            slowest = max(slowest, (time.perf_counter() - began, f"case {case}, {name}"))
            outcomes[outcome] += 1
            path.unlink()
    for outcome, count in outcomes.most_common():
        print(f"{count:8,} {outcome}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(
        f"{cases:8,} cases in {time.perf_counter() - start:.0f} s; slowest {slowest[0]:.2f} s ({slowest[1]}); {peak:.2f} GB"
    )
    if any(outcome.startswith("FAILED") for outcome in outcomes):
        sys.exit(f"Failing files are kept in {kept}")
    kept.rmdir()


if __name__ == "__main__":
    main()
