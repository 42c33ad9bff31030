"""Which figure, how large, in which format: with a preview that follows every choice."""

from dataclasses import dataclass, replace

from PySide6.QtCore import QRectF, QSettings, QSize, QSizeF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QImage, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from affinecal_gui.figures.presets import PRESETS, find_preset
from affinecal_gui.study.results.study_figures import FIGURES, NARROWEST, WIDEST, FigureOptions
from affinecal_gui.study.shown.residuals import NORMAL, NORMAL_TRAIT
from affinecal_gui.study.shown.traits import MEASURED
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.dialogs.exporting.exports import FigurePreview, preview_figure
from affinecal_gui.ui.parts.dialog_layout import lay_out_dialog
from affinecal_gui.ui.parts.kept_choices import kept_choice
from affinecal_gui.ui.parts.quiet_inputs import QuietComboBox, QuietDoubleSpinBox, QuietSpinBox
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE
from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.parts.widgets.segmented_buttons import SegmentedButtons
from affinecal_gui.ui.running.worker import JobRunner
from affinecal_gui.ui.session.session import notice_of

FIRST_SIZE = (980, 600)
SMALLEST = (760, 480)
PAUSE = 150  # milliseconds after the last choice before the preview is drawn
DRAWING = "Drawing…"
FADED = 0.2  # opacity of the former figure while the next one is drawn
CUSTOM = "Other width"
LEAST_DPI, USUAL_DPI, MOST_DPI = 72, 300, 2400
PIXEL_FORMATS = (".png", ".tiff")
FORMAT_TITLES = {".svg": "SVG", ".pdf": "PDF", ".png": "PNG", ".tiff": "TIFF"}


@dataclass(frozen=True, slots=True)
class FigureChoice:
    """What the user wants."""

    name: str  # of the figure
    options: FigureOptions
    suffix: str
    dpi: int


