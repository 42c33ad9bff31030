"""Pictures of the window are in the format that their name says."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.parts.picture import save_picture


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("a.png", b"\x89PNG"),
        ("a.jpg", b"\xff\xd8\xff"),
        ("a.JPEG", b"\xff\xd8\xff"),
        ("a.bmp", b"BM"),
        ("a", b"\x89PNG"),
    ],
)
def test_the_suffix_names_the_format(name: str, start: bytes, tmp_path: Path, qtbot: QtBot) -> None:
    pixmap = QPixmap(30, 20)
    pixmap.fill(Qt.GlobalColor.red)
    save_picture(pixmap, tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(start)
