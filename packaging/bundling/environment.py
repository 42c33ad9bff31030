"""The environment that a bundle is made in: the pinned libraries, PyInstaller, and this checkout's wheel.

It lies in ``build/bundle/environment``, is made like that of bootstrap.py, and is kept: a second build finds it.
Uses the standard library only, like bootstrap.py.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

import setting_up

from bundling.places import PINS, ROOT, WORK, epoch

PART_OF_THE_WHEEL = ("affinecal_gui", "resources", "docs", "pyproject.toml", "README.md", "LICENSE")
FOR_PYTHON_ONLY = ("pandas", "scikit-learn")
TOOLS = ("pyinstaller", "setuptools")


def requirements() -> list[str]:
    """Return what pyproject.toml asks for, without what only the face for Python needs, and the tools."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {line: re.split(r"[<>=!~\[; ]", line, maxsplit=1)[0] for line in project["dependencies"]}
    return [line for line, name in names.items() if name not in FOR_PYTHON_ONLY] + list(TOOLS)


def ensure() -> Path:
    """Make the environment where it is not there; return its interpreter."""
    setting_up.ensure_venv()
    setting_up.ensure_system_libraries(with_screen=True)  # they become part of the bundle
    wanted = hashlib.sha256("\0".join([*requirements(), PINS.read_text(), sys.version, str(ROOT)]).encode()).hexdigest()
    stamp = setting_up.ENVIRONMENT / "made-from"
    if not stamp.is_file() or stamp.read_text() != wanted:
        setting_up.create_environment()
        print("bundle: installing the libraries; the first time this takes some minutes", flush=True)
        _pip("install", "-q", "--no-compile", "-c", str(PINS), *requirements())
        if unknown := not_pinned(_installed()):
            setting_up.stop(f"{PINS} does not pin all that was installed; add {', '.join(unknown)}.")
        stamp.write_text(wanted)
    return setting_up.environment_python()


def not_pinned(installed: Iterable[str]) -> list[str]:
    """Return those libraries, given as ``name==version``, of which the pins do not name this version.

    A library that is needed by one that is pinned would otherwise be the newest of the day.
    """
    pinned = {_canonical(line) for line in PINS.read_text(encoding="utf-8").splitlines()}
    tools_of_the_environment = ("affinecal==", "pip==")
    return [
        line for line in installed if not line.startswith(tools_of_the_environment) and _canonical(line) not in pinned
    ]


def _canonical(line: str) -> str:
    name, _, number = line.partition(";")[0].partition("==")
    return f"{re.sub('[-_.]+', '-', name).lower()}=={number}"


def _installed() -> list[str]:
    command = [str(setting_up.environment_python()), "-m", "pip", "list", "--format", "freeze"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def make_wheel(folder: Path) -> Path:
    """Build the wheel of this checkout, from a copy, so that nothing of an earlier build gets into it; return it."""
    source = WORK / "source"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    for name in PART_OF_THE_WHEEL:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
        else:
            shutil.copy2(ROOT / name, source / name)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("affinecal-*.whl"):
        old.unlink()
    _pip("wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(folder), str(source))
    return next(folder.glob("affinecal-*.whl"))


def install_wheel(wheel: Path) -> None:
    """Put the wheel into the environment in place of the one that was there, unless it is the same."""
    stamp = setting_up.ENVIRONMENT / "wheel"
    wanted = hashlib.sha256(wheel.read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text() == wanted:
        return  # PyInstaller then finds that nothing has changed, and goes over what it knows in seconds
    _pip("install", "-q", "--no-compile", "--no-deps", "--force-reinstall", str(wheel))
    stamp.write_text(wanted)


def _pip(*words: str) -> None:
    command = [str(setting_up.environment_python()), "-m", "pip", "--disable-pip-version-check", *words]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch())}
    if subprocess.run(command, env=environment, check=False).returncode != 0:
        setting_up.stop(f"pip {words[0]} failed (see above); check the network connection and start this again.")
