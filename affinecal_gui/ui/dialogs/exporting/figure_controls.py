"""What is chosen about a figure: which one, how large, in which format and how drawn; remembered for the next time."""

from dataclasses import dataclass

from PySide6.QtCore import QSettings, Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QWidget

from affinecal_gui.figures.presets import PRESETS, find_preset
from affinecal_gui.study.results.study_figures import FIGURES, NARROWEST, WIDEST, FigureOptions
from affinecal_gui.study.shown.residuals import NORMAL, NORMAL_TRAIT
from affinecal_gui.study.shown.traits import CLASS, MEASURED, NO_TRAIT
from affinecal_gui.ui.parts.kept_choices import kept_choice
from affinecal_gui.ui.parts.quiet_inputs import QuietComboBox, QuietDoubleSpinBox, QuietSpinBox
from affinecal_gui.ui.parts.terms import FITTED, OUT_OF_FOLD
from affinecal_gui.ui.parts.widgets.segmented_buttons import SegmentedButtons

CUSTOM = "Other width"
LEAST_DPI, USUAL_DPI, MOST_DPI = 72, 300, 2400
PIXEL_FORMATS = (".png", ".tiff")
_CALIBRATORS = (("All", "all"), ("MD and the one shown", "with_md"), ("The one shown", "one"))
FORMAT_TITLES = {".svg": "SVG", ".pdf": "PDF", ".png": "PNG", ".tiff": "TIFF"}


@dataclass(frozen=True, slots=True)
class FigureChoice:
    """What the user wants."""

    name: str  # of the figure
    options: FigureOptions
    suffix: str
    dpi: int


