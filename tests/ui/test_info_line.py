"""The line of a sign and a sentence."""

from pytestqt.qtbot import QtBot

from affinecal_gui.ui.parts.widgets.info_line import InfoLine
from affinecal_gui.ui.parts.widgets.rows import column


def test_a_sentence_set_before_it_is_placed_opens_no_window(qtbot: QtBot) -> None:
    line = InfoLine("info")
    line.set_message("info", "")
    line.set_message("info", "Sentence")
    assert not line.isVisible()
    box = column(line)
    qtbot.addWidget(box)
    box.show()
    assert line.isVisible()
