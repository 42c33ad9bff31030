"""Views side by side where there is room, behind tabs where there is not."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QTabBar, QVBoxLayout, QWidget

from affinecal_gui.ui.parts.widgets.headers import ViewHeader

SIDE_BY_SIDE_FROM = 560  # pixels of width
FIRST_SHARES = (350, 300)

TitledView = tuple[QWidget, str]


def _tab_bar(titles: Sequence[str]) -> QTabBar:
    tabs = QTabBar()
    tabs.setAccessibleName(" or ".join(titles))
    tabs.setDocumentMode(True)
    tabs.setExpanding(False)
    for title in titles:
        tabs.addTab(title)
    return tabs


def header_of(view: QWidget) -> ViewHeader | None:
    """Return the first line of a view, if it has one."""
    header = getattr(view, "header", None)
    return header if isinstance(header, ViewHeader) else None


class _Column(QWidget):
    """Views that share a place; a row of tabs says which of them is shown."""

    changed = Signal()
    has_tabs = False

    def __init__(self, views: Sequence[TitledView]) -> None:
        super().__init__()
        self.views = [view for view, _ in views]
        self.tabs = _tab_bar([title for _, title in views])
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.tabs)
        for view in self.views:
            box.addWidget(view, 1)
        self.tabs.currentChanged.connect(self.changed)

    @property
    def current(self) -> QWidget:
        """The view in front."""
        return self.views[max(0, self.tabs.currentIndex())]

    def show_views(self, shown: QWidget | None, *, with_tabs: bool) -> None:
        """Show one of the views, or none."""
        self.setVisible(shown is not None)
        self.has_tabs = with_tabs and len(self.views) > 1
        self.tabs.setVisible(self.has_tabs)
        for view in self.views:
            view.setVisible(view is shown)


class ViewPair(QWidget):
    """Holds columns of views in a splitter; where it is narrow, one row of tabs says which of all views is shown.

    The views keep their place in the tree of widgets: Qt styles anew all of what moves to another parent, which takes longer
    than a window that is being resized may be deaf.

    Parameters
    ----------
    columns
        From left to right; of each column the views that share its place, with their titles.
    """

    def __init__(self, columns: Sequence[Sequence[TitledView]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._columns = [_Column(views) for views in columns]
        self._views = [view for column in self._columns for view in column.views]
        self.tabs = _tab_bar([title for views in columns for _, title in views])
        self.tabs.setObjectName("viewTabs")
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        for position, column in enumerate(self._columns):
            column.tabs.setObjectName(f"viewTabs{position + 1}")
            self.splitter.addWidget(column)
            self.splitter.setStretchFactor(position, 1)
        self.splitter.setSizes(list(FIRST_SHARES))
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.tabs)
        box.addWidget(self.splitter, 1)
        self._sizes = list(FIRST_SHARES)  # side by side
        self._is_tabbed = False
        self._alone: QWidget | None = None
        self._show()
        self.tabs.currentChanged.connect(self._show)
        for column in self._columns:
            column.changed.connect(self._show)
        for number, view in enumerate(self._views):
            header = header_of(view)
            if header is not None:
                header.titled.connect(partial(self.tabs.setTabText, number))

    @property
    def is_tabbed(self) -> bool:
        """Whether the views lie behind one row of tabs at present."""
        return self._is_tabbed

    @property
    def alone(self) -> QWidget | None:
        """The view that has all of the room, where one has."""
        return self._alone

    def bring_to_front(self, view: QWidget) -> None:
        """Show a view, if it lies behind another."""
        self.tabs.setCurrentIndex(self._views.index(view))
        for column in self._columns:
            if view in column.views:
                column.tabs.setCurrentIndex(column.views.index(view))

    def show_alone(self, view: QWidget | None) -> None:
        """Give all of the room to one view; None gives each its place again."""
        if view is not None:
            if self._alone is None and not self._is_tabbed:
                self._sizes = self.splitter.sizes()
            self.bring_to_front(view)
        was_alone, self._alone = self._alone is not None, view
        self._show()
        if view is None and was_alone and not self._is_tabbed and all(self._sizes):
            self.splitter.setSizes(self._sizes)

    def minimumSizeHint(self) -> QSize:
        """Return the size at which one view is legible; the others then lie behind tabs."""
        return QSize(380, 320)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Change the arrangement where the width calls for it."""
        super().resizeEvent(event)
        tabbed = event.size().width() < SIDE_BY_SIDE_FROM
        if tabbed == self._is_tabbed or self._alone is not None:
            return
        if tabbed:
            self._sizes = self.splitter.sizes()
        self._is_tabbed = tabbed
        self._show()
        if not tabbed and all(self._sizes):
            self.splitter.setSizes(self._sizes)

    @Slot()
    def _show(self, *_: object) -> None:
        in_front = self._views[max(0, self.tabs.currentIndex())] if self._is_tabbed else None
        only = self._alone or in_front
        has_tabs = self._is_tabbed and self._alone is None
        self.tabs.setVisible(has_tabs)
        for column in self._columns:
            shown = column.current if only is None else only if only in column.views else None
            column.show_views(shown, with_tabs=only is None)
            for view in column.views:
                header = header_of(view)
                if header is not None:
                    header.name_by_tab(has_tabs or column.has_tabs)
