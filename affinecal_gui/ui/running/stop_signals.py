"""Ctrl+C in the terminal, and the system's wish that the program ends, as signals of Qt."""

import signal
import socket
from types import FrameType

from PySide6.QtCore import QObject, QSocketNotifier, QTimer, Signal, Slot

ORDERS = ("SIGTERM", "SIGHUP")  # the second where the terminal is gone; not every system has both


class StopSignals(QObject):
    """Hears the signals of the process from now on until :meth:`restore`.

    Python calls its handlers between two of its own instructions, of which there are none while the window waits for its
    user. A socket that the handler of the operating system writes to wakes the event loop.
    """

    asked = Signal()  # to close the window as its own button does
    ordered = Signal()  # to end now: by the system, or by a second Ctrl+C

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._was_asked = False
        self._ours, self._of_system = socket.socketpair()
        for end in (self._ours, self._of_system):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._ours.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._wake)
        self._before_fd = signal.set_wakeup_fd(self._of_system.fileno(), warn_on_full_buffer=False)
        self._before = {signal.SIGINT: signal.signal(signal.SIGINT, self._interrupt)}
        for name in ORDERS:
            number = getattr(signal, name, None)
            if number is not None:
                self._before[number] = signal.signal(number, self._order)

    def restore(self) -> None:
        """Leave the signals to whoever had them before."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before.clear()
        signal.set_wakeup_fd(self._before_fd)
        self._notifier.setEnabled(False)
        self._ours.close()
        self._of_system.close()

    # Handlers run in the middle of anything in the main thread: what follows waits for the event loop.

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        signal_of_qt = self.ordered if self._was_asked else self.asked
        self._was_asked = True
        QTimer.singleShot(0, self, signal_of_qt.emit)

    def _order(self, _number: int, _frame: FrameType | None) -> None:
        QTimer.singleShot(0, self, self.ordered.emit)

    @Slot()
    def _wake(self) -> None:
        """Read what the system has written; that Python runs at all is what matters."""
        try:
            self._ours.recv(64)
        except OSError:
            return
