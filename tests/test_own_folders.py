"""The folders in which the program keeps something of its own accord, for accounts that have a home and for those without."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from affinecal_gui import own_folders

AS_NOBODY = """
import pwd, sys
from affinecal_gui.__main__ import main

def not_known(number):
    raise KeyError(number)

pwd.getpwuid = not_known
sys.exit(main(sys.argv[1:]))
"""
"""Runs the program as an account that the system knows by its number alone."""


def as_nobody(*words: str | Path, folder: Path) -> "subprocess.CompletedProcess[str]":
    own = {name: value for name, value in os.environ.items() if name != "HOME" and not name.startswith("XDG_")}
    command = [sys.executable, "-c", AS_NOBODY, *map(str, words)]
    return subprocess.run(command, cwd=folder, env=own, capture_output=True, text=True, timeout=250, check=False)


def test_a_folder_lies_where_the_system_wants_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    own_folders.ensure_home()
    assert Path.home() == tmp_path
    if sys.platform.startswith("linux"):
        assert own_folders.own_folder("config") == tmp_path / ".config" / "AffineCal"
        assert own_folders.own_folder("cache") == tmp_path / ".cache" / "AffineCal"


def test_an_account_without_a_home_has_one_in_which_nothing_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setenv("HOME", "/home/somebody")  # is put back afterwards
    monkeypatch.setattr(Path, "home", refuse)
    own_folders.ensure_home()
    assert os.environ["HOME"] == os.devnull


@pytest.mark.skipif(sys.platform == "win32", reason="accounts of Windows are known by name")
def test_commands_and_pictures_are_there_for_an_account_without_a_home(tmp_path: Path) -> None:
    (tmp_path / "units.csv").write_text("SMILES\n*CC*\n", encoding="utf-8")
    done = as_nobody("describe", "units.csv", "--output", "described.csv", folder=tmp_path)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    done = as_nobody("--screenshot", "picture.png", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert {path.name for path in tmp_path.iterdir()} == {"units.csv", "described.csv", "picture.png"}
