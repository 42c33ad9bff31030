"""Tries what packaging/bundle.py has built, in a bare Debian that has neither Python nor Qt nor a network.

    python3 packaging/try_bundle.py              installs dist/*.deb there, runs it, compares each file of results with that
                                                 of the source tree, and uninstalls it
    python3 packaging/try_bundle.py times        how long the start takes: source tree, bundle and an empty window
    python3 packaging/try_bundle.py again        builds the folder a second time and compares each file with the first

Needs Linux and, but for "times", root, debootstrap, unshare and Xvfb; says what is missing.
"""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ["AFFINECAL_ENVIRONMENT"] = str(Path("build") / "bundle" / "environment")
sys.path.insert(0, str(Path(__file__).resolve().parent))

import setting_up
from bundling import archives, folder, steps, trials
from bundling.bare_root import TRIALS, USER, BareRoot
from bundling.places import RESULTS, ROOT, WORK, version
from bundling.times import table
from display_in_memory import MISSING, display_in_memory, is_there
from shown_windows import ShownWindows

SECONDS_TO_WINDOW = 120.0
ROUNDS = 7


def main(words: list[str]) -> int:
    """Run one of the three; return 0 when all is well."""
    setting_up.SPEAKER = "try_bundle"
    tasks = {"times": print_times, "again": build_again}
    if len(words) > 1 or (words and words[0] not in tasks):
        print(__doc__)
        return 2
    if not is_there():
        setting_up.stop(MISSING)
    return tasks[words[0]]() if words else try_in_bare_root()


def print_times() -> int:
    """Print the table of start-up times."""
    with tempfile.TemporaryDirectory() as own:
        print(table(setting_up.environment_python(), folder.FOLDER / "affinecal", ROUNDS, Path(own)))
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


def try_in_bare_root() -> int:
    """Install, run, compare and uninstall; print a line for each trial."""
    package = next(RESULTS.glob(f"affinecal_{version()}_*.deb"), None)
    if package is None:
        setting_up.stop("there is no dist/*.deb; run python3 packaging/bundle.py first.")
    bare = BareRoot(WORK / "debian", WORK / "root")
    bare.make()
    faults = [f"there is Python in the bare root: {name}" for name in bare.files() if "bin/python3" in name]
    before = bare.files()
    bare.install(package)
    faults += [f"the package brought {name}" for name in bare.files() - before if "bin/python" in name or _is_qt(name)]
    own = bare.place / TRIALS[1:]
    source = WORK / "trials"
    for place in (own, source):
        trials.lay_out(place)
    subprocess.run(["chown", "-R", f"{USER}:{USER}", str(own)], check=True)
    with display_in_memory() as shown:
        for trial in trials.TRIALS:
            faults += run(trial, bare, source, {name: shown[name] for name in ("DISPLAY",)})
    different, count = trials.differences(source, own)
    faults += [f"not the same file: {name}" for name in different]
    print(f"{count - len(different)} of {count} files are the same bytes as those of the source tree")
    bare.remove("affinecal")
    left = [name for name in bare.files() - before if "affinecal" in name.lower()]
    faults += [f"left after uninstalling: {name}" for name in left]
    kept = len(list(own.rglob("*")))
    print(f"uninstalled: {len(left)} files of the program are left, {kept} of the user")
    for fault in faults:
        print(f"FAULT {fault}")
    print("all is well" if not faults else f"{len(faults)} faults")
    return bool(faults)


def _is_qt(name: str) -> bool:
    return "libQt6" in name and not name.startswith("usr/lib/affinecal/")


def run(trial: trials.Trial, bare: BareRoot, source: Path, screen: dict[str, str]) -> list[str]:
    """Run a trial in the bare root, and with the source tree; return what is wrong."""
    program = bare.start(["affinecal", *trial.words], screen if trial.needs_screen else {})
    if trial.needs_screen:
        with ShownWindows(screen["DISPLAY"]) as windows:
            is_shown = windows.wait(SECONDS_TO_WINDOW, lambda: program.poll() is None)
        # The program is the only child of what set it apart, which has no ear for signals of its own.
        subprocess.run(["pkill", "-TERM", "-P", str(program.pid)], check=False)
        program.communicate()
        print(f"{'ok' if is_shown else 'FAULT':6}{trial.name}")
        return [] if is_shown else [f"{trial.name}: no window was shown"]
    out, err = program.communicate()
    expected = run_source(trial, source)
    faults = []
    if program.returncode != trial.status:
        faults.append(f"{trial.name}: exit status {program.returncode}, not {trial.status}: {err.strip()[-500:]}")
    if expected.returncode != trial.status:
        faults.append(
            f"{trial.name}: the source tree ends with {expected.returncode}: {expected.stderr.strip()[-500:]}"
        )
    if (out, err) != (expected.stdout, expected.stderr):
        faults.append(f"{trial.name}: it says {out + err!r}, and the source tree {expected.stdout + expected.stderr!r}")
    print(f"{'FAULT' if faults else 'ok':6}{trial.name}: exit status {program.returncode}", flush=True)
    return faults


def run_source(trial: trials.Trial, place: Path) -> subprocess.CompletedProcess[str]:
    """Run the same words with the source tree and the libraries that the bundle was made of."""
    home = WORK / "home"
    home.mkdir(exist_ok=True)
    given = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT)}
    command = [str(setting_up.environment_python()), "-m", "affinecal_gui", *trial.words]
    return subprocess.run(command, cwd=place, env=given, capture_output=True, text=True, check=False)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
