"""The tests can be run with every Python and with the oldest libraries, each in an environment of its own."""

import sys
import tomllib
from pathlib import Path

import pytest
from pythons import InterpreterMissing, Trial, find_interpreter, oldest_libraries, run_trials, trials_of

ROOT = Path(__file__).resolve().parent.parent
FIRST, LAST = (3, 11), (3, 14)
HERE = sys.version_info[:2]

needs_a_shell = pytest.mark.skipif(sys.platform == "win32", reason="the interpreters of these tests are shell scripts")


@pytest.mark.parametrize(
    ("arguments", "environments", "rest"),
    [
        ([], [], []),
        (["-x", "tests/tables", "-k", "python"], [], ["-x", "tests/tables", "-k", "python"]),
        (["--python", "3.13"], [".venv-3.13"], []),
        (["--python=3.12", "-q"], [".venv-3.12"], ["-q"]),
        (["-q", "--python", "3.12", "--python", "3.11", "-x"], [".venv-3.12", ".venv-3.11"], ["-q", "-x"]),
        (["--python", "every"], [".venv-3.11", ".venv-3.12", ".venv-3.13", ".venv-3.14"], []),
        (["--python", "3.12", "--python", "every"], [".venv-3.12", ".venv-3.11", ".venv-3.13", ".venv-3.14"], []),
        (["--oldest"], [".venv-3.11-oldest"], []),
        (["--oldest", "--python", "3.12", "tests/study"], [".venv-3.12-oldest"], ["tests/study"]),
        (["--pythonwarnings", "x", "--old"], [], ["--pythonwarnings", "x", "--old"]),
    ],
)
def test_own_options_are_taken_out_and_the_rest_goes_to_pytest(
    arguments: list[str], environments: list[str], rest: list[str]
) -> None:
    trials, left = trials_of(arguments, FIRST, LAST)
    assert [trial.environment for trial in trials] == environments
    assert left == rest


@pytest.mark.parametrize("word", ["3.10", "3.15", "2.7", "3", "313", "newest", "", "3.1", "3.13.0"])
def test_a_python_that_affinecal_does_not_run_on_is_refused_with_those_it_does(
    word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        trials_of(["--python", word], FIRST, LAST)
    assert f'--python "{word}" is not possible; say 3.11, 3.12, 3.13, 3.14, or every' in capsys.readouterr().err


def test_the_constraints_hold_every_library_at_its_lower_bound() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    wanted = [line.replace(" ", "") for line in tomllib.loads(text)["project"]["dependencies"]]
    expected = [line.split(",")[0].replace(">=", "==") for line in wanted if ">=" in line]
    assert oldest_libraries(text).splitlines() == expected
    assert {"numpy", "scipy", "matplotlib", "pyarrow"} <= {line.split("==")[0] for line in expected}


def test_the_libraries_whose_next_version_can_break_us_have_an_upper_bound() -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    bounded = {line.split(">=")[0] for line in wanted if ",<" in line}
    assert {"numpy", "scipy", "matplotlib", "pyarrow", "rdkit", "PySide6-Essentials"} <= bounded


def interpreter(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with nothing in it, and an empty folder as PATH."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("PYENV_ROOT", raising=False)
    return tmp_path


def test_this_python_is_taken_where_it_is_the_one(machine: Path) -> None:
    assert find_interpreter(HERE) == [sys.executable]


@needs_a_shell
@pytest.mark.parametrize(
    "place",
    ["bin/python3.9", "bin/python3", "bin/python", ".pyenv/versions/3.9.2/bin/python3.9",
     ".local/share/uv/python/cpython-3.9.2-linux-x86_64-gnu/bin/python3.9"],
)  # fmt: skip
def test_another_python_is_found_where_it_usually_is(machine: Path, place: str) -> None:
    there = interpreter(machine / place, "echo 3.9")
    assert find_interpreter((3, 9)) == [str(there)]


@needs_a_shell
def test_of_several_the_newest_that_starts_is_taken(machine: Path) -> None:
    interpreter(machine / "bin/python3.9", "echo 'pyenv: python3.9: command not found' >&2; exit 127")
    interpreter(machine / "bin/python3", "echo 3.10")
    interpreter(machine / ".pyenv/versions/3.9.9/bin/python3.9", "echo 3.9")
    newest = interpreter(machine / ".pyenv/versions/3.9.10/bin/python3.9", "echo 3.9")
    (machine / ".pyenv/versions/3.9.11").mkdir()
    assert find_interpreter((3, 9)) == [str(newest)]


def test_a_python_that_is_not_there_is_one_sentence(machine: Path) -> None:
    with pytest.raises(InterpreterMissing, match=r"no Python 3\.9 was found"):
        find_interpreter((3, 9))


SCRIPT = """
import os, pathlib, sys
constraints = os.environ.get("PIP_CONSTRAINT")
print(sys.argv[1:], os.environ["AFFINECAL_ENVIRONMENT"], constraints and pathlib.Path(constraints).read_text().split())
sys.exit(3 if "fail" in sys.argv else 0)
"""


@pytest.fixture
def bootstrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout whose bootstrap only says what it was started with."""
    monkeypatch.delenv("PIP_CONSTRAINT", raising=False)  # of the trial that this may be part of
    (tmp_path / "packaging").mkdir()
    (tmp_path / "pyproject.toml").write_text(
        '[project]\ndependencies = ["numpy>=2.0,<3", "a==1.*"]\n', encoding="utf-8"
    )
    script = tmp_path / "packaging" / "bootstrap.py"
    script.write_text(SCRIPT, encoding="utf-8")
    return script


@pytest.mark.parametrize("oldest", [False, True])
def test_a_trial_has_its_own_environment_and_libraries(
    bootstrap: Path, capfd: pytest.CaptureFixture[str], oldest: bool
) -> None:
    trial = Trial(HERE, oldest)
    assert run_trials([trial], bootstrap, ["-q"]) == 0
    said = capfd.readouterr().out.splitlines()
    assert said[1] == f"['test', '-q'] {trial.environment} {['numpy==2.0'] if oldest else None}"
    assert said[2] == f"bootstrap: {trial}: passed"


def test_every_trial_is_run_and_told_whatever_became_of_the_others(
    machine: Path, bootstrap: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run_trials([Trial(HERE), Trial((3, 9)), Trial(HERE, oldest=True)], bootstrap, ["fail"]) == 3
    said = capfd.readouterr().out.splitlines()[-3:]
    assert said[0].endswith("with the newest libraries: failed with status 3")
    assert said[1].startswith("bootstrap: Python 3.9 with the newest libraries: not tried; no Python 3.9 was found")
    assert said[2].endswith("with the oldest libraries: failed with status 3")
    assert run_trials([Trial((3, 9))], bootstrap, []) == 2
