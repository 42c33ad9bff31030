"""The real program, which closes itself (or asks to be stopped) in the middle of a job: ``close_during.py JOB HOW FOLDER``.

A program of its own, because what is looked at is how it ends: its status, its last words, its time.
"""

import faulthandler
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Slot

from affinecal_gui import __main__ as front_door
from affinecal_gui.ui import application
from affinecal_gui.ui.running.job import AnyJob
from affinecal_gui.ui.session import dialogs
from affinecal_gui.ui.session.file_jobs import Autosave, OpenStudy, SaveStudy
from affinecal_gui.ui.session.study_jobs import Export, Loading
from affinecal_gui.ui.window import main_window

ROWS = int(os.environ.get("CLOSING_ROWS", "20000"))
STUDY = Path(__file__).resolve().parents[1] / "data" / "studies" / "format_1.affinecal"


class Dialogs(dialogs.NoDialogs):
    """Files go to the folder of the test; the window's own dialogs open."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def save_file(self, title: str, suggestion: str, filters: str) -> str:
        return str(self._folder / suggestion)

    def show_dialog(self, dialog: Any) -> bool:
        dialog.show()
        return True


class Closing(QObject):
    """Brings a window into a job, and ends it there."""

    def __init__(self, window: main_window.MainWindow, job: str, how: str, folder: Path) -> None:
        super().__init__(window)
        self.window, self.how, self.folder, self.job = window, how, folder, job
        self._until: Callable[[], bool] = lambda: True
        self._then: Callable[[], object] = lambda: None
        self._look = QTimer(self, interval=5)
        self._look.timeout.connect(self._turn)
        QTimer.singleShot(0, self, getattr(self, job))

    def when(self, until: Callable[[], bool], then: Callable[[], object]) -> None:
        """Do something once something is true; it may be true now, and not any more at the next look."""
        if until():
            then()
            return
        self._until, self._then = until, then
        self._look.start()

    @Slot()
    def _turn(self) -> None:
        if self._until():
            self._look.stop()
            self._then()

    def end(self) -> None:
        """Close the window, or be told to by the system."""
        print("ends", time.time(), flush=True)
        if self.how == "close":
            self.window.close()
        elif self.how == "quit":
            application.QApplication.quit()
        else:
            os.kill(os.getpid(), getattr(signal, self.how))

    def end_during(self, kind: type[AnyJob], delay: int = 100) -> None:
        """End soon after a job of the session has begun."""
        self.when(lambda: self.window.session.jobs.is_running(kind), lambda: QTimer.singleShot(delay, self, self.end))

    # -- jobs -----------------------------------------------------------------------------------------------------

    @Slot()
    def start(self) -> None:
        self.end()

    @Slot()
    def import_of_packages(self) -> None:
        self.when(lambda: self.window.warm_up.jobs.is_busy, lambda: QTimer.singleShot(20, self, self.end))

    @Slot()
    def load(self) -> None:
        path = self.folder / "large.csv"
        with path.open("w") as file:
            file.write("id,smiles,Cp [J/(kg K)]\n")
            file.writelines(f"P{row},*CC(*){'C' * (row % 40)}O,{2000 + row % 100}\n" for row in range(ROWS))

        def begin() -> None:
            self.window.open_files((str(path),))
            self.end_during(Loading, 80)

        self.when(lambda: self.window.is_at_rest, begin)

    @Slot()
    def describe(self) -> None:
        self._example_until("heat_capacity", "Described")

    @Slot()
    def fit(self) -> None:
        self._example_until("optical", "Checking on held-out")

    @Slot()
    def bootstrap(self) -> None:
        self._example_until("optical", "Predicting", "Choosing", "Refitting")

    def _example_until(self, name: str, *words: str) -> None:
        seen: list[str] = []
        self.window.session.jobs.progressed.connect(lambda _share, sentence: seen.append(sentence))
        self.window.session.open_example(name)
        self.when(lambda: any(sentence.startswith(words) for sentence in seen), self.end)

    def _with_result(self, then: Callable[[], object]) -> None:
        self.window.keeper.open(str(STUDY))
        self.when(lambda: self.window.session.study.snapshot().calibration is not None and self.window.is_at_rest, then)

    @Slot()
    def export_report(self) -> None:
        def begin() -> None:
            self.window.window_actions.report.trigger()
            self.end_during(Export)

        self._with_result(begin)

    @Slot()
    def export_workbook(self) -> None:
        def begin() -> None:
            self.window.window_actions.workbook.trigger()
            self.end_during(Export, 10)

        self._with_result(begin)

    @Slot()
    def figure_preview(self) -> None:
        def begin() -> None:
            self.window.window_actions.figure.trigger()
            self.when(lambda: self.window.export_desk.is_drawing, self.end)

        self._with_result(begin)

    @Slot()
    def matching_report(self) -> None:
        def begin() -> None:
            self.window.window_actions.match_report.trigger()
            self.when(lambda: self.window.match_desk.dialog is not None, self.end)

        self._with_result(begin)

    @Slot()
    def thumbnails(self) -> None:
        self.window.session.open_example("heat_capacity")
        self.when(lambda: bool(self.window.session.study.state.tables) and self.window.study_views.is_drawing, self.end)

    @Slot()
    def import_preview(self) -> None:
        path = self.folder / "doubtful.csv"
        with path.open("w") as file:
            file.write("id,smiles,value\n")
            file.writelines(f"P{row},*CC(*){'C' * (row % 40)}O,{2000 + row % 100}\n" for row in range(ROWS))

        def begin() -> None:
            self.window.open_files((str(path),))
            self.when(lambda: self.window.import_desk.dialog is not None, self.end)

        self.when(lambda: self.window.is_at_rest, begin)

    def _with_large_table(self, then: Callable[[], object]) -> None:
        """Bring a table of many rows into the study without reading a file."""
        from affinecal_gui.study.importing.loading import load_sources
        from affinecal_gui.study.state import StudyState
        from affinecal_gui.study.table_source import source_of_pasted

        # Of a property for which nothing is worked out from the structures: that would only take time before the file.
        lines = ["id,smiles,density [g/cm3],note"]
        lines += [
            f"P{row},*CC(*){'C' * (row % 4)}O,{1.0 + row % 100 / 1000:.3f},a note of some length" for row in range(ROWS)
        ]
        found: list[Any] = []
        reading = threading.Thread(
            target=lambda: found.append(load_sources([source_of_pasted("\n".join(lines), set())]))
        )

        def ready() -> None:
            reading.join()
            assert not found[0].errors
            self.window.session.replace_study(StudyState().with_tables(found[0].tables), None)
            self.when(lambda: self.window.study_views.data_panel.isVisible(), then)

        def begin() -> None:
            reading.start()
            self.when(lambda: bool(found), ready)

        self.when(lambda: self.window.is_at_rest, begin)

    @Slot()
    def save(self) -> None:
        def begin() -> None:
            self.window.keeper.save(str(self.folder / "large.affinecal"))
            self.end_during(SaveStudy, 150)

        self._with_large_table(begin)

    @Slot()
    def autosave(self) -> None:
        keeper = self.window.keeper
        keeper.autosave_timer.setInterval(10)
        self._with_large_table(
            lambda: self.when(lambda: keeper.jobs.is_running(Autosave), lambda: QTimer.singleShot(150, self, self.end))
        )

    @Slot()
    def autosave_at_once(self) -> None:
        keeper = self.window.keeper
        keeper.autosave_timer.setInterval(10)
        self._with_large_table(
            lambda: self.when(lambda: keeper.jobs.is_running(Autosave), lambda: QTimer.singleShot(0, self, self.end))
        )

    @Slot()
    def open(self) -> None:
        path = str(self.folder / "large.affinecal")

        def opened() -> None:
            self.window.keeper.open(path)
            self.end_during(OpenStudy, 80)

        def begin() -> None:
            self.window.session.cancel()
            self.window.keeper.save(path)
            self.when(lambda: Path(path).exists() and self.window.is_at_rest, opened)

        self._with_large_table(begin)


def main() -> int:
    """Run the program as its user does."""
    job, how, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    faulthandler.dump_traceback_later(200, exit=True)  # who hangs says where

    class Window(main_window.MainWindow):
        def __init__(self, themes: Any, _dialogs: Any, *rest: Any) -> None:
            super().__init__(themes, Dialogs(folder), *rest)
            self.closing = Closing(self, job, how, folder)

        def hideEvent(self, event: Any) -> None:
            print("hidden", time.time(), flush=True)
            super().hideEvent(event)

    application.MainWindow = Window  # type: ignore[misc]
    sys.argv[1:] = []
    return front_door.main()


if __name__ == "__main__":
    sys.exit(main())
