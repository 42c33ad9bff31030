"""How long the source tree and the bundle take for the same, in turn, so that the load of the machine meets both.

The first window is measured by an empty one, from the source tree and in a bundle of its own.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from display_in_memory import display_in_memory
from shown_windows import ShownWindows

EMPTY_WINDOW = Path(__file__).with_name("empty_window.py")
LONGEST = 120.0


@dataclass(frozen=True)
class Taken:
    """What a start took, in s."""

    clock: float
    processor: float  # of the program and what it has waited for; hardly depends on what else the machine does


def time_of(command: Sequence[str], environment: Mapping[str, str]) -> Taken:
    """Return what a program takes from its start to its end."""
    begun = time.perf_counter()
    program = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    processor = _ended(program)
    if program.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} ended with {program.returncode}.")
    return Taken(time.perf_counter() - begun, processor)


def time_to_window(command: Sequence[str], environment: Mapping[str, str]) -> Taken:
    """Return what a program takes from its start until its window is on the screen of the environment."""
    with ShownWindows(environment["DISPLAY"]) as screen:
        begun = time.perf_counter()
        program = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            if not screen.wait(LONGEST, lambda: program.poll() is None):
                raise RuntimeError(f"{command[0]} showed no window.")
            clock = time.perf_counter() - begun
        finally:
            program.kill()
            processor = _ended(program)
            while screen.sizes():
                time.sleep(0.01)
        return Taken(clock, processor)


def _ended(program: subprocess.Popen[bytes]) -> float:
    """Wait for the end of a program; return the processor time it took."""
    if program.returncode is not None:
        return 0.0  # somebody has waited for it, and nobody knows any more
    _, status, used = os.wait4(program.pid, 0)
    program.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime


def bundled_empty_window(python: Path, folder: Path) -> Path:
    """Make a bundle of an empty window in a folder, with PyInstaller of an interpreter; return its program."""
    command = [str(python), "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR", "--distpath", str(folder)]
    command += ["--workpath", str(folder / "work"), str(EMPTY_WINDOW.with_suffix(".spec"))]
    subprocess.run(command, cwd=folder, check=True)
    return folder / "empty_window" / "empty_window"


def table(python: Path, bundle: Path, rounds: int, folder: Path) -> str:
    """Return the table of medians, by the clock and, in brackets, of processor time.

    Parameters
    ----------
    python
        The interpreter that has the program installed, PySide6, and PyInstaller.
    bundle
        The program of the bundle.
    rounds
        How often each is started; a start before these does not count.
    folder
        For the settings of the programs, and the bundle of an empty window.
    """
    empty = [[str(python), str(EMPTY_WINDOW)], [str(bundled_empty_window(python, folder))]]
    own = ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
    environment = os.environ | {name: str(folder) for name in own}
    environment["PYTHONPYCACHEPREFIX"] = str(folder / "compiled")
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    source = [str(python), "-m", "affinecal_gui"]
    frozen = [str(bundle)]
    with display_in_memory() as shown:
        screen = environment | {"DISPLAY": shown["DISPLAY"], "QT_QPA_PLATFORM": "xcb"}
        subjects: dict[
            str, tuple[Callable[[Sequence[str], Mapping[str, str]], Taken], list[list[str]], Mapping[str, str]]
        ]
        subjects = {
            "affinecal --version": (time_of, [[*source, "--version"], [*frozen, "--version"]], environment),
            "affinecal fit --help": (time_of, [[*source, "fit", "--help"], [*frozen, "fit", "--help"]], environment),
            "first window": (time_to_window, [source, frozen, *empty], screen),
        }
        titles = ("source", "bundle", "empty: source", "bundle")
        lines = [f"{'median of ' + str(rounds) + ', in s':24}" + "".join(f"{title:>15}" for title in titles)]
        for name, (measure, commands, given) in subjects.items():
            taken: list[list[Taken]] = [[] for _ in commands]
            for number in range(rounds + 1):
                for times, command in zip(taken, commands, strict=True):
                    one = measure(command, given)
                    if number:
                        times.append(one)
            medians = [
                Taken(statistics.median(t.clock for t in times), statistics.median(t.processor for t in times))
                for times in taken
            ]
            lines.append(_line(name, medians))
            if len(medians) > 2:
                pairs = zip(medians[:2], medians[2:], strict=True)
                parts = [Taken(own.clock / bare.clock, own.processor / bare.processor) for own, bare in pairs]
                lines.append(_line("  times the empty one", parts))
    return "\n".join(lines)


def _line(name: str, cells: Sequence[Taken]) -> str:
    return f"{name:24}" + "".join(f"{f'{cell.clock:.2f} ({cell.processor:.2f})':>15}" for cell in cells)


if __name__ == "__main__":
    sys.exit("Started by try_bundle.py times.")
