"""Every measurement still runs: with ``--smoke``, which is over at once and whose figures say nothing."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
SCRIPTS = {
    path.stem: path.read_text(encoding="utf-8")
    for path in sorted((REPOSITORY / "tests" / "benchmarks").glob("*.py"))
    if "__main__" in path.read_text(encoding="utf-8")
}
WITH_WINDOW = ("parity_plot", "heartbeat", "large_import", "memory_actions", "memory_cycles", "monkey", "cancel_times")
ELSEWHERE = ("kill_saving",)
"""Forks, which a process with threads should not: tests/study/test_recovery.py runs it in one of its own."""

WITHOUT_WINDOW = [name for name in SCRIPTS if name not in (*WITH_WINDOW, *ELSEWHERE)]


def test_every_measurement_has_a_smoke_run() -> None:
    assert len(SCRIPTS) > 25
    read = re.compile(r"\b(?:Study)?Options\(\s*__doc__")
    assert [name for name, text in SCRIPTS.items() if not read.search(text)] == []
    assert set(WITH_WINDOW) | set(ELSEWHERE) < set(SCRIPTS)


@pytest.mark.usefixtures("coarse_calibrations")
@pytest.mark.parametrize("name", WITHOUT_WINDOW)
def test_a_measurement_runs(name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    module = importlib.import_module(f"tests.benchmarks.{name}")
    monkeypatch.setattr(sys, "argv", [name, "--smoke"])
    try:
        status = module.main()
    except SystemExit as ended:
        status = ended.code
    assert not status
    assert capsys.readouterr().out.strip()


IN_TURN = """
import importlib, os, sys
from tests.kept_calibrations import calibrating_coarsely
with calibrating_coarsely():
    for name in sys.argv[1:]:
        sys.argv = [name, "--smoke"]
        print(name, flush=True)
        if status := importlib.import_module(f"tests.benchmarks.{name}").main():
            sys.exit(f"{name}: {status}")
sys.stdout.flush()
os._exit(0)  # as the program does
"""


@pytest.mark.timeout(900)
def test_measurements_of_the_window_run() -> None:
    """In one process, which imports the window once."""
    words = [sys.executable, "-c", IN_TURN, *WITH_WINDOW]
    done = subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True, timeout=850, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [name for name in WITH_WINDOW if name not in done.stdout] == []
