"""The bottom line of the window: what is running and how far it is, or the last message."""

from typing import Literal

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QSizePolicy, QWidget

from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.parts.widgets.labels import ElidedLabel, label, rule
from affinecal_gui.ui.parts.widgets.themed_icons import IconLabel
from affinecal_gui.ui.parts.widgets.tool_buttons import ThemedToolButton

MessageKind = Literal["done", "info", "caution", "problem"]

_SIGNS: dict[str, tuple[str, str, str]] = {  # drawing, colour role, word for a screen reader
    "done": ("check", "good", "Done"),
    "info": ("info", "accent", "Note"),
    "caution": ("caution", "caution", "Caution"),
    "problem": ("caution", "bad", "Problem"),
}
_STEPS = 1000


class StatusLine(QWidget):
    """Message, progress with a way to cancel, a note at the right, and the button that shows the log.

    While something runs, its sentence stands in the place of the message; afterwards the last message is back.
    """

    cancel_requested = Signal()
    log_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusLine")
        self._message: tuple[str, str] = ("", "info")
        self._is_quiet = False  # what is shown is nothing that the user waits for
        self._sign = IconLabel("info", "accent", 15)
        self._text = _Sentence()
        self._text.setObjectName("statusMessage")
        self._bar = QProgressBar()
        self._bar.setObjectName("progressBar")
        self._bar.setAccessibleName("Progress")
        self._bar.setRange(0, _STEPS)
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(150)
        self._cancel = QPushButton("Cancel")
        self._cancel.setObjectName("cancelButton")
        self._cancel.setToolTip("Stop what is running; the last result stays (Esc)")
        self._cancel.setFixedHeight(20)
        set_kind(self._cancel, "small")
        self._cancel.clicked.connect(self.cancel_requested)
        self._note = label("", "muted")
        self._note.setObjectName("statusNote")
        self._log = ThemedToolButton("log", "Show the log", "Log", role="text")
        self._log.setObjectName("logButton")
        self._log.clicked.connect(self.log_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 8, 0)
        row.setSpacing(8)
        row.addWidget(self._sign)
        row.addWidget(self._text)
        row.addWidget(self._bar)
        row.addWidget(self._cancel)
        row.addStretch(1)
        row.addWidget(self._note)
        row.addWidget(rule(upright=True))
        row.addWidget(self._log)
        self.setFixedHeight(25)
        self.hide_progress()

    def show_message(self, text: str, kind: str = "info") -> None:
        """Show a message; kinds: done, info, caution, problem. While something runs it waits for its end."""
        self._message = (text, kind)
        self.hide_quiet_progress()
        if not self.is_running:
            self._show_last_message()

    def show_progress(self, fraction: float, text: str) -> None:
        """Show what is running and how much of it is done, 0 to 1."""
        self._show_bar(fraction, text)
        self._cancel.show()
        self._cancel.setEnabled(True)
        self._is_quiet = False

    def show_quiet_progress(self, fraction: float, text: str) -> None:
        """Show what is being made ready: nothing to wait for and nothing to cancel, so other work and messages come first."""
        if self._is_quiet or not (self.is_running or self.message):
            self._show_bar(fraction, text)
            self._is_quiet = True

    def hide_quiet_progress(self) -> None:
        """Return to the last message, unless other work is shown."""
        if self._is_quiet:
            self.hide_progress()

    def _show_bar(self, fraction: float, text: str) -> None:
        self._sign.hide()
        self._text.setText(text)
        self._text.setAccessibleName(f"Running: {text}")
        self._bar.setValue(round(_STEPS * min(max(fraction, 0.0), 1.0)))
        self._bar.setAccessibleDescription(f"{100 * min(max(fraction, 0.0), 1.0):.0f} %")
        self._bar.show()

    def hide_progress(self) -> None:
        """Return to the last message."""
        self._is_quiet = False
        self._bar.hide()
        self._bar.setValue(0)
        self._cancel.hide()
        self._show_last_message()

    def show_note(self, text: str) -> None:
        """Show a quiet word at the right: "Autosaved"."""
        self._note.setText(text)

    @property
    def is_running(self) -> bool:
        """Whether progress is shown."""
        return not self._bar.isHidden()

    @property
    def message(self) -> str:
        """The last message, also while progress covers it."""
        return self._message[0]

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours; the parts colour themselves."""

    def _show_last_message(self) -> None:
        text, kind = self._message
        drawing, role, word = _SIGNS.get(kind, _SIGNS["info"])
        self._sign.set_icon(drawing, role)
        self._sign.setAccessibleName(word)
        self._sign.setVisible(bool(text))
        self._text.setText(text)
        self._text.setAccessibleName(f"{word}: {text}" if text else "No message")


class _Sentence(ElidedLabel):
    """As wide as its text where there is room, so that the progress stands right behind it."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def sizeHint(self) -> QSize:
        """Return the room for the whole text."""
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 4, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Return the room for a few letters; the rest may be cut."""
        return QSize(60, super().minimumSizeHint().height())
