"""``affinecal describe`` as a program of its own: how it ends, what it leaves, and how it goes on."""

import csv
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from affinecal_gui.__main__ import main

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="signals"),
    pytest.mark.usefixtures("heeding_ctrl_c"),
]

ROWS = 500
ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A text file with that many different polymers, some of which cannot be described."""
    path = tmp_path_factory.mktemp("library") / "library.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "smiles"])
        for number in range(ROWS):
            side = "C" * (number % 37) + "O" * (number // 37 % 2) + "C" * (number // 74)
            writer.writerow([f"p{number}", f"*CC(*){side}N" if number % 50 else f"*CC(*){side}[Si]"])
    return path


@pytest.fixture(scope="module")
def whole(source: Path) -> bytes:
    """What a run that nobody disturbs makes of it."""
    output = source.with_name("whole.csv")
    assert ended(start(source, output, "--jobs", "2"))[0] == 0
    return output.read_bytes()


def start(source: Path, output: Path, *options: str) -> "subprocess.Popen[str]":
    return begun("-m", "affinecal_gui", source, output, *options)


STOPPED = """
import os, signal, sys
from affinecal_gui.__main__ import main
from affinecal_gui.tasks.writing import resumable_table
from tests.killed_at_a_line import at_line
resumable_table.SECONDS_BETWEEN_WRITES = -1.0  # every row is written as soon as it is there
send, whom = (os.killpg, os.getpgrp()) if {group} else (os.kill, os.getpid())
at_line({line}, lambda: send(whom, {way}), "tasks/describing")
sys.exit(main())
"""

LINE = 2_500
"""Of some 6,000 that the whole table takes, about twelve for each row."""


def start_and_stop(
    source: Path, output: Path, way: signal.Signals, *options: str, group: bool = False
) -> "subprocess.Popen[str]":
    """Start a run that gets a signal with some two hundred rows behind it; all of its ``group`` do, as from a terminal."""
    return begun("-c", STOPPED.format(group=group, line=LINE, way=int(way)), source, output, *options)


def begun(how: str, program: str, source: Path, output: Path, *options: str) -> "subprocess.Popen[str]":
    words = [sys.executable, how, program, "describe", str(source), "--output", str(output), *options]
    return subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, cwd=ROOT
    )


def ended(program: "subprocess.Popen[str]") -> tuple[int, str, str]:
    """Wait for the end; return the status and what was said on either stream."""
    said, error = program.communicate(timeout=120)
    return program.returncode, said, error


def stopped(source: Path, output: Path, way: signal.Signals, *, group: bool) -> None:
    """Start a run and stop it when some rows are there; check what it says."""
    status, said, error = ended(start_and_stop(source, output, way, group=group))
    assert (status, said) == (2, "")
    assert f"rows finished; {output.name}.part keeps them. Add --resume to continue." in error
    assert "Traceback" not in error
    assert not output.exists()


def test_a_run_that_is_asked_to_end_keeps_whole_rows(source: Path, whole: bytes, tmp_path: Path) -> None:
    stopped(source, tmp_path / "out.csv", signal.SIGTERM, group=False)
    part = (tmp_path / "out.csv.part").read_bytes()
    assert part.endswith(b"\n")
    assert whole.startswith(part)


def test_a_run_that_is_stopped_by_ctrl_c_goes_on(source: Path, whole: bytes, tmp_path: Path) -> None:
    output = tmp_path / "out.csv"
    stopped(source, output, signal.SIGINT, group=True)
    assert "Add --resume to continue it, or --overwrite to begin anew." in ended(start(source, output))[2]
    status, said, error = ended(start(source, output, "--resume", "--jobs", "2"))
    assert (status, error) == (0, "")
    assert f"{ROWS - ROWS // 50} of {ROWS} rows described" in said
    assert output.read_bytes() == whole
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_a_run_that_is_killed_goes_on(source: Path, whole: bytes, tmp_path: Path) -> None:
    output, part = tmp_path / "out.csv", tmp_path / "out.csv.part"
    sizes = [0]
    for _ in range(2):
        assert ended(start_and_stop(source, output, signal.SIGKILL, "--resume", "--jobs", "2"))[0] == -signal.SIGKILL
        sizes.append(part.stat().st_size)
    assert sizes[0] < sizes[1] < sizes[2] < len(whole)
    assert ended(start(source, output, "--resume"))[0] == 0
    assert output.read_bytes() == whole
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_a_turned_table_is_refused_with_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = Path(__file__).parent / "data" / "tables" / "side_by_side.csv"
    assert main(["describe", str(source), "--output", str(tmp_path / "out.csv"), "--quiet"]) == 2
    assert "has its polymers side by side" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_packed_text_is_described_like_the_text(tmp_path: Path) -> None:
    folder = Path(__file__).parent / "data" / "tables"
    for name in ("plain.csv", "packed.csv.gz"):
        words = ["describe", str(folder / name), "--output", str(tmp_path / f"{name}.out"), "--quiet", "--no-cache"]
        assert main(words) == 0
    assert (tmp_path / "plain.csv.out").read_bytes() == (tmp_path / "packed.csv.gz.out").read_bytes()


def test_a_cell_of_a_million_characters_is_told_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "long.tsv"
    source.write_text("smiles\tname\n*CC*\tPE\n*" + "C" * 100_000 + "*\tendless\n")
    assert main(["describe", str(source), "--output", str(tmp_path / "out.csv"), "--quiet"]) == 0
    said = "".join(capsys.readouterr())
    assert "line 3, *CCC" in said
    assert max(map(len, said.splitlines())) < 400
