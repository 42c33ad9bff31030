"""What is calibrated: the property, its scale, the protocol of checking, the intervals, and how much a value counts."""

from dataclasses import replace

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from affinecal_gui.polymers.vibrations.constraint import Constraint
from affinecal_gui.study.quantum_properties import is_corrected
from affinecal_gui.study.snapshot import Settings, Snapshot, Weighting
from affinecal_gui.tables.units.properties import Property, find_property
from affinecal_gui.ui.parts.painted_text import plain_text
from affinecal_gui.ui.parts.terms import AS_PUBLISHED, LEAK_FREE
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.parts.widgets.rich_combo_box import RichComboBox
from affinecal_gui.ui.parts.widgets.segmented_buttons import SegmentedButtons

LABEL_WIDTH = 72  # of the words before the controls of the model panel
_TOOLTIP = Qt.ItemDataRole.ToolTipRole

PROTOCOLS: tuple[tuple[str, str, str], ...] = (
    (
        "default",
        "Leak-free",
        LEAK_FREE,
    ),
    (
        "paper",
        "As published",
        AS_PUBLISHED,
    ),
)
"""Key, name and explanation of each protocol."""

LEVELS = (0.5, 0.68, 0.8, 0.9, 0.95)
"""Offered levels of the intervals: shares of polymers whose measured value is to lie inside."""

WEIGHTINGS: tuple[tuple[Weighting, str, str], ...] = (
    ("none", "All values count the same", "The tables say how sure the measured values are; that is not used."),
    (
        "uncertainty",
        "By uncertainty",
        "Surer values count more: one over the square of their uncertainty and of the scatter that it does not explain. "
        "Values without an uncertainty count with the median one.",
    ),
    (
        "repeats",
        "By number of reports",
        "Values with more reports behind them count more, at most twice a single one.",
    ),
)
"""Key, name and explanation of each way to weigh measured values."""


FAR_VALUES = (
    (
        False,
        "Keep their weight",
        "A measured value that lies far from the fit counts as much as one close to it.",
    ),
    (
        True,
        "Count less (robust fit)",
        "A measured value counts the less the farther it lies from the fit, by Student’s t distribution: a few wrong values "
        "hardly move it. Errors are still those of all values. Methods with kernels are fitted as before.",
    ),
)
"""Whether measured values far from the fit count less: value, name and explanation."""


RIGID_BONDS: tuple[tuple[Constraint, str, str], ...] = (
    (
        "hydrogen",
        "All but X–H stretching",
        "The simulation holds bonds to hydrogen rigid, by SHAKE or the like, so that their stretching holds no heat in it. "
        "RadonPy does so, and most simulations with steps of 2 fs.",
    ),
    (
        "all",
        "All but bond stretching",
        "The simulation holds all bonds rigid: no stretching holds heat in it.",
    ),
    (
        "none",
        "All vibrations",
        "The simulation holds nothing rigid, usually with steps of 1 fs or less: C–H stretching holds heat in it, too.",
    ),
)
"""What the simulation holds rigid, named by which vibrations it moves: value, name and explanation."""


