"""A settings file that is damaged, or that somebody filled with mischief, does no harm and says nothing on the terminal."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, qInstallMessageHandler
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from affinecal_gui.study.results.study_figures import FIGURES
from affinecal_gui.ui.dialogs.exporting.figure_dialog import FigureDialog
from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
from affinecal_gui.ui.window.main_window import MainWindow

H = r"\x7f\xff\xff\xff"
MINUS = r"\xff\xff\xff\xfb"
GEOMETRY = r"\x1\xd9\xd0\xcb\0\x3\0\0"
STATE = r"\0\0\0\xff\0\0\0\x1\xfd"
MISCHIEF = {
    "words": "hello",
    "a list": "a, b, c",
    "a number without end": "9" * 400,
    "no number": "nan",
    "more than an int": "2147483648",
    "less than nothing": "-5",
    "nothing": "@Invalid()",
    "bytes that are no text": r"@ByteArray(\x1\xd9\xd0\xcb)",
    "a type that does not exist": r"@Variant(\0\0\0\xff\xff\xff)",
    "a type of another program": r"@Variant(\0\0\0\x7f\0\0\0\x10PyQt_PyObject\0\0)",
    "no variant": "@Variant(garbage",
    "a rectangle": "@Rect(0 0 999999999 99999999)",
    "a huge geometry": f"@ByteArray({GEOMETRY}"
    + rf"\0\0\0\0\0\0\0\0{H}{H}" * 2
    + rf"\0\0\0\0\0\0{H}\0\0\0\0\0\0\0\0{H}{H})",
    "a geometry of minus five": f"@ByteArray({GEOMETRY}" + MINUS * 8 + r"\0\0\0c\x1\x1" + MINUS * 5 + ")",
    "a geometry that is cut": f"@ByteArray({GEOMETRY}\\0\\0)",
    "a state of docks without number": f"@ByteArray({STATE}{H}{H}{H})",
}
SECTIONS = {
    "General": ["appearance"],
    "window": ["geometry", "state"],
    "coefficients": ["order"],
    "figure": ["name", "format", "dpi", "arrangement", "predictions", "intervals", "width\\parity"],
}


@pytest.fixture
def remarks() -> Iterator[list[str]]:
    """What Qt would print."""
    said: list[str] = []
    before = qInstallMessageHandler(lambda kind, context, text: said.append(text or ""))
    yield said
    qInstallMessageHandler(before)


@pytest.fixture(params=MISCHIEF.values(), ids=MISCHIEF)
def damaged(request: pytest.FixtureRequest, tmp_path: Path) -> QSettings:
    path = tmp_path / "settings.ini"
    path.write_text(
        "\n".join(
            line
            for section, keys in SECTIONS.items()
            for line in [f"[{section}]", *(f"{key}={request.param}" for key in keys)]
        )
    )
    return QSettings(str(path), QSettings.Format.IniFormat)


def test_the_window_opens_on_the_screen_with_damaged_settings_and_says_nothing(
    damaged: QSettings, qapp: QApplication, qtbot: QtBot, remarks: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    window = MainWindow(ThemeKeeper(qapp, "light"), None, damaged)
    window.show()
    qtbot.waitExposed(window)
    screen = window.screen().availableGeometry()
    assert window.geometry().intersects(screen)
    assert window.width() <= max(screen.width(), 1500)
    window.close()
    window.deleteLater()

    dialog = FigureDialog(damaged)
    choice = dialog.choice
    assert choice.name in FIGURES
    assert choice.suffix in {".svg", ".pdf", ".png", ".tiff"}
    assert 72 <= choice.dpi <= 2400
    assert choice.options.width_mm == 180.0
    dialog.deleteLater()

    assert remarks == []
    assert capfd.readouterr() == ("", "")
