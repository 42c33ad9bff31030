"""What every view of a study does, whatever it shows: tried on each line of the list of views."""

import gc
import weakref
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.parts.theme.theme import DARK_THEME
from affinecal_gui.ui.running.in_steps import at_once
from affinecal_gui.ui.views.study_view import DrawsPictures, FollowsSelection, StudyView, TakesSteps
from affinecal_gui.ui.window.view_list import VIEWS, ViewLine
from tests.ui.sample_content import sample_content
from tests.ui.sample_snapshot import sample_snapshot, uncalibrated_snapshot

LONG = 60_000
every_view = pytest.mark.parametrize("line", VIEWS, ids=lambda line: line.name)
every_view_that_follows = pytest.mark.parametrize(
    "line", [line for line in VIEWS if issubclass(line.load(), FollowsSelection)], ids=lambda line: line.name
)


@pytest.fixture(autouse=True)
def qt_has_no_complaint(light: QApplication) -> Iterator[None]:
    """Fail on every warning of Qt that comes while a view is made, shown, fed and closed."""
    complaints: list[str] = []

    def listen(kind: QtMsgType, _context: object, text: str) -> None:
        # The platform without a display says this of every window; it has no bearing on a view.
        if kind != QtMsgType.QtDebugMsg and "propagateSizeHints" not in text:
            complaints.append(text)

    before = qInstallMessageHandler(listen)
    yield
    qInstallMessageHandler(before)
    assert complaints == []


def made(line: ViewLine) -> Any:
    view_class = line.load()
    return at_once(view_class.in_steps()) if hasattr(view_class, "in_steps") else view_class()


def stop_drawing(view: Any, qtbot: QtBot) -> None:
    """End the thread that draws pictures, where there is one."""
    if isinstance(view, DrawsPictures):
        qtbot.waitUntil(view.close_thumbnails)


@pytest.fixture
def view(line: ViewLine, qtbot: QtBot) -> Iterator[Any]:
    view = made(line)
    qtbot.addWidget(view)
    view.resize(700, 500)
    view.show()
    yield view
    stop_drawing(view, qtbot)


def fed(view: Any, snapshot: Snapshot) -> None:
    view.show_snapshot(snapshot)
    QApplication.processEvents()


def one_row() -> Snapshot:
    """A study with one measured polymer and nothing else."""
    whole = uncalibrated_snapshot()
    row = replace(whole.rows[0], md=float("nan"), state="waiting", training_index=-1, library_index=-1)
    return replace(whole, rows=(row,))


def without_numbers() -> Snapshot:
    """The calibrated study, with every number of a polymer missing."""
    whole = sample_snapshot()
    assert whole.calibration is not None
    found = whole.calibration

    def nan(values: np.ndarray) -> np.ndarray:
        return np.full_like(values, np.nan)

    models = {
        name: replace(
            result,
            fitted=nan(result.fitted),
            out_of_fold=nan(result.out_of_fold),
            out_of_fold_lower=nan(result.out_of_fold_lower),
            out_of_fold_upper=nan(result.out_of_fold_upper),
            library=nan(result.library),
            library_lower=nan(result.library_lower),
            library_upper=nan(result.library_upper),
        )
        for name, result in found.models.items()
    }
    calibration = replace(
        found, models=models, measured=nan(found.measured), md=nan(found.md), library_md=nan(found.library_md)
    )
    rows = tuple(replace(row, measured=float("nan"), md=float("nan")) for row in whole.rows)
    return replace(whole, rows=rows, calibration=calibration)


def colours(view: QWidget) -> int:
    """Return how many colours a picture of the view has."""
    image = view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    return np.unique(np.frombuffer(image.constBits(), dtype=np.uint32)).size


@every_view
def test_it_is_what_the_window_asks_of_a_view(view: Any) -> None:
    assert isinstance(view, StudyView)
    assert isinstance(view, QWidget)
    assert view.objectName()
    assert view.accessibleName()


@every_view
@pytest.mark.parametrize(
    "snapshot",
    [Snapshot, one_row, without_numbers, uncalibrated_snapshot, sample_snapshot],
    ids=lambda make: make.__name__,
)
def test_every_kind_of_study_is_shown_and_painted(view: Any, snapshot: Any) -> None:
    fed(view, snapshot())
    assert colours(view) > 1
    fed(view, Snapshot())  # and left behind
    assert colours(view) > 1


@every_view
def test_a_narrow_view_is_painted(view: Any) -> None:
    view.resize(300, 500)
    fed(view, sample_snapshot())
    assert view.minimumSizeHint().width() <= 400
    assert colours(view) > 1


@every_view
def test_the_dark_theme_makes_it_dark(view: Any, light: QApplication) -> None:
    fed(view, sample_snapshot())
    before = view.grab().toImage().pixelColor(2, 2).lightness()
    DARK_THEME.apply_to(light)
    view.apply_theme(DARK_THEME)
    QApplication.processEvents()
    assert view.grab().toImage().pixelColor(2, 2).lightness() < before
    assert colours(view) > 1


@every_view
def test_what_it_has_to_show_changes_its_picture(view: Any, line: ViewLine) -> None:
    fed(view, Snapshot())
    before = view.grab().toImage()
    fed(view, sample_snapshot())
    if line.name == "inspector":  # what there is to say about one polymer is worked out after the snapshot
        view.show_content(sample_content())
    assert view.grab().toImage() != before


@every_view_that_follows
def test_a_selection_that_no_row_has_does_no_harm(view: Any) -> None:
    fed(view, sample_snapshot())
    for key in ("of another study", ""):
        view.show_selection(key)
        QApplication.processEvents()
    view.show_selection(sample_snapshot().rows[0].key)
    fed(view, one_row())
    fed(view, Snapshot())  # what was chosen is no longer there
    assert colours(view) > 1


@every_view
def test_of_two_snapshots_in_quick_succession_the_second_is_shown(line: ViewLine, qtbot: QtBot) -> None:
    pictures, views = [], []
    for snapshots in ((uncalibrated_snapshot(),), (sample_snapshot(), uncalibrated_snapshot())):
        view = made(line)
        views.append(view)  # without a window around it, nothing else would keep it while it still makes its parts
        qtbot.addWidget(view)
        view.resize(700, 500)
        with qtbot.waitExposed(view):
            view.show()
        for snapshot in snapshots:
            view.show_snapshot(snapshot)
        QApplication.processEvents()
        qtbot.waitUntil(lambda view=view: not (isinstance(view, DrawsPictures) and view.is_drawing))
        pictures.append(view.grab().toImage())
        view.hide()
        stop_drawing(view, qtbot)
    assert pictures[0] == pictures[1]


@every_view
def test_closed_while_it_is_fed_nothing_of_it_is_kept(line: ViewLine, light: QApplication, qtbot: QtBot) -> None:
    view = made(line)
    view.show()
    if isinstance(view, TakesSteps):
        steps = view.show_in_steps(sample_snapshot())
        next(steps, None)
        del steps
    else:
        view.show_snapshot(sample_snapshot())
    view.close()
    stop_drawing(view, qtbot)
    kept = weakref.ref(view)
    with qtbot.waitSignal(view.destroyed, timeout=LONG):
        view.deleteLater()
    assert not isValid(view)
    del view
    gc.collect()
    assert kept() is None


def test_names_and_docks_of_the_list_are_its_own() -> None:
    assert len({line.name for line in VIEWS}) == len(VIEWS)
    docks = [line.dock for line in VIEWS if line.place != "centre"]
    assert all(docks)
    assert len(set(docks)) == len(docks)
