"""The coefficient view: bars over physical values, shared axis, words, enlarging, any number of blocks, every size."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from affinecal_gui.polymers.descriptors.blocks import DescriptorBlock, DescriptorBlocks
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.parts.theme.theme import DARK_THEME, LIGHT_THEME
from affinecal_gui.ui.views.plots.coefficients.block_panel import BlockPanel
from affinecal_gui.ui.views.plots.coefficients.coefficient_view import CoefficientView
from tests.ui.sample_snapshot import sample_blocks, sample_snapshot, uncalibrated_snapshot


@pytest.fixture
def view(qtbot: QtBot, light: QApplication) -> CoefficientView:
    made = CoefficientView()
    qtbot.addWidget(made)
    made.resize(320, 600)
    made.show_snapshot(sample_snapshot())
    made.show()
    light.processEvents()
    return made


def panel_of(view: CoefficientView, name: str) -> BlockPanel:
    return next(panel for panel in view.grid.panels if panel.part is not None and panel.part.block.name == name)


def bar_place(panel: BlockPanel, bar: int) -> QPointF:
    return panel.box.mapViewToScene(QPointF(float(panel.x[bar]), 0.0))


def with_blocks(count: int, labelled: bool = False) -> Snapshot:
    """The sample with other blocks of 3 to 17 columns and coefficients of any size."""
    blocks = []
    for k in range(count):
        size = 3 + (5 * k) % 15
        blocks.append(
            DescriptorBlock(
                f"own{k}",
                f"My descriptors {k}",
                "",
                "" if labelled else "g/mol",
                "atom",
                tuple(f"own{k}_{j}" for j in range(size)),
                0.0,
                1.0,
                tuple(np.linspace(0.0, 1.0, size)),
                0.1,
                tuple(f"topological index {j}" for j in range(size)) if labelled else None,
            )
        )
    snapshot = sample_snapshot()
    assert snapshot.calibration is not None
    result = snapshot.calibration.models["affine"]
    assert result.coefficients is not None
    own = DescriptorBlocks(tuple(blocks))
    gamma = np.random.default_rng(3).normal(0, 40, len(own.columns))
    estimates = replace(
        result.coefficients, gamma=gamma, lower=gamma - 20, upper=gamma + 10, mean=gamma * 0 + 1, scale=gamma * 0 + 1
    )
    models = {**snapshot.calibration.models, "affine": replace(result, coefficients=estimates)}
    return replace(snapshot, blocks=own, calibration=replace(snapshot.calibration, models=models))


def test_one_panel_per_block_in_physical_units(view: CoefficientView) -> None:
    assert [panel.part.block for panel in view.grid.panels if panel.part] == list(sample_blocks().blocks)
    bond = panel_of(view, "k_bond")
    assert bond.unit.toPlainText() == "kcal/(mol Å²)"
    assert bond.x == pytest.approx(sample_blocks().blocks[4].physical_values)
    assert panel_of(view, "charge").box.viewRange()[0] == pytest.approx([-1.0, 1.0])
    assert panel_of(view, "epsilon").title.text == "Well depth ε"
    mass = panel_of(view, "mass")
    assert mass.own_ticks_x is not None
    assert set(mass.own_ticks_x.labels) <= {"H", "C", "N", "O", "F", "P", "S", "Cl", "Br", "I"}
    assert len(mass.own_ticks_x.labels) >= 9
    assert mass.unit.toPlainText() == "element"
    assert "affine, 190 values" in view.header.subtitle.text()


def test_titles_of_narrow_panels_are_whole(view: CoefficientView) -> None:
    for width in (260, 220, 600):
        view.resize(width, 600)
        for panel in view.grid.panels:
            shown = panel.title.mapRectToParent(panel.title.boundingRect())
            assert shown.left() >= -1e-6
            assert shown.right() <= panel.box.rect().width()
    assert {panel.title.scale() for panel in view.grid.panels} == {1.0}  # small only where there is no room


def test_filled_bars_are_those_clear_of_zero(view: CoefficientView) -> None:
    assert sample_snapshot().calibration is not None
    estimates = sample_snapshot().calibration.models["affine"].coefficients  # type: ignore[union-attr]
    assert estimates is not None
    for name, where in sample_blocks().slices.items():
        panel = panel_of(view, name)
        gamma, lower, upper = (array[where] for array in (estimates.gamma, estimates.lower, estimates.upper))
        clear = (lower > 0) | (upper < 0)
        assert np.allclose(panel.filled.opts["height"], 1000 * gamma[clear])
        assert np.allclose(panel.outlined.opts["height"], 1000 * gamma[~clear])
        assert np.allclose(panel.filled.opts["x"], panel.x[clear])
        box = panel.band.path().boundingRect()
        assert (box.top(), box.bottom()) == pytest.approx((1000 * lower.min(), 1000 * upper.max()))


def test_the_y_axis_is_shared_and_says_what_it_is(view: CoefficientView) -> None:
    ranges = [panel.box.viewRange()[1] for panel in view.grid.panels]
    assert all(np.allclose(each, ranges[0]) for each in ranges)
    assert "γ × 1000" in view.grid.y_title.toPlainText()
    assert "ln Cp" in view.grid.y_title.toPlainText()
    snapshot = sample_snapshot()
    wide = "above zero lowers Cp" in view.grid.y_title.wordings[0].replace("<i>C</i><sub>p</sub>", "Cp")
    assert wide  # affine: the correction is subtracted
    view.show_snapshot(replace(snapshot, settings=replace(snapshot.settings, model="log_difference")))
    assert "above zero raises" in view.grid.y_title.wordings[0]


def test_a_title_gives_way_to_the_bars_rather_than_flattening_all_of_them(
    view: CoefficientView, light: QApplication
) -> None:
    snapshot = with_blocks(1)
    assert snapshot.calibration is not None
    result = snapshot.calibration.models["affine"]
    assert result.coefficients is not None
    rising = np.linspace(0.0, 0.03, result.coefficients.gamma.size)
    estimates = replace(result.coefficients, gamma=rising, lower=rising - 0.01, upper=rising + 0.01)
    models = {**snapshot.calibration.models, "affine": replace(result, coefficients=estimates)}
    view.show_snapshot(replace(snapshot, calibration=replace(snapshot.calibration, models=models)))
    light.processEvents()
    (panel,) = view.grid.panels
    title = panel.title.mapRectToParent(panel.title.boundingRect())
    assert title.left() < panel.box.rect().width() - title.width()  # the high bars are at the right
    _, (low, high) = panel.box.viewRange()
    assert panel.scale * 0.03 > 0.7 * (high - low)


@pytest.mark.parametrize("count", [0, 1, 7, 30])
def test_nothing_is_clipped_or_covered(view: CoefficientView, light: QApplication, count: int) -> None:
    view.show_snapshot(with_blocks(count, labelled=count == 7) if count else sample_snapshot())
    for width, height in [(290, 560), (200, 240), (320, 600), (640, 420), (1100, 700)]:
        view.resize(width, height)
        light.processEvents()
        check_layout(view)


def check_layout(view: CoefficientView) -> None:
    canvas = view.canvas.root.rect().adjusted(-1.5, -1.5, 1.5, 1.5)
    boxes = [panel.box.sceneBoundingRect() for panel in view.grid.panels]
    for k, first in enumerate(boxes):
        assert canvas.contains(first)
        assert first.width() >= 60
        assert first.height() >= 30
        for second in boxes[k + 1 :]:
            assert not first.intersects(second)
    for panel in view.grid.panels:
        assert panel.part is not None
        inside = panel.box.rect().adjusted(-1.5, -1.5, 1.5, 1.5)
        title = panel.title.mapRectToParent(panel.title.boundingRect())
        assert inside.right() >= title.right()
        (_, _), (low, high) = panel.box.viewRange()
        assert low <= min(0.0, panel.scale * panel.part.gamma.min())
        assert panel.scale * panel.part.gamma.max() <= high
        if panel.unit.toPlainText():
            unit = panel.unit.sceneBoundingRect()
            assert canvas.contains(unit)
            assert not any(unit.intersects(box.adjusted(1, 1, -1, -1)) for box in boxes)
        # no bar reaches the words
        assert inside.contains(title.adjusted(0, 4, 0, -4))
        words = title.adjusted(3, 7, -3, -7)
        for x, gamma in zip(panel.x, panel.part.gamma, strict=True):
            ends = (panel.box.mapFromView(QPointF(x, y)) for y in (0.0, panel.scale * float(gamma)))
            assert not words.intersects(QRectF(*ends).normalized().adjusted(-0.5, 0.0, 0.5, 0.0))
    assert canvas.contains(view.grid.y_title.sceneBoundingRect())
    assert (
        view.grid.y_title.sceneBoundingRect().right()
        <= min(box.left() for box in boxes) - view.grid.panels[0].left_room + 2
    )
    for swatch in view.key.swatches:
        assert swatch.width() >= swatch.sizeHint().width()


def test_many_blocks_scroll_and_few_do_not(view: CoefficientView, light: QApplication) -> None:
    view.resize(290, 560)
    light.processEvents()
    assert view.scroll_area.verticalScrollBar().maximum() == 0
    view.show_snapshot(with_blocks(30))
    light.processEvents()
    light.processEvents()
    assert view.scroll_area.verticalScrollBar().maximum() > 0
    view.show_snapshot(sample_snapshot())
    light.processEvents()
    light.processEvents()
    assert view.scroll_area.verticalScrollBar().maximum() == 0


def test_tooltips_say_it_in_words_with_the_numbers(view: CoefficientView) -> None:
    assert sample_snapshot().calibration is not None
    estimates = sample_snapshot().calibration.models["affine"].coefficients  # type: ignore[union-attr]
    assert estimates is not None
    panel = panel_of(view, "k_bond")
    heading, tip = view.words_at(bar_place(panel, 5))
    assert heading == "Bond constant, 302 kcal/(mol Å²)"
    effect = -estimates.gamma[sample_blocks().slices["k_bond"]][5]
    # 60 to 940 in 20 steps: the sixth bar stands at 60 + 880 * 11 / 40 = 302
    assert "302 kcal/(mol Å²)" in tip
    assert f"{effect:+.3f}".replace("-", "−") in tip
    assert f"corrected {'upward' if effect > 0 else 'downward'}" in tip
    assert view.words_at(QPointF(1.0, 1.0)) == ("", "")
    view.canvas.hovered.emit(bar_place(panel, 5))
    assert view.card.text == tip
    assert view.rect().contains(view.card.geometry())
    view.canvas.hovered.emit(None)
    assert not view.card.isVisible()


def test_a_click_marks_the_bar_and_reads_it_out(view: CoefficientView, qtbot: QtBot, light: QApplication) -> None:
    panel = panel_of(view, "k_bond")
    place = view.canvas.mapFromScene(bar_place(panel, 7))
    qtbot.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert "bonds near 390 kcal/(mol Å²)" in view.card.text
    assert list(panel.marked.opts["x"]) == [panel.x[7]]
    assert view.canvas.accessibleDescription() == view.card.text
    before = [each.box.sceneBoundingRect() for each in view.grid.panels]
    light.processEvents()
    assert [each.box.sceneBoundingRect() for each in view.grid.panels] == before  # a double click hits the same panel
    qtbot.keyClick(view.canvas, Qt.Key.Key_Escape)
    assert not view.card.isVisible()
    assert len(panel.marked.opts["x"]) == 0


def test_the_keyboard_walks_over_bars_and_blocks(view: CoefficientView, qtbot: QtBot) -> None:
    qtbot.keyClick(view.canvas, Qt.Key.Key_Right)
    assert view.current == ("mass", 0)
    qtbot.keyClick(view.canvas, Qt.Key.Key_Left)  # nothing before the first
    assert view.current == ("mass", 0)
    for _ in range(10):
        qtbot.keyClick(view.canvas, Qt.Key.Key_Right)
    assert view.current == ("charge", 0)
    qtbot.keyClick(view.canvas, Qt.Key.Key_Down)
    assert view.current == ("epsilon", 0)
    qtbot.keyClick(view.canvas, Qt.Key.Key_Return)
    assert view.enlarged == "epsilon"
    qtbot.keyClick(view.canvas, Qt.Key.Key_Escape)
    assert view.enlarged == ""


def test_a_double_click_enlarges_a_block_and_goes_back(view: CoefficientView, qtbot: QtBot) -> None:
    panel = panel_of(view, "r0")
    place = view.canvas.mapFromScene(panel.box.sceneBoundingRect().center())
    qtbot.mouseClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseRelease(view.canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)  # Qt's helper leaves it out
    assert view.enlarged == "r0"
    assert [p.part.block.name for p in view.grid.panels if p.part] == ["r0"]
    assert view.grid.panels[0].box.rect().height() > 300
    qtbot.mouseClick(view.enlarge_button, Qt.MouseButton.LeftButton)
    assert len(view.grid.panels) == 10
    view.enlarge("no such block")
    assert view.enlarged == ""


def test_blocks_can_be_rearranged(view: CoefficientView) -> None:
    heard: list[tuple[str, ...]] = []
    view.order_changed.connect(heard.append)
    view.move_block("charge", -1)
    assert view.order[:2] == ("charge", "mass")
    assert heard == [view.order]
    assert [p.part.block.name for p in view.grid.panels if p.part][:2] == ["charge", "mass"]
    view.move_block("charge", -1)  # it is the first already
    assert len(heard) == 1
    view.set_order(("k_dih", "not there", "r0"))
    assert view.order[:3] == ("k_dih", "r0", "mass")
    view.show_snapshot(with_blocks(3))
    assert view.order == ("own0", "own1", "own2")


def choose(menu: QMenu, text: str) -> None:
    action: QAction = next(action for action in menu.actions() if action.text() == text)
    action.trigger()


def test_the_menu_of_a_block(view: CoefficientView, qtbot: QtBot) -> None:
    panel = panel_of(view, "sigma")
    place = view.canvas.mapFromScene(panel.box.sceneBoundingRect().center())
    view.canvas.customContextMenuRequested.emit(place)
    menu = next(menu for menu in view.findChildren(QMenu) if menu.isVisible())
    with qtbot.waitSignal(view.block_toggled) as told:
        choose(menu, "Switch Diameter off in the model")
    assert told.args == ["sigma"]
    choose(menu, "Enlarge Diameter")
    assert view.enlarged == "sigma"
    menu.close()
    view.canvas.customContextMenuRequested.emit(QPoint(0, 0))  # beside all panels: only what belongs to the figure
    menus = [menu for menu in view.findChildren(QMenu) if menu.isVisible()]
    assert [action.text() for action in menus[-1].actions()] == [
        "Bands by refits to resampled polymers",
        "Reset view",
        "Copy figure",
        "Save figure as…",
        "What am I looking at?",
    ]
    with qtbot.waitSignal(view.bands_chosen) as told:
        choose(menus[-1], "Bands by refits to resampled polymers")
    assert told.args == ["bootstrap"]
    with qtbot.waitSignal(view.export_requested):
        choose(menus[-1], "Save figure as…")
    menus[-1].close()


def factor_menu(view: CoefficientView, name: str) -> QMenu:
    """Open the menu of a block as a click of the right button does, and return the part about its penalties."""
    panel = panel_of(view, name)
    view.canvas.customContextMenuRequested.emit(view.canvas.mapFromScene(panel.box.sceneBoundingRect().center()))
    menu = next(menu for menu in reversed(view.findChildren(QMenu)) if menu.isVisible())
    return next(part for part in menu.findChildren(QMenu) if part.title().startswith("Penalties of"))


def test_the_penalties_of_a_block_are_chosen_from_its_menu(view: CoefficientView, qtbot: QtBot) -> None:
    menu = factor_menu(view, "sigma")
    assert menu.title() == "Penalties of Diameter"
    assert [action.text() for action in menu.actions() if action.isChecked()] == ["As the others"]
    heard: list[tuple[str, float]] = []
    view.block_factor_chosen.connect(lambda name, factor: heard.append((name, factor)))
    choose(menu, "× 3: smaller and smoother")
    assert heard == [("sigma", 3.0)]
    menu.parent().close()


def test_other_penalties_of_a_block_are_said(view: CoefficientView) -> None:
    snapshot = sample_snapshot()
    settings = snapshot.settings.with_block_factor("sigma", 2.5)
    view.show_snapshot(replace(snapshot, settings=settings))
    assert "λ × 2.5" in panel_of(view, "sigma").title.text
    assert "λ" not in panel_of(view, "epsilon").title.text
    menu = factor_menu(view, "sigma")
    assert [action.text() for action in menu.actions() if action.isChecked()] == ["× 2.5, as it is set"]
    menu.parent().close()
    view.show_snapshot(replace(snapshot, settings=settings.with_block_factor("sigma", 1.0)))
    assert "λ" not in panel_of(view, "sigma").title.text
    view.show_snapshot(replace(snapshot, settings=replace(settings, blocks_off=frozenset({"sigma"}))))
    with pytest.raises(StopIteration):  # a block that is switched off has no penalties
        factor_menu(view, "sigma")
    next(menu for menu in view.findChildren(QMenu) if menu.isVisible()).close()


def test_a_block_switched_off_says_so(view: CoefficientView) -> None:
    snapshot = sample_snapshot()
    view.show_snapshot(replace(snapshot, settings=replace(snapshot.settings, blocks_off=frozenset({"sigma"}))))
    panel = panel_of(view, "sigma")
    assert "switched off" in panel.title.text
    assert len(panel.filled.opts["x"]) == 0
    assert view.words_at(panel.box.sceneBoundingRect().center()) == ("", "")
    assert "170 values" in view.header.subtitle.text()


def test_zoom_keeps_the_shared_axis_and_reset_brings_it_back(view: CoefficientView, qtbot: QtBot) -> None:
    home = [panel.box.viewRange() for panel in view.grid.panels]
    first = view.grid.panels[0].box
    first.scaleBy(y=0.5)
    first.sigRangeChangedManually.emit([False, True])
    assert view.grid.panels[7].box.viewRange()[1] == pytest.approx(first.viewRange()[1])
    qtbot.keyClick(view.canvas, Qt.Key.Key_Home)
    assert np.allclose([panel.box.viewRange() for panel in view.grid.panels], home)


@pytest.mark.parametrize(("model", "title"), [("md", "MD as it is"), ("ordinary", "Ordinary")])
def test_calibrators_without_coefficients(view: CoefficientView, qtbot: QtBot, model: str, title: str) -> None:
    snapshot = sample_snapshot()
    view.show_snapshot(replace(snapshot, settings=replace(snapshot.settings, model=model)))  # type: ignore[arg-type]
    assert view.empty_state.isVisible()
    assert view.empty_state.text().startswith(f"{title} has no coefficients")
    assert not view.scroll_area.isVisible()
    assert not view.export_button.isEnabled()
    assert view.way_out.text() == "Show the coefficients of Affine"
    with qtbot.waitSignal(view.calibrator_chosen) as heard:
        qtbot.mouseClick(view.way_out, Qt.MouseButton.LeftButton)
    assert heard.args == ["affine"]
    view.show_snapshot(snapshot)
    assert view.scroll_area.isVisible()


def with_effects(model: str) -> Snapshot:
    """The sample with a method made of kernels whose effects are the coefficients of the log-difference calibrator."""
    snapshot = sample_snapshot()
    calibration = snapshot.calibration
    assert calibration is not None
    result = calibration.models["log_difference"]
    assert result.coefficients is not None
    effects = None if model == "only_source" else replace(result.coefficients, average=True)
    models = {**calibration.models, model: replace(result, model=model, coefficients=effects)}  # type: ignore[arg-type]
    settings = replace(snapshot.settings, model=model)  # type: ignore[arg-type]
    return replace(snapshot, settings=settings, calibration=replace(calibration, models=models))  # type: ignore[arg-type]


def test_methods_with_kernels_show_average_effects_and_say_so(view: CoefficientView) -> None:
    view.show_snapshot(with_effects("affine_tl_full"))
    assert view.scroll_area.isVisible()
    assert view.export_button.isEnabled()
    assert view.header.title.text() == view.accessibleName() == "Average effects"
    assert "no coefficients" in view.explain_button.accessibleDescription()
    assert "AffineTL-full" in view.header.subtitle.text()
    assert "Average effect" in view.grid.y_title.wordings[0]
    assert "on average over the polymers of the fit" in view.sentence("k_bond", 3)
    assert not view.note.text
    view.show_snapshot(sample_snapshot())
    assert view.header.title.text() == view.accessibleName() == "Coefficients"
    assert "γ" in view.grid.y_title.wordings[0]
    assert "no coefficients" not in view.explain_button.accessibleDescription()


def test_only_source_has_no_effects_of_descriptors(view: CoefficientView) -> None:
    view.show_snapshot(with_effects("only_source"))
    assert view.empty_state.text().startswith("Only source has no coefficients: it does not look at the descriptors.")


def test_before_the_first_calibration(view: CoefficientView) -> None:
    for empty in (uncalibrated_snapshot(), Snapshot()):
        view.show_snapshot(empty)
        assert "appear here" in view.empty_state.text()
        assert view.way_out.isHidden()
        assert view.note.isHidden()


def test_coefficients_all_nought_and_without_band(view: CoefficientView, light: QApplication) -> None:
    snapshot = sample_snapshot()
    assert snapshot.calibration is not None
    result = snapshot.calibration.models["affine"]
    assert result.coefficients is not None
    size = result.coefficients.gamma.size
    for gamma in (np.zeros(size), result.coefficients.gamma):
        none = np.full(size, np.nan)
        estimates = replace(result.coefficients, gamma=gamma, lower=none, upper=none)
        models = {**snapshot.calibration.models, "affine": replace(result, coefficients=estimates)}
        view.show_snapshot(replace(snapshot, calibration=replace(snapshot.calibration, models=models)))
        light.processEvents()
        view.grab()
        low, high = view.grid.panels[0].box.viewRange()[1]
        assert low < 0.0 < high
        assert not view.key.swatches[2].isVisible()


def test_a_band_that_ran_away_does_not_flatten_the_bars(view: CoefficientView) -> None:
    snapshot = sample_snapshot()
    assert snapshot.calibration is not None
    result = snapshot.calibration.models["affine"]
    assert result.coefficients is not None
    upper = result.coefficients.upper.copy()
    upper[30] = 1e9
    models = {
        **snapshot.calibration.models,
        "affine": replace(result, coefficients=replace(result.coefficients, upper=upper)),
    }
    view.show_snapshot(replace(snapshot, calibration=replace(snapshot.calibration, models=models)))
    assert view.grid.panels[0].box.viewRange()[1][1] < 200


def test_themes(view: CoefficientView, light: QApplication) -> None:
    for theme in (DARK_THEME, LIGHT_THEME):
        view.apply_theme(theme)
        light.processEvents()
        image = view.canvas.picture(1.0).toImage()
        assert image.pixelColor(1, 1).name().upper() == theme.palette.base
        panel = panel_of(view, "mass")
        assert panel.filled.opts["brush"].name().upper() == theme.palette.blue
        assert panel.band.brush().color().name().upper() == theme.palette.coefficient_band


def test_an_unchanged_snapshot_draws_nothing_anew(view: CoefficientView, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "redraw", lambda: pytest.fail("drawn anew"))
    view.show_snapshot(replace(sample_snapshot(), can_undo="x"))


def test_panels_are_used_again(view: CoefficientView, light: QApplication) -> None:
    view.show_snapshot(with_blocks(13))
    many = len(view.canvas.scene().items())
    for count in (2, 13, 1, 12):
        view.show_snapshot(with_blocks(count))
        light.processEvents()
        assert len(view.grid.panels) == count
        assert sum(panel.box.isVisible() for panel in (*view.grid.panels, *view.grid.spare_panels)) == count
    assert len(view.canvas.scene().items()) == many


def test_copy(view: CoefficientView, qtbot: QtBot) -> None:
    QGuiApplication.clipboard().clear()
    qtbot.mouseClick(view.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().pixmap().width() == 3 * view.canvas.viewport().width()


def test_accessible_names(view: CoefficientView) -> None:
    assert view.objectName() == "coefficientView"
    for widget in (view, view.canvas, view.copy_button, view.export_button, view.enlarge_button, *view.key.swatches):
        assert widget.accessibleName()
    assert QRectF(view.rect()).contains(QRectF(view.note.geometry()))