class TargetSection(QWidget):
    """Five rows of controls, and two that are there where they matter.

    These are which vibrations the simulation moves, for properties that are corrected for quantum effects, and the weights,
    where the tables say something about the measured values.
    """

    settings_changed = Signal(object)  # Settings

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = Settings()
        self._names: list[QLabel] = []
        self.properties = RichComboBox()
        self.properties.setObjectName("propertyBox")
        self.properties.setAccessibleName("Target property")
        self.scale = SegmentedButtons((("log", "Logarithmic"), ("linear", "Linear")), "Scale")
        self.scale.setObjectName("scaleButtons")
        self.scale.button("log").setToolTip("Fit the natural logarithm: errors count as factors")
        self.scale.button("linear").setToolTip("Fit the value itself: errors count in its unit")
        self.protocol = RichComboBox()
        self.protocol.setObjectName("protocolBox")
        self.protocol.setAccessibleName("Protocol")
        self.level = RichComboBox()
        self.level.setObjectName("levelBox")
        self.level.setAccessibleName("Level of the intervals")
        self.level.setToolTip("The share of polymers whose measured value is to lie inside its interval")
        self.far_values = RichComboBox()
        self.far_values.setObjectName("farValuesBox")
        self.far_values.setAccessibleName("Measured values that lie far from the fit")
        self.rigid_bonds = RichComboBox()
        self.rigid_bonds.setObjectName("rigidBondsBox")
        self.rigid_bonds.setAccessibleName("Vibrations that the simulation moves")
        self.weights = RichComboBox()
        self.weights.setObjectName("weightsBox")
        self.weights.setAccessibleName("Weights of the measured values")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 2, 0, 2)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(1, 1)
        for line, (text, control) in enumerate(
            (
                ("Property", self.properties),
                ("Scale", self.scale),
                ("Protocol", self.protocol),
                ("Intervals", self.level),
                ("Outliers", self.far_values),
                ("MD moves", self.rigid_bonds),
                ("Weights", self.weights),
            )
        ):
            name = label(text, "muted")
            name.setMinimumWidth(LABEL_WIDTH)
            name.setBuddy(control)
            self._names.append(name)
            grid.addWidget(name, line, 0)
            grid.addWidget(control, line, 1)
            if isinstance(control, RichComboBox):
                control.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.properties.activated.connect(self._change_property)
        self.scale.chosen.connect(self._change_scale)
        self.protocol.activated.connect(self._change_protocol)
        self.level.activated.connect(self._change_level)
        self.far_values.activated.connect(self._change_far_values)
        self.rigid_bonds.activated.connect(self._change_rigid_bonds)
        self.weights.activated.connect(self._change_weights)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the choices of a snapshot."""
        settings = self._settings = snapshot.settings
        offered = snapshot.quantities or ((snapshot.quantity,) if snapshot.quantity else ())
        self._offer_properties(offered, settings.property_key)
        self.scale.set_current("log" if settings.log_scale else "linear")
        self._offer_protocols(snapshot)
        self._offer_levels(settings.interval_level)
        self._offer_far_values(settings.robust)
        self._offer_rigid_bonds(snapshot)
        self._offer_weightings(snapshot)

    def summary(self) -> str:
        """Return one line that stands for the section when it is folded."""
        symbol = find_property(self._settings.property_key).symbol_html
        folds = self.protocol.currentText().rpartition(", ")[2]
        weighted = ", robust" if self._settings.robust else ""
        quantity = find_property(self._settings.property_key)
        if is_corrected(quantity) and self._settings.rigid_bonds != Settings().rigid_bonds:
            weighted += f", {next(name for key, name, _ in RIGID_BONDS if key == self._settings.rigid_bonds).lower()}"
        weighted += ", weighted" if self._settings.weighting != "none" else ""
        return f"{symbol}, {'log' if self._settings.log_scale else 'linear'}, {folds.lower()}{weighted}"

    def _offer_properties(self, offered: tuple[Property, ...], chosen: str) -> None:
        self.properties.clear()
        for quantity in offered:
            own_symbol = plain_text(quantity.symbol_html) != quantity.title
            symbol = f" {quantity.symbol_html}" if own_symbol else ""
            self.properties.add_rich_item(f"{quantity.title}{symbol}", quantity.key)
        self.properties.setCurrentIndex(self.properties.findData(chosen))
        self.properties.setEnabled(len(offered) > 1)
        self.properties.setToolTip(
            "" if len(offered) > 1 else "Only this property has both measured and MD values in the loaded tables"
        )

    def _offer_protocols(self, snapshot: Snapshot) -> None:
        """Name the protocols; the one of the calibration at hand with its folds."""
        self.protocol.clear()
        calibration = snapshot.calibration
        for key, name, explanation in PROTOCOLS:
            used = key == snapshot.settings.protocol and calibration is not None and not snapshot.stale
            text = calibration.protocol if used and calibration is not None else name
            self.protocol.add_rich_item(text[:1].upper() + text[1:], key)
            self.protocol.setItemData(self.protocol.count() - 1, explanation, _TOOLTIP)
            if key == snapshot.settings.protocol:
                self.protocol.setCurrentIndex(self.protocol.count() - 1)
                self.protocol.setToolTip(explanation)

    def _offer_levels(self, chosen: float) -> None:
        self.level.clear()
        for level in sorted({*LEVELS, chosen}):
            self.level.add_rich_item(f"{100 * level:g} %", level)
            if level == chosen:
                self.level.setCurrentIndex(self.level.count() - 1)

    def _offer_far_values(self, chosen: bool) -> None:
        self.far_values.clear()
        for robust, name, explanation in FAR_VALUES:
            self.far_values.add_rich_item(name, robust)
            self.far_values.setItemData(self.far_values.count() - 1, explanation, _TOOLTIP)
            if robust == chosen:
                self.far_values.setCurrentIndex(self.far_values.count() - 1)
                self.far_values.setToolTip(explanation)

    def _offer_rigid_bonds(self, snapshot: Snapshot) -> None:
        """Offer what a simulation can hold rigid; nothing is shown of a property that does not depend on it."""
        chosen, quantity = snapshot.settings.rigid_bonds, snapshot.quantity
        self.rigid_bonds.clear()
        for key, name, explanation in RIGID_BONDS:
            self.rigid_bonds.add_rich_item(name, key)
            self.rigid_bonds.setItemData(self.rigid_bonds.count() - 1, explanation, _TOOLTIP)
            if key == chosen:
                self.rigid_bonds.setCurrentIndex(self.rigid_bonds.count() - 1)
                self.rigid_bonds.setToolTip(explanation)
        for widget in (self._names[-2], self.rigid_bonds):
            widget.setVisible(quantity is not None and is_corrected(quantity))

    def _offer_weightings(self, snapshot: Snapshot) -> None:
        """Offer the weights that the tables give the numbers for; nothing is shown where there is no choice."""
        chosen = snapshot.settings.weighting
        offered = {"none", chosen, *snapshot.weightings}
        self.weights.clear()
        for key, name, explanation in WEIGHTINGS:
            if key in offered:
                self.weights.add_rich_item(name, key)
                self.weights.setItemData(self.weights.count() - 1, explanation, _TOOLTIP)
            if key == chosen:
                self.weights.setCurrentIndex(self.weights.count() - 1)
                self.weights.setToolTip(explanation)
        for widget in (self._names[-1], self.weights):
            widget.setVisible(len(offered) > 1)

    @Slot()
    def _change_property(self) -> None:
        self._wish(replace(self._settings, property_key=self.properties.currentData()))

    @Slot(str)
    def _change_scale(self, key: str) -> None:
        self._wish(replace(self._settings, log_scale=key == "log"))

    @Slot()
    def _change_protocol(self) -> None:
        self._wish(replace(self._settings, protocol=self.protocol.currentData()))

    @Slot()
    def _change_level(self) -> None:
        self._wish(replace(self._settings, interval_level=self.level.currentData()))

    @Slot()
    def _change_far_values(self) -> None:
        self._wish(replace(self._settings, robust=bool(self.far_values.currentData())))

    @Slot()
    def _change_rigid_bonds(self) -> None:
        self._wish(replace(self._settings, rigid_bonds=self.rigid_bonds.currentData()))

    @Slot()
    def _change_weights(self) -> None:
        self._wish(replace(self._settings, weighting=self.weights.currentData()))

    def _wish(self, settings: Settings) -> None:
        if settings != self._settings:
            self.settings_changed.emit(settings)
