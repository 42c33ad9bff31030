"""Small parts that every panel is built from; they colour themselves and follow a change of theme without being told.

=========================== ======================================================================================
:class:`DockTitleBar`       ``dock.setTitleBarWidget(DockTitleBar(dock))``; ``set_detail("polystyrene", "PI1")``
:class:`ViewHeader`         title, subtitle and tool buttons of a view
:class:`SectionHeading`     bold title, thin rule, muted detail; folds its body when told ``set_body(widget)``
:class:`InfoLine`           check, caution, info or left-out sign with a wrapped sentence (rich text, links)
:class:`ThemedToolButton`   flat button with an icon: ``ThemedToolButton("copy", "Copy the figure")``
:class:`ExplainButton`      question mark that answers "What am I looking at?"
:class:`SegmentedButtons`   one of a few: ``SegmentedButtons((("log", "Logarithmic"), ("linear", "Linear")), "Scale")``
:class:`ValueTable`         label, value, note in aligned columns; framed or plain
:class:`IconLabel`          an icon that is no button
:class:`ElidedLabel`        plain text that ends in an ellipsis where it has no room
:class:`LinkButton`         a button that reads as a link
:func:`rule`                a thin line
:func:`label`               a label of a kind
=========================== ======================================================================================
"""

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QIcon, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QDockWidget,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from affinecal_gui.ui.parts.theme import current_theme, icon, set_kind

ICON_SIZE = QSize(16, 16)

InfoKind = Literal["check", "caution", "bad", "info", "left_out"]

_INFO_SIGNS: dict[InfoKind, tuple[str, str, str]] = {  # drawing, colour role, word for a screen reader
    "check": ("check", "good", "Good"),
    "caution": ("caution", "caution", "Caution"),
    "bad": ("caution", "bad", "Problem"),
    "info": ("info", "accent", "Note"),
    "left_out": ("left_out", "bad", "Left out"),
}

_COLOUR_CHANGES = (QEvent.Type.PaletteChange, QEvent.Type.ApplicationPaletteChange)


def themed_icon(name: str, role: str = "text") -> QIcon:
    """Return an icon in the colours of the theme in use."""
    return icon(name, current_theme().palette, role)


def label(text: str = "", kind: str = "", wrap: bool = False) -> QLabel:
    """Return a label of a kind (see :mod:`affinecal_gui.ui.parts.theme`)."""
    made = QLabel(text)
    if kind:
        set_kind(made, kind)
    made.setWordWrap(wrap)
    return made


def rule(upright: bool = False) -> QFrame:
    """Return a thin line."""
    line = QFrame()
    set_kind(line, "upright-rule" if upright else "rule")
    policy = QSizePolicy.Policy
    line.setSizePolicy(*((policy.Fixed, policy.Expanding) if upright else (policy.Expanding, policy.Fixed)))
    return line


