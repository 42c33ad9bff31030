"""One line of the matching report in full: both structures, the reason, and a partner to choose by hand."""

import math
from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from affinecal_gui.study.shown.matching_content import LibraryPolymer, MatchingContent, ReportLine
from affinecal_gui.ui.parts.number_text import significant
from affinecal_gui.ui.parts.theme.fonts import NOTE_SIZE
from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.parts.widgets.labels import ElidedLabel, label
from affinecal_gui.ui.views.polymers.thumbnails import ThumbnailStore

OFFERED = 60
"""Polymers that the search lists at most."""

NONE_SIMILAR = "No MD polymer is similar. One can be found above by its name."
NONE_FOUND = "No MD polymer has this in its name, id or SMILES."
"""What an empty list says."""

PICTURE = QSize(230, 120)


class MatchDetail(QWidget):
    """Shows a line; a partner is chosen from those offered, or found by typing."""

    link_wanted = Signal(str, str)  # key of the measured row, key of the MD row
    unlink_wanted = Signal(str)  # key of the measured row
    reports_chosen = Signal(
        str, object
    )  # name of the polymer, dict: key of the row of each report -> whether it counts

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("matchDetail")
        self._thumbnails = ThumbnailStore(self)
        self._thumbnails.ready.connect(self._repaint)
        self._line: ReportLine | None = None
        self._library: Sequence[LibraryPolymer] = ()
        self._searched: list[str] = []
        self._offered: list[LibraryPolymer] = []
        self._unit = ""
        self.measured = _StructureCard("Measured", self._thumbnails)
        self.partner = _StructureCard("MD", self._thumbnails)
        self.reason = label("", wrap=True)
        self.reason.setObjectName("matchReason")
        self.reason.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.reason.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.search = QLineEdit()
        self.search.setObjectName("partnerSearch")
        self.search.setPlaceholderText("Find another MD polymer by name, id or SMILES")
        self.search.setAccessibleName("Find an MD polymer by name, id or SMILES")
        self.search.setClearButtonEnabled(True)
        self.offers = QListWidget()
        self.offers.setObjectName("partnerOffers")
        self.offers.setAccessibleName("MD polymers to link to")
        set_kind(self.offers, "framed")
        self.link_button = QPushButton("Link")
        self.link_button.setObjectName("linkButton")
        self.link_button.setAutoDefault(False)
        self.unlink_button = QPushButton("Take the link away")
        self.unlink_button.setObjectName("unlinkButton")
        self.unlink_button.setAutoDefault(False)
        self.reports = QPushButton()
        self.reports.setObjectName("reportsButton")
        self.reports.setAutoDefault(False)
        self.report_menu = QMenu(self.reports)
        self.report_menu.setToolTipsVisible(True)
        self.reports.setMenu(self.report_menu)
        self.report_menu.triggered.connect(self._choose_reports)
        self._arrange()
        self.search.textChanged.connect(self._offer)
        self.offers.currentItemChanged.connect(self._show_choice)
        self.offers.itemActivated.connect(self._link)
        self.link_button.clicked.connect(self._link)
        self.unlink_button.clicked.connect(self._unlink)
        self.show_line(None)

    def _arrange(self) -> None:
        right = QVBoxLayout()
        right.setSpacing(6)
        right.addWidget(self.reason)
        right.addWidget(self.search)
        right.addWidget(self.offers, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.link_button)
        buttons.addWidget(self.unlink_button)
        buttons.addStretch(1)
        buttons.addWidget(self.reports)
        right.addLayout(buttons)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(14)
        row.addWidget(self.measured)
        row.addWidget(self.partner)
        row.addLayout(right, 1)

    def show_content(self, content: MatchingContent) -> None:
        """Take over the polymers that can be linked to."""
        self._library = content.library
        self._searched = [f"{polymer.label}\n{polymer.smiles}".casefold() for polymer in content.library]
        self._unit = content.quantity.unit

    def show_line(self, line: ReportLine | None) -> None:
        """Show a line of the report; None empties the pane."""
        self._line = line
        self.search.blockSignals(True)
        self.search.clear()
        self.search.blockSignals(False)
        if line is None:
            self.measured.show_polymer("", "", "")
            self.reason.setText("")
        else:
            found = line.line
            value = self._value(found.measured_value)
            self.measured.show_polymer(found.measured_name or found.measured_smiles, found.measured_smiles, value)
            sentences = [escape(part) for part in (found.reason, found.suggestion) if part]
            if not sentences:
                way = {"id": "the common id", "repeat unit": "the repeat unit"}.get(found.matched_by, "your link")
                sentences = [f"Matched by {way}."]
            self.reason.setText(" ".join(sentences))
        self._offer_reports(line)
        can_link = line is not None and bool(line.key)
        for widget in (self.search, self.offers, self.link_button):
            widget.setEnabled(can_link)
        self.unlink_button.setVisible(line is not None and line.line.matched_by == "by hand")
        self._offer("")

    @property
    def chosen(self) -> LibraryPolymer | None:
        """The partner that the list stands on."""
        row = self.offers.currentRow()
        return self._offered[row] if 0 <= row < len(self._offered) else None

    @property
    def is_drawing(self) -> bool:
        """Whether structures are still to come."""
        return self._thumbnails.is_drawing

    def apply_theme(self, _theme: Theme) -> None:
        """Take over other colours."""
        self._repaint("")

    def close_thumbnails(self) -> None:
        """Stop drawing structures for good."""
        self._thumbnails.close()

    def event(self, event: QEvent) -> bool:
        """Stop drawing when the pane is about to go."""
        if event.type() == QEvent.Type.DeferredDelete:
            self._thumbnails.close()
        return super().event(event)

    @Slot(str)
    def _offer(self, text: str) -> None:
        """List the partner found, those that may be meant, or what the search finds."""
        line = self._line
        offered: list[LibraryPolymer] = []
        words = text.casefold().split()
        if line is not None and line.key:
            if words:
                for polymer, searched in zip(self._library, self._searched, strict=True):
                    if all(word in searched for word in words):
                        offered.append(polymer)
                        if len(offered) == OFFERED:
                            break
            else:
                offered = [*([line.partner] if line.partner is not None else []), *line.candidates]
        self.offers.blockSignals(True)
        self.offers.clear()
        self._offered = offered
        for polymer in offered:
            item = QListWidgetItem(self._offer_text(polymer))
            item.setToolTip(polymer.smiles)
            self.offers.addItem(item)
        if not offered and line is not None and line.key:
            nothing = NONE_FOUND if words else NONE_SIMILAR
            item = QListWidgetItem(nothing)
            item.setFlags(Qt.ItemFlag.NoItemFlags)  # to read, not to choose
            self.offers.addItem(item)
        self.offers.blockSignals(False)
        self.offers.setCurrentRow(0 if offered else -1)
        self._show_choice()

    def _offer_text(self, polymer: LibraryPolymer) -> str:
        text = polymer.label if polymer.label == polymer.smiles else f"{polymer.label}   {polymer.smiles}"
        line = self._line
        if line is not None and line.candidates and polymer == line.candidates[0] and math.isfinite(line.similarity):
            text += f"   similarity {line.similarity:.2f}"
        return text

    @Slot()
    def _show_choice(self) -> None:
        chosen, line = self.chosen, self._line
        if chosen is None:
            self.partner.show_polymer("", "", "")
        else:
            self.partner.show_polymer(chosen.label, chosen.smiles, self._value(chosen.value))
        is_partner = line is not None and chosen is not None and chosen == line.partner
        self.partner.set_title("MD" if is_partner or chosen is None else "MD, not linked")
        self.link_button.setEnabled(chosen is not None and not is_partner)
        self.link_button.setText(f"Link to {chosen.label}"[:48] if chosen is not None and not is_partner else "Link")

    def _value(self, value: float) -> str:
        return f"{significant(value)} {self._unit}".rstrip() if math.isfinite(value) else ""

    @Slot()
    def _link(self) -> None:
        chosen, line = self.chosen, self._line
        if chosen is not None and line is not None and line.key and chosen != line.partner:
            self.link_wanted.emit(line.key, chosen.key)

    @Slot()
    def _unlink(self) -> None:
        if self._line is not None and self._line.key:
            self.unlink_wanted.emit(self._line.key)

    def _offer_reports(self, line: ReportLine | None) -> None:
        """List the reports of a polymer that has several; those that count are ticked."""
        self.report_menu.clear()
        reports = line.reports if line is not None else ()
        self.reports.setVisible(bool(reports))
        counted = sum(report.counts for report in reports)
        for report in reports:
            action = QAction(f"Line {report.line}: {self._value(report.value)}", self.report_menu)
            action.setData(report.key)
            action.setCheckable(True)
            action.setChecked(report.counts)
            # The last one that counts stays: without any report there would be no value.
            action.setEnabled(not report.counts or counted > 1)
            self.report_menu.addAction(action)
        many = f"{counted} of {len(reports)} reports"
        self.reports.setText(f"All {len(reports)} reports" if counted == len(reports) else many)
        self.reports.setAccessibleName("Which reports of the polymer count")

    @Slot(QAction)
    def _choose_reports(self, _action: QAction) -> None:
        line = self._line
        if line is not None:
            counts = {str(action.data()): action.isChecked() for action in self.report_menu.actions()}
            self.reports_chosen.emit(line.line.measured_name or line.line.measured_smiles, counts)

    @Slot(str)
    def _repaint(self, _smiles: str) -> None:
        self.measured.update()
        self.partner.update()


