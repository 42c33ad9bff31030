"""Making what nobody needs yet behind the window that is seen, one step a turn of the event loop.

Whoever needs something before its turn takes the steps that are left at once; when their turn comes there are none.
"""

from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from affinecal_gui.ui.running.paint_turns import paint_turns


class MakingAhead(QObject):
    """Takes steps in the order in which they came, with a turn for clicks, keys and painting between any two.

    In the main thread: Qt's classes come into being when they are first used, and would do so twice if two threads used them
    first.
    """

    ended = Signal()  # nothing is left to be made, or it could not be made

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: list[Iterator[None]] = []  # each in steps, the next one first
        self._is_painting = False  # what the last step changed
        self._turns = QTimer(self, interval=0)
        self._turns.timeout.connect(self._take_turn)

    @property
    def is_under_way(self) -> bool:
        """Whether something is still to be made."""
        return self._turns.isActive()

    def take(self, steps: Iterator[None]) -> None:
        """Take these steps after those that are waiting."""
        self._waiting.append(steps)
        self._turns.start()

    def stop(self) -> None:
        """Make nothing more."""
        self._turns.stop()
        self._waiting.clear()

    @Slot()
    def _take_turn(self) -> None:
        paint_turns().begin()
        self._is_painting = not self._is_painting
        if not self._is_painting or paint_turns().is_painting:
            return  # so that painting what was changed does not add to the next step
        try:
            next(self._waiting[0])
        except StopIteration:
            if self._waiting:  # the last step may have stopped everything
                del self._waiting[0]
        except Exception:
            self.stop()  # the same fault would come with every turn; who needs what was to be made meets it again
            self.ended.emit()
            raise
        if self._turns.isActive() and not self._waiting:
            self._turns.stop()
            self.ended.emit()
