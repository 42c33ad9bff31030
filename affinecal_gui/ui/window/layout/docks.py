"""The docks at the sides of the window: made from the list of views, laid out, and put back where they lay the last time."""

from collections.abc import Iterator

from PySide6.QtCore import QByteArray, QSettings, Qt, QTimer
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabWidget, QWidget

from affinecal_gui.ui.parts.kept_choices import kept_choice
from affinecal_gui.ui.parts.view_explanations import EXPLANATIONS
from affinecal_gui.ui.parts.widgets.headers import DockTitleBar
from affinecal_gui.ui.window.layout.arrangement import DockArrangement
from affinecal_gui.ui.window.layout.maximising import Maximising
from affinecal_gui.ui.window.view_list import LINES, VIEWS, Place

LAYOUT_VERSION = 1  # raise it when docks change, so that a stored layout of before is not forced upon them
AREAS: dict[Place, Qt.DockWidgetArea] = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}


class Docks:
    """The docks of one window. Everything else that has a place in a stored layout, as tool bars, is there before them."""

    def __init__(self, window: QMainWindow, maximising: Maximising) -> None:
        self._window = window
        # The docks at the sides reach from top to bottom; the inspector lies between them.
        window.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        window.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        window.setDockNestingEnabled(True)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self._of_views: dict[str, QDockWidget] = {}
        self._bars: dict[str, DockTitleBar] = {}
        for line in VIEWS:
            if line.place in AREAS:
                self._add(line.name, AREAS[line.place], maximising)
        self.data = self._of_views["data_panel"]
        self.model = self._of_views["model_panel"]
        self.inspector = self._of_views["inspector"]
        self.arrangement = DockArrangement(window, self.data, self.model, self.inspector)
        self.arrangement.size_docks()
        self._name_by_tabs_later = QTimer(window, interval=0, singleShot=True)
        self._name_by_tabs_later.timeout.connect(self._name_by_tabs)
        for dock in self:
            for moved in (dock.visibilityChanged, dock.dockLocationChanged, dock.topLevelChanged):
                moved.connect(self._name_by_tabs_later.start)
        self._first_layout = window.saveState(LAYOUT_VERSION)

    def _add(self, name: str, area: Qt.DockWidgetArea, maximising: Maximising) -> None:
        line = LINES[name]
        dock = QDockWidget(line.title, self._window)
        dock.setObjectName(line.dock)
        dock.setAccessibleName(line.title)
        bar = DockTitleBar(dock, EXPLANATIONS[line.dock])
        dock.setTitleBarWidget(bar)
        dock.hide()  # the window may be on the screen, with the welcome page
        self._window.addDockWidget(area, dock)
        bar.add_tool(maximising.add(name, line.title, dock))
        self._of_views[name], self._bars[name] = dock, bar

    def _name_by_tabs(self) -> None:
        """Let no title bar repeat the tab above it."""
        for name, dock in self._of_views.items():
            behind = [other for other in self._window.tabifiedDockWidgets(dock) if not other.isHidden()]
            self._bars[name].name_by_tab(bool(behind) and not dock.isFloating())

    def __iter__(self) -> Iterator[QDockWidget]:
        """Go through the docks in the order of the list of views."""
        return iter(self._of_views.values())

    def hold(self, name: str, view: QWidget) -> bool:
        """Put a view into its dock; returns whether it has one."""
        dock = self._of_views.get(name)
        if dock is not None:
            dock.setWidget(view)
            if hasattr(view, "titled"):  # it says what stands in its title bar
                view.titled.connect(self._bars[name].set_detail)
        return dock is not None

    def set_visible(self, visible: bool) -> None:
        """Show or hide all docks."""
        for dock in self:
            dock.setVisible(visible)

    def reset(self, *, visible: bool) -> None:
        """Put every dock back where it was at first."""
        self._window.restoreState(self._first_layout, LAYOUT_VERSION)
        self.set_visible(visible)
        self.arrangement.follow()
        self.arrangement.size_docks()

    def restore(self, settings: QSettings) -> None:
        """Put the docks back where they lay when :meth:`keep` was called; they stay hidden."""
        state = kept_choice(settings, "window/state", QByteArray())
        if not state.isEmpty():
            self._window.restoreState(state, LAYOUT_VERSION)
            self.set_visible(False)

    def keep(self, settings: QSettings) -> None:
        """Remember where the docks lie."""
        settings.setValue("window/state", self._window.saveState(LAYOUT_VERSION))