class FigureControls(QWidget):
    """The controls below each other. What they show is kept in ``settings`` whenever it changes."""

    changed = Signal()  # another figure, or the same one in another way, is wanted

    def __init__(self, settings: QSettings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._filling = False  # while controls are set by the program
        self.figures = QuietComboBox()
        self.sizes = QuietComboBox()
        self.width_box = QuietDoubleSpinBox()
        self.formats = QuietComboBox()
        self.resolution = QuietSpinBox()
        self.arrangement = SegmentedButtons((("panels", "Panels"), ("overlaid", "Overlaid")), "Arrangement")
        self.predictions = QuietComboBox()
        self.intervals = QCheckBox("Prediction intervals")
        self.against = QuietComboBox()
        self.colours = QuietComboBox()
        self.calibrators = QuietComboBox()
        self.letters = QCheckBox("Letters at the panels")
        self.notes = QCheckBox("Notes below the figure")
        self._set_up()
        self._arrange()
        self._connect()
        self._recall()

    # -- parts ----------------------------------------------------------------------------------------------------

    def _set_up(self) -> None:
        for name, kind in FIGURES.items():
            self.figures.addItem(kind.title, name)
        for preset in PRESETS:
            self.sizes.addItem(preset.title, preset.key)
        self.sizes.addItem(CUSTOM, "")
        self.width_box.setRange(NARROWEST, WIDEST)
        self.width_box.setDecimals(1)
        self.width_box.setSuffix(" mm")
        self.width_box.setKeyboardTracking(False)
        for suffix, title in FORMAT_TITLES.items():
            self.formats.addItem(title, suffix)
        self.resolution.setRange(LEAST_DPI, MOST_DPI)
        self.resolution.setSingleStep(100)
        self.resolution.setSuffix(" dpi")
        self.resolution.setKeyboardTracking(False)
        self.predictions.addItem("Out-of-fold", "out-of-fold")
        self.predictions.addItem("Fitted", "fitted")
        for position, meaning in enumerate((OUT_OF_FOLD, FITTED)):
            self.predictions.setItemData(position, meaning, Qt.ItemDataRole.ToolTipRole)
        self.predictions.setToolTip(f"Out-of-fold: {OUT_OF_FOLD}")
        for title, key in (("Measured value", MEASURED), ("MD value", "md"), (NORMAL_TRAIT.title, NORMAL)):
            self.against.addItem(title, key)
        for title, key in (("Calibrator", NO_TRAIT), ("Polymer class", CLASS), ("MD value", "md")):
            self.colours.addItem(title, key)
        for title, key in _CALIBRATORS:
            self.calibrators.addItem(title, key)
        self.letters.setToolTip("(a), (b) … before the title of each panel")
        self.notes.setToolTip("What the figure shows, in sentences; journals want them in the caption instead")
        for widget, object_name, accessible in (
            (self.figures, "figureChoice", "Figure"),
            (self.sizes, "figureSize", "Size as journals ask for it"),
            (self.width_box, "figureWidth", "Width in millimetres"),
            (self.formats, "figureFormat", "File format"),
            (self.resolution, "figureResolution", "Resolution in dots per inch"),
            (self.predictions, "figurePredictions", "Predictions shown"),
            (self.intervals, "figureIntervals", "Prediction intervals"),
            (self.against, "figureAgainst", "Residuals against"),
            (self.colours, "figureColours", "Colour of the points by"),
            (self.calibrators, "figureCalibrators", "Calibrators shown"),
            (self.letters, "figureLetters", "Letters at the panels"),
            (self.notes, "figureNotes", "Notes below the figure"),
        ):
            widget.setObjectName(object_name)
            widget.setAccessibleName(accessible)

    def _arrange(self) -> None:
        self._form = form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(10)
        form.setVerticalSpacing(6)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for text, widget in (
            ("Figure", self.figures),
            ("Size", self.sizes),
            ("Width", self.width_box),
            ("Format", self.formats),
            ("Resolution", self.resolution),
            ("Calibrators", self.calibrators),
            ("Arrangement", self.arrangement),
            ("Predictions", self.predictions),
            ("", self.intervals),
            ("Against", self.against),
            ("Colour by", self.colours),
            ("", self.letters),
            ("", self.notes),
        ):
            form.addRow(text, widget)

    def _connect(self) -> None:
        self.figures.currentIndexChanged.connect(self._choose_figure)
        self.sizes.currentIndexChanged.connect(self._choose_size)
        self.width_box.valueChanged.connect(self._choose_width)
        self.formats.currentIndexChanged.connect(self._change)
        self.resolution.valueChanged.connect(self._change)
        self.arrangement.chosen.connect(self._change)
        self.predictions.currentIndexChanged.connect(self._change)
        self.intervals.toggled.connect(self._change)
        self.against.currentIndexChanged.connect(self._change)
        self.colours.currentIndexChanged.connect(self._change)
        self.calibrators.currentIndexChanged.connect(self._change)
        self.letters.toggled.connect(self._change)
        self.notes.toggled.connect(self._change)

    # -- what is chosen -------------------------------------------------------------------------------------------

    @property
    def choice(self) -> FigureChoice:
        """What is chosen at present; the options say nothing of the polymer and the order of the blocks."""
        options = FigureOptions(
            width_mm=self.width_box.value(),
            arrangement="overlaid" if self.arrangement.current == "overlaid" else "panels",
            predictions="fitted" if self.predictions.currentData() == "fitted" else "out-of-fold",
            intervals=self.intervals.isChecked(),
            against=str(self.against.currentData()),
            colour_by=str(self.colours.currentData()),
            calibrators=self.calibrators.currentData(),
            letters=self.letters.isChecked(),
            notes=self.notes.isChecked(),
        )
        return FigureChoice(
            str(self.figures.currentData()), options, str(self.formats.currentData()), self.resolution.value()
        )

    def choose(self, name: str, options: FigureOptions | None = None) -> None:
        """Choose a figure; with ``options`` also what of them the figure heeds, except its width, which is remembered."""
        position = self.figures.findData(name)
        if position >= 0:
            self.figures.setCurrentIndex(position)
        if options is not None:
            heeds = FIGURES[name].heeds
            self._filling = True
            if "arrangement" in heeds:
                self.arrangement.set_current(options.arrangement)
            if "predictions" in heeds:
                self.predictions.setCurrentIndex(self.predictions.findData(options.predictions))
            if "intervals" in heeds:
                self.intervals.setChecked(options.intervals)
            if "against" in heeds:
                _offer(self.against, options.against)
            if "colour_by" in heeds:
                _offer(self.colours, options.colour_by)
            self._filling = False
            self._change()

    def width_of(self, name: str) -> float:
        """Return the width in millimetres that a figure had last."""
        usual = find_preset(FIGURES[name].preset).width_mm
        width = kept_choice(self._settings, f"figure/width/{name}", usual)
        return width if NARROWEST <= width <= WIDEST else usual

    # -- what the user does ---------------------------------------------------------------------------------------

    @Slot()
    def _choose_figure(self) -> None:
        """Show the width that this figure had last, and the choices that concern it."""
        name = str(self.figures.currentData())
        heeds = FIGURES[name].heeds
        for widget, option in (
            (self.arrangement, "arrangement"),
            (self.predictions, "predictions"),
            (self.intervals, "intervals"),
            (self.against, "against"),
            (self.colours, "colour_by"),
            (self.calibrators, "calibrators"),
            (self.letters, "letters"),
            (self.notes, "notes"),
        ):
            self._form.setRowVisible(widget, option in heeds)
        was_filling, self._filling = self._filling, True
        self.width_box.setValue(self.width_of(name))
        self._show_preset()
        self._filling = was_filling
        self._change()

    @Slot()
    def _choose_size(self) -> None:
        """Take over width and resolution of a preset."""
        key = str(self.sizes.currentData())
        if self._filling or not key:
            return
        preset = find_preset(key)
        self._filling = True
        self.width_box.setValue(preset.width_mm)
        self.resolution.setValue(preset.dpi)
        self._filling = False
        self._change()

    @Slot()
    def _choose_width(self) -> None:
        if self._filling:
            return
        self._filling = True
        self._show_preset()
        self._filling = False
        self._change()

    def _show_preset(self) -> None:
        width = self.width_box.value()
        key = next((preset.key for preset in PRESETS if abs(preset.width_mm - width) < 0.05), "")
        self.sizes.setCurrentIndex(self.sizes.findData(key))

    @Slot()
    def _change(self, *_: object) -> None:
        """Follow a choice: remember it, and tell."""
        if self._filling:
            return
        choice = self.choice
        self.resolution.setEnabled(choice.suffix in PIXEL_FORMATS)
        # Overlaid, colours tell the calibrators apart.
        self.colours.setEnabled(choice.name != "parity" or choice.options.arrangement == "panels")
        self.intervals.setEnabled(choice.options.predictions == "out-of-fold")
        self.letters.setEnabled(choice.name != "parity" or choice.options.arrangement == "panels")
        self._remember(choice)
        self.changed.emit()

    # -- memory ---------------------------------------------------------------------------------------------------

    def _recall(self) -> None:
        stored = self._settings
        self._filling = True
        _select(self.formats, kept_choice(stored, "figure/format", ".svg"))
        dpi = kept_choice(stored, "figure/dpi", USUAL_DPI)
        self.resolution.setValue(dpi if LEAST_DPI <= dpi <= MOST_DPI else USUAL_DPI)
        overlaid = kept_choice(stored, "figure/arrangement", "panels") == "overlaid"
        self.arrangement.set_current("overlaid" if overlaid else "panels")
        _select(self.predictions, kept_choice(stored, "figure/predictions", "out-of-fold"))
        self.intervals.setChecked(kept_choice(stored, "figure/intervals", True))
        _select(self.calibrators, kept_choice(stored, "figure/calibrators", "all"))
        self.letters.setChecked(kept_choice(stored, "figure/letters", False))
        self.notes.setChecked(kept_choice(stored, "figure/notes", True))
        _select(self.figures, kept_choice(stored, "figure/name", "parity"))
        self._filling = False
        self._choose_figure()

    def _remember(self, choice: FigureChoice) -> None:
        options = choice.options
        for key, value in (
            ("name", choice.name),
            ("format", choice.suffix),
            ("dpi", choice.dpi),
            ("arrangement", options.arrangement),
            ("predictions", options.predictions),
            ("intervals", options.intervals),
            ("calibrators", options.calibrators),
            ("letters", options.letters),
            ("notes", options.notes),
            (f"width/{choice.name}", options.width_mm),
        ):
            self._settings.setValue(f"figure/{key}", value)


def _select(box: QComboBox, key: str) -> None:
    position = box.findData(key)
    if position >= 0:
        box.setCurrentIndex(position)


def _offer(box: QComboBox, key: str) -> None:
    """Choose a trait; what a view showed is offered as well."""
    if box.findData(key) < 0:
        box.addItem((key.partition(":")[2] or key.capitalize()).replace("_", " "), key)
    _select(box, key)
