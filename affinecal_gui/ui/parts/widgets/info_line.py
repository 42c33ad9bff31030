"""A sign and a sentence."""

from typing import Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSizePolicy,
    QWidget,
)

from affinecal_gui.ui.parts.theme.theme import current_theme
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.parts.widgets.themed_icons import IconLabel

LONG_LINK = 30  # letters, from which on a link may be broken

InfoKind = Literal["check", "caution", "bad", "info", "left_out"]

_INFO_SIGNS: dict[InfoKind, tuple[str, str, str]] = {  # drawing, colour role, word for a screen reader
    "check": ("check", "good", "Good"),
    "caution": ("caution", "caution", "Caution"),
    "bad": ("caution", "bad", "Problem"),
    "info": ("info", "accent", "Note"),
    "left_out": ("left_out", "bad", "Left out"),
}


class InfoLine(QWidget):
    """A sign and a sentence: what is well, what to mind, what to know.

    Parameters
    ----------
    kind
        check, caution, bad, info or left_out.
    text
        Plain or rich text; links emit ``link_activated`` with their address.
    note
        11 px instead of 12 px.
    """

    link_activated = Signal(str)

    def __init__(
        self, kind: InfoKind = "info", text: str = "", note: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._sign = IconLabel(*_INFO_SIGNS[kind][:2], size=15)
        self._text = label("", "note-text" if note else "", wrap=True)
        self._text.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self._text.setSizePolicy(policy)
        self._text.linkActivated.connect(self.link_activated)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(7)
        row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._text, 1)
        self.set_message(kind, text)

    @property
    def text(self) -> str:
        """The sentence shown."""
        return self._text.text()

    def set_message(self, kind: InfoKind, text: str) -> None:
        """Show another sign and sentence; without a sentence the line is hidden."""
        drawing, role, word = _INFO_SIGNS[kind]
        self._sign.set_icon(drawing, role)
        self._sign.setAccessibleName(word)
        self._text.setText(text)
        self.setAccessibleName(f"{word}: {text}")
        if text and self.parent() is None:
            # Not placed yet: showing it would open a window of its own. It appears with what it is put into.
            self.setAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide, False)
        else:
            self.setVisible(bool(text))


def link_markup(address: str, words: str) -> str:
    """Return a link of one line; a label keeps the colour that it was made with, whatever becomes of the theme."""
    style = f"color: {current_theme().palette.link}; white-space: nowrap"
    return (
        f"<a href='{address}' style='{style}'>{words.replace(' ', '&nbsp;') if len(words) < LONG_LINK else words}</a>"
    )
