"""What is on the clipboard, also when the program ends with it."""

import math
import subprocess
import sys

import pytest
from PySide6.QtCore import QLocale, QMimeData
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QTableWidget
from pytestqt.qtbot import QtBot

from affinecal_gui.tables.cells.formula_texts import pasted_cell
from affinecal_gui.ui.parts.clipboard import copy_long_text, put_on_clipboard
from affinecal_gui.ui.parts.row_tables import copy_selected_rows

PROGRAM = """
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication, QImage
app = QGuiApplication([])
from affinecal_gui.ui.parts.clipboard import copy_long_text, put_on_clipboard
{}
"""


def test_a_long_text_is_pasted_as_it_was(qapp: QApplication) -> None:
    text = "Cp\t²\n" * 1000 + "聚合物\n"
    copy_long_text(text.encode())
    assert QGuiApplication.clipboard().text() == text
    copy_long_text(b"another")
    assert QGuiApplication.clipboard().text() == "another"


def test_every_format_is_there(qapp: QApplication) -> None:
    data = QMimeData()
    data.setText("in words")
    data.setData("image/svg+xml", b"<svg/>")
    put_on_clipboard(data)
    found = QGuiApplication.clipboard().mimeData()
    assert found.text() == "in words"
    assert found.data("image/svg+xml").data() == b"<svg/>"


def test_copied_rows_have_the_decimal_mark_of_the_language_and_a_cell_for_each_part(qtbot: QtBot) -> None:
    table = QTableWidget(2, 2)
    qtbot.addWidget(table)
    table.selectRow(1)
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.German))
    try:
        copy_selected_rows(
            table, lambda row, column: ("-0.5 of it",) if not column else (row - 1.5, math.nan), range(2)
        )
    finally:
        QLocale.setDefault(before)
    assert QGuiApplication.clipboard().text().split("\t") == [pasted_cell("-0.5 of it"), "-0,5", ""]


@pytest.mark.parametrize(
    "copied",
    [
        "copy_long_text(b'a'); copy_long_text(b'b')",
        "copy_long_text(b'a'); QGuiApplication.clipboard().setText('c')",
        "data = QMimeData(); data.setImageData(QImage(4, 4, QImage.Format.Format_RGB32)); put_on_clipboard(data)",
        "data = QMimeData(); data.setData('image/svg+xml', b'<svg/>'); put_on_clipboard(data)",
        "copy_long_text(b'a'); del app",
    ],
)
def test_a_program_that_ends_with_a_copy_ends_well(copied: str) -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM.format(copied)], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
