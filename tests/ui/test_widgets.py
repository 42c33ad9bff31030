"""The small parts of the panels: what they say, what they announce, and that they follow the theme."""

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QDockWidget, QLabel, QMainWindow, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.parts.quiet_inputs import QuietComboBox
from affinecal_gui.ui.parts.theme.palette import DARK, LIGHT
from affinecal_gui.ui.parts.theme.theme import DARK_THEME, LIGHT_THEME
from affinecal_gui.ui.parts.widgets.headers import DockTitleBar, ViewHeader
from affinecal_gui.ui.parts.widgets.hover_card import SentenceCard
from affinecal_gui.ui.parts.widgets.info_line import InfoLine
from affinecal_gui.ui.parts.widgets.labels import ElidedLabel
from affinecal_gui.ui.parts.widgets.rows import ControlRow
from affinecal_gui.ui.parts.widgets.section_heading import SectionHeading
from affinecal_gui.ui.parts.widgets.segmented_buttons import SegmentedButtons
from affinecal_gui.ui.parts.widgets.themed_icons import IconLabel
from affinecal_gui.ui.parts.widgets.tool_buttons import ExplainButton, ThemedToolButton
from affinecal_gui.ui.parts.widgets.value_table import ValueTable


def colours_in(image: QImage) -> set[str]:
    return {
        image.pixelColor(x, y).name().upper()
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() == 255
    }


def test_icons_follow_the_theme(qtbot: QtBot, light: QApplication) -> None:
    button = ThemedToolButton("copy", "Copy the figure", role="text")
    sign = IconLabel("table", "text", 48)
    for widget in (button, sign):
        qtbot.addWidget(widget)
        widget.show()
    assert button.accessibleName() == button.toolTip() == "Copy the figure"
    assert colours_in(button.icon().pixmap(64).toImage()) == {LIGHT.text}
    assert LIGHT.text in colours_in(sign.pixmap().toImage())
    DARK_THEME.apply_to(light)
    assert colours_in(button.icon().pixmap(64).toImage()) == {DARK.text}
    assert DARK.text in colours_in(sign.pixmap().toImage())
    LIGHT_THEME.apply_to(light)