class ThemedToolButton(QToolButton):
    """A flat tool button whose icon follows the theme.

    Parameters
    ----------
    icon_name
        One of ``icons.icon_names()``.
    tip
        What it does: tooltip and accessible name.
    text
        Shown beside the icon; empty for the icon alone.
    role
        Colour role of the icon.
    """

    def __init__(
        self, icon_name: str, tip: str, text: str = "", role: str = "muted", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self._role = role
        self._shown: tuple[object, ...] = ()
        self.setAutoRaise(True)
        self.setIconSize(ICON_SIZE)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(tip)
        self.setAccessibleName(tip)
        if text:
            self.setText(text)
            self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._tint()

    def set_icon_name(self, icon_name: str, tip: str) -> None:
        """Show another icon, and say what the button does now."""
        self._icon_name = icon_name
        self.setToolTip(tip)
        self.setAccessibleName(tip)
        self._tint()

    def changeEvent(self, event: QEvent) -> None:
        """Colour the icon anew when the theme changed."""
        super().changeEvent(event)
        if event.type() in _COLOUR_CHANGES:
            self._tint()

    def _tint(self) -> None:
        wanted = (self._icon_name, self._role, current_theme())
        if wanted != self._shown:  # Qt tells of one change of theme several times
            self._shown = wanted
            self.setIcon(themed_icon(self._icon_name, self._role))


class ExplainButton(ThemedToolButton):
    """A question mark that answers "What am I looking at?" in a few sentences; Escape or a click closes the answer.

    Parameters
    ----------
    text
        The answer: plain text or simple rich text.
    """

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__("help", "What am I looking at?", parent=parent)
        self._text = text
        self.answer: QFrame | None = None
        self.setAccessibleDescription(text)
        self.clicked.connect(self.explain)

    def set_text(self, text: str) -> None:
        """Change the answer."""
        self._text = text
        self.setAccessibleDescription(text)

    @Slot()
    def explain(self) -> None:
        """Show the answer below the button."""
        if self.answer is None:
            self.answer = QFrame(self, Qt.WindowType.Popup)
            set_kind(self.answer, "card")
            words = label("", wrap=True)
            words.setFixedWidth(300)
            box = QVBoxLayout(self.answer)
            box.setContentsMargins(12, 10, 12, 10)
            box.addWidget(words)
        self.answer.findChildren(QLabel)[0].setText(self._text)
        self.answer.adjustSize()
        below = self.mapToGlobal(self.rect().bottomRight())
        self.answer.move(below.x() - self.answer.width(), below.y() + 2)
        self.answer.show()


class IconLabel(QLabel):
    """An icon that follows the theme and the scale factor of the screen.

    Parameters
    ----------
    icon_name, role
        Drawing and colour.
    size
        In logical pixels.
    """

    def __init__(self, icon_name: str, role: str = "text", size: int = 16, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self._role = role
        self._size = size
        self._shown: tuple[object, ...] = ()
        self.setFixedSize(size, size)
        self._tint()

    def set_icon(self, icon_name: str, role: str) -> None:
        """Show another icon."""
        if (icon_name, role) != (self._icon_name, self._role):
            self._icon_name, self._role = icon_name, role
            self._tint()

    def changeEvent(self, event: QEvent) -> None:
        """Colour the icon anew when the theme or the screen changed."""
        super().changeEvent(event)
        if event.type() in (*_COLOUR_CHANGES, QEvent.Type.DevicePixelRatioChange):
            self._tint()

    def _tint(self) -> None:
        wanted = (self._icon_name, self._role, current_theme(), self.devicePixelRatioF())
        if wanted != self._shown:  # Qt tells of one change of theme several times
            self._shown = wanted
            size = QSize(self._size, self._size)
            self.setPixmap(themed_icon(self._icon_name, self._role).pixmap(size, self.devicePixelRatioF()))


class ElidedLabel(QLabel):
    """A plain-text label that ends in an ellipsis where it has no room; the tooltip then shows all of it."""

    def __init__(self, text: str = "", kind: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._shorter: tuple[str, ...] = ()
        if kind:
            set_kind(self, kind)
        self.setText(text)

    def set_wordings(self, text: str, *shorter: str) -> None:
        """Show a text, or where it has no room the first of the shorter ones that has."""
        self._shorter = shorter
        self.setText(text)
        self.update()

    @property
    def shown_text(self) -> str:
        """What of the text, or which of the shorter ones, there is room for."""
        metrics, width = self.fontMetrics(), self.width()
        for text in (self.text(), *self._shorter):
            if metrics.horizontalAdvance(text) <= width:
                return text
        return metrics.elidedText((self.text(), *self._shorter)[-1], Qt.TextElideMode.ElideRight, width)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw as much of the text as there is room for."""
        shown = self.shown_text
        self.setToolTip(self.text() if shown != self.text() else "")
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), int(self.alignment()), shown)
        painter.end()


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
        self._tools = tools
        self.setMinimumHeight(26)

    def add_tool(self, button: QToolButton) -> None:
        """Show a further button at the right end."""
        set_kind(button, "dock")
        self._tools.addWidget(button)

    def set_title(self, text: str) -> None:
        """Change what the view is called."""
        self.title.setText(text)

    def set_subtitle(self, text: str, *shorter: str) -> None:
        """Say what the view shows at the moment; shorter where that has no room."""
        self.subtitle.set_wordings(text, *shorter)


class SectionHeading(QWidget):
    """Heading of a section: bold title, thin rule, muted detail at the right.

    With ``set_body`` the section can be folded to this one line, which then shows ``summary`` instead of the detail.

    Parameters
    ----------
    title
        The words; rich text is understood.
    detail
        At the right end: a unit, or what the numbers are.
    spare
        Whether the detail is left out where it has no room, rather than making the section wider.
    """

    folded_changed = Signal(bool)

    def __init__(self, title: str, detail: str = "", *, spare: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_spare = spare
        self._detail_text = detail
        self._summary = ""
        self._body: QWidget | None = None
        self._tools: tuple[QToolButton, ...] = ()
        self._folded = False
        self.setFixedHeight(22)
        self._chevron = ThemedToolButton("chevron_down", "Fold this section")
        self._chevron.setIconSize(QSize(12, 12))
        set_kind(self._chevron, "dock")
        self._chevron.hide()
        self._chevron.clicked.connect(self._toggle)
        self._title = label(title, "section")
        self._rule = rule()
        self._detail = label(detail, "muted")
        if spare:
            self._detail.setMinimumWidth(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._chevron)
        row.addWidget(self._title)
        row.addWidget(self._rule, 1)
        row.addWidget(self._detail)
        self._refresh()

    @property
    def folded(self) -> bool:
        """Whether the body is hidden."""
        return self._folded

    def set_title(self, title: str) -> None:
        """Show another title."""
        self._title.setText(title)

    def add_tools(self, *buttons: QToolButton) -> None:
        """Put small buttons at the right end; they go with the body when it is folded."""
        row = self.layout()
        assert isinstance(row, QHBoxLayout)
        tools = QHBoxLayout()
        tools.setSpacing(0)
        for button in buttons:
            button.setIconSize(QSize(14, 14))
            set_kind(button, "dock")
            tools.addWidget(button)
        row.addLayout(tools)
        self._tools = buttons

    def set_detail(self, detail: str) -> None:
        """Show another detail."""
        self._detail_text = detail
        self._refresh()

    def set_body(self, body: QWidget, summary: str = "") -> None:
        """Let the heading fold ``body``; folded, ``summary`` stands for it."""
        self._body = body
        self._chevron.show()
        self.set_summary(summary)

    def set_summary(self, summary: str) -> None:
        """Change the line that stands for a folded body."""
        self._summary = summary
        self._refresh()

    def set_folded(self, folded: bool) -> None:
        """Hide or show the body."""
        if self._body is None or folded == self._folded:
            return
        self._folded = folded
        self._body.setVisible(not folded)
        self._refresh()
        self.folded_changed.emit(folded)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Fold or unfold with a click anywhere on the line."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self._toggle()

    @Slot()
    def _toggle(self) -> None:
        self.set_folded(not self._folded)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave a spare detail out where it has no room."""
        super().resizeEvent(event)
        self._show_detail()

    def showEvent(self, event: QShowEvent) -> None:
        """Look whether a spare detail has room: what is hidden is not asked."""
        super().showEvent(event)
        self._show_detail()

    def _refresh(self) -> None:
        tip = f"{'Unfold' if self._folded else 'Fold'} {self._title.text()}"
        if tip != self._chevron.toolTip():
            self._chevron.set_icon_name("chevron_right" if self._folded else "chevron_down", tip)
        text = self._summary if self._folded else self._detail_text
        if text != self._detail.text():
            self._detail.setText(text)
        for button in self._tools:
            button.setVisible(not self._folded)
        self._show_detail()

    def _show_detail(self) -> None:
        others = (self._chevron, self._title, *self._tools)
        # Between all of them, and at both sides of the rule, lies the spacing of the row.
        taken = sum(part.sizeHint().width() + 8 for part in others if not part.isHidden()) + 16
        has_room = not self._is_spare or not self.isVisible() or taken + self._detail.sizeHint().width() <= self.width()
        self._detail.setVisible(bool(self._detail.text()) and has_room)


class InfoLine(QWidget):
    """A sign and a sentence: what is well, what to mind, what to know.

    Parameters
    ----------
    kind
        check, caution, bad, info or left_out.
    text
        Plain or rich text; links emit ``link_activated`` with their address.
    note
        11 px instead of 12 px.
    """

    link_activated = Signal(str)

    def __init__(
        self, kind: InfoKind = "info", text: str = "", note: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._sign = IconLabel(*_INFO_SIGNS[kind][:2], size=15)
        self._text = label("", "note-text" if note else "", wrap=True)
        self._text.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self._text.setSizePolicy(policy)
        self._text.linkActivated.connect(self.link_activated)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(7)
        row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._text, 1)
        self.set_message(kind, text)

    @property
    def text(self) -> str:
        """The sentence shown."""
        return self._text.text()

    def set_message(self, kind: InfoKind, text: str) -> None:
        """Show another sign and sentence; without a sentence the line is hidden."""
        drawing, role, word = _INFO_SIGNS[kind]
        self._sign.set_icon(drawing, role)
        self._sign.setAccessibleName(word)
        self._text.setText(text)
        self.setAccessibleName(f"{word}: {text}")
        if text and self.parent() is None:
            # Not placed yet: showing it would open a window of its own. It appears with what it is put into.
            self.setAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide, False)
        else:
            self.setVisible(bool(text))


class SegmentedButtons(QWidget):
    """A choice of one among a few, as buttons side by side; the arrow keys move the choice.

    Parameters
    ----------
    options
        Pairs of key and text.
    name
        Accessible name: what is chosen.
    """

    chosen = Signal(str)  # the key, when the user chose

    def __init__(self, options: Sequence[tuple[str, str]], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._silent = False
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._buttons: dict[str, QPushButton] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        last = len(options) - 1
        for position, (key, text) in enumerate(options):
            button = QPushButton(text)
            button.setCheckable(True)
            button.setAccessibleName(f"{name}: {text}")
            place = "only" if last == 0 else "first" if position == 0 else "last" if position == last else "middle"
            set_kind(button, f"segment-{place}")
            # The chosen text is bold; room for it is kept so that nothing moves when the choice does.
            button.setMinimumWidth(QFontMetrics(current_theme().font(bold=True)).horizontalAdvance(text) + 22)
            self._group.addButton(button)
            self._buttons[key] = button
            row.addWidget(button)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        if options:
            self.set_current(options[0][0])
        self._group.buttonToggled.connect(self._report)

    @property
    def current(self) -> str:
        """Key of the chosen option."""
        return next((key for key, button in self._buttons.items() if button.isChecked()), "")

    def button(self, key: str) -> QPushButton:
        """Return the button of an option."""
        return self._buttons[key]

    def set_current(self, key: str) -> None:
        """Choose without announcing it."""
        self._silent = True
        self._buttons[key].setChecked(True)
        self._silent = False

    @Slot("QAbstractButton*", bool)
    def _report(self, button: QPushButton, checked: bool) -> None:
        if checked and not self._silent:
            self.chosen.emit(self.current)


class ValueTable(QFrame):
    """Aligned rows of label, value and note.

    Parameters
    ----------
    framed
        With a border and rules between the rows (Parameters), or plain (Values).
    columns
        Kind of each column, a label kind of the style sheet. ``value`` (bold) and ``right`` align to the right,
        ``strong`` (bold) and ``muted`` to the left. The first muted column takes the spare room.
    """

    def __init__(
        self, columns: Sequence[str] = ("muted", "value", "muted"), framed: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._columns = tuple(columns)
        self._framed = framed
        if framed:
            set_kind(self, "table")
        self._grid = QGridLayout(self)
        margin = 8 if framed else 0
        self._grid.setContentsMargins(margin, 2 if framed else 0, margin, 2 if framed else 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(columns.index("muted") if "muted" in columns else 0, 1)
        self._labels: list[list[QLabel]] = []
        self._rules: list[QFrame] = []

    def set_rows(self, rows: Sequence[Sequence[str]]) -> None:
        """Show these rows; each has one text per column."""
        while len(self._labels) < len(rows):
            self._add_row()
        for position, labels in enumerate(self._labels):
            shown = position < len(rows)
            for column, cell in enumerate(labels):
                cell.setVisible(shown)
                if shown:
                    cell.setText(rows[position][column])
        for position, line in enumerate(self._rules):
            line.setVisible(position + 1 < len(rows))

    def _add_row(self) -> None:
        row = len(self._labels)
        if self._framed and row:
            line = rule()
            self._rules.append(line)
            self._grid.addWidget(line, 2 * row - 1, 0, 1, len(self._columns))
        labels = []
        for column, kind in enumerate(self._columns):
            cell = label("", "" if kind == "right" else kind)
            cell.setMinimumHeight(22 if self._framed else 20)
            cell.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            right = kind in {"value", "right"}
            side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
            cell.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
            self._grid.addWidget(cell, 2 * row, column)
            labels.append(cell)
        self._labels.append(labels)


class LinkButton(QPushButton):
    """A button that reads as a link; unlike a link in a text it is reached by the keyboard like any button."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        set_kind(self, "link")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)


class ControlRow(QWidget):
    """Controls side by side, and below each other where the view is too narrow for them.

    Parameters
    ----------
    widgets
        The controls, from left to right.
    """

    def __init__(self, widgets: Sequence[QWidget], spacing: int = 10, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._widgets = tuple(widgets)
        self._spacing = spacing
        for widget in self._widgets:
            widget.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def heightForWidth(self, width: int) -> int:
        """Return the height that the rows take."""
        return self._lay_out(width, move=False)

    def hasHeightForWidth(self) -> bool:
        """Say that the height depends on the width."""
        return True

    def sizeHint(self) -> QSize:
        """Return the size of a single row."""
        sizes = [widget.sizeHint() for widget in self._shown()]
        width = sum(size.width() for size in sizes) + self._spacing * max(0, len(sizes) - 1)
        return QSize(width, max((size.height() for size in sizes), default=0))

    def minimumSizeHint(self) -> QSize:
        """Return the size of the widest control."""
        sizes = [widget.minimumSizeHint() for widget in self._widgets]
        return QSize(max((s.width() for s in sizes), default=0), max((s.height() for s in sizes), default=0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the controls."""
        super().resizeEvent(event)
        self._lay_out(self.width(), move=True)

    def event(self, event: QEvent) -> bool:
        """Place the controls anew when one of them wants another size."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._lay_out(self.width(), move=True)
            self.updateGeometry()
        return super().event(event)

    def _shown(self) -> list[QWidget]:
        """Return the controls that were not hidden; before the window is shown none is visible yet."""
        told = Qt.WidgetAttribute.WA_WState_ExplicitShowHide
        return [widget for widget in self._widgets if not (widget.isHidden() and widget.testAttribute(told))]

    def _lay_out(self, width: int, move: bool) -> int:
        rows: list[list[tuple[QWidget, int]]] = [[]]
        x = 0
        for widget in self._shown():
            if x > 0 and x + widget.sizeHint().width() > width:
                rows.append([])
                x = 0
            rows[-1].append((widget, x))
            x += widget.sizeHint().width() + self._spacing
        y = 0
        for row in rows:
            line = max((widget.sizeHint().height() for widget, _ in row), default=0)
            if move:
                for widget, left in row:
                    size = widget.sizeHint()
                    widget.setGeometry(left, y + (line - size.height()) // 2, min(size.width(), width), size.height())
            y += line + self._spacing // 2
        return y - self._spacing // 2


def column(*widgets: QWidget, spacing: int = 6, margins: tuple[int, int, int, int] = (0, 0, 0, 0)) -> QWidget:
    """Return a widget that holds others one below the other."""
    holder = QWidget()
    box = QVBoxLayout(holder)
    box.setContentsMargins(*margins)
    box.setSpacing(spacing)
    for widget in widgets:
        box.addWidget(widget)
    return holder
