"""One penalty: name, logarithmic slider and number; tells of changes no faster than refits can follow."""

import math

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFontMetricsF, QValidator
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from affinecal_gui.errors import UserError
from affinecal_gui.ui.parts.number_text import significant
from affinecal_gui.ui.parts.quiet_inputs import QuietDoubleSpinBox, QuietSlider
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE
from affinecal_gui.ui.parts.theme.theme import current_theme
from affinecal_gui.ui.parts.typed_number import typed_number
from affinecal_gui.ui.parts.widgets.labels import label

STEPS_PER_DECADE = 50
THROTTLE = 60  # milliseconds between two announcements while the slider moves
_LABEL_WIDTH = 82
_WIDEST_NUMBER = "0.00888"
_AROUND_NUMBER = 46  # pixels: the arrows and the margins


class PenaltyRow(QWidget):
    """A penalty to be set by hand.

    Parameters
    ----------
    name
        The label, plain or rich text: "λ₁ size".
    accessible_name
        The whole name, for screen readers and the tooltip.
    meaning
        What the penalty does, for the tooltip.
    """

    changed = Signal(float)  # by the user; throttled, and the last value always arrives
    value_changed = Signal(float)  # by the user, every single value
    refused = Signal(str)  # a sentence: what was typed, and from where to where the penalty can be

    def __init__(self, name: str, accessible_name: str = "", meaning: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._low, self._high = 1e-2, 1e2
        self._silent = False
        self._pending = False
        self._value = 1.0
        full = accessible_name or name
        self._full_name = full
        self._label = label(name, "muted")
        self._label.setMinimumWidth(_LABEL_WIDTH)
        tip = f"{full}. {meaning}" if meaning else full
        self._label.setToolTip(tip)
        self.slider = QuietSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(full)
        self.slider.setToolTip(tip)
        self.slider.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.slider.setMinimumWidth(50)
        self.number = PenaltySpinBox()
        self.number.setAccessibleName(full)
        self.number.setToolTip(tip)
        widest = QFontMetricsF(current_theme().font(BODY_SIZE)).horizontalAdvance(_WIDEST_NUMBER)
        self.number.setFixedWidth(math.ceil(widest) + _AROUND_NUMBER)
        self._label.setBuddy(self.number)
        self._throttle = QTimer(self)
        self._throttle.setSingleShot(True)
        self._throttle.setInterval(THROTTLE)
        self._throttle.timeout.connect(self._flush)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._label)
        row.addWidget(self.slider, 1)
        row.addWidget(self.number)
        self.slider.valueChanged.connect(self._slid)
        self.slider.sliderReleased.connect(self._flush)
        self.number.valueChanged.connect(self._typed)
        self.number.refused.connect(self._refuse)
        self.set_range(self._low, self._high)

    @property
    def value(self) -> float:
        """The penalty."""
        return self._value

    @property
    def is_moving(self) -> bool:
        """Whether the user holds the slider."""
        return self.slider.isSliderDown()

    def set_range(self, low: float, high: float) -> None:
        """Set the least and the greatest penalty, ``0 < low < high``."""
        if not 0.0 < low < high:
            raise ValueError(f"a penalty range must be positive and ascending, not {low} to {high}")
        self._low, self._high = low, high
        self._silent = True
        steps = max(1, round(STEPS_PER_DECADE * math.log10(high / low)))
        self.slider.setRange(0, steps)
        self.slider.setPageStep(max(1, STEPS_PER_DECADE // 5))
        self.number.setRange(low, high)
        self._silent = False
        self.set_value(self._value)

    def set_value(self, value: float) -> None:
        """Show a penalty without announcing it; beyond the range the nearest end is shown."""
        self._value = min(max(value, self._low), self._high)
        self._silent = True
        self.slider.setValue(self._position(self._value))
        self.number.setValue(self._value)
        self._silent = False

    def _position(self, value: float) -> int:
        return round(self.slider.maximum() * math.log(value / self._low) / math.log(self._high / self._low))

    @Slot(int)
    def _slid(self, position: int) -> None:
        if not self._silent:
            share = position / self.slider.maximum()
            self._take(self._low * (self._high / self._low) ** share)

    @Slot(float)
    def _typed(self, value: float) -> None:
        if not self._silent:
            self._take(value)

    @Slot(str)
    def _refuse(self, text: str) -> None:
        low, high = significant(self._low, 3), significant(self._high, 3)
        self.refused.emit(f"“{text}” was not taken. {self._full_name} can be from {low} to {high}.")

    def _take(self, value: float) -> None:
        self.set_value(value)
        self.value_changed.emit(self._value)
        self._pending = True
        if not self._throttle.isActive():
            self._flush()

    @Slot()
    def _flush(self) -> None:
        """Announce the latest value, and nothing more for a moment."""
        if self._pending:
            self._pending = False
            self.changed.emit(self._value)
            self._throttle.start()


class PenaltySpinBox(QuietDoubleSpinBox):
    """A number over several powers of ten: three digits are shown, and each step is a twentieth of a decade."""

    refused = Signal(str)  # what was typed, and is no number within the range

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDecimals(9)
        self.setKeyboardTracking(False)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)

    def textFromValue(self, value: float) -> str:
        """Write three significant digits."""
        return significant(value, 3)

    def valueFromText(self, text: str) -> float:
        """Read a number with point or comma; what was shown and not edited keeps its full value."""
        if text == self.textFromValue(self.value()):
            return self.value()
        number = _number(text)
        return self.value() if number is None else number

    def validate(self, text: str, position: int) -> object:
        """Accept whatever is, or may become, a positive number."""
        number = _number(text)
        if number is None:
            unfinished = all(character in "0123456789.,eE+- " for character in text)
            state = QValidator.State.Intermediate if unfinished else QValidator.State.Invalid
        else:
            inside = self.minimum() <= number <= self.maximum()
            state = QValidator.State.Acceptable if inside else QValidator.State.Intermediate
        return state, text, position

    def fixup(self, text: str) -> str:
        """Keep the former number where what was typed is none within the range, and tell of it."""
        if text.strip():
            self.refused.emit(text.strip())
        return self.textFromValue(self.value())

    def stepBy(self, steps: int) -> None:
        """Multiply by a twentieth of a decade per step."""
        self.setValue(min(max(self.value() * 10.0 ** (steps / 20.0), self.minimum()), self.maximum()))
        self.selectAll()


def _number(text: str) -> float | None:
    try:
        return typed_number(text)
    except UserError:
        return None
