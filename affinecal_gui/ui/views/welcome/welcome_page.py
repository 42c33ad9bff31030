"""First screen: a place to drop files, recent studies, examples, and what the program does."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.parts.widgets.themed_icons import IconLabel
from affinecal_gui.ui.parts.widgets.tool_buttons import LinkButton
from affinecal_gui.ui.views.welcome.drop_target import DropTarget
from affinecal_gui.ui.views.welcome.entry_list import Entry, EntryList
from affinecal_gui.ui.views.welcome.welcome_example import CALIBRATED, MD, MEASURED, NOTES
from affinecal_gui.ui.views.welcome.what_it_does import WhatItDoes

WIDEST = 1120  # of the contents; wider windows get wider margins
SIDE_BY_SIDE = 820  # below this width, or where it needs more, the two columns stand one below the other
SECOND_SHARE = 0.37  # of the width, at most
MARGIN = 22
SECOND_COLUMN = 420
ROOMY, LOW = (
    720,
    640,
)  # heights in pixels: below the first, sections stand closer; below the second, with studies, steps go


class WelcomePage(QScrollArea):
    """Nothing on it waits for anything: it is shown before chemistry and mathematics are loaded."""

    files_dropped = Signal(object)  # tuple of path strings
    open_requested = Signal()
    paste_requested = Signal()
    open_study_requested = Signal()
    recent_chosen = Signal(str)  # key of the entry
    example_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("welcomePage")
        self.setAccessibleName("Welcome")
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAcceptDrops(True)  # beside the frame as well: nobody should have to aim
        self.drop_target = DropTarget()
        self.drop_target.files_dropped.connect(self.files_dropped)
        self.drop_target.open_requested.connect(self.open_requested)
        self.drop_target.paste_requested.connect(self.paste_requested)
        self._room = QSize()
        self._recent = EntryList("study", "Recent studies")
        self._recent.chosen.connect(self.recent_chosen)
        self._examples = EntryList("table", "Examples")
        self._examples.chosen.connect(self.example_chosen)
        self._arrange()
        self.apply_theme(current_theme())
        self.show_recent(())
        self.show_examples(())

    def show_recent(self, entries: Sequence[Entry | tuple[str, str, str, str]]) -> None:
        """List the studies opened last, newest first: key, title, subtitle, day. Without any the section is hidden."""
        self._recent.show_entries(Entry(*entry) for entry in entries)
        self._recent_section.setVisible(bool(entries))
        self._make_room()

    def show_examples(self, entries: Sequence[Entry | tuple[str, str, str]]) -> None:
        """List the bundled examples: key, title, subtitle."""
        self._examples.show_entries(Entry(*entry) for entry in entries)
        self._examples_section.setVisible(bool(entries))

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours; what is painted takes them from the theme in use."""
        self._contents.update()
        for button in (*self._recent.buttons, *self._examples.buttons):
            button.update()

    def _arrange(self) -> None:
        # From the outside to the inside: Qt looks up the style of all that is in a widget anew when that gets a parent.
        page = QWidget()
        page.setObjectName("welcomeContents")
        self.setWidget(page)
        self._contents = QWidget(page)
        self._contents.setMaximumWidth(WIDEST)
        self._contents.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._outer = QHBoxLayout(page)
        self._outer.setContentsMargins(MARGIN, 14, MARGIN, 14)
        self._outer.addStretch(1)
        self._outer.addWidget(self._contents, 100)
        self._outer.addStretch(1)
        box = QVBoxLayout(self._contents)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)

        name = QVBoxLayout()
        name.setSpacing(0)
        name.addWidget(label("AffineCal", "welcome"))
        purpose = "Corrects molecular-dynamics values of polymer properties with the few measurements you have."
        name.addWidget(label(purpose, "purpose", wrap=True))
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addWidget(IconLabel("affinecal", "accent", 48), 0, Qt.AlignmentFlag.AlignVCenter)
        head.addLayout(name, 1)
        box.addLayout(head)
        box.addSpacing(28)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._columns.setSpacing(36)
        box.addLayout(self._columns, 1)

        picture_head = QHBoxLayout()
        picture_head.addWidget(label("What it does", "section-title"))
        picture_head.addStretch(1)
        picture_head.addWidget(label(f"specific heat capacity of {len(MEASURED)} polymers"))
        first = QVBoxLayout()
        first.setSpacing(8)
        self._columns.addLayout(first, 1)
        first.addWidget(self.drop_target, 10)
        first.addSpacing(14)
        first.addLayout(picture_head)
        first.addWidget(WhatItDoes(MEASURED, MD, CALIBRATED, NOTES), 11)

        other = LinkButton("Open another…")
        other.clicked.connect(self.open_study_requested)
        self._recent_section = _section("Recent studies", self._recent, other)
        self._examples_section = _section("Open an example", self._examples)
        self._second = QWidget(self._contents)
        self._columns.addWidget(self._second)
        second = QVBoxLayout(self._second)
        second.setSpacing(22)
        second.addWidget(self._recent_section)
        second.addWidget(self._examples_section)
        self._steps = _two_tables()
        second.addWidget(self._steps)
        second.addStretch(1)
        second.setContentsMargins(0, 0, 0, 0)
        self._second_box = second

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the columns side by side or below each other, and keep the page from growing too tall."""
        super().resizeEvent(event)
        self._room = event.size()  # of the viewport
        width, height = self._room.width(), self._room.height()
        second = min(SECOND_COLUMN, round(SECOND_SHARE * width))
        margins = 2 * MARGIN + self._columns.spacing()
        beside = width >= max(SIDE_BY_SIDE, self.drop_target.minimumSizeHint().width() + second + margins)
        direction = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        if self._columns.direction() != direction:
            self._columns.setDirection(direction)
        self._second.setFixedWidth(second if beside else width - 2 * MARGIN)
        self._second_box.setSpacing(22 if height >= ROOMY else 14)
        spare = max(height - 700, 0)
        self._outer.setContentsMargins(MARGIN, 14 + round(0.36 * spare), MARGIN, 14 + round(0.48 * spare))
        self._make_room()

    def _make_room(self) -> None:
        """Leave the first steps out where there is no room for them: who has studies has gone them."""
        has_studies = not self._recent_section.isHidden()
        self._steps.setVisible(not (has_studies and self._room.height() < LOW))

    # Files may be dropped anywhere on the page; the frame shows that they may.

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files."""
        self.drop_target.dragEnterEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Accept files anywhere inside."""
        self.drop_target.dragMoveEvent(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Go back to the quiet look."""
        self.drop_target.dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Announce the files."""
        self.drop_target.dropEvent(event)


def _section(title: str, body: QWidget, link: QWidget | None = None) -> QWidget:
    holder = QWidget()
    head = QHBoxLayout()
    head.addWidget(label(title, "section-title"))
    head.addStretch(1)
    if link is not None:
        head.addWidget(link)
    box = QVBoxLayout(holder)
    box.setContentsMargins(0, 0, 0, 0)
    box.setSpacing(8)
    box.addLayout(head)
    box.addWidget(body)
    return holder


def _two_tables() -> QWidget:
    """Return the three steps."""
    holder = QWidget()
    grid = QGridLayout(holder)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(14)
    grid.setVerticalSpacing(8)
    grid.setColumnStretch(1, 1)
    grid.addWidget(label("Two tables are enough", "section-title"), 0, 0, 1, 2)
    for number, text in enumerate(
        (
            "<b>Measured values</b> of some tens of polymers.",
            "<b>MD values</b> of the same polymers, and of any others you want predicted.",
            "Matching, descriptors and calibration then start by themselves. Nothing leaves this computer.",
        ),
        start=1,
    ):
        grid.addWidget(label(str(number), "step"), number, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(label(text, wrap=True), number, 1)
    return holder
