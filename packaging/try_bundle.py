"""Tries what packaging/bundle.py has built: each file of results has to be that of the source tree, byte by byte.

Of a calibrator file, which says when it was saved, everything else has to be the same.

    python3 packaging/try_bundle.py              installs dist/*.deb in a bare Debian that has neither Python nor Qt nor a
                                                 network, runs it there, and uninstalls it
    python3 packaging/try_bundle.py folder       runs the program of build/bundle/affinecal, on any system
    python3 packaging/try_bundle.py times        how long the start takes: source tree, bundle and an empty window
    python3 packaging/try_bundle.py again        builds the folder a second time and compares each file with the first

The bare Debian needs Linux, root, debootstrap, unshare and Xvfb; what is missing is said. It is Debian 12, or that which
AFFINECAL_SUITE names.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

os.environ["AFFINECAL_ENVIRONMENT"] = str(Path("build") / "bundle" / "environment")
sys.path.insert(0, str(Path(__file__).resolve().parent))

import setting_up
from bundling import archives, folder, steps, trials
from bundling.bare_root import TRIALS, USER, BareRoot
from bundling.places import RESULTS, ROOT, WORK, version
from bundling.times import table
from bundling.trials import TRIALS as ALL_TRIALS
from bundling.trials import Trial
from display_in_memory import MISSING, display_in_memory, is_there
from shown_windows import ShownWindows

SECONDS_TO_WINDOW = 120.0
ROUNDS = 7

SOURCE = WORK / "trials"
"""Where the source tree does what the bundle does elsewhere."""

KERNELS = {name: value for name, value in os.environ.items() if name.startswith("OPENBLAS_")}
"""Which kernels of linear algebra this machine is told to use: last digits depend on them, so the bare Debian is told too."""

Ended = tuple[int, str, str]
"""Exit status, and what was printed on the two streams."""


def main(words: list[str]) -> int:
    """Run one of the four; return 0 when all is well."""
    setting_up.SPEAKER = "try_bundle"
    tasks = {"folder": try_folder, "times": print_times, "again": build_again}
    if len(words) > 1 or (words and words[0] not in tasks):
        print(__doc__)
        return 2
    return tasks[words[0]]() if words else try_in_bare_root()


def print_times() -> int:
    """Print the table of start-up times."""
    if not is_there():
        setting_up.stop(MISSING)
    with tempfile.TemporaryDirectory() as own:
        print(table(setting_up.environment_python(), program_of_folder(), ROUNDS, Path(own)))
    return 0


def build_again() -> int:
    """Build a second time and compare the two lists of files."""
    before = archives.listing(folder.FOLDER).splitlines()
    steps.make_folder()
    after = archives.listing(folder.FOLDER).splitlines()
    different = sorted({*before} ^ {*after}, key=lambda line: line[66:])
    for line in different:
        print(("first:  " if line in before else "second: ") + line)
    print(f"{len(after)} files in the second build, {len(before)} in the first; {len(different)} lines differ")
    return bool(different)


def program_of_folder() -> Path:
    """Return the program of the folder that was built."""
    program = folder.FOLDER / ("affinecal.exe" if os.name == "nt" else "affinecal")
    if not program.is_file():
        setting_up.stop(f"{program} is not there; run python3 packaging/bundle.py first.")
    return program


def try_folder() -> int:
    """Run the trials without a screen with the folder that was built."""
    program, own = str(program_of_folder()), WORK / "trials-of-folder"
    faults = []
    for place in (own, SOURCE):
        trials.lay_out(place)
    for trial in ALL_TRIALS:
        if not trial.needs_screen:
            faults += compare(trial, partial(run_here, [program, *trial.words], own), str(own))
    return conclude(faults, own)


def try_in_bare_root() -> int:
    """Install, run, compare and uninstall; print a line for each trial."""
    if not is_there():
        setting_up.stop(MISSING)
    package = next(RESULTS.glob(f"affinecal_{version()}_*.deb"), None)
    if package is None:
        setting_up.stop("there is no dist/*.deb; run python3 packaging/bundle.py first.")
    bare = BareRoot(WORK / "debian", WORK / "root")
    bare.make()
    before = bare.files()
    faults = [f"the bare root is not bare: {name}" for name in before if is_python_or_qt(name)]
    bare.install(package)
    faults += [f"the package brought {name}" for name in bare.files() - before if is_python_or_qt(name)]
    own = bare.place / TRIALS[1:]
    for place in (own, SOURCE):
        trials.lay_out(place)
    subprocess.run(["chown", "-R", f"{USER}:{USER}", str(own)], check=True)
    with display_in_memory() as shown:
        for trial in ALL_TRIALS:
            if trial.needs_screen:
                faults += show(trial, bare, shown["DISPLAY"])
            else:
                faults += compare(trial, partial(run_bare, bare, trial.words), TRIALS)
    kept = {path.relative_to(own) for path in own.rglob("*")}
    bare.remove("affinecal")
    left = [name for name in bare.files() - before if "affinecal" in name.lower()]
    faults += [f"left after uninstalling: {name}" for name in left]
    if kept != {path.relative_to(own) for path in own.rglob("*")}:
        faults.append("uninstalling took files of the user along")
    print(f"uninstalled: {len(left)} files of the program are left, and all {len(kept)} of the user")
    return conclude(faults, own)


def is_python_or_qt(name: str) -> bool:
    """Whether a name in the bare root is an interpreter, or a library of Qt that is not the bundle's own."""
    path = Path(name)
    return path.name.startswith(("python3", "libpython", "libQt")) and not path.is_relative_to("usr/lib/affinecal")


