"""The calibrators side by side: choose one, see how far its out-of-fold predictions are off."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen, QTransform
from PySide6.QtWidgets import QButtonGroup, QFrame, QRadioButton, QSizePolicy, QVBoxLayout, QWidget

from affinecal_gui.calibration import names
from affinecal_gui.calibration.calibrators.quantum_corrected import QUANTUM_CORRECTED
from affinecal_gui.calibration.calibrators.registry import calibrator_keys, combined_keys, linear_keys
from affinecal_gui.calibration.results import ERROR_LEVEL, Metrics, ModelName, Recommendation
from affinecal_gui.numbers import with_interval
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.parts.number_text import MISSING, decimals_for, number_text
from affinecal_gui.ui.parts.painted_text import draw_rich_text, plain_text, rich_text_width
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE, NOTE_SIZE
from affinecal_gui.ui.parts.theme.model_style import model_style
from affinecal_gui.ui.parts.theme.plotting import SYMBOLS
from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.theme.theme import current_theme, icon

ROW = 24
HEAD = 20
MARGIN = 10
GAP = 14  # between the columns of numbers
NAME_LEFT = 44


Praise = Literal["", "best", "recommended", "lowest error"]


@dataclass(frozen=True, slots=True)
class ErrorColumn:
    """One column of root mean squared errors."""

    head: str  # the scale or unit, with tags
    texts: tuple[str, ...]  # per calibrator
    right: float  # distance of its right edge from the right edge of the table
    width: float


def calibrator_title(model: ModelName, log_scale: bool) -> str:
    """Return what a calibrator is called: on a linear scale the difference is not one of logarithms."""
    return names.calibrator_title(model, log_scale=log_scale)


class CalibratorTable(QFrame):
    """Head and one line per calibrator. The arrow keys move the choice."""

    chosen = Signal(str)  # the calibrator, when the user chose

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("calibratorTable")
        self.setAccessibleName("Calibrators and their out-of-fold errors")
        set_kind(self, "table")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._head = _Head(self)
        self._group = QButtonGroup(self)
        self._lines: dict[ModelName, CalibratorLine] = {}
        box = self._box = QVBoxLayout(self)
        box.setContentsMargins(1, 1, 1, 1)
        box.setSpacing(0)
        box.addWidget(self._head)
        for model in linear_keys():
            self._add_line(model)
        self._group.buttonClicked.connect(self._announce)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the errors of a snapshot's calibration, and its chosen calibrator."""
        calibration = snapshot.calibration
        models = models_of(snapshot)
        for model in models:
            if model not in self._lines:
                self._add_line(model)
        for model, line in self._lines.items():
            line.setVisible(model in models)
        columns = _error_columns(snapshot, models)
        log_scale = calibration.log_scale if calibration is not None else snapshot.settings.log_scale
        advice = calibration.recommendation if calibration is not None else None
        self._head.columns = columns
        self._head.update()
        for number, model in enumerate(models):
            title = calibrator_title(model, log_scale)
            self._lines[model].show_line(number, columns, title=title, praise=_praise(model, advice))
            self._lines[model].setToolTip(_tip(snapshot, model))
        self._check(shown_calibrator(snapshot))
        self.updateGeometry()

    def _check(self, model: ModelName | None) -> None:
        """Mark the calibrator that is shown; None before the first result, which says which one that will be."""
        if model is not None:
            self._lines[model].setChecked(True)
            return
        self._group.setExclusive(False)
        for line in self._lines.values():
            line.setChecked(False)
        self._group.setExclusive(True)

    def _add_line(self, model: ModelName) -> None:
        """Add the line of a calibrator; they stand in the order of the registry."""
        line = CalibratorLine(model)
        self._group.addButton(line)
        self._lines[model] = line
        order = calibrator_keys().index
        before = sum(order(other) < order(model) for other in self._lines)
        self._box.insertWidget(1 + before, line)  # below the head

    def line(self, model: ModelName) -> "CalibratorLine":
        """Return the line of a calibrator."""
        return self._lines[model]

    @Slot("QAbstractButton*")
    def _announce(self, line: QRadioButton) -> None:
        if isinstance(line, CalibratorLine):
            self.chosen.emit(line.model)


