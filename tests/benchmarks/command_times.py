"""How long whole commands take, beside a process that only imports the libraries they are made of.

    python -m tests.benchmarks.command_times [--runs 7] [--of "/path/to/other/python -m affinecal_gui"]

Commands and the yardstick take turns, so that a busy machine slows all of them; what is compared are medians, and ratios of
neighbouring runs. Both wall and processor time are of the whole process, its start included. With ``--of`` the same commands
of another copy of the program are timed in between.

Byte code is kept in a folder of its own and is there after the first round, which does not count: installed programs have
theirs. Descriptors are kept likewise, and the rows without the cache say what they cost.
"""

import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.options import Options

EXAMPLES = Path(__file__).parents[2] / "resources" / "examples"
YARDSTICK = [sys.executable, "-c", "import numpy, scipy, rdkit, matplotlib"]


def commands(program: Sequence[str], folder: Path) -> dict[str, list[str]]:
    """Return the commands to time, by what the table calls them."""
    tables = ["--experiment", str(EXAMPLES / "heat_capacity_measured.csv"), "--md", str(EXAMPLES / "md_radonpy.csv")]
    common = [*tables, "--quiet", "--overwrite"]
    fit = [*program, "fit", *common, "--output", str(folder / "fit")]
    paper = [*program, "benchmark", "--protocol", "paper", *common, "--output", str(folder / "benchmark")]
    predict = [*program, "predict", str(EXAMPLES / "md_radonpy.csv"), *common, "--output", str(folder / "predict.csv")]
    compare = [*program, "compare", *common, "--output", str(folder / "compare")]
    describe = [*program, "describe", str(EXAMPLES / "heat_capacity_measured.csv"), "--quiet", "--overwrite"]
    describe += ["--output", str(folder / "describe.csv")]
    others = {"predict": predict, "compare": compare, "describe": describe}
    return {"fit": fit, "benchmark, paper": paper} | others | {"help": [*program, "fit", "--help"]}


def once(words: Sequence[str], environment: dict[str, str]) -> tuple[float, float]:
    """Run a command; return seconds by the clock and of the processors."""
    before, start = os.times(), time.perf_counter()
    subprocess.run(words, env=environment, stdout=subprocess.DEVNULL, check=True)
    wall, after = time.perf_counter() - start, os.times()
    return wall, after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    """Time the commands and print a table."""
    parser = Options(__doc__)
    parser.size("--runs", 7, 1)
    parser.size("--only", [], ["imports alone"], help="commands; all without")
    parser.add_argument("--of", help="another copy of the program, as words that start it")
    options = parser.read()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = {key: word for key, word in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        environment |= {"PYTHONPYCACHEPREFIX": str(folder / "byte_code"), "XDG_CACHE_HOME": str(folder / "cache")}
        timed = {"imports alone": YARDSTICK, **commands([sys.executable, "-m", "affinecal_gui"], folder)}
        for command in ("fit", "benchmark, paper"):
            timed[f"{command}, no cache"] = [*timed[command], "--no-cache"]
        if options.of:
            others = commands(shlex.split(options.of), folder / "other")
            timed |= {f"{command}, other copy": words for command, words in others.items()}
        if options.only:
            timed = {command: timed[command] for command in ("imports alone", *options.only)}
        found: dict[str, list[tuple[float, float]]] = {command: [] for command in timed}
        for run in range(options.runs + 1):
            for command, words in timed.items():
                seconds = once(words, environment)
                if run:
                    found[command].append(seconds)
    print(f"{'median of ' + str(options.runs):<28}{'wall s':>8}{'cpu s':>8}{'wall ratio':>12}{'cpu ratio':>11}")
    alone = found["imports alone"]
    for command, times in found.items():
        wall, cpu = (statistics.median(one[i] for one in times) for i in (0, 1))
        ratios = [statistics.median(a[i] / b[i] for a, b in zip(times, alone, strict=True)) for i in (0, 1)]
        print(f"{command:<28}{wall:>8.2f}{cpu:>8.2f}{ratios[0]:>12.1f}{ratios[1]:>11.1f}")


if __name__ == "__main__":
    main()
