"""The penalties: chosen by cross-validation, or by hand with sliders that refit as they move."""

from dataclasses import replace

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.results import ModelName, Penalties, PenaltySurface
from affinecal_gui.study.snapshot import Settings, Snapshot
from affinecal_gui.ui.parts.quiet_inputs import QuietComboBox
from affinecal_gui.ui.parts.terms import COUPLING_PENALTY, ROUGHNESS_PENALTY, SIZE_PENALTY
from affinecal_gui.ui.parts.widgets.info_line import InfoLine
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.views.model.calibrator_table import shown_calibrator
from affinecal_gui.ui.views.model.penalty_row import PenaltyRow
from affinecal_gui.ui.views.model.target_section import LABEL_WIDTH

RANGES: dict[str, tuple[float, float]] = {
    "lambda_1": (1e-2, 1e2),
    "lambda_2": (1.0, 1e3),
    "lambda_beta": (1e-2, 1e2),
}
"""Least and greatest value of each slider, unless the grid of the cross-validation reaches further."""

START = Penalties(1.0, 10.0, 1.0)  # before anything was fitted


class PenaltiesSection(QWidget):
    """The choice of who chooses, one slider per penalty, and a word of caution where the grid was too small."""

    settings_changed = Signal(object)  # Settings

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = Settings()
        self._model: ModelName = self._settings.model  # whose penalties are shown
        self._shown = START
        self.choice = QuietComboBox()
        self.choice.setObjectName("penaltyChoice")
        self.choice.setAccessibleName("Penalties chosen")
        self.choice.addItem("By cross-validation", False)
        self.choice.addItem("By hand", True)
        self.choice.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.rows = {
            "lambda_1": PenaltyRow("λ₁ size", "Penalty λ₁ on the size of the coefficients", SIZE_PENALTY),
            "lambda_2": PenaltyRow(
                "λ₂ roughness", "Penalty λ₂ on differences between neighbouring coefficients", ROUGHNESS_PENALTY
            ),
            "lambda_beta": PenaltyRow(
                "λ<sub>β</sub> of β", "Penalty λβ on the coupling β to the MD value", COUPLING_PENALTY
            ),
        }
        for name, row in self.rows.items():
            row.setObjectName(f"penalty_{name}")
            row.set_range(*RANGES[name])
            row.value_changed.connect(self._choose_by_hand)
            row.changed.connect(self._wish_by_hand)
            row.refused.connect(self._say_refused)
        self._none = label("", "muted", wrap=True)
        self._edge = InfoLine("caution", note=True)
        self._refused = InfoLine("caution", note=True)
        self._refused.setObjectName("penaltyRefused")
        self._arrange()
        self.choice.activated.connect(self._change_choice)

    def _arrange(self) -> None:
        self._chosen = label("Chosen", "muted")
        self._chosen.setMinimumWidth(LABEL_WIDTH)
        self._chosen.setBuddy(self.choice)
        head = QGridLayout()
        head.setHorizontalSpacing(8)
        head.setColumnStretch(1, 1)
        head.addWidget(self._chosen, 0, 0)
        head.addWidget(self.choice, 0, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 2, 0, 2)
        box.setSpacing(1)
        box.addLayout(head)
        for row in self.rows.values():
            box.addWidget(row)
        box.addWidget(self._refused)
        box.addWidget(self._edge)
        box.addWidget(self._none)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the penalties of the chosen calibrator. A slider that is being moved stays where the hand holds it."""
        if snapshot.settings != self._settings:
            self._say_refused("")
        self._settings = snapshot.settings
        model = self._model = shown_calibrator(snapshot) or snapshot.settings.model
        result = snapshot.calibration.models.get(model) if snapshot.calibration is not None else None
        fitted = result.penalties if result is not None else None
        surface = result.surface if result is not None else None
        own = calibrator(model).penalties
        for widget in (self._chosen, self.choice):
            widget.setVisible(bool(own))
        for name, row in self.rows.items():
            row.setVisible(name in own)
        self._none.setText("" if own else _why_none(model))
        self._none.setVisible(not own)
        self._show_edge(surface if snapshot.settings.penalties is None else None)
        if any(row.is_moving for row in self.rows.values()):
            return
        self._shown = snapshot.settings.penalties or fitted or START
        self._widen(surface)
        self.choice.setCurrentIndex(0 if snapshot.settings.penalties is None else 1)
        for name, row in self.rows.items():
            row.set_value(getattr(self._shown, name))

    def summary(self) -> str:
        """Return one line that stands for the section when it is folded."""
        own = calibrator(self._model).penalties
        if calibrator(self._model).needs_kernels:
            return "by cross-validation"
        return self.choice.currentText().lower() if own else "none"

    def _show_edge(self, surface: PenaltySurface | None) -> None:
        names = {"lambda_1": "λ₁", "lambda_2": "λ₂"}
        ended = [names[name] for name in surface.on_edge] if surface is not None else []
        text = (
            f"{' and '.join(ended)} ended on the edge of the grid; a better value may lie beyond it." if ended else ""
        )
        self._edge.set_message("caution", text)

    def choose(self, lambda_1: float, lambda_2: float) -> None:
        """Take both penalties from the cross-validation surface, by hand."""
        self.rows["lambda_1"].set_value(lambda_1)
        self.rows["lambda_2"].set_value(lambda_2)
        self._choose_by_hand()
        self._shown = replace(self._shown, lambda_1=lambda_1, lambda_2=lambda_2)
        self._wish(replace(self._settings, penalties=self._shown))

    def _widen(self, surface: PenaltySurface | None) -> None:
        """Let the sliders reach as far as the grid and the penalties in use."""
        for name, row in self.rows.items():
            ends = [*RANGES[name], getattr(self._shown, name)]
            if surface is not None and name != "lambda_beta":
                grid = surface.lambda_1 if name == "lambda_1" else surface.lambda_2
                ends.extend((float(grid.min()), float(grid.max())))
            positive = [end for end in ends if end > 0]
            row.set_range(min(positive), max(positive))

    @Slot()
    def _change_choice(self) -> None:
        by_hand = bool(self.choice.currentData())
        if by_hand != (self._settings.penalties is not None):
            self._wish(replace(self._settings, penalties=self._shown if by_hand else None))

    @Slot()
    def _choose_by_hand(self) -> None:
        """Say that whoever moves a slider has chosen by hand."""
        self.choice.setCurrentIndex(1)
        self._say_refused("")

    @Slot(str)
    def _say_refused(self, text: str) -> None:
        """Say why a number that was typed is not there; with ``""`` no more."""
        self._refused.set_message("caution", text)

    @Slot()
    def _wish_by_hand(self) -> None:
        # A slider has steps: the penalties that were not moved keep their exact values.
        moved = {name: row.value for name, row in self.rows.items() if row is self.sender()}
        self._shown = replace(self._shown, **moved)
        self._wish(replace(self._settings, penalties=self._shown))

    def _wish(self, settings: Settings) -> None:
        if settings != self._settings:
            self._settings = settings
            self.settings_changed.emit(settings)


def _why_none(model: ModelName) -> str:
    """Say where the penalties of a calibrator come from that has none to set."""
    one = calibrator(model)
    if one.needs_kernels:
        return "Its penalties are chosen by cross-validation; the notes say where they ended on an edge of the grid."
    if one.one_source and one.uses_descriptors:
        return f"Its penalties are those of {calibrator(one.one_source).name}: choose that one to set them."
    return "This calibrator has no penalties."