def compare(trial: Trial, run: Callable[[], Ended], place: str) -> list[str]:
    """Run a trial in a place, and the same with the source tree; return what is wrong."""
    status, out, err = run()
    faults = []
    python = str(setting_up.environment_python())
    expected = run_here([python, "-m", "affinecal_gui", *trial.words], SOURCE)
    if status != trial.status:
        faults.append(f"{trial.name}: exit status {status}, not {trial.status}: {err.strip()[-500:]}")
    if expected[0] != trial.status:
        faults.append(f"{trial.name}: the source tree ends with {expected[0]}: {expected[2].strip()[-500:]}")
    told = [trials.comparable(text, place) for text in (out, err)]
    if told != [trials.comparable(text, str(SOURCE)) for text in expected[1:]]:
        faults.append(f"{trial.name}: says\n{out + err}\nand the source tree\n{expected[1] + expected[2]}")
    print(f"{'FAULT' if faults else 'ok':6}{trial.name}: exit status {status}", flush=True)
    return faults


def show(trial: Trial, bare: BareRoot, display: str) -> list[str]:
    """Start a trial on a screen, wait for its window, and ask it to end."""
    with ShownWindows(display) as windows:
        program = bare.start(["affinecal", *trial.words], {"DISPLAY": display} | KERNELS)
        is_shown = windows.wait(SECONDS_TO_WINDOW, lambda: program.poll() is None)
        _, err = bare.end(program)
    print(f"{'ok' if is_shown else 'FAULT':6}{trial.name}: {'shown' if is_shown else 'not shown'}", flush=True)
    return [] if is_shown else [f"{trial.name}: no window was shown: {err.strip()[-500:]}"]


def run_bare(bare: BareRoot, words: Sequence[str]) -> Ended:
    """Run the installed program in the bare root."""
    program = bare.start(["affinecal", *words], KERNELS)
    out, err = program.communicate()
    return program.returncode, out, err


def run_here(command: Sequence[str], place: Path) -> Ended:
    """Run a program of this machine in a folder, as somebody who never used it; the source tree is what Python finds."""
    home = WORK / "home"
    home.mkdir(exist_ok=True)
    own = ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "LOCALAPPDATA", "APPDATA")
    given = {**os.environ, **dict.fromkeys(own, str(home)), "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT)}
    given["PYTHONPYCACHEPREFIX"] = str(WORK / "compiled")  # the libraries are compiled by the first trial, not by each
    given.pop("PYTHONDONTWRITEBYTECODE", None)
    # On Windows a program speaks the code page of the machine into a pipe: there, characters outside ASCII are not compared.
    done = subprocess.run(
        command, cwd=place, env=given, capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    return done.returncode, done.stdout, done.stderr


def conclude(faults: list[str], own: Path) -> int:
    """Compare the files of results, and say what is wrong."""
    different, count = trials.differences(SOURCE, own)
    faults = faults + [f"not the same file: {name}" for name in different]
    print(f"{count - len(different)} of {count} files are those of the source tree")
    for fault in faults:
        print(f"FAULT {fault}")
    print("all is well" if not faults else f"{len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
