"""Where a message to the user is shown: in the bar above the views, in the status line, and in the log."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from affinecal_gui.ui.session.notices import Notice
from affinecal_gui.ui.window.telling.log_panel import LogDesk
from affinecal_gui.ui.window.telling.message_bar import MessageBar
from affinecal_gui.ui.window.telling.status_line import StatusLine


class Messages(QObject):
    """Tells the user what the parts of one window have to say."""

    def __init__(
        self, bar: MessageBar, line: StatusLine, log: LogDesk, uncover: Callable[[], object], parent: QObject
    ) -> None:
        """Show messages in three places; ``uncover`` makes sure that the bar can be seen."""
        super().__init__(parent)
        self._bar, self._line, self._log, self._uncover = bar, line, log, uncover
        self._in_vain = ""

    @Slot(object)
    def show(self, notice: Notice) -> None:
        """Show a message where its kind belongs; one that offers something stays until it is closed."""
        if notice.kind in {"problem", "caution", "answer"} or notice.action is not None:
            self._uncover()
            self._bar.show_notice(notice)
        if notice.kind != "logged":
            self._line.show_message(notice.text, notice.kind)
        self._log.add(notice)

    @Slot()
    def forget(self) -> None:
        """Take down what was said of a study that is gone; the log keeps it."""
        self._bar.clear()
        self._line.show_message("")

    @Slot(object)
    def announce_export(self, paths: tuple[str, ...]) -> None:
        """Say which files were saved, and where."""
        names = ", ".join(Path(path).name for path in paths)
        folder = Path(paths[0]).parent if paths else ""
        self._line.show_message(f"Saved {names} in {folder}.", "done")

    @Slot(str)
    def say_nothing_found(self, text: str) -> None:
        """Say that a polymer was sought in vain."""
        self._in_vain = f"No polymer's name, id or repeat unit holds \u201c{text}\u201d."
        self._line.show_message(self._in_vain)

    @Slot()
    def forget_search(self) -> None:
        """Take down that a polymer was sought in vain, since another is sought now."""
        if self._in_vain and self._line.message == self._in_vain:
            self._line.show_message("")