class _StructureCard(QWidget):
    """A structure with its name and value."""

    def __init__(self, title: str, thumbnails: ThumbnailStore) -> None:
        super().__init__()
        self._title = title
        self._thumbnails = thumbnails
        self._smiles = ""
        self._name = ElidedLabel(kind="strong")
        self._value = label("", "muted")
        head = QHBoxLayout()
        head.setSpacing(6)
        self._heading = label(title, "muted")
        head.addWidget(self._heading)
        head.addWidget(self._name, 1)
        head.addWidget(self._value)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        box.addLayout(head)
        box.addSpacing(PICTURE.height())
        box.addStretch(1)
        self.setFixedWidth(PICTURE.width())
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def set_title(self, title: str) -> None:
        """Say what the polymer is."""
        self._title = title
        self._heading.setText(title)

    def show_polymer(self, name: str, smiles: str, value: str) -> None:
        """Show a polymer; an empty text shows none."""
        self._smiles = smiles
        self._name.setText(name)
        self._value.setText(value)
        self.setToolTip(smiles)
        self.setAccessibleName(f"{self._title}: {name or 'none'}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the structure in a frame."""
        theme = current_theme()
        painter = QPainter(self)
        top = 22
        room = QRectF(0.5, top + 0.5, self.width() - 1, max(self.height() - top - 1, 10))
        painter.fillRect(room, theme.colour("base"))
        painter.setPen(theme.colour("soft_border"))
        painter.drawRect(room)
        if self._smiles:
            size = QSize(PICTURE.width() - 16, max(min(round(room.height()) - 12, 220), 60))
            known, pixmap = self._thumbnails.find(self._smiles, size, self.devicePixelRatioF(), dark=theme.dark)
            if pixmap is not None:
                place = QRectF(0, 0, size.width(), size.height())
                place.moveCenter(room.center())
                painter.drawPixmap(place.toRect(), pixmap)
            elif known:
                painter.setFont(theme.font(NOTE_SIZE))
                painter.setPen(theme.colour("muted"))
                flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWrapAnywhere
                painter.drawText(room.adjusted(8, 8, -8, -8), flags, self._smiles)
        painter.end()