class FigureDialog(QDialog):
    """Stays open beside the window, so that another polymer can be selected and another figure saved.

    Nothing is written here: whoever opened the dialog hears the wishes. Choices are remembered in ``settings``.
    """

    save_wished = Signal(object)  # FigureChoice
    copy_wished = Signal(object)  # FigureChoice

    def __init__(self, settings: QSettings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("figureDialog")
        self.setWindowTitle("Figure")
        self.setSizeGripEnabled(True)
        self.setMinimumSize(*SMALLEST)
        self.resize(*FIRST_SIZE)
        self._settings = settings
        self._snapshot = Snapshot()
        self._row_key = ""
        self._block_order: tuple[str, ...] = ()
        self._filling = False  # while controls are set by the program
        self.previews = JobRunner(self)
        self.previews.done.connect(self._show_preview)
        self.previews.failed.connect(self._show_failure)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self._draw)
        self.paper = Paper()
        self.figures = QuietComboBox()
        self.sizes = QuietComboBox()
        self.width_box = QuietDoubleSpinBox()
        self.formats = QuietComboBox()
        self.resolution = QuietSpinBox()
        self.arrangement = SegmentedButtons((("panels", "Panels"), ("overlaid", "Overlaid")), "Arrangement")
        self.predictions = QuietComboBox()
        self.intervals = QCheckBox("Prediction intervals")
        self.against = QuietComboBox()
        self.about = label("", "note", wrap=True)
        self.save_button = QPushButton("Save…")
        self.copy_button = QPushButton("Copy")
        self.close_button = QPushButton("Close")
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
        for title, key in (("Measured value", MEASURED), ("MD value", "md"), (NORMAL_TRAIT.title, NORMAL)):
            self.against.addItem(title, key)
        for widget, object_name, accessible in (
            (self.figures, "figureChoice", "Figure"),
            (self.sizes, "figureSize", "Size as journals ask for it"),
            (self.width_box, "figureWidth", "Width in millimetres"),
            (self.formats, "figureFormat", "File format"),
            (self.resolution, "figureResolution", "Resolution in dots per inch"),
            (self.predictions, "figurePredictions", "Predictions shown"),
            (self.intervals, "figureIntervals", "Prediction intervals"),
            (self.against, "figureAgainst", "Residuals against"),
            (self.save_button, "saveFigureButton", "Save the figure"),
            (self.copy_button, "copyFigureButton", "Copy the figure"),
            (self.close_button, "closeFigureButton", "Close"),
            (self.about, "figureAbout", "Size of the figure"),
        ):
            widget.setObjectName(object_name)
            widget.setAccessibleName(accessible)
        self.copy_button.setToolTip("Copy as a picture of 300 dpi and as SVG")
        set_kind(self.save_button, "primary")
        self.save_button.setDefault(True)
        for button in (self.copy_button, self.close_button):
            button.setAutoDefault(False)

    def _arrange(self) -> None:
        self._form = form = QFormLayout()
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
            ("Arrangement", self.arrangement),
            ("Predictions", self.predictions),
            ("", self.intervals),
            ("Against", self.against),
        ):
            form.addRow(text, widget)
        side = QVBoxLayout()
        side.setSpacing(10)
        side.addLayout(form)
        side.addWidget(self.about)
        side.addStretch(1)
        controls = QWidget()
        controls.setFixedWidth(290)
        controls.setLayout(side)
        side.setContentsMargins(0, 0, 0, 0)
        content = QHBoxLayout()
        content.setSpacing(14)
        content.addWidget(self.paper, 1)
        content.addWidget(controls)
        lay_out_dialog(self, content, (self.copy_button,), (self.close_button, self.save_button))

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
        self.paper.resized.connect(self._draw_again)
        self.save_button.clicked.connect(self._wish_to_save)
        self.copy_button.clicked.connect(self._wish_to_copy)
        self.close_button.clicked.connect(self.close)

    # -- what is shown --------------------------------------------------------------------------------------------

    @property
    def choice(self) -> FigureChoice:
        """What is chosen at present."""
        options = FigureOptions(
            width_mm=self.width_box.value(),
            arrangement="overlaid" if self.arrangement.current == "overlaid" else "panels",
            predictions="fitted" if self.predictions.currentData() == "fitted" else "out-of-fold",
            intervals=self.intervals.isChecked(),
            row_key=self._row_key,
            block_order=self._block_order,
            against=str(self.against.currentData()),
        )
        return FigureChoice(
            str(self.figures.currentData()), options, str(self.formats.currentData()), self.resolution.value()
        )

    def show_study(self, snapshot: Snapshot) -> None:
        """Draw from another state of the study."""
        before, self._snapshot = self._snapshot, snapshot
        same = (
            snapshot.calibration is before.calibration
            and snapshot.blocks is before.blocks
            and snapshot.settings == before.settings
        )
        if not same:
            self._draw_soon()

    def show_selection(self, key: str) -> None:
        """Draw the effect of another polymer."""
        if key != self._row_key:
            self._row_key = key
            if "row_key" in FIGURES[self.choice.name].heeds:
                self._draw_soon()

    def show_block_order(self, names: tuple[str, ...]) -> None:
        """Draw the coefficients in another order of the blocks."""
        if names != self._block_order:
            self._block_order = names
            if "block_order" in FIGURES[self.choice.name].heeds:
                self._draw_soon()

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
                self._offer_against(options.against)
            self._filling = False
            self._change()

    def options_for(self, name: str, options: FigureOptions | None = None) -> FigureOptions:
        """Return options, of the view if given, with the width that a figure had last."""
        base = self.choice.options if options is None else options
        return replace(
            base, width_mm=self._remembered_width(name), row_key=self._row_key, block_order=self._block_order
        )

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours; the figure itself is on white paper in any theme."""
        self.paper.update()

    @property
    def is_drawing(self) -> bool:
        """Whether a preview is under way."""
        return self._pause.isActive() or self.previews.is_busy

    def shut_down(self) -> bool:
        """Stop drawing for good; returns whether the drawing thread ended in time."""
        self._pause.stop()
        return self.previews.shut_down()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop drawing what nobody sees."""
        self._pause.stop()
        self.previews.drop("preview")
        super().hideEvent(event)

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
        ):
            self._form.setRowVisible(widget, option in heeds)
        was_filling, self._filling = self._filling, True
        self.width_box.setValue(self._remembered_width(name))
        self._show_preset()
        self._filling = was_filling
        self._change()

    def _offer_against(self, key: str) -> None:
        """Choose what residuals are drawn over; what a view showed is offered as well."""
        if self.against.findData(key) < 0:
            self.against.addItem(key.partition(":")[2].replace("_", " "), key)
        _select(self.against, key)

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
        """Follow a choice: remember it, say what the file will be, draw."""
        if self._filling:
            return
        choice = self.choice
        self.resolution.setEnabled(choice.suffix in PIXEL_FORMATS)
        self.intervals.setEnabled(choice.options.predictions == "out-of-fold")
        self._remember(choice)
        self._draw_soon()

    @Slot()
    def _wish_to_save(self) -> None:
        self.save_wished.emit(self.choice)

    @Slot()
    def _wish_to_copy(self) -> None:
        self.copy_wished.emit(self.choice)

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
            (f"width/{choice.name}", options.width_mm),
        ):
            self._settings.setValue(f"figure/{key}", value)

    def _remembered_width(self, name: str) -> float:
        usual = find_preset(FIGURES[name].preset).width_mm
        width = kept_choice(self._settings, f"figure/width/{name}", usual)
        return width if NARROWEST <= width <= WIDEST else usual

    # -- the preview ----------------------------------------------------------------------------------------------

    def _draw_soon(self) -> None:
        """Draw what is chosen now; until then nothing that was drawn before passes for it, nor what is under way."""
        self.previews.drop("preview")
        self.paper.wait()
        self.paper.setAccessibleName(f"Preview: {FIGURES[self.choice.name].title}, being drawn")
        self._describe(None)
        self._draw_again()

    @Slot()
    def _draw_again(self) -> None:
        """Draw the same figure for another room."""
        if self.isVisible():
            self._pause.start()

    @Slot()
    def _draw(self) -> None:
        choice = self.choice
        room = self.paper.room() * self.devicePixelRatioF()
        self.previews.start("preview", preview_figure(choice.name, self._snapshot, choice.options, room))

    @Slot(str, object)
    def _show_preview(self, _purpose: str, preview: FigurePreview) -> None:
        self.paper.show_image(preview.image)
        self.paper.setAccessibleName(f"Preview: {FIGURES[self.choice.name].title}")
        self._describe(preview)
        self._allow(True)

    @Slot(str, object)
    def _show_failure(self, _purpose: str, error: BaseException) -> None:
        text = notice_of(error).text
        self.paper.show_text(text)
        self.paper.setAccessibleName(f"No preview: {text}")
        self._describe(None)
        self._allow(False)

    def _allow(self, allowed: bool) -> None:
        for button in (self.save_button, self.copy_button):
            button.setEnabled(allowed)

    def _describe(self, preview: FigurePreview | None) -> None:
        """Say how large the figure will be, in millimetres and in pixels where it has any."""
        if preview is None:
            self.about.setText("")
            return
        text = f"{preview.width_mm:.0f} × {preview.height_mm:.0f} mm"
        choice = self.choice
        if choice.suffix in PIXEL_FORMATS:
            pixels = (round(side / 25.4 * choice.dpi) for side in (preview.width_mm, preview.height_mm))
            text += ", {} × {} pixels".format(*pixels)
        self.about.setText(f"{text}. Its type is the same size at any width; it does not follow the window’s theme.")

    def showEvent(self, event: QShowEvent) -> None:
        """Draw as soon as there is somebody to see it."""
        super().showEvent(event)
        self._pause.start()


