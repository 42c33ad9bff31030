"""A tour of the window on a real display, with a real mouse: what is shown is compared with a fresh picture at every stop.

    python -m tests.ui.display_tour STUDY.affinecal

Ends with 1 and a line for every stop at which the screen shows anything else than a fresh picture, or the mouse did what it
should not.
"""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from affinecal_gui.ui.application import make_application
from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
from affinecal_gui.ui.window.main_window import MainWindow
from tests.ui.shown_picture import stale_pixels

LONGEST = 120.0  # seconds for the window to come to rest
QUIET = 0.15  # seconds in which nothing happens once it has
LEGIBLE = 100  # of 255: by how much letters are lighter or darker than their ground


class Tour:
    """One window, and what went wrong in it."""

    def __init__(self, app: QApplication, study: str, folder: Path) -> None:
        self.app = app
        self.faults: list[str] = []
        self.themes = ThemeKeeper(app, "light")
        settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        self.window = MainWindow(self.themes, settings=settings, study_folder=folder)
        self.window.move(0, 0)
        self.window.show()
        self.window.open_files((study,))
        self.rest()

    def rest(self) -> None:
        """Wait until nothing happens any more."""
        end, quiet = time.monotonic() + LONGEST, 0.0
        while time.monotonic() < end:
            self.app.processEvents()
            if not self.window.is_at_rest:
                quiet = 0.0
            elif not quiet:
                quiet = time.monotonic()
            elif time.monotonic() - quiet > QUIET:
                return
            time.sleep(0.005)
        self.faults.append("the window did not come to rest")

    def look(self, stop: str) -> None:
        """Compare what the screen shows with a fresh picture; the card beside the mouse is no part of either."""
        self.rest()
        unlike = stale_pixels(self.window)
        if unlike:
            self.faults.append(f"{stop}: {unlike}")

    def click(self, widget: QWidget, place: QPoint) -> None:
        """Click with the left button."""
        if shutil.which("xdotool") is None:
            QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=place)
        else:
            self.mouse(widget, place, "click", "1")

    def roll(self, widget: QWidget, notches: int) -> None:
        """Roll the wheel down in the middle of a widget; without a way to do that, do nothing."""
        self.mouse(widget, widget.rect().center(), *(("click", "5") * notches))

    def mouse(self, widget: QWidget, place: QPoint, *what: str) -> None:
        """Move the mouse of the display, and do something with it."""
        if shutil.which("xdotool") is None:
            return
        at = widget.mapToGlobal(place)
        subprocess.run(["xdotool", "mousemove", str(at.x()), str(at.y()), *what], check=False, timeout=20)
        self.rest()

    def run(self) -> None:
        """Take the tour."""
        window = self.window
        self.look("at first")
        if not window.screen().availableGeometry().contains(window.frameGeometry()):
            self.faults.append("a part of the window lies off the screen")
        self.boxes()
        table = window.study_views.data_panel.table
        for line in range(3):
            cell = table.visualRect(table.model().index(line, 1))
            self.click(table.viewport(), cell.center())
            self.look(f"row {line} selected")
        self.wheel()
        self.frames()
        for size in ((1100, 700), (1500, 950)):
            window.resize(*size)
            self.look(f"{size[0]} x {size[1]}")
        self.themes.set_choice("dark")
        self.look("dark")
        window.study_views.coefficient_view.enlarge("k_bond")
        box = window.study_views.coefficient_view.canvas
        for share in (0.3, 0.7):
            self.click(box.viewport(), QPoint(round(share * box.width()), box.height() // 2))
            self.look(f"bar at {share:.0%} of the enlarged panel")
        window.study_views.coefficient_view.enlarge("")
        self.themes.set_choice("light")
        self.look("light again")
        self.bands()

    def bands(self) -> None:
        """Open an example that there is not, and then one that there is; nothing of the first may stand over the second."""
        window, status = self.window, self.window.status_line.message
        window.opening_desk.open_example("no such example")
        self.look("a band")
        if not window.message_bar.isVisible():
            self.faults.append("nothing is said of an example that there is not")
        window.opening_desk.open_example("density")
        self.look("another study")
        if window.message_bar.isVisible():
            self.faults.append("a band of an earlier study stands over the next one")
        if window.status_line.message == status:
            self.faults.append("the status line is that of an earlier study")

    def boxes(self) -> None:
        """Open boxes with choices; the present one must be legible in the list."""
        views = self.window.study_views
        for box in (views.data_panel.states, views.model_panel.findChild(QComboBox, "protocolBox")):
            box.showPopup()
            self.rest()
            view = box.view()
            place = view.visualRect(view.currentIndex())
            corner = view.viewport().mapToGlobal(place.topLeft())
            shown = self.window.screen().grabWindow(0, corner.x(), corner.y(), place.width(), place.height()).toImage()
            greys = {shown.pixelColor(x, y).lightness() for x in range(shown.width()) for y in range(shown.height())}
            if max(greys) - min(greys) < LEGIBLE:
                self.faults.append(f"{box.currentText()!r} cannot be read in the list that it is chosen from")
            box.hidePopup()
            self.rest()

    def frames(self) -> None:
        """Draw frames around no points, with Shift let go after the button and before it; none may stay."""
        view = self.window.study_views.parity_view
        canvas, frame = view.canvas, view.large.box.rbScaleBox
        for last in (("mouseup", "1", "keyup", "shift"), ("keyup", "shift", "mouseup", "1")):
            self.mouse(canvas, QPoint(90, 120), "keydown", "shift", "mousedown", "1")
            self.mouse(canvas, QPoint(120, 100))
            self.mouse(canvas, QPoint(150, 80), *last)
            self.look(f"a frame that ended with {last[0]}")  # while the mouse is there: leaving repaints the plot
            if frame.isVisible():
                self.faults.append(f"a frame that ended with {last[0]} stays")
        self.mouse(self.window.status_line, QPoint(5, 5))

    def wheel(self) -> None:
        """Roll over the model panel and over the plot; nothing of the model may change."""
        window, before = self.window, self.window.session.study.state.settings
        self.roll(window.study_views.model_panel, 20)
        if window.session.study.state.settings != before:
            self.faults.append("the wheel changed the model while it scrolled over it")
        box = window.study_views.parity_view.large.box
        whole = [high - low for low, high in box.viewRange()]
        self.roll(window.study_views.parity_view.canvas, 30)
        if max(high - low for low, high in box.viewRange()) > 2.1 * max(whole):
            self.faults.append("the wheel zoomed the parity plot away")
        window.study_views.parity_view.reset_view()
        self.mouse(window.status_line, QPoint(5, 5))
        self.look("after the wheel")


def main(take: Callable[[Tour], None] = Tour.run) -> int:
    """Take the tour, and tell what went wrong."""
    app = make_application(sys.argv[:1])
    with tempfile.TemporaryDirectory() as folder:
        tour = Tour(app, sys.argv[1], Path(folder))
        take(tour)
        tour.window.end_at_once()
    print("\n".join(tour.faults))
    return 1 if tour.faults else 0


if __name__ == "__main__":
    sys.exit(main())
