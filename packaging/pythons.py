"""Which Pythons of this machine run the tests, and with which libraries: what ``bootstrap.py test`` can be asked for.

    python3 packaging/bootstrap.py test --python 3.13           that Python, the newest libraries that are allowed
    python3 packaging/bootstrap.py test --oldest                Python 3.11, the oldest libraries that are allowed
    python3 packaging/bootstrap.py test --python every          each Python that AffineCal runs on, one after the other

Each has an environment of its own beside ``.venv``, which stays as it is: ``.venv-3.13``, ``.venv-3.11-oldest``. Delete one
to have the newest libraries again. What else is said goes on to pytest. Uses the standard library only, like bootstrap.py.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

EVERY = "every"
Version = tuple[int, int]


class InterpreterMissing(Exception):  # noqa: N818 - says what is the matter, not that it is an error
    """No interpreter of a version was found; the text is a sentence."""


@dataclass(frozen=True)
class Trial:
    """One run of the tests: with which version of Python, and whether with the oldest libraries."""

    version: Version
    oldest: bool = False

    @property
    def python(self) -> str:
        """The version as its interpreter is named: ``3.13``."""
        return ".".join(map(str, self.version))

    @property
    def environment(self) -> str:
        """The name of the folder of its environment."""
        return f".venv-{self.python}{'-oldest' if self.oldest else ''}"

    def __str__(self) -> str:
        return f"Python {self.python} with the {'oldest' if self.oldest else 'newest'} libraries"


def trials_of(arguments: Sequence[str], first: Version, last: Version) -> tuple[list[Trial], list[str]]:
    """Take the options of this module out of the arguments.

    Parameters
    ----------
    arguments
        What follows ``test`` on the command line.
    first, last
        The versions of Python that AffineCal runs on.

    Returns
    -------
    tuple
        The trials that are wanted, none where nothing of this is asked for, and the arguments that are left for pytest.

    Raises
    ------
    SystemExit
        A version is none that AffineCal runs on; said on the error stream.
    """
    parser = argparse.ArgumentParser(
        prog="bootstrap.py test",
        usage="%(prog)s [--python 3.X | every] [--oldest] ...",
        add_help=False,
        allow_abbrev=False,
    )
    parser.add_argument("--python", action="append", default=[])
    parser.add_argument("--oldest", action="store_true")
    own, rest = parser.parse_known_args(arguments)
    all_of_them = {f"{first[0]}.{minor}": (first[0], minor) for minor in range(first[1], last[1] + 1)}
    versions: list[Version] = []
    for word in own.python or (list(all_of_them)[:1] if own.oldest else []):
        if word != EVERY and word not in all_of_them:
            parser.error(f'--python "{word}" is not possible; say {", ".join(all_of_them)}, or {EVERY}')
        versions += all_of_them.values() if word == EVERY else [all_of_them[word]]
    return [Trial(version, own.oldest) for version in dict.fromkeys(versions)], rest


def find_interpreter(version: Version) -> list[str]:
    """Return the words that start an interpreter of this version.

    Looked for: this one, those on PATH, those of pyenv and uv in the home folder, that of python.org on macOS, and what the
    launcher ``py`` of Windows knows. One that does not start is passed over: pyenv puts programs on PATH that only complain.

    Raises
    ------
    InterpreterMissing
        There is none.
    """
    python = ".".join(map(str, version))
    for words in _candidates(python):
        if _starts_as(words) == python:
            return words
    raise InterpreterMissing(f"no Python {python} was found on PATH, or in the folders of pyenv and uv")


def _candidates(python: str) -> Iterator[list[str]]:
    yield [sys.executable]
    for name in (f"python{python}", "python3", "python"):
        found = shutil.which(name)
        if found:
            yield [found]
    folders = [
        (Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions", f"{python}.*"),
        (Path.home() / ".local/share/uv/python", f"cpython-{python}.*"),
        (Path("/Library/Frameworks/Python.framework/Versions"), python),
    ]
    for folder, pattern in folders:
        for one in sorted(folder.glob(pattern), key=_numbers, reverse=True):
            yield [str(one / "python.exe" if os.name == "nt" else one / "bin" / f"python{python}")]
    if shutil.which("py"):
        yield ["py", f"-{python}"]


def _numbers(folder: Path) -> list[int]:
    """3.12.10 comes after 3.12.9."""
    return [int(digits) for digits in re.findall(r"\d+", folder.name)]


def _starts_as(words: Sequence[str]) -> str:
    """Return the version that these words start, "" where they start nothing."""
    question = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        answer = subprocess.run([*words, "-c", question], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return answer.stdout.strip() if answer.returncode == 0 else ""


def oldest_libraries(project: str) -> str:
    """Return the constraints, as pip reads them, that hold every library of the product at its lower bound.

    Parameters
    ----------
    project
        The text of ``pyproject.toml``.
    """
    bounds = [re.match(r"([\w.-]+)>=([\w.]+)", wanted) for wanted in tomllib.loads(project)["project"]["dependencies"]]
    return "".join(f"{found[1]}=={found[2]}\n" for found in bounds if found)


def run_trials(trials: Sequence[Trial], bootstrap: Path, rest: Sequence[str]) -> int:
    """Run the tests of each trial, say at the end how each went, and return the first status that is not 0.

    Parameters
    ----------
    trials
        One after the other: two at once would be in each other's way.
    bootstrap
        The script that prepares the environment, started again by the interpreter of the trial.
    rest
        The arguments for pytest.
    """
    ends: list[tuple[int, str]] = []
    for trial in trials:
        print(f"bootstrap: {trial}", flush=True)
        try:
            status = _run(trial, bootstrap, rest)
            ends.append((status, f"{trial}: {'passed' if status == 0 else f'failed with status {status}'}"))
        except InterpreterMissing as missing:
            ends.append((2, f"{trial}: not tried; {missing}"))
    for _, words in ends:
        print(f"bootstrap: {words}", flush=True)
    return next((status for status, _ in ends if status), 0)


def _run(trial: Trial, bootstrap: Path, rest: Sequence[str]) -> int:
    words = find_interpreter(trial.version)
    variables = {**os.environ, "AFFINECAL_ENVIRONMENT": trial.environment}
    with tempfile.TemporaryDirectory() as folder:
        if trial.oldest:
            constraints = Path(folder) / "oldest.txt"
            project = bootstrap.parent.parent / "pyproject.toml"
            constraints.write_text(oldest_libraries(project.read_text(encoding="utf-8")), encoding="utf-8")
            variables["PIP_CONSTRAINT"] = str(constraints)
        return subprocess.run([*words, str(bootstrap), "test", *rest], env=variables, check=False).returncode
