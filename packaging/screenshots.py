"""Make the pictures of the documentation from the real window, without a display.

    .venv/bin/python packaging/screenshots.py [FOLDER]

Writes the welcome page and a finished calibration of the bundled heat-capacity example, light and dark, and the narrow
window, to docs/pictures (or FOLDER).
"""

import os
import sys
import tempfile
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ.setdefault("QT_SCALE_FACTOR", "1")

from PySide6.QtCore import QEventLoop, QSettings, QTimer
from PySide6.QtWidgets import QApplication

from affinecal_gui.ui.application import make_application
from affinecal_gui.ui.main_window import MainWindow
from affinecal_gui.ui.picture import save_picture
from affinecal_gui.ui.theme import ThemeKeeper

WIDE, NARROW = (1500, 950), (1100, 700)
SETTLE_MILLISECONDS = 400


def main() -> None:
    """Take every picture."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "docs" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    app = make_application()
    with tempfile.TemporaryDirectory() as settings_folder:
        for appearance in ("light", "dark"):
            themes = ThemeKeeper(app, appearance)
            settings = QSettings(f"{settings_folder}/{appearance}.ini", QSettings.Format.IniFormat)
            window = MainWindow(themes, settings=settings)
            window.resize(*WIDE)
            window.show()
            wait_for_rest(window)
            take(window, folder / f"welcome-{appearance}.png")
            window.session.open_example("heat_capacity")
            wait_for_rest(window)
            take(window, folder / f"main-{appearance}.png")
            window.resize(*NARROW)
            wait_for_rest(window)
            take(window, folder / f"narrow-{appearance}.png")
            window.session.study.clear()
            window.close()


def wait_for_rest(window: MainWindow) -> None:
    """Run the event loop until nothing has happened for a while."""
    loop = QEventLoop()
    timer = QTimer(interval=SETTLE_MILLISECONDS)
    timer.timeout.connect(lambda: loop.quit() if window.is_at_rest else None)
    timer.start()
    loop.exec()
    timer.stop()
    QApplication.processEvents()


def take(window: MainWindow, path: Path) -> None:
    """Save one picture."""
    save_picture(window.grab(), path)
    print(path.name)


if __name__ == "__main__":
    main()
