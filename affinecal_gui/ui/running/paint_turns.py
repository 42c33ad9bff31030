"""Costly painting, and costly placing, has a turn of the event loop to itself.

When a window changes its size, or a result arrives, Qt paints everything that changed in one turn, right after the work that
changed it. What takes long to paint asks here first: where the turn has lasted for long already it shows what it painted
last, and is painted anew in a turn of its own, so that a click or a key is heard in between.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, QThread, QTimer, Slot
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from affinecal_gui.ui.running.loop_state import LoopState, loop_state

ROOM = 0.008  # seconds of a turn after which costly painting waits for the next one
LEAP = 80  # pixels: a change of size beyond this is no step of a hand that drags an edge


def is_leap(before: QSize, now: QSize) -> bool:
    """Return whether a size has changed by so much that parts may show their ground for a moment."""
    return max(abs(now.width() - before.width()), abs(now.height() - before.height())) > LEAP


class PaintTurns(QObject):
    """Knows whether the present turn has room, and lets the parts that had to wait paint one after the other."""

    def __init__(self, loop: LoopState | None = None) -> None:
        super().__init__()
        self._loop = loop or loop_state()
        self._unhurried = 0
        self._waiting: list[QWidget] = []
        self._held: list[QWidget] = []
        self._has_turn: QWidget | None = None  # part that was postponed, and has the present turn
        self._places: list[tuple[QWidget, Callable[[], object]]] = []  # how parts that are held lay themselves out
        self._turns = QTimer(self, interval=0)
        self._turns.timeout.connect(self._let_one_paint)

    def begin(self) -> None:
        """Say that a turn begins: every other event had its chance just now."""
        self._loop.begin_turn()

    def has_room(self, part: QWidget | None = None) -> bool:
        """Return whether the present turn is young enough for something that takes long to paint.

        A part that was postponed, and has the turn now, always has room: where the computer is slow, or busy with other
        things, no turn is young enough when its painting begins, and it would be postponed for ever.
        """
        if self._unhurried or not QThread.currentThread().loopLevel():
            return True  # nobody is waiting for an answer
        if part is not None and part is self._has_turn:
            return True
        return self._loop.turn_lasts < ROOM

    def postpone(self, part: QWidget) -> None:
        """Paint all of a part anew in a turn of its own."""
        if not any(waiting is part for waiting in self._waiting):
            self._waiting.append(part)
        self._turns.start()

    def hold(self, parts: Sequence[QWidget]) -> None:
        """Let windows, or parts of them, show what they painted last until they are told to come one by one."""
        self._held = [held for held in self._held if not any(held is part for part in parts)]
        for part in parts:
            part.setUpdatesEnabled(False)

    def one_by_one(self, parts: Sequence[QWidget]) -> None:
        """Paint windows, or parts of them, that have all changed one after the other, each in a turn of its own."""
        self.hold(parts)
        self._held += parts
        self._turns.start()
        while self._held and not QThread.currentThread().loopLevel():  # nobody is waiting for an answer
            self._let_one_paint()

    def place_later(self, part: QWidget, place: Callable[[], object]) -> None:
        """Let a part of another size lay itself out in a turn of its own, and be painted in the one after that."""
        self._take_place_of(part)
        self._places.append((part, place))
        self.one_by_one((part,))

    def is_to_be_placed(self, part: QWidget) -> bool:
        """Return whether a part still has to lay itself out."""
        return any(waiting is part for waiting, _ in self._places)

    def _take_place_of(self, part: QWidget) -> Callable[[], object] | None:
        found = next((place for waiting, place in self._places if waiting is part), None)
        self._places = [entry for entry in self._places if entry[0] is not part]
        return found

    @property
    def is_painting(self) -> bool:
        """Whether parts show what they painted earlier."""
        return bool(self._waiting or self._held)

    @Slot()
    def _let_one_paint(self) -> None:
        self.begin()
        self._has_turn = None
        while self._held:
            part = self._held[0]
            place = self._take_place_of(part)
            if place is not None and isValid(part):
                place()
                return
            self._held.pop(0)
            if isValid(part):
                _let_paint(part)
                return
        while self._waiting:
            part = self._waiting.pop(0)
            if isValid(part) and part.isVisible():
                self._has_turn = part
                part.update()
                return
        self._turns.stop()

    @contextmanager
    def unhurried(self) -> Iterator[None]:
        """Let everything be painted at once: for a picture of a window."""
        self._unhurried += 1
        try:
            yield
        finally:
            self._unhurried -= 1


def _let_paint(part: QWidget) -> None:
    part.setUpdatesEnabled(True)
    # Where Qt's request to paint a window came while that was held, Qt waits for it for ever, and never asks again.
    QCoreApplication.postEvent(part.window(), QEvent(QEvent.Type.UpdateRequest))


_turns: PaintTurns | None = None


def paint_turns() -> PaintTurns:
    """Return the turns of the main thread."""
    global _turns  # one thread paints, and has one event loop
    if _turns is None or not isValid(_turns):
        _turns = PaintTurns()
    return _turns
