"""A larger structure while the mouse rests on a small one."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QHelpEvent, QImage, QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.views.polymers.table.polymer_cells import Column
from affinecal_gui.ui.views.polymers.table.polymer_delegate import PICTURE
from affinecal_gui.ui.views.polymers.table.polymer_table import PolymerTableView
from affinecal_gui.ui.views.polymers.table.structure_preview import LARGE, place_beside
from affinecal_gui.ui.views.polymers.thumbnails import WishedPicture, paint_structure
from tests.ui.sample_snapshot import sample_snapshot


@pytest.fixture
def table(qtbot: QtBot, light: QApplication) -> Iterator[PolymerTableView]:
    made = PolymerTableView()
    qtbot.addWidget(made)
    made.resize(900, 400)
    made.show_snapshot(sample_snapshot())
    made.set_filter("measured")
    made.show()
    qtbot.waitUntil(lambda: not made.is_drawing, timeout=20_000)
    yield made
    made.close_thumbnails()


def rest_on(table: PolymerTableView, line: int, column: Column) -> None:
    place = table.visualRect(table.polymer_model.index(line, column)).center()
    help_wanted = QHelpEvent(QEvent.Type.ToolTip, place, table.viewport().mapToGlobal(place))
    QApplication.sendEvent(table.viewport(), help_wanted)


def shown(qtbot: QtBot, table: PolymerTableView, line: int) -> None:
    rest_on(table, line, Column.STRUCTURE)
    qtbot.waitUntil(table.structure_preview.isVisible, timeout=20_000)


def move_to(table: PolymerTableView, place: QPoint) -> None:
    at = QPointF(place)
    none = Qt.MouseButton.NoButton
    moved = QMouseEvent(
        QEvent.Type.MouseMove, at, QPointF(table.viewport().mapToGlobal(place)), none, none, Qt.KeyboardModifier(0)
    )
    QApplication.sendEvent(table.viewport(), moved)


def test_the_structure_is_shown_large_with_name_and_values_until_the_mouse_goes_on(
    qtbot: QtBot, table: PolymerTableView
) -> None:
    row = table.polymer_model.row(0)
    shown(qtbot, table, 0)
    preview = table.structure_preview
    assert preview.picture.pixmap().deviceIndependentSize().width() == pytest.approx(LARGE.width())
    assert preview.name.text() == row.label
    assert f"Measured: {row.measured:.0f} J/(kg K)" in preview.values.text().split("\n")
    cell = table.visualRect(table.polymer_model.index(0, Column.STRUCTURE))
    move_to(table, cell.center() + QPoint(3, 2))
    assert preview.isVisible()
    move_to(table, cell.center() + QPoint(0, cell.height()))
    assert not preview.isVisible()


@pytest.mark.parametrize("end", ["leave", "scroll", "click", "list"])
def test_nothing_stays_behind(qtbot: QtBot, table: PolymerTableView, end: str) -> None:
    shown(qtbot, table, 0)
    if end == "leave":
        QApplication.sendEvent(table.viewport(), QEvent(QEvent.Type.Leave))
    elif end == "scroll":
        table.verticalScrollBar().setValue(60)
    elif end == "click":
        cell = table.visualRect(table.polymer_model.index(0, Column.STRUCTURE))
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=cell.center())
    else:
        table.set_filter("measured", "nylon")
        qtbot.waitUntil(lambda: not table.is_drawing, timeout=20_000)
    assert not table.structure_preview.isVisible()


def test_other_columns_keep_their_words(table: PolymerTableView) -> None:
    rest_on(table, 0, Column.POLYMER)
    assert not table.structure_preview.isVisible()


@given(
    st.builds(QRect, st.integers(-500, 2500), st.integers(-500, 1500), st.just(56), st.just(48)),
    st.builds(QSize, st.integers(100, 400), st.integers(100, 500)),
)
def test_all_of_it_is_on_the_screen_wherever_the_cell_lies(cell: QRect, size: QSize) -> None:
    screen = QRect(0, 24, 1920, 1056)
    assert screen.contains(QRect(place_beside(cell, size, screen), size))


def test_the_picture_does_not_hide_the_cell_where_there_is_room_at_a_side() -> None:
    screen = QRect(0, 0, 1920, 1080)
    for left in (10, 900, 1850):
        cell = QRect(left, 500, 56, 48)
        size = QSize(280, 300)
        assert not QRect(place_beside(cell, size, screen), size).intersects(cell)


def drawn_width(picture: QImage) -> int:
    columns = [
        x for x in range(picture.width()) if any(picture.pixelColor(x, y).alpha() for y in range(picture.height()))
    ]
    return columns[-1] - columns[0] if columns else 0


def test_a_small_repeat_unit_is_drawn_larger_too() -> None:
    small = paint_structure(WishedPicture("*CC(*)C", False, PICTURE, 1.0))
    large = paint_structure(WishedPicture("*CC(*)C", False, LARGE, 1.0))
    assert small is not None
    assert large is not None
    assert drawn_width(large) > 2.5 * drawn_width(small)
