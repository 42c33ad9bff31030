"""The calibrators compared in pairs: by how much their errors differ, and whether that may be chance."""

import math
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from affinecal_gui.calibration.calibrators.registry import RAW, calibrator_keys
from affinecal_gui.calibration.results import PairedComparison, Recommendation
from affinecal_gui.numbers import with_interval
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.words.comparison_words import TEST_WORDS, comparison_sentence, is_clear
from affinecal_gui.ui.parts.number_text import MISSING, significant
from affinecal_gui.ui.parts.painted_text import plain_text
from affinecal_gui.ui.parts.selectable import make_selectable
from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.widgets.info_line import InfoLine
from affinecal_gui.ui.parts.widgets.labels import label, rule
from affinecal_gui.ui.views.model.calibrator_table import calibrator_title

_LINE = 22  # pixels
MOST_PAIRS = 10
WHICH = "Better over worse"


class ComparisonSection(QWidget):
    """A table of pairs, and a note on the two tests."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = QFrame()
        self.table.setObjectName("comparisonTable")
        self.table.setAccessibleName("Comparison of the calibrators in pairs")
        set_kind(self.table, "table")
        self._grid = QGridLayout(self.table)
        self._grid.setContentsMargins(8, 2, 8, 2)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(0, 1)
        self._heads = [self._head(text, column) for column, text in enumerate(("", "", "p", "Welch"))]
        self._cells: list[list[QLabel]] = []
        self._rules: list[QFrame] = []
        self._note = InfoLine("info", note=True)
        make_selectable(self._note)
        self._note.set_message("info", TEST_WORDS)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 2, 0, 2)
        box.setSpacing(4)
        box.addWidget(self.table)
        box.addWidget(self._note)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the comparisons of a snapshot's calibration."""
        calibration = snapshot.calibration
        pairs = shown_pairs(calibration.recommendation) if calibration is not None else ()
        while len(self._cells) < len(pairs):
            self._add_line()
        log_scale = calibration is not None and calibration.log_scale
        titles = {model: calibrator_title(model, log_scale) for model in calibrator_keys()} | {RAW: "MD"}
        quantity = snapshot.quantity
        scale = "" if quantity is None else f"ln {quantity.symbol_html}" if log_scale else quantity.unit
        only_best = calibration is not None and len(pairs) < len(calibration.recommendation.comparisons)
        self._heads[0].setText(f"{escape(titles[pairs[0].better])}<br>better than" if only_best and pairs else WHICH)
        self._heads[1].setText(f"RMSE lower<br>by, {scale}" if scale else "RMSE lower<br>by")
        for number, (cells, line) in enumerate(zip(self._cells, self._rules, strict=True)):
            line.setVisible(number < len(pairs))
            for cell in cells:
                cell.setVisible(number < len(pairs))
            if number >= len(pairs):
                continue
            pair = pairs[number]
            difference = significant(pair.difference, 2)
            texts = (
                titles[pair.worse] if only_best else f"{titles[pair.better]} over {titles[pair.worse]}",
                difference,
                p_text(pair.paired_p_value),
                p_text(pair.welch_p_value),
            )
            told = with_interval(pair.difference, pair.lower, pair.upper)
            sentence = comparison_sentence(pair, titles, told)
            for column, (cell, text) in enumerate(zip(cells, texts, strict=True)):
                cell.setText(f"<b>{escape(text)}</b>" if column == 2 and is_clear(pair) else escape(text))
                cell.setToolTip(sentence)
                cell.setAccessibleDescription(sentence)

    def lines(self) -> list[tuple[str, ...]]:
        """Return the texts that are shown, line by line."""
        return [tuple(plain_text(cell.text()) for cell in cells) for cells in self._cells if not cells[0].isHidden()]

    def _head(self, text: str, column: int) -> QLabel:
        made = label(text, "note", wrap=column == 0)
        side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
        made.setAlignment(side | Qt.AlignmentFlag.AlignBottom)
        self._grid.addWidget(made, 0, column)
        return made

    def _add_line(self) -> None:
        row = 2 * len(self._cells) + 1
        line = rule()
        self._rules.append(line)
        self._grid.addWidget(line, row, 0, 1, 4)
        cells = []
        for column in range(4):
            cell = label("", "note-text", wrap=column == 0)
            cell.setTextFormat(Qt.TextFormat.RichText)
            cell.setMinimumHeight(_LINE)
            cell.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
            cell.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
            self._grid.addWidget(cell, row + 1, column)
            cells.append(cell)
        self._cells.append(cells)


def shown_pairs(recommendation: Recommendation) -> tuple[PairedComparison, ...]:
    """Return the pairs to list: all of a few calibrators, of many those with the best one."""
    pairs = recommendation.comparisons
    return pairs if len(pairs) <= MOST_PAIRS else tuple(pair for pair in pairs if pair.better == recommendation.best)


def p_text(value: float) -> str:
    """Return a probability with two figures; a dash where there is none."""
    if not math.isfinite(value):
        return MISSING
    return "< 0.001" if value < 0.001 else significant(value, 2)
