"""The crash report as a file; what it may hold is tested where a fault of the window is saved."""

import zipfile
from pathlib import Path

import pytest

from affinecal_gui.support.crash_report import write_crash_report
from affinecal_gui.support.log import TRACE_NAME


@pytest.mark.parametrize("home", ["/", "/home/somebody"])
def test_the_trace_is_in_the_report_as_it_is_whatever_the_home_folder_is_called(
    home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", home)
    told = "2026-11-30 10:24:44,297 ERROR affinecal_gui: Unhandled exception\n    affinecal_gui/ui/views/table.py:3 in show\n"
    (tmp_path / TRACE_NAME).write_text(told, encoding="utf-8")
    write_crash_report(tmp_path / "report.zip", folder=tmp_path)
    with zipfile.ZipFile(tmp_path / "report.zip") as report:
        assert report.read("trace.txt").decode() == told
