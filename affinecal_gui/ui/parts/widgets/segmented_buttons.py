"""A choice of one among a few."""

from collections.abc import Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.theme.theme import current_theme


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
