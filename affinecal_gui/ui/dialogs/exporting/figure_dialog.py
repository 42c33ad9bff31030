"""Which figure, how large, in which format: with a preview that follows every choice."""

from dataclasses import replace

from PySide6.QtCore import QSettings, QSize, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from affinecal_gui.study.results.study_figures import FIGURES, FigureOptions
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.dialogs.exporting.exports import FigurePreview, PreviewFigure
from affinecal_gui.ui.dialogs.exporting.figure_controls import PIXEL_FORMATS, FigureChoice, FigureControls
from affinecal_gui.ui.dialogs.exporting.paper import Paper
from affinecal_gui.ui.parts.dialog_layout import lay_out_dialog
from affinecal_gui.ui.parts.first_size import fit_to_screen
from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.parts.widgets.labels import ElidedLabel, label
from affinecal_gui.ui.parts.widgets.tool_buttons import LinkButton
from affinecal_gui.ui.running.job import AnyJob
from affinecal_gui.ui.running.worker import JobRunner
from affinecal_gui.ui.session.notices import notice_of

FIRST_SIZE = QSize(980, 600)
SMALLEST = QSize(760, 480)
LONGEST_OUTCOME = 300  # pixels
PAUSE = 150  # milliseconds after the last choice before the preview is drawn


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
        fit_to_screen(self, SMALLEST, FIRST_SIZE)
        self._snapshot = Snapshot()
        self._row_key = ""
        self._block_order: tuple[str, ...] = ()
        self.previews = JobRunner(self)
        self.previews.failed.connect(self._show_failure)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self._draw)
        self.paper = Paper()
        self.controls = FigureControls(settings)
        self.about = label("", "note", wrap=True)
        self.outcome = ElidedLabel()  # what became of the last wish
        self.folder_button = LinkButton("Show in folder")
        self._folder = ""
        self.save_button = QPushButton("Save…")
        self.copy_button = QPushButton("Copy")
        self.close_button = QPushButton("Close")
        self._set_up()
        self._arrange()
        self._connect()
        self._draw_soon()

    # -- parts ----------------------------------------------------------------------------------------------------

    def _set_up(self) -> None:
        for widget, object_name, accessible in (
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
        for button in (self.copy_button, self.close_button, self.folder_button):
            button.setAutoDefault(False)
        self.outcome.setObjectName("figureOutcome")
        self.outcome.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self.folder_button.setObjectName("showFigureFolderButton")
        self.folder_button.hide()

    def _arrange(self) -> None:
        side = QVBoxLayout()
        side.setSpacing(10)
        side.addWidget(self.controls)
        side.addWidget(self.about)
        side.addStretch(1)
        column = QWidget()
        column.setFixedWidth(290)
        column.setLayout(side)
        side.setContentsMargins(0, 0, 0, 0)
        content = QHBoxLayout()
        content.setSpacing(14)
        content.addWidget(self.paper, 1)
        content.addWidget(column)
        left = (self.copy_button, self.outcome, self.folder_button)
        lay_out_dialog(self, content, left, (self.close_button, self.save_button))

    def _connect(self) -> None:
        self.controls.changed.connect(self._draw_soon)
        self.paper.resized.connect(self._draw_again)
        self.save_button.clicked.connect(self._wish_to_save)
        self.copy_button.clicked.connect(self._wish_to_copy)
        self.close_button.clicked.connect(self.close)
        self.folder_button.clicked.connect(self._show_folder)

    # -- what is shown --------------------------------------------------------------------------------------------

    @property
    def choice(self) -> FigureChoice:
        """What is chosen at present."""
        choice = self.controls.choice
        return replace(choice, options=self._of_study(choice.options))

    def _of_study(self, options: FigureOptions) -> FigureOptions:
        return replace(options, row_key=self._row_key, block_order=self._block_order)

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

    def tell_outcome(self, text: str, folder: str = "") -> None:
        """Say what became of a wish, and offer the folder with the file where one was saved."""
        self._folder = folder
        self.outcome.setText(text)
        self.outcome.setFixedWidth(min(self.outcome.fontMetrics().horizontalAdvance(text) + 4, LONGEST_OUTCOME))
        self.folder_button.setVisible(bool(folder))

    def show_block_order(self, names: tuple[str, ...]) -> None:
        """Draw the coefficients in another order of the blocks."""
        if names != self._block_order:
            self._block_order = names
            if "block_order" in FIGURES[self.choice.name].heeds:
                self._draw_soon()

    def options_for(self, name: str, options: FigureOptions | None = None) -> FigureOptions:
        """Return options, of the view if given, with the width that a figure had last and what no view can choose."""
        base = chosen = self.controls.choice.options
        if options is not None:
            base = replace(options, calibrators=chosen.calibrators, letters=chosen.letters, notes=chosen.notes)
        return self._of_study(replace(base, width_mm=self.controls.width_of(name)))

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
        self.previews.drop(PreviewFigure)
        super().hideEvent(event)

    # -- what the user does ---------------------------------------------------------------------------------------

    @Slot()
    def _wish_to_save(self) -> None:
        self.save_wished.emit(self.choice)

    @Slot()
    def _show_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(self._folder))

    @Slot()
    def _wish_to_copy(self) -> None:
        self.copy_wished.emit(self.choice)

    # -- the preview ----------------------------------------------------------------------------------------------

    @Slot()
    def _draw_soon(self) -> None:
        """Draw what is chosen now; until then nothing that was drawn before passes for it, nor what is under way."""
        self.previews.drop(PreviewFigure)
        self.tell_outcome("")  # that was another figure
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
        self.previews.start(PreviewFigure(choice.name, self._snapshot, choice.options, room), self._show_preview)

    def _show_preview(self, preview: FigurePreview) -> None:
        self.paper.show_image(preview.image)
        self.paper.setAccessibleName(f"Preview: {FIGURES[self.choice.name].title}")
        self._describe(preview)
        self._allow(True)

    @Slot(object, object)
    def _show_failure(self, _job: AnyJob, error: BaseException) -> None:
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