def _select(box: QComboBox, key: str) -> None:
    position = box.findData(key)
    if position >= 0:
        box.setCurrentIndex(position)


class Paper(QWidget):
    """A sheet of white paper with the figure on it, or the reason why there is none."""

    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("figurePreview")
        self.setAccessibleName("Preview")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._image = QImage()
        self._text = DRAWING
        self._waiting = True

    @property
    def has_image(self) -> bool:
        """Whether a figure is shown, and the one that is wanted."""
        return not self._image.isNull() and not self._waiting

    @property
    def text(self) -> str:
        """What is said where there is no figure, or over the former one."""
        return "" if self.has_image else self._text

    def room(self) -> QSize:
        """Return the size that a figure may have, in logical pixels."""
        return QSize(max(self.width() - 18, 50), max(self.height() - 18, 50))

    def show_image(self, image: QImage) -> None:
        """Show a figure."""
        self._image, self._waiting = image, False
        self.update()

    def show_text(self, text: str) -> None:
        """Show why there is no figure."""
        self._image, self._waiting = QImage(), False
        self._text = text
        self.update()

    def wait(self) -> None:
        """Show the former figure faded, and over it that the next one is being drawn."""
        self._waiting = True
        self._text = DRAWING
        self.update()

    def sizeHint(self) -> QSize:
        """Return a size at which a figure is legible."""
        return QSize(600, 420)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell that there is more or less room."""
        super().resizeEvent(event)
        self.resized.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the sheet and what is on it."""
        theme = current_theme()
        painter = QPainter(self)
        if self._image.isNull():
            painter.setPen(theme.colour("muted"))
            painter.setFont(theme.font(BODY_SIZE))
            inner = self.rect().adjusted(40, 20, -40, -20)
            painter.drawText(inner, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._text)
            painter.end()
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        ratio = self.devicePixelRatioF()
        size = QSizeF(self._image.width() / ratio, self._image.height() / ratio)
        room = self.room().toSizeF()
        if size.width() > room.width() or size.height() > room.height():  # the dialog has become smaller meanwhile
            size.scale(room, Qt.AspectRatioMode.KeepAspectRatio)
        target = QRectF(0, 0, round(size.width()), round(size.height()))
        target.moveTo(round((self.width() - target.width()) / 2), round((self.height() - target.height()) / 2))
        painter.setPen(theme.colour("border"))
        painter.setBrush(Qt.GlobalColor.white)
        painter.drawRect(target.adjusted(-5, -5, 4, 4))
        if self._waiting:
            painter.setOpacity(FADED)
        painter.drawImage(target, self._image)
        if self._waiting:
            painter.setOpacity(1.0)
            painter.setPen(Qt.GlobalColor.black)  # the paper is white in any theme
            painter.setFont(theme.font(BODY_SIZE))
            painter.drawText(target, Qt.AlignmentFlag.AlignCenter, self._text)
        painter.end()
