"""The import preview of tables that are not one polymer and one value a row: what it shows, asks and lets choose."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QComboBox
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from affinecal_gui.study.table_source import NOTHING_CHOSEN, TableSource
from affinecal_gui.ui.dialogs.importing.import_dialog import ImportDialog
from affinecal_gui.ui.dialogs.importing.preview_job import PreviewJob
from affinecal_gui.ui.running.worker import await_late_jobs

SECONDS = 60_000
BESIDE = "smiles,Tg [K],,smiles,density [g/cm3]\n*CC*,195,,*CCO*,1.1\n*CC(*)C,260,,*CO*,1.2\n*CC(*)Cl,350,,*CC*,0.9\n"
LONG = "smiles,property,value,unit\n*CC*,Tg,-78,°C\n*CC*,density,0.9,g/cm3\n*CCO*,Tg,-60,°C\n*CCO*,density,1.1,g/cm3\n"
TWO_UNITS = "smiles_a,smiles_b,density\n*CC*,*CO*,0.9\n*CCO*,*CC*,1.1\n*CO*,*CCO*,1.2\n"
COMONOMERS = "sample,smiles,fraction,density\nA,*CC*,0.7,0.9\nA,*CCO*,0.3,0.9\nB,*CC*,0.4,1.0\nB,*CO*,0.6,1.0\n"


@pytest.fixture
def preview_job(light: QApplication) -> Iterator[PreviewJob]:
    preview_job = PreviewJob()
    yield preview_job
    preview_job.shut_down()
    assert await_late_jobs(60.0)


def preview(qtbot: QtBot, preview_job: PreviewJob, path: Path, text: str) -> ImportDialog:
    path.write_text(text, encoding="utf-8")
    source = TableSource(str(path))
    dialog = ImportDialog(source.name, preview_job)
    dialog.show()
    qtbot.waitExposed(dialog)
    preview_job.begin(source, NOTHING_CHOSEN, ())
    settle(qtbot, preview_job)
    return dialog


def settle(qtbot: QtBot, preview_job: PreviewJob) -> None:
    qtbot.waitUntil(lambda: not preview_job.is_busy, timeout=SECONDS)


def choose(box: QComboBox, text: str) -> None:
    """Choose an entry as a click on it does."""
    box.setCurrentIndex(box.findText(text))
    box.activated.emit(box.currentIndex())


def roles(dialog: ImportDialog, count: int) -> list[str]:
    return [dialog.table.heads.boxes_of(number)[0].currentText() for number in range(count)]


@pytest.mark.parametrize(
    ("text", "used", "question", "note"),
    [
        (BESIDE, "3 of 3 rows", "Which of these tables is to be read?", ""),
        (TWO_UNITS, "3 of 3 rows", "“smiles_a” and “smiles_b” hold different repeat units", "which holds others"),
        (LONG, "4 of 4 rows", "", "“value” is read as “Tg”, “density”"),
        (COMONOMERS, "2 of 2 rows", "", "are read as one polymer"),
    ],
)
def test_the_preview_shows_the_table_as_it_is_read(
    text: str, used: str, question: str, note: str, qtbot: QtBot, preview_job: PreviewJob, tmp_path: Path
) -> None:
    dialog = preview(qtbot, preview_job, tmp_path / "t.csv", text)
    assert dialog.summary.text() == f"{used} will be used"
    assert question in dialog.questions.text
    assert note in dialog.notes.text
    dialog.close()
    assert not isValid(dialog) or not dialog.isVisible()


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        (BESIDE, 2, ["Kept as text", "Kept as text", "Repeat unit", "Measured value"]),
        (BESIDE, 0, ["Repeat unit", "Measured value", "Kept as text", "Kept as text"]),
        (TWO_UNITS, 1, ["Kept as text", "Repeat unit", "Measured value"]),
        (TWO_UNITS, 0, ["Repeat unit", "Kept as text", "Measured value"]),
    ],
)
def test_naming_the_repeat_unit_answers_which_polymers_are_meant(
    text: str, column: int, expected: list[str], qtbot: QtBot, preview_job: PreviewJob, tmp_path: Path
) -> None:
    dialog = preview(qtbot, preview_job, tmp_path / "measured.csv", text)
    choose(dialog.table.heads.boxes_of(column)[0], "Repeat unit")
    settle(qtbot, preview_job)
    assert "Which" not in dialog.questions.text
    assert roles(dialog, len(expected)) == expected
    dialog.close()
