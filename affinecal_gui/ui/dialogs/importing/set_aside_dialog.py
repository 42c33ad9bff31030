"""Simulations of a table that failed a check, by reason: which are used all the same, and the list to simulate again."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QDialog, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from affinecal_gui.study.words.flagged_words import reason_label
from affinecal_gui.tables.flagged_runs import FlaggedRuns, used_reasons
from affinecal_gui.tables.simulations.reasons import REASONS
from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.widgets.labels import label

WIDTH = 620
_EXPLAINED = (
    "These simulations say of themselves that they failed, or hold a value that cannot be. Their values are not used unless "
    "you say so here; whatever is not ticked stays out of the fit and of the tables."
)


class SetAsideDialog(QDialog):
    """Asks which of the values that failed a check are used."""

    chosen = Signal(tuple)  # reasons for which values are used
    save_wanted = Signal()  # the list of what to simulate again

    def __init__(
        self, table: str, flagged: Sequence[FlaggedRuns], *, can_simulate_again: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("setAsideDialog")
        self.setWindowTitle(f"Simulations set aside – {table}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        self.boxes: dict[str, QCheckBox] = {}
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 14, 16, 14)
        box.setSpacing(12)
        box.addWidget(label(_EXPLAINED, "muted", wrap=True))
        box.addLayout(self._reasons(flagged))
        box.addStretch(1)
        box.addLayout(self._buttons(can_simulate_again))
        self.setMinimumWidth(WIDTH)

    def _reasons(self, flagged: Sequence[FlaggedRuns]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(2, 1)
        for column, heading in enumerate(("Use all the same", "Simulations", "Such as")):
            grid.addWidget(label(heading, "muted"), 0, column)
        used = used_reasons(flagged)
        for line, one in enumerate(flagged, 1):
            words = reason_label(one.reason)
            if one.reason in REASONS:
                tick = QCheckBox(words[:1].upper() + words[1:])
                tick.setObjectName(f"use-{one.reason}")
                tick.setChecked(one.reason in used)
                self.boxes[one.reason] = tick
                grid.addWidget(tick, line, 0)
            else:
                without = label(f"{words[:1].upper()}{words[1:]}: no value", "muted")
                without.setContentsMargins(22, 0, 0, 0)
                grid.addWidget(without, line, 0)
            count = one.set_aside or one.used
            told = f"{count:,}" if one.set_aside else f"{count:,} values used"
            grid.addWidget(label(told), line, 1)
            more = one.set_aside - len(one.examples)
            such = ", ".join(one.examples) + (f" and {more:,} more" if more > 0 else "")
            grid.addWidget(label(such, "muted", wrap=True), line, 2)
        return grid

    def _buttons(self, can_simulate_again: bool) -> QHBoxLayout:
        self.save_button = QPushButton("Save list to simulate again…")
        self.save_button.setObjectName("simulateAgainButton")
        self.save_button.setToolTip("A CSV file with the columns of RadonPy's own input_data.csv")
        self.save_button.setEnabled(can_simulate_again)
        self.save_button.clicked.connect(self.save_wanted)
        cancel = QPushButton("Cancel")
        cancel.clicked.connect(self.reject)
        self.apply_button = QPushButton("Apply")
        self.apply_button.setObjectName("useFlaggedButton")
        self.apply_button.setDefault(True)
        set_kind(self.apply_button, "primary")
        self.apply_button.clicked.connect(self._apply)
        row = QHBoxLayout()
        row.addWidget(self.save_button)
        row.addStretch(1)
        row.addWidget(cancel)
        row.addWidget(self.apply_button)
        return row

    @Slot()
    def _apply(self) -> None:
        self.accept()
        self.chosen.emit(tuple(reason for reason, tick in self.boxes.items() if tick.isChecked()))
