"""Which docks of the window stand beside each other: as far as its size allows."""

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow

NARROW_BELOW = QSize(1400, 800)  # pixels: below either, views that would stand below each other lie behind tabs


@dataclass(frozen=True, slots=True)
class Shares:
    """How much of the window each dock has."""

    data: float  # of the width
    model: float  # of the width
    inspector: float  # of the height, where it lies below the plots


WIDE, NARROW = Shares(0.345, 0.212, 0.315), Shares(0.355, 0.285, 0.0)


def is_narrow(size: QSize) -> bool:
    """Whether a window of this size has no room for the inspector below the plots."""
    return size.width() < NARROW_BELOW.width() or size.height() < NARROW_BELOW.height()


class DockArrangement(QObject):
    """Places the docks of a window.

    Only the usual places are changed: a dock that the user has put elsewhere stays there. A dock that the user has made
    wider or narrower keeps its share of a window that leaps to another size.
    """

    def __init__(self, window: QMainWindow, data: QDockWidget, model: QDockWidget, inspector: QDockWidget) -> None:
        super().__init__(window)
        self._window, self._data, self._model, self._inspector = window, data, model, inspector
        self._kept: dict[QDockWidget, float] = {}  # of the width of the window
        self._settled = QSize()  # size of the window for which the docks have their widths
        self._later = QTimer(self, interval=0, singleShot=True)
        self._later.timeout.connect(self._apply_shares)
        for dock in (data, model):
            dock.installEventFilter(self)

    def follow(self, *, leaps: bool = False) -> None:
        """Put the inspector behind the model where the window is small, between the side docks where it is large.

        Parameters
        ----------
        leaps
            Whether the window has just become much larger or smaller: its docks then keep their shares of it.
        """
        tabbed = self._inspector in self._window.tabifiedDockWidgets(self._model)
        place = self._window.dockWidgetArea(self._inspector)
        narrow = is_narrow(self._window.size())
        if narrow and not tabbed and place == Qt.DockWidgetArea.BottomDockWidgetArea:
            self._window.tabifyDockWidget(self._model, self._inspector)
            self._model.raise_()
            self.size_docks()
        elif not narrow and tabbed and place == Qt.DockWidgetArea.RightDockWidgetArea:
            self._window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self._inspector)
            self.size_docks()
        elif leaps:
            self._later.start()
        elif not self._later.isActive():
            self._settled = self._window.size()

    def size_docks(self) -> None:
        """Give every dock its usual share."""
        shares = NARROW if is_narrow(self._window.size()) else WIDE
        self._kept = {self._data: shares.data, self._model: shares.model}
        if shares.inspector:
            height = int(shares.inspector * self._window.height())
            self._window.resizeDocks([self._inspector], [height], Qt.Orientation.Vertical)
        self._apply_shares()
        self._later.start()  # docks that have just been moved take their former widths when they are laid out

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note which share a dock has been given by hand: its width changes while that of the window does not."""
        if event.type() == QEvent.Type.Resize and self._window.size() == self._settled:
            for dock in (self._data, self._model):
                if dock is watched and dock.isVisible() and not dock.isFloating():
                    self._kept[dock] = dock.width() / self._settled.width()
        return False

    def _apply_shares(self) -> None:
        kept = {dock: share for dock, share in self._kept.items() if not dock.isFloating()}
        widths = [round(share * self._window.width()) for share in kept.values()]
        self._settled = QSize()
        self._window.resizeDocks(list(kept), widths, Qt.Orientation.Horizontal)
        self._settled = self._window.size()
