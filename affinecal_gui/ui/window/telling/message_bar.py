"""Messages that must be read: a strip below the tool bar, never in the way of the work and never modal."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from affinecal_gui.ui.parts.theme.theme import Theme, icon
from affinecal_gui.ui.session.notices import Notice

if TYPE_CHECKING:
    from affinecal_gui.study.snapshot import Snapshot

SHOWN_AT_ONCE = 4  # further notices replace the oldest; the log keeps all of them
LEAST_BESIDE_BUTTONS = 280  # pixels of text; with less the buttons stand below it


class MessageBar(QWidget):
    """Shows notices below each other until the user closes them."""

    log_requested = Signal()
    crash_report_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("messageBar")
        self._theme = theme
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.hide()

    def show_notice(self, notice: Notice) -> None:
        """Add a notice; the same text again is not repeated."""
        if notice.text in self.texts():
            return
        while self._layout.count() >= SHOWN_AT_ONCE:
            self._remove(0)
        strip = _Strip(notice, self._theme, self)
        strip.closed.connect(self._close_strip)
        strip.log_requested.connect(self.log_requested)
        strip.crash_report_requested.connect(self.crash_report_requested)
        self._layout.addWidget(strip)
        self.show()

    def texts(self) -> list[str]:
        """Return what is shown, top to bottom."""
        return [strip.notice.text for strip in self._strips()]

    def show_snapshot(self, snapshot: "Snapshot") -> None:
        """Take down what is no longer true of the study."""
        for strip in self._strips():
            if not strip.notice.stands_while(snapshot):
                self._remove(self._layout.indexOf(strip))
        self._hide_if_empty()

    def clear(self) -> None:
        """Close everything."""
        while self._layout.count():
            self._remove(0)
        self.hide()

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        self._theme = theme
        for strip in self._strips():
            strip.apply_theme(theme)

    def _strips(self) -> list["_Strip"]:
        items = [self._layout.itemAt(i) for i in range(self._layout.count())]
        widgets = [item.widget() for item in items if item is not None]
        return [widget for widget in widgets if isinstance(widget, _Strip)]

    def _close_strip(self) -> None:
        strip = self.sender()
        if isinstance(strip, _Strip):
            self._remove(self._layout.indexOf(strip))
        self._hide_if_empty()

    def _hide_if_empty(self) -> None:
        if not self._layout.count():
            self.hide()

    def _remove(self, index: int) -> None:
        item = self._layout.takeAt(index)
        widget = item.widget() if item else None
        if widget is not None:
            widget.hide()
            widget.deleteLater()


class _Strip(QFrame):
    """One notice with its icon, its text and its buttons."""

    closed = Signal()
    log_requested = Signal()
    crash_report_requested = Signal()

    def __init__(self, notice: Notice, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.notice = notice
        self.setObjectName("messageStrip")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 6, 6, 6)
        layout.setSpacing(8)
        self._icon = QLabel()
        text = QLabel(notice.text)
        text.setObjectName("messageText")
        text.setWordWrap(True)
        text.setTextFormat(Qt.TextFormat.PlainText)
        text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        text.setAccessibleName(notice.text)
        self._text, self._buttons = text, QWidget()
        buttons = QHBoxLayout(self._buttons)
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.setSpacing(8)
        if notice.action is not None:
            act = QPushButton(notice.action.label)
            act.setObjectName("noticeActionButton")
            act.clicked.connect(self._act)
            buttons.addWidget(act)
        if notice.details:
            copy = QPushButton("Copy details")
            copy.setObjectName("copyDetailsButton")
            copy.clicked.connect(self._copy_details)
            show_log = QPushButton("Show log")
            show_log.clicked.connect(self.log_requested)
            report = QPushButton("Save a crash report…")
            report.setObjectName("crashReportButton")
            report.setToolTip("Save what failed, without your data, as a file that you may send")
            report.clicked.connect(self.crash_report_requested)
            for button in (copy, show_log, report):
                buttons.addWidget(button)
        self._parts = QBoxLayout(QBoxLayout.Direction.TopToBottom)  # until there is known to be more room
        self._parts.setSpacing(8)
        self._parts.addWidget(text, 1, Qt.AlignmentFlag.AlignTop)
        self._parts.addWidget(self._buttons, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._buttons.setVisible(buttons.count() > 0)
        layout.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(self._parts, 1)
        self._close = QToolButton()
        self._close.setObjectName("closeMessageButton")
        self._close.setAccessibleName("Close this message")
        self._close.setToolTip("Close this message")
        self._close.setAutoRaise(True)
        self._close.clicked.connect(self.closed)
        layout.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)
        self.apply_theme(theme)
        # The first line of the text, the icon and the buttons have their middles on one line.
        height = max(button.sizeHint().height() for button in self.findChildren(QAbstractButton))
        above = max(0, (height - text.fontMetrics().height()) // 2)
        text.setContentsMargins(0, above, 0, above)
        self._icon.setFixedHeight(height)

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        palette = theme.palette
        drawing, role, tint = {
            "problem": ("caution", "bad", palette.bad_tint),
            "answer": ("info", "accent", palette.selection),
            "info": ("info", "accent", palette.selection),
        }.get(self.notice.kind, ("caution", "caution", palette.caution_tint))
        self.setStyleSheet(
            f"#messageStrip {{ background: {tint}; border: none; border-bottom: 1px solid {palette.border}; }}"
            f"#messageText {{ background: transparent; color: {palette.text}; }}"
        )
        self._icon.setPixmap(icon(drawing, palette, role).pixmap(16, 16))
        self._close.setIcon(icon("close", palette))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the buttons below the text where they would leave it too little room."""
        super().resizeEvent(event)
        beside = self._parts.geometry().width() - self._buttons.sizeHint().width() - self._parts.spacing()
        least = min(LEAST_BESIDE_BUTTONS, self._text.fontMetrics().horizontalAdvance(self.notice.text) + 2)
        way = QBoxLayout.Direction.LeftToRight if beside >= least else QBoxLayout.Direction.TopToBottom
        if self._parts.direction() != way:
            self._parts.setDirection(way)

    def _act(self) -> None:
        action = self.notice.action
        self.closed.emit()
        if action is not None:
            action.run()

    def _copy_details(self) -> None:
        QGuiApplication.clipboard().setText(f"{self.notice.text}\n\n{self.notice.details}")