def test_segments_announce_only_the_users_choice(qtbot: QtBot, light: QApplication) -> None:
    buttons = SegmentedButtons((("panels", "Panels"), ("overlaid", "Overlaid"), ("third", "Third")), "Arrangement")
    qtbot.addWidget(buttons)
    buttons.show()
    heard: list[str] = []
    buttons.chosen.connect(heard.append)
    assert buttons.current == "panels"
    buttons.set_current("third")
    assert (buttons.current, heard) == ("third", [])
    qtbot.mouseClick(buttons.button("overlaid"), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(buttons.button("overlaid"), Qt.MouseButton.LeftButton)
    assert (buttons.current, heard) == ("overlaid", ["overlaid"])
    buttons.activateWindow()
    buttons.button("overlaid").setFocus()
    qtbot.waitUntil(buttons.button("overlaid").hasFocus)
    qtbot.keyClick(buttons.button("overlaid"), Qt.Key.Key_Left)
    assert (buttons.current, heard) == ("panels", ["overlaid", "panels"])
    assert buttons.button("panels").accessibleName() == "Arrangement: Panels"


def test_segments_keep_their_size_when_the_choice_moves(qtbot: QtBot, light: QApplication) -> None:
    buttons = SegmentedButtons((("log", "Logarithmic"), ("linear", "Linear")), "Scale")
    qtbot.addWidget(buttons)
    buttons.show()
    before = [buttons.button(key).geometry() for key in ("log", "linear")]
    buttons.set_current("linear")
    light.processEvents()
    assert [buttons.button(key).geometry() for key in ("log", "linear")] == before
    for key in ("log", "linear"):
        button = buttons.button(key)
        wide = LIGHT_THEME.font(bold=True)
        button.setFont(wide)
        assert button.fontMetrics().horizontalAdvance(button.text()) + 20 <= button.width()


def test_a_section_folds_to_its_summary(qtbot: QtBot, light: QApplication) -> None:
    heading, body = SectionHeading("Target", "unit"), QWidget()
    for widget in (heading, body):
        qtbot.addWidget(widget)
        widget.show()
    qtbot.mouseClick(heading, Qt.MouseButton.LeftButton)
    assert not heading.folded  # nothing to fold yet
    heading.set_body(body, "Cp, log")
    with qtbot.waitSignal(heading.folded_changed) as told:
        qtbot.mouseClick(heading, Qt.MouseButton.LeftButton)
    assert told.args == [True]
    assert not body.isVisible()
    assert "Cp, log" in [part.text() for part in heading.findChildren(QLabel) if part.isVisible()]
    heading.set_folded(False)
    assert body.isVisible()
    assert "unit" in [part.text() for part in heading.findChildren(QLabel) if part.isVisible()]


def detail_of_narrow(qtbot: QtBot, *, spare: bool) -> tuple[SectionHeading, QLabel]:
    """Return a heading that is narrower than it would like to be, and its detail."""
    heading = SectionHeading("Cross-validation surface", "best 0.154", spare=spare)
    qtbot.addWidget(heading)
    heading.resize(400, 22)
    heading.show()
    detail = next(part for part in heading.findChildren(QLabel) if part.text() == "best 0.154")
    assert detail.isVisible()
    heading.resize(heading.sizeHint().width() - 20, 22)
    return heading, detail


def test_a_detail_that_can_be_spared_gives_way_to_the_title(qtbot: QtBot, light: QApplication) -> None:
    heading, detail = detail_of_narrow(qtbot, spare=True)
    assert not detail.isVisible()
    heading.resize(400, 22)
    assert detail.isVisible()


def test_a_spare_detail_is_left_out_from_the_first_look(qtbot: QtBot, light: QApplication) -> None:
    heading = SectionHeading("Nearest in training", "distance", spare=True)
    qtbot.addWidget(heading)
    heading.resize(heading.sizeHint().width() - 20, 22)
    heading.show()
    assert not next(part for part in heading.findChildren(QLabel) if part.text() == "distance").isVisible()


def test_a_detail_that_must_be_read_keeps_its_room(qtbot: QtBot, light: QApplication) -> None:
    heading, detail = detail_of_narrow(qtbot, spare=False)
    assert detail.isVisible()
    assert detail.width() >= detail.sizeHint().width()
    assert heading.minimumSizeHint().width() >= detail.geometry().right()


@pytest.mark.parametrize(("kind", "word"), [("check", "Good"), ("caution", "Caution"), ("info", "Note")])
def test_info_lines_do_not_speak_by_colour_alone(qtbot: QtBot, light: QApplication, kind: str, word: str) -> None:
    info = InfoLine()
    qtbot.addWidget(info)
    assert info.isHidden()  # nothing to say
    info.set_message(kind, "62 of 81 polymers.")  # type: ignore[arg-type]
    assert info.accessibleName() == f"{word}: 62 of 81 polymers."
    assert info.text == "62 of 81 polymers."
    info.set_message("check", "")
    assert info.isHidden()


def test_links_in_info_lines_are_announced(qtbot: QtBot, light: QApplication) -> None:
    info = InfoLine("check", 'Matched. <a href="others">The 19 others</a>')
    qtbot.addWidget(info)
    info.resize(300, 30)
    info.show()
    words = next(part for part in info.findChildren(QLabel) if "19 others" in part.text())
    with qtbot.waitSignal(info.link_activated) as told:
        words.setFocus()
        qtbot.keyClick(words, Qt.Key.Key_Tab)
        words.linkActivated.emit("others")
    assert told.args == ["others"]


def test_elided_text_is_in_the_tooltip(qtbot: QtBot, light: QApplication) -> None:
    text = "poly(2,6-dimethyl-1,4-phenylene oxide)"
    shown = ElidedLabel(text)
    qtbot.addWidget(shown)
    shown.resize(60, 20)
    shown.grab()
    assert shown.toolTip() == text
    shown.resize(600, 20)
    shown.grab()
    assert shown.toolTip() == ""
    assert shown.text() == text


def test_a_text_has_the_shorter_wordings_that_were_given_with_it_and_no_others(
    qtbot: QtBot, light: QApplication
) -> None:
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.set_wordings("three hundred polymers of the library", "300")
    label.resize(label.fontMetrics().horizontalAdvance("300 of 4"), 20)
    assert label.shown_text == "300"
    label.setText("another text that is too long for it")
    assert label.shown_text.endswith("\u2026")


def test_a_card_is_no_higher_than_what_it_says_whatever_it_said_before(qtbot: QtBot, light: QApplication) -> None:
    view = QWidget()
    qtbot.addWidget(view)
    view.resize(600, 500)
    card = SentenceCard(view)
    heights = []
    for sentence in ("short", "a sentence that is long enough for several lines of a card " * 3, "short"):
        card.show_beside(QPoint(100, 100), "heading", sentence)
        heights.append(card.height())
    assert heights[0] == heights[2] < heights[1]


def test_the_list_of_a_box_is_as_wide_as_its_entries(qtbot: QtBot, light: QApplication) -> None:
    box = QuietComboBox()
    qtbot.addWidget(box)
    box.addItems(["short", "an entry that is much longer than the box is wide"])
    box.resize(90, 24)
    box.show()
    box.showPopup()
    assert box.view().viewport().width() >= box.view().sizeHintForColumn(0)
    box.hidePopup()


def test_dock_title_bar_floats_and_closes(qtbot: QtBot, light: QApplication) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    dock = QDockWidget("Inspector")
    bar = DockTitleBar(dock)
    dock.setTitleBarWidget(bar)
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    window.show()
    bar.set_detail("polystyrene", "PI1")
    assert {"Inspector", "polystyrene", "PI1"} <= {part.text() for part in bar.findChildren(QLabel)}
    assert bar.height() == 25
    floating, closing = bar.findChildren(ThemedToolButton)
    qtbot.mouseClick(floating, Qt.MouseButton.LeftButton)
    assert dock.isFloating()
    qtbot.mouseClick(floating, Qt.MouseButton.LeftButton)
    assert not dock.isFloating()
    qtbot.mouseClick(closing, Qt.MouseButton.LeftButton)
    assert dock.isHidden()


def test_value_table_reuses_its_labels(qtbot: QtBot, light: QApplication) -> None:
    table = ValueTable(("strong", "muted", "value", "right"), framed=True)
    qtbot.addWidget(table)
    table.show()
    rows = [("α₀", "offset", "0.48", "−1.46 to 2.68"), ("β", "coupling", "−0.016", "–")]
    table.set_rows(rows)
    first = table.findChildren(QLabel)
    table.set_rows(rows[:1])
    assert table.findChildren(QLabel) == first
    assert [part.text() for part in first if part.isVisible()] == list(rows[0])
    table.set_rows(rows)
    assert [part.text() for part in first if part.isVisible()] == [*rows[0], *rows[1]]


def test_controls_go_below_each_other_where_there_is_no_room(qtbot: QtBot, light: QApplication) -> None:
    buttons = [QPushButton(text) for text in ("First button", "Second button", "Third")]
    row = ControlRow(buttons)
    qtbot.addWidget(row)
    row.resize(QSize(600, 40))
    row.show()
    assert len({button.y() for button in buttons}) == 1
    row.resize(QSize(buttons[0].sizeHint().width() + 5, 100))
    assert [button.x() for button in buttons] == [0, 0, 0]
    assert buttons[0].y() < buttons[1].y() < buttons[2].y()
    assert row.heightForWidth(row.width()) > row.heightForWidth(600)


def test_header_shortens_its_words_rather_than_lose_a_button(qtbot: QtBot, light: QApplication) -> None:
    explain, other = ExplainButton("Each mark is one polymer."), ThemedToolButton("copy", "Copy")
    header = ViewHeader("Coefficients", "affine, 190 values", (explain, other))
    qtbot.addWidget(header)
    header.resize(200, 26)
    header.show()
    assert explain.isVisible()
    assert other.isVisible()
    assert other.geometry().right() <= header.width()


def test_dock_title_bar_answers_what_is_shown(qtbot: QtBot, light: QApplication) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    dock = QDockWidget("Inspector")
    bar = DockTitleBar(dock, "One polymer.")
    dock.setTitleBarWidget(bar)
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    window.show()
    (explain,) = bar.findChildren(ExplainButton)
    assert explain.accessibleDescription() == "One polymer."
    assert bar.height() == 25


def test_explanation_opens_and_escape_closes_it(qtbot: QtBot, light: QApplication) -> None:
    button = ExplainButton("Each mark is one polymer.")
    qtbot.addWidget(button)
    button.show()
    assert button.accessibleDescription() == "Each mark is one polymer."
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    answer = button.answer
    assert answer is not None
    assert answer.isVisible()
    assert [part.text() for part in answer.findChildren(QLabel)] == ["Each mark is one polymer."]
    qtbot.keyClick(answer, Qt.Key.Key_Escape)
    assert not answer.isVisible()