class _Head(QWidget):
    """Scale and unit above the numbers."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.columns: Sequence[ErrorColumn] = ()
        self.setFixedHeight(HEAD)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        for column in self.columns:
            place = QRectF(self.width() - column.right - column.width, 0, column.width, self.height())
            draw_rich_text(
                painter, place, column.head, theme.font(NOTE_SIZE), theme.colour("muted"), Qt.AlignmentFlag.AlignRight
            )
        painter.setPen(theme.colour("soft_border"))
        painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)
        painter.end()


class CalibratorLine(QRadioButton):
    """One calibrator: round button, its mark in the plots, name, the word for the best one, errors."""

    def __init__(self, model: ModelName, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = model
        self._style = model_style(model)
        self._number = 0
        self._columns: Sequence[ErrorColumn] = ()
        self._praise: Praise = ""
        self.setObjectName(f"calibrator_{model}")
        self.setToolTip(self._style.explanation)
        self.setFixedHeight(ROW)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_line(self, number: int, columns: Sequence[ErrorColumn], *, title: str, praise: Praise) -> None:
        """Show the errors in line ``number`` of the columns."""
        self.setText(title)
        self.setAccessibleName(title)
        self._number, self._columns, self._praise = number, columns, praise
        spoken = ", ".join(f"{column.texts[number]} {plain_text(column.head)}" for column in columns)
        self.setAccessibleDescription(f"Out-of-fold RMSE {spoken}{f', {praise}' if praise else ''}")
        self.update()

    def hitButton(self, position) -> bool:  # type: ignore[no-untyped-def]
        """Take the whole line for the button."""
        return bool(self.rect().contains(position))

    def sizeHint(self) -> QSize:
        """Return the room for the name, the word for the best, and the numbers."""
        return QSize(self._width_with(self.text()) + 46, ROW)

    def minimumSizeHint(self) -> QSize:
        """Return the least width at which numbers do not touch the name, or the short title where that is shorter."""
        return QSize(min(map(self._width_with, (self.text(), self._style.short_title))), ROW)

    def _width_with(self, name: str) -> int:
        numbers = max((column.right + column.width for column in self._columns), default=100.0)
        width = QFontMetricsF(current_theme().font(BODY_SIZE, bold=True)).horizontalAdvance(name)
        return round(NAME_LEFT + width + 4 + numbers)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line."""
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(self.rect())
        if self.isChecked():
            painter.fillRect(rect, theme.colour("selection"))
        self._paint_button(painter, QPointF(16, rect.center().y()))
        _paint_mark(painter, self.model, QPointF(35, rect.center().y()))
        numbers = max((column.right + column.width for column in self._columns), default=0.0)
        room = QRectF(NAME_LEFT, 0, rect.width() - NAME_LEFT - numbers - 4, rect.height())
        font = theme.font(BODY_SIZE, bold=self.isChecked())
        name = self.text() if rich_text_width(self.text(), font) <= room.width() else self._style.short_title
        draw_rich_text(painter, room, name, font, theme.colour("text"))
        if self._praise:
            room.setLeft(room.left() + rich_text_width(name, font) + 6)
            self._paint_praise(painter, room)
        bold = theme.font(BODY_SIZE, bold=self._praise in ("best", "lowest error"))
        for column in self._columns:
            place = QRectF(rect.width() - column.right - column.width, 0, column.width, rect.height())
            draw_rich_text(
                painter, place, column.texts[self._number], bold, theme.colour("text"), Qt.AlignmentFlag.AlignRight
            )
        painter.end()

    def _paint_button(self, painter: QPainter, centre: QPointF) -> None:
        theme = current_theme()
        lit = self.isChecked() or self.underMouse() or self.hasFocus()
        painter.setPen(QPen(theme.colour("accent" if lit else "faint"), 2.0 if self.hasFocus() else 1.1))
        painter.setBrush(theme.colour("base"))
        painter.drawEllipse(centre, 6.2, 6.2)
        if self.isChecked():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("accent"))
            painter.drawEllipse(centre, 3.4, 3.4)

    def _paint_praise(self, painter: QPainter, room: QRectF) -> None:
        """Draw the word, with a star before it where the calibrator is recommended; what has no room is left out."""
        theme = current_theme()
        font = theme.font(NOTE_SIZE)
        word = QFontMetricsF(font).horizontalAdvance(self._praise)
        starred = self._praise != "lowest error"
        if starred and (room.width() >= word + 16 or 14 <= room.width() < word - 1):
            star = QRectF(room.left(), room.center().y() - 6, 12, 12).toRect()
            icon("star", theme.palette, "good").paint(painter, star)
            room.setLeft(room.left() + 15)
        if room.width() >= word - 1:
            draw_rich_text(painter, room, self._praise, font, theme.colour("good" if starred else "muted"))


