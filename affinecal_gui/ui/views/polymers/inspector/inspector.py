"""The inspector: all there is to say about one polymer."""

import math
from html import escape

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QLabel, QScrollArea, QStackedLayout, QVBoxLayout, QWidget

from affinecal_gui.study.shown.inspector_content import InspectorContent, ValueLine
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.parts.number_text import MISSING, decimals_for, number_text, range_text
from affinecal_gui.ui.parts.selectable import make_selectable
from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.parts.widgets.info_line import InfoLine
from affinecal_gui.ui.parts.widgets.labels import ElidedLabel, label
from affinecal_gui.ui.parts.widgets.section_heading import SectionHeading
from affinecal_gui.ui.parts.widgets.tool_buttons import ThemedToolButton
from affinecal_gui.ui.parts.widgets.value_table import ValueTable
from affinecal_gui.ui.views.polymers.inspector.effect_bars import EffectBars
from affinecal_gui.ui.views.polymers.inspector.interval_section import IntervalSection
from affinecal_gui.ui.views.polymers.inspector.nearest_list import NearestList
from affinecal_gui.ui.views.polymers.inspector.structure_view import StructureView
from affinecal_gui.ui.views.polymers.inspector.vibration_section import VibrationSection

SIDE_BY_SIDE = 540  # below this width the parts stand one below the other
HINT = "Select a polymer in the table or in a plot: its structure, its values and its nearest neighbours appear here."


