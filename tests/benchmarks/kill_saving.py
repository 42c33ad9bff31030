"""Kill a program while it saves, at random instants: the study is always the old or the new one, whole.

Run by hand: ``python -m tests.benchmarks.kill_saving [RUNS [SEED]] [--at-lines]`` (200 runs by default; POSIX only). A child
process saves two studies in turn over the same file, or, every fourth time, as autosaves to a recovery folder, as fast as it
can; it is killed with SIGKILL after a random time, or, with ``--at-lines``, before a random line of the program, which does
not depend on the clock. Then the file and the recovery file are opened: each must be one of the two studies, every value of
it.
"""

import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

from affinecal_gui.study.derived import Derived
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.stored.recovery import RecoveryFile, find_recoverable
from affinecal_gui.study.stored.study_file import KnownMembers, open_study, save_study
from tests.benchmarks.options import Options
from tests.killed_at_a_line import kill_at_line, lines_of
from tests.study.small_study import assert_same, small_result, small_state

LONGEST = 0.1  # seconds until the kill: several saves
MOST_SAVES = 3  # until the kill at a line


def two_studies() -> tuple[tuple[StudyState, Derived], tuple[StudyState, Derived]]:
    """Return two studies that differ in a choice and in a table, both with a result."""
    one, result = small_state(), small_result()
    other = replace(one, settings=replace(one.settings, model="ordinary", blocks_off=frozenset({"mass"})))
    derived = replace(result, state=other, snapshot=replace(result.snapshot, settings=other.settings))
    return (one, result), (other, derived)


def save_for_ever(
    path: Path, folder: Path, studies: tuple[tuple[StudyState, Derived], ...], known: KnownMembers, autosave: bool
) -> None:
    """Save one study after the other; never returns. With what is ``known`` most of the time is spent in writing."""
    recovery = RecoveryFile(folder)
    while True:
        for state, derived in studies:
            if autosave:
                recovery.save(state, derived, original=str(path))
            else:
                save_study(path, state, derived, overwrite=True, known=known)


def which(path: Path, studies: tuple[tuple[StudyState, Derived], ...]) -> int:
    """Return which of the studies a file holds, after comparing every value."""
    opened = open_study(path)
    settings = [state.settings for state, _ in studies]
    number = settings.index(opened.state.settings)
    state, derived = studies[number]
    assert_same(state.tables, opened.state.tables, ignore=("path", "kept_fit"))
    assert opened.derived is not None
    assert_same(derived.snapshot.calibration, opened.derived.snapshot.calibration)
    return number


def main() -> int:
    """Kill and look; returns the exit status."""
    options = Options(__doc__)
    options.size("runs", 200, 3)
    options.size("seed", 1, 1)
    options.add_argument("--at-lines", action="store_true", help="kill before a line of the program, not after a time")
    chosen = options.read()
    runs, chance = chosen.runs, random.Random(chosen.seed)
    studies = two_studies()
    found: Counter[str] = Counter()
    parts = 0
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as name:
        path, folder = Path(name) / "study.affinecal", Path(name) / "recovery"
        folder.mkdir()
        known = KnownMembers()
        save_study(path, *studies[0], known=known)
        lines = lines_of(lambda: save_study(path, *studies[1], overwrite=True, known=known)) if chosen.at_lines else 0
        for run in range(runs):
            last_line = chance.randint(1, MOST_SAVES * lines) if lines else 0
            child = os.fork()
            if child == 0:
                try:
                    if last_line:
                        kill_at_line(last_line)
                    save_for_ever(path, folder, studies, known, autosave=run % 4 == 3)
                finally:
                    os._exit(1)  # it ends only by being killed
            if not last_line:
                time.sleep(chance.uniform(0.0, LONGEST))
                os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
            if not os.WIFSIGNALED(status):
                print("the program that saves ended by itself")
                return 1
            found[f"study {which(path, studies)}"] += 1
            for kept in find_recoverable(folder):
                found[f"recovery {which(kept.path, studies)}"] += 1
                kept.discard()
            halves = [*Path(name).glob(".*.part"), *folder.glob(".*.part")]
            parts += bool(halves)
            for half in halves:
                half.unlink()
    seconds = time.perf_counter() - began
    print(f"{runs} kills in {seconds:.1f} s, {parts} of them in the middle of a write; whole every time: {dict(found)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
