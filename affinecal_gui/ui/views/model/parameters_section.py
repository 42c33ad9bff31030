"""The fitted parameters with their intervals, what they mean, and how the solver ended."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from affinecal_gui.calibration.calibrators.parameters import Parameter, parameters_found
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.results import Estimate, ModelName
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.words.explanations import calibrator_equation, explain_convergence, explain_parameters
from affinecal_gui.ui.parts.number_text import MISSING, decimals_for, number_text
from affinecal_gui.ui.parts.selectable import make_selectable
from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.widgets.info_line import InfoLine
from affinecal_gui.ui.parts.widgets.labels import ElidedLabel, label, rule


class ParametersSection(QWidget):
    """A small table and two sentences."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = ParameterTable()
        self.table.setObjectName("parameterTable")
        self.table.setAccessibleName("Parameters")
        self._none = label("", "muted", wrap=True)
        self._meaning = InfoLine("info", note=True)
        self._meaning.setObjectName("parameterMeaning")
        self._convergence = InfoLine("check", note=True)
        self._convergence.setObjectName("convergence")
        make_selectable(self._meaning, self._convergence)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 2, 0, 2)
        box.setSpacing(4)
        box.addWidget(self._none)
        box.addWidget(self.table)
        box.addWidget(self._meaning)
        box.addWidget(self._convergence)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the parameters of the chosen calibrator."""
        calibration = snapshot.calibration
        model: ModelName = snapshot.settings.model
        result = calibration.models.get(model) if calibration is not None else None
        found = dict(result.parameters) if result is not None else {}
        log_scale = calibration.log_scale if calibration is not None else snapshot.settings.log_scale
        shown = parameters_found(calibrator(model).parameters, found, log_scale=log_scale)
        rows = [_row(one, found[one.name]) for one in shown]
        self.table.set_rows(rows)
        self.table.setVisible(bool(rows))
        self.table.setToolTip(calibrator_equation(model, log_scale))
        meaning = explain_parameters(snapshot)
        is_given = snapshot.corrected is not None or calibrator(model).is_given
        missing = "Nothing is fitted." if is_given else "This calibrator has none."
        self._none.setText(
            missing if calibration is not None or is_given else "They appear after the first calibration."
        )
        self._none.setVisible(not rows and not meaning)
        self._meaning.set_message("info", meaning)
        good, sentence = explain_convergence(result.convergence if result is not None else None)
        self._convergence.set_message("check" if good else "caution", sentence)


class ParameterTable(QFrame):
    """Symbol, meaning, value, interval; in a narrow panel the meaning gives way first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_kind(self, "table")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(9, 1, 9, 1)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(1, 1)
        self._rows: list[tuple[QLabel, ...]] = []
        self._rules: list[QFrame] = []

    def set_rows(self, rows: Sequence[tuple[str, str, str, str]]) -> None:
        """Show these rows."""
        while len(self._rows) < len(rows):
            self._add_row()
        for number, cells in enumerate(self._rows):
            for cell, text in zip(cells, rows[number] if number < len(rows) else ("",) * 4, strict=True):
                cell.setVisible(number < len(rows))
                cell.setText(text)
        for number, line in enumerate(self._rules, start=1):
            line.setVisible(number < len(rows))

    def texts(self) -> tuple[tuple[str, ...], ...]:
        """Return what is shown, row by row."""
        return tuple(tuple(cell.text() for cell in cells) for cells in self._rows if not cells[0].isHidden())

    def _add_row(self) -> None:
        number = len(self._rows)
        if number:
            line = rule()
            self._rules.append(line)
            self._grid.addWidget(line, 2 * number - 1, 0, 1, 4)
        cells = (label("", "section"), ElidedLabel(kind="muted"), label(), label("", "muted"))
        for column, cell in enumerate(cells):
            cell.setMinimumHeight(22)
            side = Qt.AlignmentFlag.AlignRight if column >= 2 else Qt.AlignmentFlag.AlignLeft
            cell.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
            if column != 1:
                cell.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._grid.addWidget(cell, 2 * number, column)
        self._rows.append(cells)


def _row(parameter: Parameter, found: Estimate) -> tuple[str, str, str, str]:
    width = found.upper - found.lower
    # Two figures of the width of the interval, and at least two decimals; without one three figures, so that the weights that
    # are shown add up to one.
    decimals = max(decimals_for([width], 2) if width > 0 else decimals_for([found.value], 3), 2)
    lower, upper = number_text(found.lower, decimals), number_text(found.upper, decimals)
    interval = MISSING if MISSING in (lower, upper) else f"{lower} to {upper}"
    return parameter.symbol, parameter.short_meaning, number_text(found.value, decimals), interval
