"""The cross-validation surface: colours, the point in use, words, choosing by mouse and keyboard."""

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from affinecal_gui.calibration.results import Penalties, PenaltySurface
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.parts.theme.theme import DARK_THEME, LIGHT_THEME
from affinecal_gui.ui.views.plots.surface_cells import between, edges, worst_shown
from affinecal_gui.ui.views.plots.surface_view import SurfaceView
from tests.ui.sample_snapshot import sample_snapshot, uncalibrated_snapshot


@pytest.fixture
def view(qtbot: QtBot, light: QApplication) -> SurfaceView:
    made = SurfaceView()
    qtbot.addWidget(made)
    made.resize(300, 190)
    made.show_snapshot(sample_snapshot())
    made.show()
    light.processEvents()
    return made


def surface() -> PenaltySurface:
    calibration = sample_snapshot().calibration
    assert calibration is not None
    found = calibration.models["affine"].surface
    assert found is not None
    return found


def with_surface(changed: PenaltySurface) -> Snapshot:
    snapshot = sample_snapshot()
    assert snapshot.calibration is not None
    result = replace(snapshot.calibration.models["affine"], surface=changed)
    models = {**snapshot.calibration.models, "affine": result}
    return replace(snapshot, calibration=replace(snapshot.calibration, models=models))


def place_of(view: SurfaceView, cell: tuple[int, int]) -> QPointF:
    shown = surface()
    return view.panel.box.mapViewToScene(
        QPointF(math.log10(shown.lambda_1[cell[0]]), math.log10(shown.lambda_2[cell[1]]))
    )


def test_colours_run_from_best_to_worst(view: SurfaceView) -> None:
    image = view.canvas.picture(1.0).toImage()
    shown = surface()
    worst = worst_shown(shown.rmse)
    for cell in ((20, 1), (3, 10), (24, 12)):
        seen = image.pixelColor(view.canvas.mapFromScene(place_of(view, cell)))
        share = (shown.rmse[cell] - shown.rmse.min()) / (worst - shown.rmse.min())
        wanted = between(QColor(LIGHT_THEME.palette.surface_best), QColor(LIGHT_THEME.palette.surface_worst), share)
        assert seen.name() == wanted.name()


def test_no_gap_shows_between_cells_at_any_width(view: SurfaceView, light: QApplication) -> None:
    view.canvas.setBackground(QColor("#ff00ff"))
    for width in range(300, 340, 3):
        view.resize(width, 210)
        light.processEvents()
        picture = view.canvas.grab().toImage()
        rows, columns = surface().rmse.shape
        first, last = place_of(view, (0, 0)), place_of(view, (rows - 1, columns - 1))
        across = range(round(first.x()), round(last.x()))
        row = round((first.y() + last.y()) / 2)
        seen = {picture.pixelColor(column, row).name() for column in across}
        assert "#ff00ff" not in seen, width


def test_axes_and_colour_bar_are_labelled(view: SurfaceView) -> None:
    (_, x_labels), (_, y_labels) = ((axis, list(axis.labels)) for axis in (view.panel.bottom, view.panel.left))
    assert x_labels == ["0.01", "0.1", "1", "10", "100"]
    assert y_labels == ["1", "10", "100", "1000"]
    best = f"{surface().rmse.min():.3f}"
    assert view.colour_bar.labels[-1][1] == best
    assert view.colour_bar.labels[0][1].startswith("≥")
    assert view.bar_title.toPlainText() == "RMSE, ln Cp"


@pytest.mark.parametrize("size", [(300, 190), (240, 150), (500, 320)])
def test_nothing_is_clipped_or_covered(view: SurfaceView, light: QApplication, size: tuple[int, int]) -> None:
    view.resize(*size)
    light.processEvents()
    canvas = view.canvas.root.rect().adjusted(-1, -1, 1, 1)
    titles = [view.x_title, view.y_title, view.bar_title]
    parts = [title.sceneBoundingRect() for title in titles]
    bar = view.colour_bar.sceneBoundingRect().adjusted(0, 8, 0, -8)
    for area in (*parts, bar):
        assert canvas.contains(area)
    assert not parts[0].adjusted(2, 0, -2, 0).intersects(parts[2])
    assert not view.panel.box.sceneBoundingRect().intersects(bar)


