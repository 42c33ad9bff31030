"""Two views side by side where there is room, behind tabs where there is not."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QStackedLayout, QTabWidget, QWidget

SIDE_BY_SIDE_FROM = 560  # pixels of width
FIRST_SHARES = (350, 300)


class ViewPair(QWidget):
    """Holds two views and moves them between a splitter and tabs as its width changes."""

    def __init__(self, first: QWidget, second: QWidget, titles: tuple[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._views = (first, second)
        self._titles = titles
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.tabs = QTabWidget()
        self.tabs.setObjectName("viewTabs")
        self.tabs.setDocumentMode(True)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.splitter)
        self._stack.addWidget(self.tabs)
        self._sizes: list[int] = list(FIRST_SHARES)
        self._to_splitter()

    @property
    def is_tabbed(self) -> bool:
        """Whether the views lie behind tabs at present."""
        return self._stack.currentWidget() is self.tabs

    def minimumSizeHint(self) -> QSize:
        """Return the size at which one view is legible; the other then lies behind a tab."""
        return QSize(380, 320)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Change the arrangement where the width calls for it."""
        super().resizeEvent(event)
        tabbed = event.size().width() < SIDE_BY_SIDE_FROM
        if tabbed != self.is_tabbed:
            if tabbed:
                self._to_tabs()
            else:
                self._to_splitter()

    def _to_tabs(self) -> None:
        self._sizes = self.splitter.sizes()
        for view, title in zip(self._views, self._titles, strict=True):
            self.tabs.addTab(view, title)
        self._stack.setCurrentWidget(self.tabs)

    def _to_splitter(self) -> None:
        for view in self._views:
            self.splitter.addWidget(view)
            view.show()  # a tab page that was not current is hidden
        for position in range(len(self._views)):
            self.splitter.setStretchFactor(position, 1)
        if any(self._sizes):
            self.splitter.setSizes(self._sizes)
        self._stack.setCurrentWidget(self.splitter)
