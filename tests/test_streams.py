"""What the program says on streams that know few characters, are full, closed, or read by nobody."""

import errno
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from affinecal_gui.__main__ import COMMANDS, main
from affinecal_gui.commands.progress_lines import ProgressLines
from affinecal_gui.streams import spelled


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    """A small table whose name and content are not ASCII, as the words of a command."""
    (tmp_path / "λ_比.csv").write_text("id,smiles\nPE,*CC*\n聚丙烯 ±,*C*C*\n", encoding="utf-8")
    return ["describe", "--no-cache", str(tmp_path / "λ_比.csv"), "--output", str(tmp_path / "比_λ.csv")]


class Full(io.RawIOBase):
    """A stream whose disk is full, or whose reader has gone."""

    def __init__(self, number: int) -> None:
        self.number = number

    def writable(self) -> bool:
        return True

    def write(self, _content: object) -> int:
        raise OSError(self.number, os.strerror(self.number))


def said_by(
    words: list[str], monkeypatch: pytest.MonkeyPatch, encoding: str, errors: str = "strict"
) -> tuple[int, str, str]:
    """Run a command in this process on streams of an encoding; return its status and what it says on them."""
    raw = {name: io.BytesIO() for name in ("stdout", "stderr")}
    for name, file in raw.items():
        monkeypatch.setattr(sys, name, io.TextIOWrapper(file, encoding=encoding, errors=errors, write_through=True))
    try:
        status = main(words)
    except SystemExit as end:
        status = int(end.code or 0)
    return status, *(file.getvalue().decode(encoding) for file in raw.values())


ENCODINGS = ["cp1252", "ascii", "cp437", "cp932", "gbk", "utf-8"]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_a_report_is_said_in_every_encoding(
    encoding: str, errors: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, said, error = said_by([*words, "--quiet"], monkeypatch, encoding, errors)
    assert (status, error) == (0, "")
    assert "1 of 2 rows described; written to " in said
    assert "λ.csv" in said or "lambda.csv" in said
    assert "比_" in said or r"\u6bd4_" in said
    assert "line 3, *C*C*: " in said


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_errors_and_help_are_said_in_every_encoding(
    encoding: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for command in COMMANDS:
        status, said, error = said_by([command, "--help"], monkeypatch, encoding)
        assert (status, error) == (0, "")
        assert "--overwrite" in said
    for strange in (["λ"], ["比"], ["describe", "比λ±.csv", "--output", "out.csv"]):
        status, said, error = said_by(strange, monkeypatch, encoding)
        assert (status, said) == (2, "")
        assert "λ" in error or "lambda" in error or "比" in error or r"\u6bd4" in error


def test_a_name_that_is_no_text_is_said(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    status, _, error = said_by(["describe", "caf\udce9.csv", "--output", "out.csv"], monkeypatch, "utf-8")
    assert status == 2
    assert r"caf\udce9.csv" in error


def test_a_choice_of_the_user_about_unknown_characters_stands(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, said, _ = said_by(words, monkeypatch, "ascii", "xmlcharrefreplace")
    assert status == 0
    assert "&#27604;_&#955;.csv" in said


FULL = "the output stream takes no more (No space left on device)."


def test_a_full_output_stream_is_told_and_the_results_stay(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(Full(errno.ENOSPC)))  # type: ignore[arg-type]
    assert main([*words, "--quiet"]) == 2
    expected = f"affinecal: The results have been written, but not the report about them: {FULL}\n"
    assert capsys.readouterr().err == expected
    assert (tmp_path / "比_λ.csv").read_text(encoding="utf-8").count("\n") == 3


@pytest.mark.parametrize("asked", [["--help"], ["fit", "--help"], ["--version"]])
def test_a_help_that_cannot_be_written_is_told(
    asked: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(Full(errno.ENOSPC)))  # type: ignore[arg-type]
    with pytest.raises(SystemExit) as end:
        main(asked)
    assert end.value.code == 2
    assert capsys.readouterr().err == f"affinecal: {FULL}\n"


@pytest.mark.parametrize("asked", [True, False])
def test_a_reader_that_had_enough_is_no_error(
    asked: bool, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(Full(errno.EPIPE)))  # type: ignore[arg-type]
    try:
        assert main([*words, "--quiet"] if not asked else ["fit", "--help"]) == 0
    except SystemExit as end:
        assert end.code == 0  # noqa: PT017 - argparse ends that way
    assert capsys.readouterr().err == ""


def test_an_error_stream_that_takes_nothing_stops_no_work(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, stream in enumerate((io.TextIOWrapper(Full(errno.ENOSPC)), None)):  # type: ignore[type-var]
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setattr(ProgressLines, "SECONDS_IN_A_LOG", 0.0)  # every step is said
        assert main([*words[:-1], str(tmp_path / f"{number}.csv")]) == 0
        monkeypatch.setattr(sys, "stderr", stream)
        assert main(["describe", "none.csv", "--output", "out.csv"]) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="closed streams")
@pytest.mark.parametrize(
    ("redirected", "status", "error"),
    [(">&-", 0, ""), (">&- 2>&- <&-", 0, ""), (">/dev/full", 2, FULL), (">/dev/full 2>&1", 2, "")],
)
def test_a_program_without_streams_writes_its_results(
    redirected: str, status: int, error: str, words: list[str], tmp_path: Path
) -> None:
    command = ["sh", "-c", f'exec "$@" {redirected}', "sh", sys.executable, "-m", "affinecal_gui", *words]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == status
    assert ended.stderr.endswith(f"{error}\n" if error else "")
    assert "Traceback" not in ended.stderr
    lines = (tmp_path / "比_λ.csv").read_text(encoding="utf-8").splitlines()
    assert [line.split(",")[0] for line in lines] == ["id", "PE", "聚丙烯 ±"]


SPELLED = {
    "±": "+-", "×": "x", "²": "2", "⁻": "-", "₁": "1", "λ": "lambda", "Γ": "Gamma", "é": "e", "μ": "mu", "µ": "u", "Å": "A",
    "“": '"', "…": "...", "≤": "<=", "\u00a0": " ", "℃": "deg C", "Ａ": "A", "比": r"\u6bd4", "\udcff": r"\udcff",
    "😀": r"\U0001f600", "\u0301": r"\u0301",
}  # fmt: skip


@pytest.mark.parametrize("character", SPELLED)
def test_what_a_stream_does_not_know_is_spelled(character: str) -> None:
    assert spelled(character) == SPELLED[character]
