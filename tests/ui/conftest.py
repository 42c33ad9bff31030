"""The window's tests run without a display, in the light theme."""

import os
from collections.abc import Callable, Iterator
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.parts.theme import LIGHT_THEME, current_theme
from affinecal_gui.ui.running.worker import await_late_jobs
from affinecal_gui.ui.views.model.model_panel import ModelPanel
from tests.ui.sample_snapshot import sample_snapshot

PATIENCE = 240_000
"""Milliseconds, fewer than the limit of a test: how fast a machine is, and what else it does, is not what a test asks."""


class PatientBot(QtBot):
    """Waits until something is true or is heard; ends a test only when that will never be."""

    def waitSignal(self, signal: Any, *, timeout: int = 0, raising: bool | None = None, **options: Any) -> Any:
        # Who does not want to be told of the end, as assertNotEmitted does, waits for it.
        enough = timeout if raising is False else max(timeout, PATIENCE)
        return super().waitSignal(signal, timeout=enough, raising=raising, **options)

    def waitUntil(self, callback: Callable[[], object], *, timeout: int = 0) -> None:
        super().waitUntil(callback, timeout=max(timeout, PATIENCE))


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """The robot of pytest-qt, whose own patience of five seconds a busy machine exhausts."""
    return PatientBot(request)


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


def _light(app: QApplication) -> None:
    # Styling an application polishes every widget anew; once is enough for all tests that do not change it.
    if current_theme() is not LIGHT_THEME or not app.styleSheet():
        LIGHT_THEME.apply_to(app)
