"""The first line of a dock and of a view."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QToolButton,
    QWidget,
)

from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.widgets.labels import ElidedLabel, label
from affinecal_gui.ui.parts.widgets.tool_buttons import ExplainButton, ThemedToolButton


class DockTitleBar(QWidget):
    """Title bar of a dock, 25 px high: title, an optional detail, what it shows, float and close.

    Parameters
    ----------
    dock
        The dock it will be the title bar of.
    explanation
        Answers "What am I looking at?"; without one there is no question mark.
    """

    def __init__(self, dock: QDockWidget, explanation: str = "") -> None:
        super().__init__(dock)
        self._dock = dock
        set_kind(self, "dock-title")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(25)
        self._title = label(dock.windowTitle(), "section")
        self._detail = ElidedLabel()
        self._faint_detail = label("", "faint")
        self._float = self._button("float", f"Float the {dock.windowTitle()} panel")
        self._close = self._button("close", f"Close the {dock.windowTitle()} panel")
        self._float.clicked.connect(self._toggle_floating)
        self._close.clicked.connect(dock.close)
        dock.windowTitleChanged.connect(self._title.setText)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 4, 0)
        row.setSpacing(6)
        row.addWidget(self._title)
        row.addWidget(self._detail, 1)
        row.addWidget(self._faint_detail)
        if explanation:
            explain = ExplainButton(explanation)
            explain.setIconSize(QSize(14, 14))
            set_kind(explain, "dock")
            row.addWidget(explain)
        row.addWidget(self._float)
        row.addWidget(self._close)
        self._row = row

    def add_tool(self, button: QToolButton) -> None:
        """Show a further button, before those that float and close the dock."""
        button.setIconSize(QSize(14, 14))
        set_kind(button, "dock")
        self._row.insertWidget(self._row.indexOf(self._float), button)

    def name_by_tab(self, named: bool) -> None:
        """Leave the title out where a tab above says it already."""
        self._title.setVisible(not named)

    def set_detail(self, text: str, faint: str = "") -> None:
        """Show beside the title what the panel is about: plain text, then faint text, which alone stays in a narrow panel."""
        self._detail.set_wordings(text, "")
        self._faint_detail.setText(faint)

    def _button(self, icon_name: str, tip: str) -> ThemedToolButton:
        button = ThemedToolButton(icon_name, tip)
        button.setIconSize(QSize(14, 14))
        set_kind(button, "dock")
        return button

    @Slot()
    def _toggle_floating(self) -> None:
        self._dock.setFloating(not self._dock.isFloating())


class ViewHeader(QWidget):
    """First line of a view: title (13 px bold), muted subtitle, tool buttons at the right.

    Parameters
    ----------
    title, subtitle
        The words.
    buttons
        Shown from left to right at the right end; the subtitle gives way to them.
    """

    titled = Signal(str)  # the view is called otherwise now

    def __init__(
        self,
        title: str,
        subtitle: str,
        buttons: Sequence[QWidget],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.title = label(title, "view-title")
        self.subtitle = ElidedLabel(subtitle, "muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.title)
        row.addWidget(self.subtitle, 1)
        tools = QHBoxLayout()
        tools.setSpacing(2)
        for button in buttons:
            set_kind(button, "dock")
            tools.addWidget(button)
        row.addLayout(tools)
        self._row, self._tools = row, tools
        self.setMinimumHeight(26)

    def add_choice(self, widget: QWidget) -> None:
        """Show a choice behind the title; the subtitle gives way to it."""
        self._row.insertWidget(1, widget)

    def name_by_tab(self, named: bool) -> None:
        """Leave the title out where a tab above says it already."""
        self.title.setVisible(not named)

    def add_tool(self, button: QToolButton) -> None:
        """Show a further button at the right end."""
        set_kind(button, "dock")
        self._tools.addWidget(button)

    def set_title(self, text: str) -> None:
        """Change what the view is called."""
        if text != self.title.text():
            self.title.setText(text)
            self.titled.emit(text)

    def set_subtitle(self, text: str, *shorter: str) -> None:
        """Say what the view shows at the moment; shorter where that has no room."""
        self.subtitle.set_wordings(text, *shorter)
