"""The views of the centre: side by side or behind tabs, and one alone."""

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.parts.widgets.headers import ViewHeader
from affinecal_gui.ui.window.layout.view_pair import ViewPair


@pytest.fixture
def views() -> dict[str, QWidget]:
    return {name: QLabel(name) for name in ("Parity", "Residuals", "Coefficients")}


@pytest.fixture
def pair(qtbot: QtBot, light: QApplication, views: dict[str, QWidget]) -> ViewPair:
    made = ViewPair(
        [[(views["Parity"], "Parity"), (views["Residuals"], "Residuals")], [(views["Coefficients"], "Coefficients")]]
    )
    qtbot.addWidget(made)
    made.resize(900, 500)
    made.show()
    return made


def seen(views: dict[str, QWidget]) -> list[str]:
    return [name for name, view in views.items() if view.isVisible()]


def test_a_column_shows_one_of_its_views(pair: ViewPair, views: dict[str, QWidget]) -> None:
    assert seen(views) == ["Parity", "Coefficients"]
    pair.bring_to_front(views["Residuals"])
    assert seen(views) == ["Residuals", "Coefficients"]


def test_where_it_is_narrow_one_row_of_tabs_has_all_views(pair: ViewPair, views: dict[str, QWidget]) -> None:
    pair.resize(400, 500)
    QApplication.processEvents()
    assert pair.is_tabbed
    assert [pair.tabs.tabText(number) for number in range(pair.tabs.count())] == list(views)
    for number, name in enumerate(views):
        pair.tabs.setCurrentIndex(number)
        assert seen(views) == [name]
    pair.resize(900, 500)
    QApplication.processEvents()
    assert seen(views) == ["Parity", "Coefficients"]


class Headed(QWidget):
    def __init__(self, title: str) -> None:
        super().__init__()
        self.header = ViewHeader(title, "", ())
        QVBoxLayout(self).addWidget(self.header)


def test_a_title_stands_once_and_tabs_follow_it(qtbot: QtBot, light: QApplication) -> None:
    parity, residuals, coefficients = Headed("Parity"), Headed("Residuals"), Headed("Coefficients")
    pair = ViewPair([[(parity, "Parity"), (residuals, "Residuals")], [(coefficients, "Coefficients")]])
    qtbot.addWidget(pair)
    pair.resize(900, 500)
    pair.show()
    assert parity.header.title.isHidden()  # the tab above says it
    assert not coefficients.header.title.isHidden()
    pair.show_alone(parity)
    assert not parity.header.title.isHidden()
    pair.show_alone(None)
    pair.resize(400, 500)
    QApplication.processEvents()
    assert coefficients.header.title.isHidden()
    coefficients.header.set_title("Spectrum")
    assert pair.tabs.tabText(2) == "Spectrum"


@pytest.mark.parametrize("name", ["Parity", "Residuals", "Coefficients"])
def test_a_view_alone_has_all_of_the_room_and_gives_it_back(
    pair: ViewPair, views: dict[str, QWidget], name: str
) -> None:
    pair.splitter.setSizes([500, 400])
    before = pair.splitter.sizes()
    pair.show_alone(views[name])
    QApplication.processEvents()
    assert seen(views) == [name]
    assert views[name].width() == pair.width()
    pair.show_alone(None)
    QApplication.processEvents()
    assert seen(views) == ["Residuals" if name == "Residuals" else "Parity", "Coefficients"]
    assert pair.splitter.sizes() == before
