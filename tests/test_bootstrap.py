"""The way from a checkout to the running program: what is half made is made anew, what is in the way is said."""

import ast
import importlib.util
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a script takes the place of the interpreter")

PROGRAM = Path(__file__).parent.parent / "packaging" / "bootstrap.py"

# Stands for the interpreter of an environment: answers what it is asked, and "installs" by counting.
INTERPRETER = """#!/bin/sh
folder=$(dirname "$(dirname "$0")")
case "$*" in
  *" install "*) echo x >> "$folder/installs"; exec sh -c "$(cat "$folder/pip")" ;;
  *pip*) test -e "$folder/pip" ;;
esac
"""


class Builder:
    """Stands for the maker of environments; pip itself is what the installation comes to."""

    pip = "exit 0"

    def __init__(self, *, with_pip: bool, clear: bool, symlinks: bool) -> None:
        assert with_pip
        assert clear

    def create(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        make_environment(folder, self.pip)


def make_environment(
    folder: Path, pip: str | None = "exit 0", interpreter: str = INTERPRETER, mode: int = 0o755
) -> None:
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").write_text(interpreter)
    (folder / "bin" / "python").chmod(mode)
    if pip is not None:
        (folder / "pip").write_text(pip)


@pytest.fixture
def bootstrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The program in a checkout of its own, where neither libraries nor the network are looked for."""
    (tmp_path / "packaging").mkdir()
    monkeypatch.delenv("AFFINECAL_ENVIRONMENT", raising=False)  # set where the tests are run with another Python
    shutil.copy(PROGRAM.with_name("setting_up.py"), tmp_path / "packaging")
    (tmp_path / "pyproject.toml").write_text("[project]")
    specification = importlib.util.spec_from_file_location("setting_up", tmp_path / "packaging" / "setting_up.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    monkeypatch.setattr("venv.EnvBuilder", Builder)
    monkeypatch.setattr(module, "ensure_system_libraries", lambda *_, **__: None)
    return module


def installs(folder: Path) -> int:
    return len((folder / ".venv" / "installs").read_text().split())


def refused(bootstrap: ModuleType) -> str:
    """Return the one sentence with which it ends."""
    with pytest.raises(SystemExit) as end:
        bootstrap.ensure_environment("")
    sentence = str(end.value.code)
    assert sentence.startswith("bootstrap: ")
    assert "\n" not in sentence
    return sentence


def test_an_environment_is_made_once(bootstrap: ModuleType, tmp_path: Path) -> None:
    for _ in range(3):
        bootstrap.ensure_environment("")
    assert installs(tmp_path) == 1
    for _ in range(2):
        bootstrap.ensure_environment("test")
    assert installs(tmp_path) == 2
    bootstrap.ensure_environment("")  # what the tests need is more than enough
    assert installs(tmp_path) == 2
    (tmp_path / "pyproject.toml").write_text("[project] # other libraries")
    bootstrap.ensure_environment("")
    assert installs(tmp_path) == 3


BROKEN: dict[str, dict[str, Any]] = {
    "without pip": {"pip": None},
    "not executable": {"mode": 0o644},
    "no program": {"interpreter": "\x7fELF no program"},
    "of another version": {"interpreter": "#!/bin/sh\nexit 1\n"},
    "of an interpreter that has gone": {"interpreter": "#!/nowhere/python\n"},
}


@pytest.mark.parametrize("stamped", [False, True])
@pytest.mark.parametrize("what", BROKEN)
def test_an_environment_that_does_not_work_is_made_anew(
    what: str, stamped: bool, bootstrap: ModuleType, tmp_path: Path
) -> None:
    make_environment(tmp_path / ".venv", **BROKEN[what])
    if stamped and what != "without pip":
        (tmp_path / ".venv" / "installed").write_text(bootstrap.fingerprint())
    (tmp_path / ".venv" / "old").touch()
    bootstrap.ensure_environment("")
    assert not (tmp_path / ".venv" / "old").exists()
    assert installs(tmp_path) == 1


@pytest.mark.parametrize("left", ["bin", "bin/python/folder", "lib/python3.11", "pyvenv.cfg/x"])
def test_what_a_stopped_run_left_is_made_anew(left: str, bootstrap: ModuleType, tmp_path: Path) -> None:
    (tmp_path / ".venv" / left).mkdir(parents=True)
    bootstrap.ensure_environment("")
    assert installs(tmp_path) == 1


def test_an_installation_that_was_killed_is_not_trusted(
    bootstrap: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Builder, "pip", "kill -9 $$")
    assert "could not be installed" in refused(bootstrap)
    (tmp_path / ".venv" / "half a library").touch()
    monkeypatch.setattr(Builder, "pip", "exit 0")
    bootstrap.ensure_environment("")
    assert not (tmp_path / ".venv" / "half a library").exists()
    bootstrap.ensure_environment("")
    assert installs(tmp_path) == 1


def test_a_stop_by_the_user_in_an_installation_is_made_good(
    bootstrap: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = subprocess.run

    def run(command: list[str], **options: Any) -> Any:
        if "install" in command:
            raise KeyboardInterrupt
        return real(command, **options)

    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "run", run)
        with pytest.raises(KeyboardInterrupt):
            bootstrap.ensure_environment("")
    (tmp_path / ".venv" / "half a library").touch()
    bootstrap.ensure_environment("")
    assert not (tmp_path / ".venv" / "half a library").exists()


def test_without_the_network_what_is_there_stays(bootstrap: ModuleType, tmp_path: Path) -> None:
    bootstrap.ensure_environment("")
    (tmp_path / ".venv" / "pip").write_text("exit 1")
    with pytest.raises(SystemExit, match="check the network connection and start this again"):
        bootstrap.ensure_environment("test")
    bootstrap.ensure_environment("")  # still runs
    assert installs(tmp_path) == 2


@pytest.mark.parametrize("kind", ["file", "dangling", "loop"])
def test_what_is_in_the_way_is_said_and_kept(kind: str, bootstrap: ModuleType, tmp_path: Path) -> None:
    way = tmp_path / ".venv"
    way.write_text("mine") if kind == "file" else way.symlink_to("nowhere" if kind == "dangling" else ".venv")
    assert refused(bootstrap) == (
        f"bootstrap: {way} is in the way, and is no folder; move it away and start this again."
    )
    assert way.read_text() == "mine" if kind == "file" else way.is_symlink()


def test_a_checkout_that_may_not_be_written_to_is_said(
    bootstrap: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def create(self: Builder, folder: Path) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr(Builder, "create", create)
    sentence = refused(bootstrap)
    assert f"{tmp_path / '.venv'} cannot be used (Permission denied); make sure that you may write to " in sentence


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_checkout_is_said(bootstrap: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    tmp_path.chmod(0o555)
    try:
        assert "cannot be used (Permission denied)" in refused(bootstrap)
    finally:
        tmp_path.chmod(0o755)


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
@pytest.mark.parametrize(
    ("apt", "remedy"), [(True, "run: sudo apt-get install python3."), (False, "a complete Python.")]
)
def test_a_python_that_makes_no_environments_is_said(
    missing: str, apt: bool, remedy: str, bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.setattr(bootstrap, "is_debian_root", lambda: False)
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/apt-get" if apt else None)
    with pytest.raises(SystemExit) as end:
        bootstrap.ensure_venv()
    assert str(end.value.code).startswith("bootstrap: this Python cannot create environments")
    assert remedy in str(end.value.code)


def test_what_debian_ships_apart_is_installed_by_root(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    installed: list[str] = []

    def install(packages: list[str]) -> None:
        installed.extend(packages)
        monkeypatch.undo()

    monkeypatch.setitem(sys.modules, "venv", None)
    monkeypatch.setattr(bootstrap, "is_debian_root", lambda: True)
    monkeypatch.setattr(bootstrap, "install_debian_packages", install)
    bootstrap.ensure_venv()
    assert installed == [f"python3.{sys.version_info[1]}-venv"]


@pytest.mark.parametrize("version", [(2, 7), (3, 4), (3, 6), (3, 10), (3, 15), (4, 0)])
def test_another_python_is_refused_with_the_versions(version: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (*version, 0, "final", 0))
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(PROGRAM), run_name="__main__")
    assert ended.value.code == (
        f"bootstrap: this is Python {version[0]}.{version[1]}, but AffineCal needs Python 3.11 to 3.14; start this with one "
        "of those, for example: python3.12 packaging/bootstrap.py run"
    )


def test_without_a_command_the_usage_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [str(PROGRAM)])
    monkeypatch.setattr(sys, "path", list(sys.path))
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(PROGRAM), run_name="__main__")
    assert ended.value.code == 2
    assert "python3 packaging/bootstrap.py test" in capsys.readouterr().out


def test_python_2_understands_the_program_far_enough_to_refuse() -> None:
    """What Python 2.7 and 3.4 do not parse: letters beyond ASCII, texts in f"", annotations, stars in lists and others."""
    source = PROGRAM.read_bytes()
    assert source.isascii()
    nodes = list(ast.walk(ast.parse(source)))
    new = (ast.JoinedStr, ast.AnnAssign, ast.Starred, ast.NamedExpr, ast.AsyncFunctionDef, ast.Nonlocal, ast.Match)
    assert not [node for node in nodes if isinstance(node, (*new, ast.MatMult, ast.YieldFrom))]
    assert not [node for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    assert imported == {"os", "sys", "setting_up"}
    assert not [node for node in nodes if isinstance(node, ast.ImportFrom)]


@pytest.mark.parametrize("version", ["2.7", "3.4", "3.5", "3.6", "3.7", "3.8", "3.9", "3.10"])
def test_an_old_python_that_is_there_says_its_sentence(version: str) -> None:
    found = shutil.which(f"python{version}")
    if found is None or subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode != 0:
        pytest.skip(f"there is no Python {version}")
    ended = subprocess.run([found, str(PROGRAM), "run"], capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"bootstrap: this is Python {version}, but AffineCal needs Python 3.11 to 3.14;")
    assert ended.stderr.count("\n") == 1
