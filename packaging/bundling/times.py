"""How long the source tree and the bundle take for the same, in turn, so that the load of the machine meets both."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from display_in_memory import display_in_memory
from shown_windows import ShownWindows

EMPTY_WINDOW = """
import sys
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication(sys.argv[:1])
window = QMainWindow()
window.resize(1500, 950)
window.show()
app.exec()
"""
LONGEST = 120.0


def seconds_of(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """Return how long a program takes from its start to its end."""
    begun = time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - begun


def seconds_to_window(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """Return how long a program takes from its start until its window is on the screen of the environment."""
    with ShownWindows(environment["DISPLAY"]) as screen:
        begun = time.perf_counter()
        program = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            if not screen.wait(LONGEST, lambda: program.poll() is None):
                raise RuntimeError(f"{command[0]} showed no window.")
            return time.perf_counter() - begun
        finally:
            program.kill()
            program.wait()
            while screen.sizes():
                time.sleep(0.01)


def table(python: Path, bundle: Path, rounds: int, folder: Path) -> str:
    """Return the table of medians.

    Parameters
    ----------
    python
        The interpreter that has the program installed, and PySide6.
    bundle
        The program of the bundle.
    rounds
        How often each is started; a start before these does not count.
    folder
        For the settings of the programs.
    """
    own = ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
    environment = os.environ | {name: str(folder) for name in own}
    environment["PYTHONPYCACHEPREFIX"] = str(folder / "compiled")
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    source = [str(python), "-m", "affinecal_gui"]
    frozen = [str(bundle)]
    with display_in_memory() as shown:
        screen = environment | {"DISPLAY": shown["DISPLAY"], "QT_QPA_PLATFORM": "xcb"}
        subjects: dict[
            str, tuple[Callable[[Sequence[str], Mapping[str, str]], float], list[list[str]], Mapping[str, str]]
        ]
        subjects = {
            "affinecal --version": (seconds_of, [[*source, "--version"], [*frozen, "--version"]], environment),
            "affinecal fit --help": (seconds_of, [[*source, "fit", "--help"], [*frozen, "fit", "--help"]], environment),
            "first window": (seconds_to_window, [source, frozen, [str(python), "-c", EMPTY_WINDOW]], screen),
        }
        lines = [f"{'median of ' + str(rounds) + ', in s':24}{'source':>9}{'bundle':>9}{'empty PySide6 window':>23}"]
        for name, (measure, commands, given) in subjects.items():
            taken: list[list[float]] = [[] for _ in commands]
            for number in range(rounds + 1):
                for times, command in zip(taken, commands, strict=True):
                    seconds = measure(command, given)
                    if number:
                        times.append(seconds)
            medians = [statistics.median(times) for times in taken]
            lines.append(f"{name:24}{medians[0]:9.2f}{medians[1]:9.2f}" + "".join(f"{m:23.2f}" for m in medians[2:]))
            if len(medians) > 2:
                lines.append(
                    f"{'  times the empty one':24}{medians[0] / medians[2]:9.2f}{medians[1] / medians[2]:9.2f}"
                )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit("Started by try_bundle.py times.")
