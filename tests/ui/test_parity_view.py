"""The parity view as a user meets it: what is drawn where, the mouse, the keyboard, every size."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QPixmap
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from affinecal_gui.calibration.results import Calibration, Metrics, ModelName
from affinecal_gui.study.snapshot import PolymerRow, Snapshot
from affinecal_gui.tables.units.properties import find_property
from affinecal_gui.ui.parts.theme.theme import DARK_THEME, LIGHT_THEME
from affinecal_gui.ui.views.plots.parity.parity_panel import ParityPanel
from affinecal_gui.ui.views.plots.parity.parity_view import ParityView
from tests.ui.sample_snapshot import sample_snapshot, uncalibrated_snapshot

SIZES = [(440, 560), (346, 570), (232, 300), (250, 420), (700, 420), (900, 900)]


@pytest.fixture
def view(qtbot: QtBot, light: QApplication) -> ParityView:
    made = ParityView()
    qtbot.addWidget(made)
    made.resize(440, 620)
    made.show_snapshot(sample_snapshot())
    made.show()
    light.processEvents()
    return made


def calibration_of(snapshot: Snapshot) -> Calibration:
    assert snapshot.calibration is not None
    return snapshot.calibration


def row_named(name: str) -> PolymerRow:
    return next(row for row in sample_snapshot().rows if row.name == name)


def place_of(panel: ParityPanel, measured: float, value: float) -> QPointF:
    """Where a point is on the canvas."""
    return panel.box.mapViewToScene(QPointF(math.log10(measured), math.log10(value)))


def on_viewport(view: ParityView, scene: QPointF) -> QPoint:
    return view.canvas.mapFromScene(scene)


def with_model(model: ModelName) -> Snapshot:
    snapshot = sample_snapshot()
    return replace(snapshot, settings=replace(snapshot.settings, model=model))


def test_the_chosen_calibrator_is_large_and_the_others_small(view: ParityView) -> None:
    points = view.points
    assert points is not None
    used = ~points.left_out
    x, y = view.large.marks["affine"].getData()
    result = calibration_of(sample_snapshot()).models["affine"]
    assert sorted(np.round(10**y, 6)) == sorted(np.round(result.out_of_fold, 6))
    assert np.allclose(10**x, points.measured[used])
    assert view.panels.small_models == ("md", "ordinary", "log_difference")
    assert all(panel.box.isVisible() for panel in view.small)
    view.show_snapshot(with_model("ordinary"))
    assert view.panels.small_models == ("md", "log_difference", "affine")
    assert len(view.large.marks["affine"].getData()[0]) == 0
    assert len(view.large.marks["ordinary"].getData()[0]) == used.sum()


def test_numbers_in_the_corner_are_those_of_the_snapshot(view: ParityView) -> None:
    metrics = calibration_of(sample_snapshot()).models["affine"].metrics
    text = view.large.note.text
    assert text.startswith("Affine\n")
    assert f"RMSE {metrics.rmse:.0f} J/(kg K)" in text
    assert f"MAE {metrics.mae:.0f}" in text
    assert f"R² {metrics.r2:.2f}" in text
    assert f"{metrics.within_ten_percent} of {metrics.n} within ±10 %" in text
    view.stage_box.setCurrentIndex(1)
    fitted = calibration_of(sample_snapshot()).models["affine"].fitted_metrics
    assert "Affine, fitted" in view.large.note.text
    assert f"RMSE {fitted.rmse:.0f}" in view.large.note.text
    assert "its own measurement included" in view.stage_box.toolTip()


def test_left_out_polymers_are_hollow_with_a_dotted_bar(view: ParityView) -> None:
    row = row_named("nylon 11")
    result = calibration_of(sample_snapshot()).models["affine"]
    x, y = view.large.left_out.getData()
    assert 10 ** x[0] == pytest.approx(row.measured)
    assert 10 ** y[0] == pytest.approx(result.library[row.library_index])
    _, ends = view.large.left_out_bars.getData()
    assert 10**ends == pytest.approx([result.library_lower[row.library_index], result.library_upper[row.library_index]])
    assert view.large.left_out_bars.opts["pen"].dashPattern()
    assert "left out of the fit" in view.large.key.text


def test_intervals_can_be_hidden(view: ParityView) -> None:
    assert len(view.large.bars.getData()[0]) == 2 * 61
    assert "90 % interval" in view.large.key.text
    view.interval_box.setChecked(False)
    assert view.large.bars.getData()[0] is None or len(view.large.bars.getData()[0]) == 0
    assert "interval" not in view.large.key.text


def test_overlaid_shows_all_calibrators_in_one_panel(view: ParityView, qtbot: QtBot) -> None:
    qtbot.mouseClick(view.layout_buttons.button("overlaid"), Qt.MouseButton.LeftButton)
    assert {model for model, item in view.large.marks.items() if len(item.getData()[0])} == {
        "md",
        "ordinary",
        "log_difference",
        "affine",
    }
    assert not any(panel.box.isVisible() for panel in view.small)
    for model, title in (("md", "MD as it is"), ("affine", "Affine")):
        value = calibration_of(sample_snapshot()).models[model].metrics.rmse  # type: ignore[index]
        assert f"{title} {value:.0f}" in view.large.note.text


def test_both_axes_have_the_same_length_per_factor(view: ParityView) -> None:
    for panel in (view.large, *view.small):
        (x0, x1), (y0, y1) = panel.box.viewRange()
        size = panel.box.rect()
        assert (x1 - x0) / size.width() == pytest.approx((y1 - y0) / size.height(), rel=1e-6)
    assert view.small[0].box.viewRange() == view.small[2].box.viewRange()


@pytest.mark.parametrize("model", ["md", "affine"])
@pytest.mark.parametrize("layout", ["panels", "overlaid"])
def test_nothing_is_clipped_or_covered(view: ParityView, light: QApplication, model: ModelName, layout: str) -> None:
    view.layout_buttons.set_current(layout)
    view.show_snapshot(with_model(model))
    view.redraw()
    for width, height in SIZES:
        view.resize(width, height)
        light.processEvents()
        assert (view.width(), view.height()) == (width, height)
        check_layout(view)


def check_layout(view: ParityView) -> None:
    canvas = view.canvas.root.rect().adjusted(-1.5, -1.5, 1.5, 1.5)
    titles = [
        view.panels.x_title,
        view.panels.y_title,
        view.panels.small_x_title,
        view.panels.small_y_title,
        *view.panels.small_titles,
    ]
    shown = [title for title in titles if title.isVisible()]
    for title in shown:
        assert canvas.contains(title.sceneBoundingRect()), title.toPlainText()
    for k, first in enumerate(shown):
        for second in shown[k + 1 :]:
            overlap = first.sceneBoundingRect() & second.sceneBoundingRect()
            assert overlap.width() < 1.5 or overlap.height() < 1.5, (first.toPlainText(), second.toPlainText())
    for panel in (view.large, *view.small):
        if not panel.box.isVisible():
            continue
        inside = panel.box.rect().adjusted(-1, -1, 1, 1)
        for block in (panel.note, panel.key):
            if not block.isVisible() or block.boundingRect().isEmpty():
                continue
            area = block.mapRectToParent(block.boundingRect())
            assert inside.contains(area), block.text
            words = panel.box.mapRectToScene(area)
            for drawn in panel.drawn:
                for x, y in zip(panel.x, panel.y[drawn], strict=True):
                    assert not words.contains(panel.box.mapViewToScene(QPointF(x, y))), (block.text, 10**x, 10**y)
        for x in panel.x:
            for drawn in panel.drawn:
                assert panel.box.viewRange()[0][0] < x < panel.box.viewRange()[0][1]
                assert panel.y[drawn].min() > panel.box.viewRange()[1][0]
                assert panel.y[drawn].max() < panel.box.viewRange()[1][1]
    below = [box for panel in view.small if panel.box.isVisible() for box in panel.bottom.label_boxes()]
    for before, after in itertools.pairwise(sorted(below, key=lambda box: box.left())):
        assert after.left() - before.right() > 2.0  # two numbers would be read as one
    for control in (view.layout_buttons, view.stage_box, view.interval_box):
        area = QRectF(control.geometry())
        assert area.width() >= control.sizeHint().width()
        assert area.right() <= view.controls.width()


def test_labels_at_the_axes_do_not_touch_the_titles(view: ParityView) -> None:
    for panel, title in ((view.large, view.panels.y_title), (view.small[0], view.panels.small_y_title)):
        left_of_labels = panel.box.sceneBoundingRect().left() - panel.left_room
        assert title.sceneBoundingRect().right() <= left_of_labels + 1.0
    assert view.large.left_room > 20.0
    assert view.panels.x_title.toPlainText() == "Measured Cp, J/(kg K)"
    assert view.panels.y_title.toPlainText() == "Calibrated Cp, J/(kg K)"


def test_a_click_selects_the_polymer(view: ParityView, qtbot: QtBot) -> None:
    row = row_named("bisphenol-A polycarbonate")
    value = calibration_of(sample_snapshot()).models["affine"].out_of_fold[row.training_index]
    place = on_viewport(view, place_of(view.large, row.measured, value))
    with qtbot.waitSignal(view.selected) as told:
        qtbot.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert told.args == [row.key]
    x, y = view.large.ring.getData()
    assert (10 ** x[0], 10 ** y[0]) == pytest.approx((row.measured, value))
    assert len(view.large.selected_bar.getData()[0]) == 2
    assert all(len(panel.selected_mark.getData()[0]) == 1 for panel in view.small)


def test_a_selection_from_elsewhere_is_ringed_but_not_announced(view: ParityView) -> None:
    heard: list[str] = []
    view.selected.connect(heard.append)
    row = row_named("nylon 11")
    view.show_selection(row.key)
    assert 10 ** view.large.ring.getData()[0][0] == pytest.approx(row.measured)
    view.show_selection("no such row")
    assert len(view.large.ring.getData()[0]) == 0
    assert heard == []


def test_the_selection_survives_a_new_snapshot(view: ParityView) -> None:
    row = row_named("nylon 6")
    view.show_selection(row.key)
    view.show_snapshot(with_model("log_difference"))
    value = calibration_of(sample_snapshot()).models["log_difference"].out_of_fold[row.training_index]
    assert 10 ** view.large.ring.getData()[1][0] == pytest.approx(value)


def test_a_small_panel_becomes_large_by_a_click(view: ParityView, qtbot: QtBot) -> None:
    place = on_viewport(view, view.small[1].box.sceneBoundingRect().center())
    with qtbot.waitSignal(view.model_chosen) as told:
        qtbot.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert told.args == ["ordinary"]


def test_the_card_tells_name_numbers_and_structure(view: ParityView, light: QApplication) -> None:
    asked: list[str] = []

    def thumbnail(smiles: str) -> QPixmap:
        asked.append(smiles)
        picture = QPixmap(80, 60)
        picture.fill(Qt.GlobalColor.white)
        return picture

    view.set_thumbnail(thumbnail)
    row = row_named("nylon 6")
    value = calibration_of(sample_snapshot()).models["affine"].out_of_fold[row.training_index]
    view.canvas.hovered.emit(place_of(view.large, row.measured, value))
    card = view.card
    assert card.name == "nylon 6"
    assert asked == [row.smiles]
    words = [label.text() for pair in card.cells for label in pair if label.isVisible()]
    assert f"{row.measured:.0f} J/(kg K)" in words
    assert f"{value:.0f}" in words
    assert "out-of-fold" in words
    assert any(word.endswith(" %") for word in words)
    assert view.rect().contains(card.geometry())
    assert card.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    view.canvas.hovered.emit(None)
    assert not card.isVisible()
    assert len(view.large.under_mouse.getData()[0]) == 0


def test_without_a_picture_the_card_has_none(view: ParityView) -> None:
    view.set_thumbnail(lambda smiles: None)
    row = row_named("nylon 11")
    value = calibration_of(sample_snapshot()).models["affine"].library[row.library_index]
    view.canvas.hovered.emit(place_of(view.large, row.measured, value))
    assert view.card.name == "nylon 11"
    assert not view.card.picture.isVisible()


def test_arrow_keys_walk_by_measured_value(view: ParityView, qtbot: QtBot) -> None:
    heard: list[str] = []
    view.selected.connect(heard.append)
    points = view.points
    assert points is not None
    keys = [sample_snapshot().rows[int(points.rows[k])].key for k in np.argsort(points.measured, kind="stable")]
    for _ in range(3):
        qtbot.keyClick(view.canvas, Qt.Key.Key_Right)
    qtbot.keyClick(view.canvas, Qt.Key.Key_Left)
    assert heard == [keys[0], keys[1], keys[2], keys[1]]
    view.show_selection(keys[0])
    qtbot.keyClick(view.canvas, Qt.Key.Key_Left)  # there is nothing before the first
    assert heard[-1] == keys[1]
    described = view.canvas.accessibleDescription()
    assert "RMSE" in described
    assert "Selected:" in described


def test_pan_and_reset(view: ParityView, qtbot: QtBot, light: QApplication) -> None:
    home = view.large.box.viewRange()
    viewport = view.canvas.viewport()
    start = on_viewport(view, view.large.box.sceneBoundingRect().center())
    qtbot.mousePress(viewport, Qt.MouseButton.LeftButton, pos=start)
    for step in range(1, 8):
        qtbot.mouseMove(viewport, start + QPoint(6 * step, 0))
    qtbot.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=start + QPoint(42, 0))
    view.large.box.translateBy(x=0.1)
    view.large.box.sigRangeChangedManually.emit([True, True])
    assert not view.large.at_home
    view.resize(view.width() + 40, view.height())
    light.processEvents()
    assert view.large.box.viewRange() != home  # a new size does not take back what the user looks at
    view.resize(view.width() - 40, view.height())
    light.processEvents()
    qtbot.keyClick(view.canvas, Qt.Key.Key_Home)
    assert view.large.at_home
    assert np.allclose(view.large.box.viewRange(), home)


def test_small_panels_move_together(view: ParityView) -> None:
    view.small[0].box.translateBy(x=0.1, y=0.05)
    view.small[0].box.sigRangeChangedManually.emit([True, True])
    assert np.allclose(view.small[1].box.viewRange(), view.small[0].box.viewRange())
    view.reset_view()
    assert all(panel.at_home for panel in view.small)


def test_the_small_panels_can_be_hidden_to_make_the_large_one_larger(view: ParityView) -> None:
    before = view.large.box.rect().height()
    view.panels.show_small(False)
    assert view.large.box.rect().height() > before + 80
    assert not any(panel.box.isVisible() for panel in view.small)
    view.panels.show_small(True)
    assert view.large.box.rect().height() == before


def test_copy_and_export(view: ParityView, qtbot: QtBot) -> None:
    QGuiApplication.clipboard().clear()
    qtbot.mouseClick(view.copy_button, Qt.MouseButton.LeftButton)
    copied = QGuiApplication.clipboard().pixmap()
    assert copied.width() == 3 * view.canvas.viewport().width()
    with qtbot.waitSignal(view.export_requested):
        qtbot.mouseClick(view.export_button, Qt.MouseButton.LeftButton)
    QGuiApplication.clipboard().clear()
    with qtbot.waitSignal(view.copy_requested):  # somebody listens: the figure is theirs to make
        qtbot.mouseClick(view.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().pixmap().isNull()


def test_the_menu_offers_the_same_and_does_not_block(view: ParityView, qtbot: QtBot) -> None:
    view.canvas.customContextMenuRequested.emit(QPoint(100, 100))
    menu = next(menu for menu in view.findChildren(QMenu) if menu.isVisible())
    texts = [action.text() for action in menu.actions()]
    assert texts == [
        "Reset view",
        "Copy figure",
        "Save figure as…",
        "What am I looking at?",
        "Names at the points",
        "Small panels of the other calibrators",
        "Show large",
    ]
    choices = menu.findChild(QMenu)
    assert choices is not None
    with qtbot.waitSignal(view.model_chosen) as told:
        choices.actions()[2].trigger()
    assert told.args == ["log_difference"]
    menu.close()


def test_an_unchanged_snapshot_draws_nothing_anew(view: ParityView, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[object] = []
    monkeypatch.setattr(view.large, "show_points", lambda *given: drawn.append(given))
    view.show_snapshot(replace(sample_snapshot(), can_undo="something else", match_summary="new words"))
    assert not drawn
    view.show_snapshot(replace(sample_snapshot(), stale=True))
    assert len(drawn) == 1


def test_items_are_reused(view: ParityView) -> None:
    before = list(view.canvas.scene().items())
    for model in ("ordinary", "affine", "log_difference", "md", "affine"):
        view.show_snapshot(with_model(model))  # type: ignore[arg-type]
    count = len(view.canvas.scene().items())
    for model in ("ordinary", "affine", "log_difference", "md", "affine"):
        view.show_snapshot(with_model(model))  # type: ignore[arg-type]
    after = list(view.canvas.scene().items())
    assert len(after) == count
    assert set(before) <= set(after)


def test_a_stale_calibration_is_faded_and_says_so(view: ParityView) -> None:
    view.show_snapshot(replace(sample_snapshot(), stale=True))
    assert view.large.box.opacity() < 1.0
    assert "earlier settings" in view.header.subtitle.text()
    view.show_snapshot(sample_snapshot())
    assert view.large.box.opacity() == 1.0


def test_before_the_first_calibration_it_says_what_will_come(view: ParityView) -> None:
    view.show_snapshot(uncalibrated_snapshot())
    assert not view.canvas.isVisible()
    assert view.empty_state.text() == "Not calibrated yet."
    assert not view.export_button.isEnabled()
    view.show_snapshot(Snapshot())
    assert "appears here" in view.empty_state.text()
    view.show_snapshot(sample_snapshot())
    assert view.canvas.isVisible()


def test_dark_and_light_draw_different_pictures_of_the_same_points(view: ParityView, light: QApplication) -> None:
    before = view.large.marks["affine"].getData()
    for theme in (DARK_THEME, LIGHT_THEME):
        view.apply_theme(theme)
        light.processEvents()
        ground = view.canvas.picture(1.0).toImage().pixelColor(2, 2).name().upper()
        assert ground == theme.palette.base
        colour = view.large.marks["affine"].opts["brush"].color().name().upper()
        assert colour == theme.palette.blue
    assert np.array_equal(view.large.marks["affine"].getData(), before)


def on_linear_scale(unit: str, low: float, high: float) -> Snapshot:
    """The sample with its numbers squeezed into another range, on a linear scale."""
    snapshot = sample_snapshot()
    calibration = calibration_of(snapshot)
    first, last = float(calibration.measured.min()), float(calibration.measured.max())

    def squeeze(values: np.ndarray) -> np.ndarray:
        return low + (values - first) * (high - low) / (last - first)

    models = {
        model: replace(
            result,
            **{
                name: squeeze(getattr(result, name))
                for name in (
                    "fitted",
                    "out_of_fold",
                    "out_of_fold_lower",
                    "out_of_fold_upper",
                    "library",
                    "library_lower",
                    "library_upper",
                )
            },
        )
        for model, result in calibration.models.items()
    }
    rows = tuple(replace(row, measured=float(squeeze(np.array(row.measured)))) for row in snapshot.rows)
    return replace(
        snapshot,
        quantity=replace(find_property("density"), unit=unit),
        rows=rows,
        calibration=replace(calibration, measured=squeeze(calibration.measured), models=models, log_scale=False),
    )


@pytest.mark.parametrize(("unit", "low", "high"), [("g/cm³", 0.85, 1.45), ("°C", -120.0, 240.0), ("", 1.3, 1.7)])
def test_linear_scales(view: ParityView, light: QApplication, unit: str, low: float, high: float) -> None:
    view.show_snapshot(on_linear_scale(unit, low, high))
    light.processEvents()
    assert not view.large.log
    x, _ = view.large.marks["affine"].getData()
    assert (x.min(), x.max()) == pytest.approx((low, high))
    (x0, x1), _ = view.large.box.viewRange()
    assert view.large.identity.getData()[1] == pytest.approx([x0, x1])
    _, edges = view.large.edges.getData()
    assert edges == pytest.approx([0.9 * x0, 0.9 * x1, 1.1 * x0, 1.1 * x1])
    assert view.panels.y_title.toPlainText().endswith(f", {unit}" if unit else "ρ")
    assert view.grab().toImage().width() == view.width()


def test_a_prediction_that_ran_away_does_not_squeeze_the_others(view: ParityView) -> None:
    snapshot = sample_snapshot()
    calibration = calibration_of(snapshot)
    result = calibration.models["affine"]
    wild = result.out_of_fold.copy()
    wild[3] = 1e30
    models = {**calibration.models, "affine": replace(result, out_of_fold=wild)}
    view.show_snapshot(replace(snapshot, calibration=replace(calibration, models=models)))
    (_, _), (_, y1) = view.large.box.viewRange()
    assert y1 < 6
    assert "1 further off than this view" in view.large.note.text


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_polymers(view: ParityView, light: QApplication, count: int) -> None:
    snapshot = sample_snapshot()
    used = [row for row in snapshot.rows if row.training_index >= 0][:count]
    view.show_snapshot(replace(snapshot, rows=tuple(used)))
    light.processEvents()
    assert len(view.large.marks["affine"].getData()[0]) == count
    view.grab()


def test_all_predictions_missing(view: ParityView, light: QApplication, qtbot: QtBot) -> None:
    snapshot = sample_snapshot()
    calibration = calibration_of(snapshot)
    nothing = np.full(calibration.measured.size, np.nan)
    none = Metrics(0, math.nan, math.nan, math.nan, math.nan, math.nan, 0)
    models = {
        model: replace(
            result,
            out_of_fold=nothing,
            out_of_fold_lower=nothing,
            out_of_fold_upper=nothing,
            library=np.full(result.library.size, np.nan),
            metrics=none,
        )
        for model, result in calibration.models.items()
    }
    view.show_snapshot(replace(snapshot, calibration=replace(calibration, models=models)))
    light.processEvents()
    view.canvas.hovered.emit(view.large.box.sceneBoundingRect().center())
    qtbot.keyClick(view.canvas, Qt.Key.Key_Right)
    view.grab()
    assert "RMSE –" in view.large.note.text


def test_many_polymers_are_drawn_as_a_picture_and_can_be_picked(view: ParityView, light: QApplication) -> None:
    snapshot = sample_snapshot()
    calibration = calibration_of(snapshot)
    count = 5000
    random = np.random.default_rng(1)
    which = random.integers(0, calibration.measured.size, count)
    measured = calibration.measured[which] * np.exp(random.normal(0, 0.1, count))
    models = {
        model: replace(
            result,
            out_of_fold=result.out_of_fold[which],
            out_of_fold_lower=result.out_of_fold_lower[which],
            out_of_fold_upper=result.out_of_fold_upper[which],
        )
        for model, result in calibration.models.items()
    }
    rows = tuple(
        PolymerRow(f"many{k}", f"polymer {k}", "", "*CC*", float(measured[k]), 1.0, "used", "", k) for k in range(count)
    )
    view.show_snapshot(replace(snapshot, rows=rows, calibration=replace(calibration, measured=measured, models=models)))
    light.processEvents()
    assert len(view.large.marks["affine"].getData()[0]) == 0
    value = models["affine"].out_of_fold[7]
    scene = place_of(view.large, measured[7], value)
    image = view.canvas.picture(1.0).toImage()
    assert image.pixelColor(on_viewport(view, scene)).name().upper() == LIGHT_THEME.palette.blue
    assert view.large.point_under(scene) >= 0
    view.show_snapshot(sample_snapshot())
    assert len(view.large.marks["affine"].getData()[0]) == 61


def test_accessible_names(view: ParityView) -> None:
    assert view.objectName() == "parityView"
    for widget in (view, view.canvas, view.stage_box, view.copy_button, view.export_button):
        assert widget.accessibleName()


def test_what_was_selected_or_under_the_mouse_before_leaves_nothing_on_the_screen(
    view: ParityView, light: QApplication
) -> None:
    view.apply_theme(LIGHT_THEME)
    light.processEvents()
    for point, key in enumerate(view.shown_keys[:4]):
        view.show_selection(key)
        light.processEvents()
        view.large.mark_under_mouse(point + 4)
        light.processEvents()
    view.large.mark_under_mouse(-1)
    light.processEvents()
    seen = view.screen().grabWindow(view.winId()).toImage()
    assert seen == view.grab().toImage()  # which paints all of it


def test_points_of_every_panel_are_coloured_by_a_trait_until_all_lie_in_one(view: ParityView) -> None:
    view.colours.choose("md")
    key = view.colours.key
    assert key.isVisible()
    assert key.accessibleName().startswith("MD value, J/(kg K): ")
    assert view.figure_options.colour_by == "md"
    used = int((~view.points.left_out).sum()) if view.points is not None else 0
    for panel in (view.large, *view.small):
        assert sum(len(item.data) for item in panel.group_marks.items) == used
        assert sum(len(marks.data) for marks in panel.marks.values()) == 0
    view.layout_buttons.set_current("overlaid")
    view.redraw()
    assert not key.isVisible()
    assert not view.colours.button.isEnabled()
    assert view.figure_options.colour_by == ""
    assert sum(len(item.data) for item in view.large.group_marks.items) == 0


def test_the_groups_have_different_marks_and_colours_in_both_themes(view: ParityView) -> None:
    view.colours.choose("md")
    for theme in (LIGHT_THEME, DARK_THEME):
        view.apply_theme(theme)
        items = [item for item in view.large.group_marks.items if len(item.data)]
        assert len({item.opts["symbol"] for item in items}) == len(items)
        assert len({item.opts["brush"].color().name() for item in items}) == len(items)


def test_the_chosen_calibrator_lies_above_the_others_when_all_are_overlaid(view: ParityView) -> None:
    view.layout_buttons.set_current("overlaid")
    for model in ("ordinary", "affine"):
        view.show_snapshot(with_model(model))  # type: ignore[arg-type]
        view.redraw()
        above = max(view.large.marks, key=lambda name: view.large.marks[name].zValue())
        assert above == model
