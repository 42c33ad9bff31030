"""What is on the clipboard, also when the program ends with it."""

import subprocess
import sys

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from affinecal_gui.ui.parts.clipboard import copy_long_text, put_on_clipboard

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
