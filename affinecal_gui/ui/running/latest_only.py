"""While a slider moves, one refit follows the other: the next one begins when the last has been shown, with the latest wish.

A refit for every position of the slider would be cancelled by the next before anything of it was seen, and threads that
take a moment to stop would compute beside each other, and beside the window, which has to be painted meanwhile.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal, Slot

PATIENCE = 400  # milliseconds that a wish waits for a refit that was begun before it


class LatestOnly(QObject):
    """Latest only: of the wishes that come while work is under way, the last one is worked on next.

    Parameters
    ----------
    begin
        Begins work on the latest wish; what is under way then ends unheard.
    is_under_way
        Says whether such work is being done.
    """

    changed = Signal()  # a wish waits, or no longer

    def __init__(self, begin: Callable[[], object], is_under_way: Callable[[], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._begin, self._is_under_way = begin, is_under_way
        self.is_showing: Callable[[], bool] = lambda: False
        """Says whether the last result is still being shown; whoever shows it calls :meth:`go_on` afterwards."""
        self._is_waiting = False
        self._patience = QTimer(self, singleShot=True)
        self._patience.timeout.connect(self._begin_anyway)

    @property
    def is_waiting(self) -> bool:
        """Whether a wish waits for its turn."""
        return self._is_waiting

    def wish(self) -> None:
        """Work on what is wished for now as soon as nothing earlier is under way, or when that takes too long."""
        if not (self._is_under_way() or self.is_showing()):
            self._begin()
        elif not self._is_waiting:
            self._patience.start(PATIENCE)
            self._set_waiting(True)

    @Slot()
    def go_on(self) -> None:
        """Begin with what waits, if it is its turn."""
        if self._is_waiting and not (self._is_under_way() or self.is_showing()):
            self._begin_anyway()

    def forget(self) -> None:
        """Let nothing wait: the wish was taken back, or is being worked on."""
        self._patience.stop()
        self._set_waiting(False)

    @Slot()
    def _begin_anyway(self) -> None:
        self._begin()
        self.forget()

    def _set_waiting(self, is_waiting: bool) -> None:
        if is_waiting != self._is_waiting:
            self._is_waiting = is_waiting
            self.changed.emit()
