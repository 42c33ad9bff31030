"""Rows of tables that draw themselves are copied as a spreadsheet of this computer's language takes them."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtGui import QGuiApplication, QStandardItemModel
from PySide6.QtWidgets import QApplication, QTableView
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.parts.row_tables import copy_selected_rows, set_up_row_table

SHOWN = (("nylon 6.6", "1.156", "0.93–1.50", "−2.5"), ("=1+1", "–", "−0.03 to 0.02", "+40.3"))


@pytest.fixture
def german() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.German))
    yield
    QLocale.setDefault(before)


def test_numbers_are_copied_with_the_decimal_mark_of_the_language(
    qtbot: QtBot, light: QApplication, german: None
) -> None:
    table = QTableView()
    qtbot.addWidget(table)
    model = QStandardItemModel(len(SHOWN), len(SHOWN[0]), table)
    table.setModel(model)
    set_up_row_table(table, row=25, head=24)
    table.selectAll()
    copy_selected_rows(table, lambda row, column: SHOWN[row][column], range(4))
    rows = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert rows == [["nylon 6.6", "1,156", "0,93–1,50", "-2,5"], ["'=1+1", "", "-0,03 to 0,02", "+40,3"]]
