"""The view of residuals as a user meets it: what stands below, the selection, the mouse, the keyboard."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from affinecal_gui.study.shown.residuals import NORMAL
from affinecal_gui.ui.parts.theme.theme import DARK_THEME
from affinecal_gui.ui.views.plots.residual_view import ResidualView
from tests.ui.sample_snapshot import sample_snapshot, uncalibrated_snapshot


@pytest.fixture
def view(qtbot: QtBot, light: QApplication) -> ResidualView:
    made = ResidualView()
    qtbot.addWidget(made)
    made.resize(440, 620)
    made.show_snapshot(sample_snapshot())
    made.show()
    light.processEvents()
    return made


def drawn_in_sight(view: ResidualView) -> bool:
    (x0, x1), (y0, y1) = view.panel.box.viewRange()
    x, y = view.panel.x, view.panel.y
    known = np.isfinite(x) & np.isfinite(y)
    return bool(((x >= x0) & (x <= x1) & (y >= y0) & (y <= y1))[known].all())


@pytest.mark.parametrize("against", ["measured", "md", NORMAL, "descriptor:mass_C"])
def test_every_choice_shows_all_points_below_the_words(view: ResidualView, against: str) -> None:
    view.show_against(against)
    assert drawn_in_sight(view)
    note = view.panel.note
    highest = view.panel.box.mapFromView(QPointF(0.0, float(np.nanmax(view.panel.y)))).y()
    assert highest >= note.pos().y() + note.boundingRect().height()
    assert view.figure_options.against == against


def test_the_menu_offers_what_is_known_of_the_polymers(view: ResidualView) -> None:
    menu = view.against_button.menu_of_traits()
    titles = [action.text() for action in menu.actions()]
    assert titles[:3] == ["Measured value", "MD value", "Normal quantiles"]
    assert "Descriptors" in titles
    (checked,) = [action.text() for action in menu.actions() if action.isChecked()]
    assert checked == "Measured value"
    next(action for action in menu.actions() if action.text() == "Normal quantiles").trigger()
    assert view.found is not None
    assert view.found.against.key == NORMAL
    assert "normal quantiles" in view.against_button.text()


def test_the_selection_is_marked_here_as_everywhere(view: ResidualView) -> None:
    keys = tuple(row.key for row in sample_snapshot().rows if row.state == "used")[:3]
    view.show_selection(keys[0])
    view.show_selected(keys)
    assert len(view.panel.selected.ring.data) == 1
    assert view.found is not None
    assert "Selected" in view.canvas.accessibleDescription()
    view.show_selection("nowhere")
    assert len(view.panel.selected.ring.data) == 0


def test_a_click_selects_and_a_frame_selects_several(qtbot: QtBot, view: ResidualView) -> None:
    assert view.found is not None
    x, y = view.panel.place_of(5)
    with qtbot.waitSignal(view.selected) as told:
        view.panel.box.clicked.emit(QPointF(x, y))
    assert told.args == [sample_snapshot().rows[int(view.found.points.rows[5])].key]
    with qtbot.waitSignal(view.several_selected) as several:
        view.panel.box.framed.emit(QRectF(x - 9.0, y - 9.0, 18.0, 18.0))
    assert several.args is not None
    assert len(several.args[0]) == np.isfinite(view.panel.y).sum()


def test_the_arrow_keys_go_from_left_to_right(qtbot: QtBot, view: ResidualView) -> None:
    chosen: list[str] = []
    view.selected.connect(chosen.append)
    for _ in range(3):
        qtbot.keyClick(view.canvas, Qt.Key.Key_Right)
    assert view.found is not None
    order = np.argsort(view.panel.x, kind="stable")[:3]
    assert chosen == [sample_snapshot().rows[int(view.found.points.rows[point])].key for point in order]


def test_without_a_calibration_it_says_so_and_offers_nothing(view: ResidualView) -> None:
    view.show_snapshot(uncalibrated_snapshot())
    assert not view.canvas.isVisible()
    assert "as soon as there is a calibration" in view.empty_state.text()
    assert not view.export_button.isEnabled()


def test_what_was_chosen_survives_another_theme_and_another_calibrator(view: ResidualView) -> None:
    view.show_against("md")
    view.apply_theme(DARK_THEME)
    snapshot = sample_snapshot()
    view.show_snapshot(replace(snapshot, settings=replace(snapshot.settings, model="ordinary")))
    assert view.found is not None
    assert (view.found.model, view.found.against.key) == ("ordinary", "md")
    assert drawn_in_sight(view)


def test_points_are_coloured_by_class_and_the_key_says_so(view: ResidualView) -> None:
    snapshot = sample_snapshot()
    rows = tuple(
        replace(row, polymer_class=("polyester", "polyamide")[number % 2]) for number, row in enumerate(snapshot.rows)
    )
    view.show_snapshot(replace(snapshot, rows=rows, columns=None))
    titles = [action.text() for action in view.colours.button.menu_of_traits().actions()]
    assert "Polymer class" in titles
    assert not view.colours.key.isVisible()
    view.colours.choose("class")
    assert view.colours.key.isVisible()
    assert view.figure_options.colour_by == "class"
    assert set(view.colours.key.accessibleName().removeprefix("Polymer class: ").split(", ")) == {
        "polyester",
        "polyamide",
    }
    drawn = [len(item.data) for item in view.panel.group_marks.items if len(item.data)]
    assert view.found is not None
    assert sum(drawn) == int((~view.found.points.left_out).sum())
    assert len(view.panel.marks.data) == 0
    view.colours.choose("")
    assert not view.colours.key.isVisible()
    assert len(view.panel.marks.data) == sum(drawn)
