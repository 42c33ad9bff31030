"""Builds the source archive and the wheel, checks them, and starts the window from an installation in a clean environment.

    python3 packaging/try_wheel.py [pip] [uv] [pipx]      by default with pip; the other two have to be on PATH

Prints a line for each step, as docs/dev/installing-matrix.md keeps them. The files are in dist/ afterwards. Needs the
standard library only: what it checks with is installed into build/wheel. Where there is Xvfb, the window is shown on a screen
in memory; everywhere a picture of it is taken without a screen.
"""

import os
import re
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path

from display_in_memory import display_in_memory, is_there
from shown_windows import ShownWindows

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "build" / "wheel"
RESULTS = ROOT / "dist"
TOOLS = ("build==1.6.1", "twine==7.0.0")
SOURCES = ("affinecal_gui", "resources", "docs", "pyproject.toml", "README.md", "LICENSE")
WAYS = ("pip", "uv", "pipx")
SECONDS_TO_WINDOW = 120.0
BINARIES = "Scripts" if os.name == "nt" else "bin"


def main(ways: Sequence[str]) -> int:
    """Build, check, and install in each of the ways; return 0 when all is well."""
    if set(ways) - set(WAYS):
        print(__doc__)
        return 2
    missing = [way for way in ways if way != "pip" and shutil.which(way) is None]
    if missing:
        sys.exit(
            f"try_wheel: {' and '.join(missing)} cannot be tried, because there is no such program; pip install it."
        )
    wheel = build()
    failed = [way for way in ways or ("pip",) if not starts(way, wheel)]
    return bool(failed)


def build() -> Path:
    """Build from a copy of what belongs to it, check what came out, and return the wheel."""
    shutil.rmtree(WORK, ignore_errors=True)
    source = WORK / "source"
    source.mkdir(parents=True)
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
        else:
            shutil.copy2(ROOT / name, source / name)
    python = clean_environment(WORK / "tools")
    run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *TOOLS)
    RESULTS.mkdir(exist_ok=True)
    for old in [*RESULTS.glob("affinecal-*.whl"), *RESULTS.glob("affinecal-[0-9]*.tar.gz")]:
        old.unlink()
    run(python, "-m", "build", "--outdir", str(RESULTS), str(source))
    made = sorted([*RESULTS.glob("affinecal-*.whl"), *RESULTS.glob("affinecal-[0-9]*.tar.gz")])
    run(python, "-m", "twine", "check", "--strict", *map(str, made))
    for path in made:
        print(f"built and checked: {path.name}, {path.stat().st_size / 1e6:.1f} MB")
    return next(path for path in made if path.suffix == ".whl")


def starts(way: str, wheel: Path) -> bool:
    """Install the wheel in one way into a place of its own; return whether its window comes up and it tells its version."""
    place = WORK / way
    begun = time.monotonic()
    program = {"pip": install_with_pip, "uv": install_with_uv, "pipx": install_with_pipx}[way](wheel, place)
    installed = time.monotonic() - begun
    said = run(program, "--version").strip()
    picture = place / "window.png"
    run(program, "--example", "heat_capacity", "--screenshot", str(picture))
    is_shown = shows_window(program) if is_there() else None
    expected = re.search(r'__version__ = "(.+)"', (ROOT / "affinecal_gui" / "__init__.py").read_text(encoding="utf-8"))
    is_right = expected is not None and said == f"AffineCal {expected[1]}" and picture.stat().st_size > 10_000
    is_right = is_right and is_shown is not False
    window = {None: "no screen to show the window on", True: "window shown", False: "NO window shown"}[is_shown]
    python = ".".join(map(str, sys.version_info[:3]))
    print(
        f"{'ok' if is_right else 'FAULT':6}{way}, Python {python}: {said}, picture taken, {window}, installed in "
        f"{installed:.0f} s"
    )
    return is_right


def shows_window(program: str) -> bool:
    """Start the program on a screen in memory; return whether its window comes up."""
    with display_in_memory() as shown, ShownWindows(shown["DISPLAY"]) as screen:
        started = subprocess.Popen([program], cwd=WORK, env=clean(shown), stdout=subprocess.DEVNULL)
        try:
            return screen.wait(SECONDS_TO_WINDOW, lambda: started.poll() is None)
        finally:
            started.terminate()
            started.wait()


def clean(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment that leads to no other Python's packages."""
    return {name: value for name, value in environment.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}


def install_with_pip(wheel: Path, place: Path) -> str:
    """Install with pip into an environment that has nothing else."""
    python = clean_environment(place)
    run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", str(wheel))
    return str(place / BINARIES / "affinecal")


def install_with_uv(wheel: Path, place: Path) -> str:
    """Install as a tool of uv."""
    os.environ |= {"UV_TOOL_DIR": str(place / "tools"), "UV_TOOL_BIN_DIR": str(place / "bin")}
    run("uv", "tool", "install", "--quiet", "--python", sys.executable, str(wheel))
    return str(place / "bin" / "affinecal")


def install_with_pipx(wheel: Path, place: Path) -> str:
    """Install with pipx."""
    os.environ |= {
        "PIPX_HOME": str(place / "home"),
        "PIPX_BIN_DIR": str(place / "bin"),
        "PIPX_MAN_DIR": str(place / "man"),
    }
    run("pipx", "install", "--python", sys.executable, str(wheel))
    return str(place / "bin" / "affinecal")


def clean_environment(place: Path) -> str:
    """Make an environment and return its interpreter."""
    venv.EnvBuilder(with_pip=True, clear=True, symlinks=os.name != "nt").create(place)
    return str(place / BINARIES / "python")


def run(*command: str) -> str:
    """Run a program outside the checkout, whose package it must not find; return what it prints, or end with it."""
    done = subprocess.run(command, cwd=WORK, env=clean(os.environ), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"try_wheel: '{' '.join(command)}' ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
