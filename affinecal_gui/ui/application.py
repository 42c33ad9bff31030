"""Starting the window: the application object, its theme, the files named on the command line, and the picture of it."""

import logging
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSettings, QTimer, Signal, Slot
from PySide6.QtGui import QFileOpenEvent, QIcon
from PySide6.QtWidgets import QApplication

from affinecal_gui import __version__
from affinecal_gui.ending import end_program
from affinecal_gui.errors import UserError
from affinecal_gui.support.log import start_log
from affinecal_gui.ui.parts.kept_choices import kept_choice
from affinecal_gui.ui.parts.theme.theme import STYLE, STYLED, icon
from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
from affinecal_gui.ui.running.lost_display import end_with_display, end_without_display
from affinecal_gui.ui.session.notices import Notice, notice_of
from affinecal_gui.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from affinecal_gui.ui.session.dialogs import Dialogs

logger = logging.getLogger(__name__)

SETTLE_MILLISECONDS = 400  # after the last job, for thumbnails and layouts
PICTURE_TIME_LIMIT = 600_000
LONGEST_END = 0.7  # seconds in which, the window being closed, work may still come to its end
SWITCH_SECONDS = 0.00002
"""How long a thread that works may keep the interpreter from the window. Painting gives the interpreter away hundreds of
times; at Python's own 5 ms each, a fit in the background would make every picture take seconds."""


def make_application(arguments: Sequence[str] = ()) -> QApplication:
    """Return the application object, named so that settings and folders are found."""
    sys.setswitchinterval(SWITCH_SECONDS)
    QCoreApplication.setOrganizationName("AffineCal")
    QCoreApplication.setApplicationName("AffineCal")
    QCoreApplication.setApplicationVersion(__version__)
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    # Asked for by its name, the style is never handed to Python, which would make all that there is about styles for it.
    app = Application([*(arguments or ("affinecal",)), "-style", STYLE])
    app.setProperty(STYLED, True)
    return app


class Application(QApplication):
    """Hears of files that the system asks the running program to open, as macOS does after a double-click."""

    files_named = Signal(object)  # tuple of path strings

    def event(self, event: QEvent) -> bool:
        """Pass on the files; everything else is Qt's."""
        if isinstance(event, QFileOpenEvent) and event.file():
            self.files_named.emit((event.file(),))
            return True
        return super().event(event)


def show_faults_in(window: MainWindow) -> None:
    """Show an exception that nobody caught as a message in the window, after it went to the log."""
    log = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        log(kind, error, traceback)
        if not issubclass(kind, KeyboardInterrupt):
            window.message_bar.show_notice(notice_of(error))

    sys.excepthook = hook


def run_window(files: Sequence[str] = (), example: str | None = None, screenshot: Path | None = None) -> int:
    """Open the window and return the exit status when it has been closed.

    Parameters
    ----------
    files
        Tables, or a study, to open at once.
    example
        Bundled example to open when no file is named.
    screenshot
        Where to save a picture of the window once the first result is on it; the program then ends by itself, with
        status 0, or 2 if there is nothing to show.
    """
    if screenshot is not None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"  # a picture needs no display, and must not depend on one
    end_without_display()
    app = make_application(sys.argv[:1])
    end_with_display()
    if screenshot is None:
        status = _run(app, QSettings(), files, example, None, None)
    else:
        with tempfile.TemporaryDirectory() as folder:
            # A picture shows the window as it comes, not as the user of this account left it.
            fresh = QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat)
            status = _run(app, fresh, files, example, screenshot, Path(folder))
    from affinecal_gui.ui.running.worker import await_late_jobs

    if not await_late_jobs(LONGEST_END):
        # The interpreter cannot end while a thread is inside a library that does not return. Nothing is lost: files are
        # replaced only when they are whole, and what was under way is not wanted any more.
        from affinecal_gui.files import remove_unfinished
        from affinecal_gui.study.stored.recovery import remove_given_up

        logger.info("The program ended while a job was still running")
        remove_unfinished()
        remove_given_up()
        end_program(status, work_goes_on=True)
    return status