def _tip(snapshot: Snapshot, model: ModelName) -> str:
    """Say what a calibrator is, and how sure its error is."""
    calibration = snapshot.calibration
    explanation = model_style(model).explanation
    if calibration is None or model not in calibration.models:
        return explanation
    metrics = calibration.models[model].metrics
    told = with_interval(metrics.rmse_target_scale, *metrics.rmse_target_scale_interval)
    level = f"{100 * ERROR_LEVEL:.0f} % interval over polymers"
    return f"{explanation}<br>Out-of-fold RMSE {told}, with its {level}."


def _praise(model: ModelName, advice: Recommendation | None) -> Praise:
    """Return what sets a calibrator apart: "best" is both recommended and of the lowest error."""
    if advice is None or model not in (advice.best, advice.recommended):
        return ""
    if advice.best == advice.recommended:
        return "best"
    return "recommended" if model == advice.recommended else "lowest error"


def _paint_mark(painter: QPainter, model: ModelName, centre: QPointF) -> None:
    """Draw the symbol that the calibrator has in the plots."""
    style = model_style(model)
    size = 7.0 * style.symbol_scale
    shape = SYMBOLS[style.symbol]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(current_theme().model_colour(model))
    painter.drawPath(QTransform().translate(centre.x(), centre.y()).scale(size, size).map(shape))


def models_of(snapshot: Snapshot) -> tuple[ModelName, ...]:
    """Return the calibrators to list: the linear ones, and those with kernels that are wished for or were compared."""
    wanted = {*linear_keys(), *snapshot.settings.methods, snapshot.settings.model}
    if snapshot.corrected is not None:
        wanted.add(QUANTUM_CORRECTED.key)
    if snapshot.calibration is not None:
        wanted |= set(snapshot.calibration.models)
        wanted -= set(combined_keys()) - set(snapshot.calibration.models) - {snapshot.settings.model}
    return tuple(model for model in calibrator_keys() if model in wanted)


def shown_calibrator(snapshot: Snapshot) -> ModelName | None:
    """Return the calibrator whose values are shown: without a measured table, MD values can only be corrected.

    Before the first result it is None where the recommended one is to be shown: which one that is, is not known yet.
    """
    if snapshot.corrected is not None:
        return QUANTUM_CORRECTED.key
    awaits_advice = snapshot.calibration is None and snapshot.settings.follows_advice
    return None if awaits_advice else snapshot.settings.model


def _error_columns(snapshot: Snapshot, models: Sequence[ModelName]) -> tuple[ErrorColumn, ...]:
    """Collect the errors on the target scale and in property unit; on a linear scale the two are one."""
    quantity = snapshot.quantity
    symbol = quantity.symbol_html if quantity is not None else ""
    unit = quantity.unit if quantity is not None else ""
    calibration = snapshot.calibration
    metrics: list[Metrics | None] = [
        calibration.models[model].metrics if calibration is not None and model in calibration.models else None
        for model in models
    ]
    log_scale = calibration.log_scale if calibration is not None else snapshot.settings.log_scale
    in_unit = [found.rmse if found else float("nan") for found in metrics]
    smallest = [value for value in in_unit if value > 0]
    decimals = decimals_for(min(smallest), 2) if smallest else 0  # two figures of the smallest error
    heads_and_values = [(unit or symbol, in_unit, decimals)]
    if log_scale:
        on_scale = [found.rmse_target_scale if found else float("nan") for found in metrics]
        heads_and_values.append((f"ln {symbol}", on_scale, 3))
    columns = []
    right = float(MARGIN)
    theme = current_theme()
    for head, values, decimals in heads_and_values:
        texts = tuple(
            number_text(value, decimals) if found else MISSING for value, found in zip(values, metrics, strict=True)
        )
        bold = theme.font(BODY_SIZE, bold=True)
        width = max(rich_text_width(head, theme.font(NOTE_SIZE)), *(rich_text_width(text, bold) for text in texts))
        columns.append(ErrorColumn(head, texts, right, width + 1))
        right += width + GAP
    return tuple(columns)
