"""Kill ``affinecal describe`` at random moments, and see whether the result is the same in the end.

    python -m tests.benchmarks.kill_describing [kills, 20] [rows, 3000] [seed, 1]

One run is left alone. Another is killed (SIGKILL, now and then one of its workers instead) at random moments, from its
first instant to its last, and continued with ``--resume`` until it ends. After every kill the part must be a whole number
of lines of the undisturbed result but for the last one, and no worker may be left; in the end the two files must be equal.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.describe_files import children, write
from tests.benchmarks.options import Options


def start(source: Path, output: Path) -> "subprocess.Popen[bytes]":
    """Start or continue a run with two workers."""
    words = [sys.executable, "-m", "affinecal_gui", "describe", str(source), "--output", str(output), "--quiet"]
    return subprocess.Popen([*words, "--jobs", "2", "--no-cache", "--resume"], stdout=subprocess.DEVNULL)


def main() -> None:
    """Run and report."""
    options = Options(__doc__)
    options.size("kills", 20, 1)
    options.size("rows", 3000, 20)
    options.size("seed", 1, 1)
    chosen = options.read()
    kills, rows, choice = chosen.kills, chosen.rows, random.Random(chosen.seed)
    with tempfile.TemporaryDirectory() as folder:
        source, whole, output = (Path(folder) / name for name in ("in.csv", "whole.csv", "out.csv"))
        write(source, rows, 1.0)
        started = time.monotonic()
        if start(source, whole).wait():
            sys.exit("the undisturbed run failed")
        expected, longest = whole.read_bytes(), time.monotonic() - started
        print(f"undisturbed: {rows} rows, {len(expected) / 1e6:.1f} MB, {longest:.1f} s")
        part, done, workers_killed = Path(f"{output}.part"), 0, 0
        while not output.exists():
            program = start(source, output)
            if done < kills:
                moment = choice.uniform(0.0, longest / 3)
                time.sleep(moment)
                workers = children(program.pid)
                if choice.random() < 0.25 and len(workers) > 1:
                    os.kill(workers[-1], signal.SIGKILL)
                    workers_killed += 1
                    time.sleep(choice.uniform(0.0, longest / 6))
                program.kill()
                done += 1
            program.wait()
            content = part.read_bytes() if part.exists() else b""
            lines = content.count(b"\n")
            print(f" {lines}", end="", flush=True)
            if not expected.startswith(content[: content.rfind(b"\n") + 1]):
                sys.exit("\nthe part is not the beginning of the result")
        print()
        equal = output.read_bytes() == expected
        left = [path.name for path in Path(folder).iterdir() if path.name.startswith("out.csv.")]
        print(
            f"{done} kills, {workers_killed} workers killed; equal: {equal}; left behind: {', '.join(left) or 'nothing'}"
        )
        sys.exit(0 if equal and not left else 1)


if __name__ == "__main__":
    main()
