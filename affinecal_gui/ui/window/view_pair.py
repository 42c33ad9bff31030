"""Views side by side where there is room, behind tabs where there is not."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QTabBar, QVBoxLayout, QWidget

SIDE_BY_SIDE_FROM = 560  # pixels of width
FIRST_SHARES = (350, 300)


class ViewPair(QWidget):
    """Holds views in a splitter; where it is narrow, a row of tabs says which of them is shown.

    The views keep their place in the tree of widgets: Qt styles anew all of what moves to another parent, which takes longer
    than a window that is being resized may be deaf.
    """

    def __init__(self, views: Sequence[QWidget], titles: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._views = tuple(views)
        self.tabs = QTabBar()
        self.tabs.setObjectName("viewTabs")
        self.tabs.setAccessibleName(" or ".join(titles))
        self.tabs.setDocumentMode(True)
        self.tabs.setExpanding(False)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        for position, (view, title) in enumerate(zip(self._views, titles, strict=True)):
            self.tabs.addTab(title)
            self.splitter.addWidget(view)
            self.splitter.setStretchFactor(position, 1)
        self.splitter.setSizes(list(FIRST_SHARES))
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.tabs)
        box.addWidget(self.splitter, 1)
        self._sizes = list(FIRST_SHARES)  # side by side
        self._is_tabbed = False
        self._show()
        self.tabs.currentChanged.connect(self._show)

    @property
    def is_tabbed(self) -> bool:
        """Whether the views lie behind tabs at present."""
        return self._is_tabbed

    def minimumSizeHint(self) -> QSize:
        """Return the size at which one view is legible; the other then lies behind a tab."""
        return QSize(380, 320)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Change the arrangement where the width calls for it."""
        super().resizeEvent(event)
        tabbed = event.size().width() < SIDE_BY_SIDE_FROM
        if tabbed == self._is_tabbed:
            return
        if tabbed:
            self._sizes = self.splitter.sizes()
        self._is_tabbed = tabbed
        self._show()
        if not tabbed and all(self._sizes):
            self.splitter.setSizes(self._sizes)

    @Slot()
    def _show(self, *_: object) -> None:
        self.tabs.setVisible(self._is_tabbed)
        for number, view in enumerate(self._views):
            view.setVisible(not self._is_tabbed or number == self.tabs.currentIndex())