class Inspector(QWidget):
    """Structure with coloured atoms, values, effects, nearest polymers; without a polymer a quiet hint."""

    selected = Signal(str)  # key of a nearest polymer that was clicked
    titled = Signal(str, str)  # name and id of the polymer for the title bar above; empty where they stand in the view
    export_requested = Signal()  # of the figure of the effect
    copy_requested = Signal()

    def __init__(self, parent: QWidget | None = None, *, hint: str = HINT, has_figures: bool = True) -> None:
        """Show ``hint`` while there is no polymer; ``has_figures`` offers to save the effect as a figure."""
        super().__init__(parent)
        self.setObjectName("inspector")
        self.setAccessibleName("Inspector")
        set_kind(self, "view")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.content: InspectorContent | None = None
        self._name, self._title = ElidedLabel(kind="view-title"), ("", "")
        self.structure = StructureView(has_figures=has_figures)
        self._values_head, self._values = SectionHeading("Values"), ValueTable()
        self._told = InfoLine("info", note=True)
        self._residual_note = ""
        self._waves_head, self._waves = SectionHeading("Implied wavenumber", "cm⁻¹"), ValueTable()
        self._waves_note = label("", "note", wrap=True)
        self._effects_head, self._effects = SectionHeading("Effect"), EffectBars()
        self._range_head = SectionHeading("In the training range")
        self._range_lines: list[InfoLine] = []
        self._validity = InfoLine("info", note=True)
        self._nearest_head, self._nearest = SectionHeading("Nearest in training", "distance", spare=True), NearestList()
        self._nearest.selected.connect(self.selected)
        self.interval, self.vibrations = IntervalSection(), VibrationSection()
        self.copy_button = ThemedToolButton("copy", "Copy the figure")
        self.export_button = ThemedToolButton("export", "Save the figure…")
        self.copy_button.clicked.connect(self.copy_requested)
        self.export_button.clicked.connect(self.export_requested)
        if has_figures:
            self._effects_head.add_tools(self.copy_button, self.export_button)
        self.structure.copy_requested.connect(self.copy_requested)
        self.structure.export_requested.connect(self.export_requested)
        make_selectable(self._waves_note, self._validity, self._told)
        self._arrange(hint)
        self.show_content(None)

    def _arrange(self, hint: str) -> None:
        middle = QVBoxLayout()
        middle.setContentsMargins(0, 0, 0, 0)
        middle.setSpacing(0)
        for head, *parts in (
            (self._values_head, self._values, self._told),
            (self._waves_head, self._waves, self._waves_note),
            (self._effects_head, self._effects),
        ):
            head.setFixedHeight(20)
            middle.addWidget(head)
            for part in parts:
                middle.addWidget(part)
            if head is not self._effects_head:
                middle.addSpacing(3)
        middle.addStretch(1)
        self._range_box = QVBoxLayout()
        self._range_box.setSpacing(2)
        right = QVBoxLayout()
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(2)
        right.addWidget(self._range_head)
        right.addLayout(self._range_box)
        right.addWidget(self._validity)
        right.addSpacing(4)
        right.addWidget(self._nearest_head)
        right.addWidget(self._nearest)
        right.addStretch(1)
        self._middle, self._right = QWidget(), QWidget()
        self._middle.setLayout(middle)
        self._right.setLayout(right)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._columns.setSpacing(12)
        self._columns.addWidget(self.structure, 12)
        self._columns.addWidget(self._middle, 8)
        self._columns.addWidget(self._right, 9)
        page = QWidget()
        box = QVBoxLayout(page)
        box.setContentsMargins(12, 4, 8, 2)
        box.setSpacing(6)
        box.addWidget(self._name)
        box.addLayout(self._columns, 1)
        box.addWidget(self.interval)
        box.addWidget(self.vibrations)
        self._scroll = QScrollArea()
        self._scroll.setAccessibleName("Inspector, to scroll")
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(page)
        set_kind(page, "view")
        self._hint = label(hint, "faint", wrap=True)
        self._hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._hint.setContentsMargins(22, 22, 22, 22)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._hint)
        self._stack.addWidget(self._scroll)

    # What is shown

    def show_content(self, content: InspectorContent | None) -> None:
        """Show a polymer; None shows the hint."""
        self.content = content
        if content is None:
            self._stack.setCurrentWidget(self._hint)
            self._tell_title()
            return
        self._name.setText(f"{content.label}  {content.id}" if content.id != content.label else content.label)
        self.structure.show_content(content)
        self._show_values(content)
        self._show_wavenumbers(content)
        self._show_effects(content)
        self._show_range(content)
        self.interval.show_content(content)
        self.vibrations.show_content(content)
        self._nearest.show_nearest(content.nearest)
        self._nearest_head.setVisible(bool(content.nearest))
        # A structure of which nothing more is known stands in the middle.
        self._middle.setVisible(bool(content.values or content.wavenumbers or content.effects))
        self._right.setVisible(bool(content.ranges or content.validity or content.nearest))
        self._stack.setCurrentWidget(self._scroll)
        self._place_columns()  # other words need other room
        if not self._scroll.isVisible():
            self._scroll.verticalScrollBar().setValue(0)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Forget the polymer where the study has none; what there is to say about one comes by itself."""
        if not snapshot.rows:
            self.show_content(None)

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        self.structure.apply_theme(theme)
        self._nearest.apply_theme(theme)
        self._effects.update()
        self.interval.apply_theme(theme)
        self.vibrations.apply_theme(theme)

    @property
    def is_drawing(self) -> bool:
        """Whether pictures of the nearest polymers are still to come."""
        return self._nearest.is_drawing

    def close_thumbnails(self) -> bool:
        """Stop drawing pictures for good; returns whether the drawing thread ended in time."""
        return self._nearest.close_thumbnails()

    def sizeHint(self) -> QSize:
        """Return the size at which everything is seen beside each other."""
        return QSize(660, 270)

    def minimumSizeHint(self) -> QSize:
        """Return the least size; the contents scroll."""
        return QSize(250, 140)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the parts side by side or below each other."""
        super().resizeEvent(event)
        self._place_columns()

    def _place_columns(self) -> None:
        beside = self._beside()
        self.vibrations.place(self.width())
        direction = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        if self._columns.direction() != direction or self._name.isHidden() != beside:
            self._columns.setDirection(direction)
            # In a narrow view the name has lines of its own; the title bar, where it would be cut, then leaves it out.
            self._name.setVisible(not beside)
            self._place_wave_note()
        self._tell_title()

    def _tell_title(self) -> None:
        content = self.content if self._name.isHidden() else None
        title = (content.label, content.id) if content is not None else ("", "")
        if title != self._title:
            self._title = title
            self.titled.emit(*title)

    def _beside(self) -> bool:
        """Whether the three columns have room beside each other, with this font and these words."""
        columns = (self.structure, self._middle, self._right)
        box = self._columns.parentWidget().layout() if self._columns.parentWidget() is not None else None
        margins = box.contentsMargins().left() + box.contentsMargins().right() if box is not None else 0
        least = sum(part.minimumSizeHint().width() for part in columns) + 2 * self._columns.spacing() + margins
        least += self._scroll.verticalScrollBar().sizeHint().width()  # what stands below makes it scroll
        return self.width() >= max(SIDE_BY_SIDE, least)

    # Parts

    def _show_values(self, content: InspectorContent) -> None:
        known = math.isfinite(content.largest_value)
        decimals = decimals_for([content.largest_value] if known else [line.value for line in content.values])
        rows = [_row(line, decimals) for line in content.values]
        if math.isfinite(content.residual_percent):
            percent = f"{number_text(content.residual_percent, 1, signed=True)} %"
            rows.append(("Residual", percent, content.residual_note))
        self._values.set_rows(rows)
        self._told.set_message("info", escape(content.told))
        self._values_head.set_detail(content.unit)
        self._values_head.setVisible(bool(rows))

    def _show_wavenumbers(self, content: InspectorContent) -> None:
        shown = bool(content.wavenumbers)
        self._waves.set_rows([_row(line, 0) for line in content.wavenumbers])
        _align(self._values, self._waves)
        self._waves_note.setText(content.wavenumber_note)
        for part in (self._waves_head, self._waves):
            part.setVisible(shown)
            part.setToolTip(content.wavenumber_note)
            part.setAccessibleDescription(content.wavenumber_note)
        self._place_wave_note()

    def _place_wave_note(self) -> None:
        """Write the note out where there is height for it; in the flat dock it is a tooltip."""
        self._waves_note.setVisible(bool(self._waves_note.text()) and not self._waves.isHidden() and not self._beside())

    def _show_effects(self, content: InspectorContent) -> None:
        shown = bool(content.effects)
        decimals = decimals_for([effect.value for effect in content.effects], 2) if shown else 0
        self._effects_head.set_title(f"Effect on {content.target_html}" if content.target_html else "Effect")
        total = number_text(content.effects_sum, decimals, signed=content.effects_sum > 0)
        self._effects_head.set_detail("" if total == MISSING else f"sum {total}")
        self._effects.show_effects(content.effects, decimals)
        self._effects_head.setVisible(shown)
        self._effects.setVisible(shown)

    def _show_range(self, content: InspectorContent) -> None:
        while len(self._range_lines) < len(content.ranges):
            line = InfoLine("check")
            make_selectable(line)
            self._range_lines.append(line)
            self._range_box.addWidget(line)
        for number, line in enumerate(self._range_lines):
            if number < len(content.ranges):
                found = content.ranges[number]
                line.set_message("check" if found.inside else "caution", found.text)
            else:
                line.set_message("info", "")
        self._range_head.set_title("In the training range" if content.inside else "Outside the training range")
        # Inside, heading and lines have said it all.
        validity = "" if content.inside and content.ranges else content.validity
        self._validity.set_message("info" if content.inside else "caution", validity)
        self._range_head.setVisible(bool(content.ranges or content.validity))


def _align(*tables: ValueTable) -> None:
    """Make the columns of numbers and notes of tables that stand below each other equally wide."""
    grids = [grid for table in tables if isinstance(grid := table.layout(), QGridLayout)]
    for column in (1, 2):
        cells = [
            cell
            for grid in grids
            for row in range(grid.rowCount())
            if (item := grid.itemAtPosition(row, column)) is not None
            and isinstance(cell := item.widget(), QLabel)
            and not cell.isHidden()
        ]
        widest = max((cell.sizeHint().width() for cell in cells), default=0)
        for grid in grids:
            grid.setColumnMinimumWidth(column, widest)


def _row(line: ValueLine, decimals: int) -> tuple[str, str, str]:
    interval = range_text(line.lower, line.upper, decimals)
    return line.label, number_text(line.value, decimals), line.note if interval == MISSING else interval
