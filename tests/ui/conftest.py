"""The window's tests run without a display, in the light theme."""

import csv
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from affinecal_gui.calibration.unsimulated import UnsimulatedCalibrator, calibrate_unsimulated
from affinecal_gui.polymers.chain.identity import polymer_identity
from affinecal_gui.polymers.reading.repeat_unit import parse_repeat_unit
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.stored.study_file import save_study
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.ui.parts.theme.theme import LIGHT_THEME, current_theme
from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
from affinecal_gui.ui.running.worker import await_late_jobs
from affinecal_gui.ui.views.model.model_panel import ModelPanel
from affinecal_gui.ui.window.main_window import MainWindow
from tests.conftest import STUDY_LEARNS
from tests.kept_calibrations import calibrating_coarsely, keeping
from tests.ui.answering import Answers
from tests.ui.sample_snapshot import sample_snapshot
from tests.ui.shared_window import SharedWindow

PATIENCE = 240_000
"""Milliseconds, fewer than the limit of a test: how fast a machine is, and what else it does, is not what a test asks."""


class PatientBot(QtBot):
    """Waits until something is true or is heard; ends a test only when that will never be.

    It holds the widgets that it is to close: those that only a test knows of would end with its last line, piece by piece,
    as Python counts references, while the events that are still under way reach them.
    """

    def __init__(self, request: pytest.FixtureRequest) -> None:
        super().__init__(request)
        self._held: list[QWidget] = []

    def addWidget(self, widget: QWidget, *, before_close_func: Callable[[QWidget], None] | None = None) -> None:
        super().addWidget(widget, before_close_func=before_close_func)
        self._held.append(widget)

    def let_go(self) -> None:
        """Forget the widgets, for who wants to see that nobody else holds them."""
        self._held.clear()

    def waitSignal(self, signal: Any, *, timeout: int = 0, raising: bool | None = None, **options: Any) -> Any:
        # Who does not want to be told of the end, as assertNotEmitted does, waits for it.
        enough = timeout if raising is False else max(timeout, PATIENCE)
        return super().waitSignal(signal, timeout=enough, raising=raising, **options)

    def waitUntil(self, callback: Callable[[], object], *, timeout: int = 0) -> None:
        super().waitUntil(callback, timeout=max(timeout, PATIENCE))


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[PatientBot]:
    """The robot of pytest-qt, whose own patience of five seconds a busy machine exhausts.

    What a test has given to be deleted goes with it. Without an event loop it would stay until the next test that runs
    one, and whoever changes the theme meanwhile would style the widgets of all the tests before.
    """
    bot = PatientBot(request)
    yield bot
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    bot.let_go()


@pytest.fixture(scope="session", autouse=True)
def no_thread_beyond_the_end() -> Iterator[None]:
    """Wait, as the program does, for jobs that did not end with their window."""
    yield
    await_late_jobs(60.0)


@pytest.fixture
def light(qapp: QApplication) -> Iterator[QApplication]:
    """The application in the light theme, and back in it when the test has ended."""
    _light(qapp)
    yield qapp
    _light(qapp)


@pytest.fixture
def model_panel(qtbot: QtBot, light: QApplication) -> ModelPanel:
    """A model panel that shows a calibration."""
    made = ModelPanel()
    qtbot.addWidget(made)
    made.resize(320, 950)
    made.show_snapshot(sample_snapshot())
    made.show()
    return made


def _identity(smiles: str) -> object:
    return polymer_identity(parse_repeat_unit(smiles)).key


@pytest.fixture(scope="session")
def small_example(examples: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The bundled example cut down to a few polymers, for tests that do not look at the numbers."""
    folder = tmp_path_factory.mktemp("small")
    measured = (examples / "heat_capacity_measured.csv").read_text(encoding="utf-8").splitlines(keepends=True)[:31]
    heading, *simulated = (examples / "md_radonpy.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    wanted = {_identity(row["smiles"]) for row in csv.DictReader(measured)}
    units = [row["smiles"] for row in csv.DictReader([heading, *simulated])]
    chosen = [line for n, line in enumerate(simulated) if n % 8 == 0 or _identity(units[n]) in wanted]
    (folder / "measured.csv").write_text("".join(measured), encoding="utf-8")
    (folder / "md.csv").write_text("".join([heading, *chosen]), encoding="utf-8")
    return [folder / "measured.csv", folder / "md.csv"]


@pytest.fixture(scope="module", autouse=True)
def calibrating_as_coarsely_as_will_do(coarse_calibrations_of_module: None) -> None:
    """What these tests look at is what the window makes of a calibration, not how finely that was searched."""


@pytest.fixture(scope="session")
def saved_result(small_example: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small example with its result, as a study file: for tests of what is done with a result."""
    state = StudyState().with_tables(load_tables(small_example).tables)
    state = replace(state, settings=state.settings.showing("affine"))
    path = tmp_path_factory.mktemp("saved") / "small.affinecal"
    with calibrating_coarsely():
        save_study(path, state, derive(state, Derived()))
    return path


@pytest.fixture(scope="module")
def shared_window(
    request: pytest.FixtureRequest, qapp: QApplication, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SharedWindow]:
    """The real window, which the tests of a module lend each other."""
    shared = SharedWindow(qapp, PatientBot(request), tmp_path_factory.mktemp("window"))
    yield shared
    shared.end()


@pytest.fixture
def answers() -> Answers:
    """What the user of :func:`answered_window` answers."""
    return Answers()


@pytest.fixture
def answered_window(qapp: QApplication, qtbot: QtBot, tmp_path: Path, answers: Answers) -> Iterator[MainWindow]:
    """The real window without a study, with a user who answers."""
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(ThemeKeeper(qapp, "light"), answers, settings, tmp_path / "user")
    window.show()
    qtbot.waitExposed(window)
    yield window
    window.close()
    window.deleteLater()


@pytest.fixture
def learning_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let less be tried while learning: these tests look at what is made of what is learned."""

    def quickly(*data: Any, task: Task = UNWATCHED, **choices: Any) -> UnsimulatedCalibrator:
        *tables, options = data
        few = replace(options, repetitions=1, outer_folds=3, lambda_1_grid=(3.0,), lambda_2_grid=(3.0,))
        return calibrate_unsimulated(*tables, few, task=task, **choices)

    monkeypatch.setattr(STUDY_LEARNS, keeping(quickly))


def _light(app: QApplication) -> None:
    # Styling an application polishes every widget anew; once is enough for all tests that do not change it.
    if current_theme() is not LIGHT_THEME or not app.styleSheet():
        LIGHT_THEME.apply_to(app)
