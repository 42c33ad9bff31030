"""The choice between predictions made without a polymer's own measurement and those that have seen it."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from affinecal_gui.study.results.study_figures import Predictions
from affinecal_gui.study.shown.parity_points import Stage
from affinecal_gui.ui.parts.quiet_inputs import QuietComboBox
from affinecal_gui.ui.parts.terms import FITTED, OUT_OF_FOLD

_STAGES: tuple[tuple[Stage, str, str], ...] = (
    ("out_of_fold", "Out-of-fold", OUT_OF_FOLD),
    ("fitted", "Fitted", FITTED),
)


class StageBox(QuietComboBox):
    """Out-of-fold or fitted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Predictions shown")
        for position, (_, text, tip) in enumerate(_STAGES):
            self.addItem(text)
            self.setItemData(position, tip, Qt.ItemDataRole.ToolTipRole)
        self.currentIndexChanged.connect(self._explain)
        self._explain()

    @property
    def stage(self) -> Stage:
        """What is chosen."""
        return _STAGES[self.currentIndex()][0]

    @property
    def predictions(self) -> Predictions:
        """What is chosen, in the words of figures."""
        return "fitted" if self.stage == "fitted" else "out-of-fold"

    @Slot()
    def _explain(self, *_: object) -> None:
        self.setToolTip(_STAGES[self.currentIndex()][2])