def _run(
    app: QApplication,
    settings: QSettings,
    files: Sequence[str],
    example: str | None,
    screenshot: Path | None,
    study_folder: Path | None,
) -> int:
    choice = kept_choice(settings, "appearance", "system" if screenshot is None else "light")
    themes = ThemeKeeper(app, choice if choice in {"system", "light", "dark"} else "system")  # type: ignore[arg-type]
    app.setWindowIcon(QIcon(icon("affinecal", themes.theme.palette)))
    window = MainWindow(themes, None if screenshot is None else _nobody(), settings, study_folder)
    if isinstance(app, Application):
        app.files_named.connect(window.open_files)
    show_faults_in(window)
    photographer = _Photographer(window, screenshot) if screenshot is not None else None
    window.seen.connect(start_log)
    window.seen.connect(lambda: _hear_stop_signals(app, window))
    window.show()
    if files:
        paths = tuple(Path(name).absolute() for name in files)
        opening = f"Opening {', '.join(path.name for path in paths)}"
        window.begin_with(opening, lambda: window.open_files(tuple(map(str, paths))))
    elif example:
        window.begin_with("Opening the example", lambda: window.session.open_example(example))
    elif photographer is not None:
        photographer.take_soon()
    status = app.exec()
    window.close()
    settings.sync()  # now, and not when the object goes, which may be after the folder of a picture's settings
    return photographer.status if photographer is not None else status


def _hear_stop_signals(app: QApplication, window: MainWindow) -> None:
    """Let the signals of the system close the window; before it is seen, there is nothing that they could take away."""
    from affinecal_gui.ui.running.stop_signals import StopSignals

    stop_signals = StopSignals(window)
    stop_signals.asked.connect(window.close)  # with the question about unsaved work
    stop_signals.ordered.connect(window.end_at_once)
    app.aboutToQuit.connect(stop_signals.restore)


def _nobody() -> "Dialogs":
    from affinecal_gui.ui.session.dialogs import NoDialogs

    return NoDialogs()


class _Photographer(QObject):
    """Waits until the window has nothing more to do, saves a picture of it and quits."""

    def __init__(self, window: MainWindow, path: Path) -> None:
        super().__init__(window)
        self._window = window
        self._path = path
        self._problems: list[str] = []
        self.status = 2
        self._timer = QTimer(self, interval=SETTLE_MILLISECONDS)
        self._timer.timeout.connect(self._look)
        window.session.noticed.connect(self._hear)
        window.session.jobs.busy_changed.connect(self.take_soon)
        QTimer.singleShot(PICTURE_TIME_LIMIT, self, self._give_up)

    @Slot()
    def take_soon(self, _busy: bool = False) -> None:
        """Look again after a while in which nothing happened."""
        self._timer.start()

    def _hear(self, notice: Notice) -> None:
        if notice.kind == "problem":
            self._problems.append(notice.text)

    def _look(self) -> None:
        if not self._window.is_at_rest:
            return
        self._timer.stop()
        snapshot = self._window.session.study.snapshot()
        if snapshot.tables and snapshot.calibration is None and snapshot.corrected is None and not self._problems:
            self._problems.append(f"There is no result to show. {snapshot.match_summary}".strip())
        for problem in self._problems:
            print(problem, file=sys.stderr)
        self.status = 0 if self._save() and not self._problems else 2
        QCoreApplication.quit()

    def _save(self) -> bool:
        from affinecal_gui.ui.parts.picture import save_picture
        from affinecal_gui.ui.running.paint_turns import paint_turns

        try:
            with paint_turns().unhurried():
                picture = self._window.grab()
            save_picture(picture, self._path)
        except UserError as error:
            print(error, file=sys.stderr)
            return False
        return True

    def _give_up(self) -> None:
        print("The window did not come to rest; no picture was taken.", file=sys.stderr)
        QCoreApplication.quit()
