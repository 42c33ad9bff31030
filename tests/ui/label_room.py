"""Which texts of a window have less room than they need, in every size, and in either theme.

    python label_room.py STUDY.affinecal

Ends with 1 and a line for each. The scale factor of the screen is what QT_SCALE_FACTOR says.
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QWidget

from affinecal_gui.ui.application import make_application
from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
from affinecal_gui.ui.parts.widgets.labels import ElidedLabel
from affinecal_gui.ui.window.main_window import MainWindow

SIZES = ((1500, 950), (1366, 768), (1100, 700))
ARROW = 30  # pixels of a combo box beside its text
ROUNDING = 1  # pixel
LONGEST = 120.0  # seconds for the window to come to rest


def cut_texts(window: QWidget) -> Iterator[str]:
    """Yield the texts that are seen and cut, with the room they need and have."""
    for widget in window.findChildren(QWidget):
        if not isinstance(widget, (QLabel, QAbstractButton, QComboBox)) or not widget.isVisible():
            continue
        text = widget.currentText() if isinstance(widget, QComboBox) else widget.text()
        seen = widget.visibleRegion().boundingRect()
        if not text or seen.isEmpty():
            continue
        if isinstance(widget, ElidedLabel):
            if "\u2026" in widget.shown_text:
                yield f"{text!r} is shown as {widget.shown_text!r}"
            continue
        if isinstance(widget, QLabel) and widget.wordWrap():
            needed, room = widget.heightForWidth(widget.width()), widget.height()
        elif isinstance(widget, QComboBox):
            needed, room = widget.fontMetrics().horizontalAdvance(text) + ARROW, widget.width()
        else:
            # What a button would like beyond its text (room for a word of praise) is not a text that is cut.
            hint = widget.minimumSizeHint() if isinstance(widget, QAbstractButton) else widget.sizeHint()
            needed, room = hint.width(), min(widget.width(), seen.width())
        if needed > room + ROUNDING:
            yield f"{text!r} needs {needed} pixels and has {room}"


def rest(app: QApplication, window: MainWindow) -> None:
    """Wait until nothing happens any more."""
    end = time.monotonic() + LONGEST
    calm = 0
    while calm < 5 and time.monotonic() < end:
        app.processEvents()
        calm = calm + 1 if window.is_at_rest else 0
        time.sleep(0.01)


def cut_anywhere(app: QApplication, window: MainWindow, themes: ThemeKeeper) -> list[str]:
    """Return what is cut in a window that shows a study, in every size; the themes differ in colours alone."""
    found = []
    for theme, sizes in (("light", SIZES), ("dark", SIZES[-1:])):
        themes.set_choice(theme)  # type: ignore[arg-type]
        for size in sizes:
            window.resize(*size)
            rest(app, window)
            for dock in (window.docks.model, window.docks.inspector):
                dock.raise_()
                rest(app, window)
                found += [f"{size[0]} x {size[1]}, {theme}: {what}" for what in cut_texts(window)]
    return list(dict.fromkeys(found))


def main() -> int:
    """Show the study in every size, and tell what is cut."""
    app = make_application(sys.argv[:1])
    with tempfile.TemporaryDirectory() as folder:
        themes = ThemeKeeper(app, "light")
        settings = QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat)
        window = MainWindow(themes, settings=settings, study_folder=Path(folder))
        window.show()
        window.open_files((sys.argv[1],))
        rest(app, window)
        found = cut_anywhere(app, window, themes)
        window.end_at_once()
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