def test_the_point_in_use_and_the_optimum(view: SurfaceView) -> None:
    assert sample_snapshot().calibration is not None
    fitted = sample_snapshot().calibration.models["affine"].penalties  # type: ignore[union-attr]
    assert fitted is not None
    x, y = view.point.getData()
    assert (10 ** x[0], 10 ** y[0]) == pytest.approx((fitted.lambda_1, fitted.lambda_2))
    assert len(view.optimum.getData()[0]) == 0  # it is the point in use
    snapshot = sample_snapshot()
    by_hand = replace(snapshot, settings=replace(snapshot.settings, penalties=Penalties(1.0, 200.0)))
    view.show_snapshot(by_hand)
    assert 10 ** view.point.getData()[1][0] == pytest.approx(200.0)
    chosen = surface().chosen
    assert 10 ** view.optimum.getData()[0][0] == pytest.approx(surface().lambda_1[chosen[0]])


def test_a_click_chooses_the_penalties_of_the_cell(view: SurfaceView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.penalties_chosen) as told:
        qtbot.mouseClick(
            view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=view.canvas.mapFromScene(place_of(view, (8, 3)))
        )
    assert told.args == pytest.approx([surface().lambda_1[8], surface().lambda_2[3]])


def test_a_click_on_the_point_itself_is_not_swallowed(view: SurfaceView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.penalties_chosen):
        place = view.canvas.mapFromScene(place_of(view, surface().chosen))
        qtbot.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_the_keyboard_walks_and_chooses(view: SurfaceView, qtbot: QtBot) -> None:
    row, column = surface().chosen
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Up):
        qtbot.keyClick(view.canvas, key)
    assert view.cursor_cell == (row - 2, column + 1)
    assert view.canvas.accessibleDescription() == view.words_of((row - 2, column + 1))
    with qtbot.waitSignal(view.penalties_chosen) as told:
        qtbot.keyClick(view.canvas, Qt.Key.Key_Return)
    assert told.args == pytest.approx([surface().lambda_1[row - 2], surface().lambda_2[column + 1]])
    qtbot.keyClick(view.canvas, Qt.Key.Key_Right)
    qtbot.keyClick(view.canvas, Qt.Key.Key_Escape)
    assert view.cursor_cell is None


def test_words_of_a_cell(view: SurfaceView) -> None:
    shown = surface()
    words = view.words_of((0, 12))
    assert words.startswith("λ₁ 0.0100, λ₂ 1000: RMSE 0.")
    assert f"{shown.rmse[0, 12]:.3f}" in words


def test_cells_lie_half_way_between_the_grid_points() -> None:
    assert edges(np.array([0.0, 1.0, 3.0])) == pytest.approx([-0.5, 0.5, 2.0, 4.0])
    assert edges(np.array([2.0])) == pytest.approx([1.5, 2.5])


def test_a_plateau_far_off_does_not_hide_the_valley() -> None:
    valley = np.linspace(0.16, 0.20, 40)
    for plateau in (0.2, 5.0, 5000.0):
        assert worst_shown(np.concatenate((valley, np.full(25, plateau)))[None, :]) <= 0.27
    assert worst_shown(np.array([[1.0, 2.0], [3.0, 4.0]])) == 4.0
    assert math.isnan(worst_shown(np.full((2, 2), np.nan)))
    assert worst_shown(np.full((2, 2), 0.3)) == 0.3


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (4, 1)])
@pytest.mark.parametrize("value", [0.2, math.nan])
def test_odd_surfaces(view: SurfaceView, light: QApplication, shape: tuple[int, int], value: float) -> None:
    rmse = np.full(shape, value)
    view.show_snapshot(
        with_surface(PenaltySurface(np.logspace(-1, 1, shape[0]), np.logspace(0, 2, shape[1]), rmse, (0, 0)))
    )
    light.processEvents()
    view.grab()
    assert view.words_of((0, 0)).startswith("λ₁ ")


def test_without_penalties_there_is_a_sentence(view: SurfaceView) -> None:
    snapshot = sample_snapshot()
    for empty in (replace(snapshot, settings=replace(snapshot.settings, model="md")), uncalibrated_snapshot()):
        view.show_snapshot(empty)
        assert not view.canvas.isVisible()
        assert view.empty_state.isVisible()
    view.show_snapshot(snapshot)
    assert view.canvas.isVisible()


def test_themes(view: SurfaceView, light: QApplication) -> None:
    for theme in (DARK_THEME, LIGHT_THEME):
        view.apply_theme(theme)
        light.processEvents()
        assert view.canvas.picture(1.0).toImage().pixelColor(0, 0).name().upper() == theme.palette.window
