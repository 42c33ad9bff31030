"""The log panel: every message of this session with its time, and the details of faults; the file holds the same."""

from collections import deque
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QObject, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QMainWindow, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from affinecal_gui.ui.parts.widgets.headers import DockTitleBar
from affinecal_gui.ui.session.notices import Notice

MOST_MESSAGES = 1000
_WORDS = {
    "done": "done",
    "info": "note",
    "logged": "note",
    "answer": "note",
    "caution": "caution",
    "problem": "problem",
}


@dataclass(frozen=True, slots=True)
class LoggedMessage:
    """A message and when it came."""

    time: datetime
    notice: Notice

    @property
    def text(self) -> str:
        """One line, and the details below it."""
        line = f"{self.time:%H:%M:%S}  {_WORDS.get(self.notice.kind, self.notice.kind)}: {self.notice.text}"
        details = self.notice.details.strip()
        return f"{line}\n{details}" if details else line


class MessageLog:
    """The last messages of a session, and the dock that shows them once it was asked for."""

    def __init__(self) -> None:
        self.messages: deque[LoggedMessage] = deque(maxlen=MOST_MESSAGES)
        self.dock: LogDock | None = None

    def add(self, notice: Notice) -> None:
        """Keep a message, and show it where the panel is open."""
        message = LoggedMessage(datetime.now().astimezone(), notice)
        self.messages.append(message)
        if self.dock is not None:
            self.dock.add(message)


class LogDock(QDockWidget):
    """Messages, newest last; they can be selected and copied."""

    folder_wanted = Signal()

    def __init__(self, log: MessageLog, parent: QWidget) -> None:
        super().__init__("Log", parent)
        self.setObjectName("logDock")
        self.setAccessibleName("Log")
        self.setTitleBarWidget(DockTitleBar(self))
        self.text = QPlainTextEdit()
        self.text.setObjectName("logText")
        self.text.setAccessibleName("Messages of this session")
        self.text.setReadOnly(True)
        self.text.setMaximumBlockCount(20 * MOST_MESSAGES)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        copy, folder = QPushButton("Copy all"), QPushButton("Open the log folder")
        copy.setObjectName("copyLogButton")
        folder.setObjectName("logFolderButton")
        copy.clicked.connect(self._copy)
        folder.clicked.connect(self.folder_wanted)
        page = QWidget()
        box = QVBoxLayout(page)
        box.setContentsMargins(8, 6, 8, 8)
        box.setSpacing(6)
        box.addWidget(self.text, 1)
        row = QHBoxLayout()
        row.addWidget(copy)
        row.addWidget(folder)
        row.addStretch(1)
        box.addLayout(row)
        self.setWidget(page)
        for message in log.messages:
            self.add(message)
        log.dock = self

    def add(self, message: LoggedMessage) -> None:
        """Show one more message."""
        self.text.appendPlainText(message.text)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())


class LogDesk(QObject):
    """Keeps the messages of one window, and shows them when they are asked for."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.log = MessageLog()

    def add(self, notice: Notice) -> None:
        """Keep a message."""
        self.log.add(notice)

    @Slot()
    def toggle(self) -> None:
        """Show the messages, or hide them where they are shown."""
        dock = self.log.dock
        if dock is not None and dock.isVisible():
            dock.hide()
        else:
            self.show()

    @Slot()
    def show(self) -> None:
        """Show the messages of this session below everything else."""
        dock = self.log.dock
        if dock is None:
            dock = LogDock(self.log, self._window)
            dock.folder_wanted.connect(self._open_folder)
            self._window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, dock)
        dock.show()
        dock.raise_()

    @Slot()
    def _open_folder(self) -> None:
        from affinecal_gui.support.log import log_folder

        QDesktopServices.openUrl(QUrl.fromLocalFile(str(log_folder())))
