"""The model dock: what is calibrated and how, which calibrator, its penalties and its parameters."""

from dataclasses import replace

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from affinecal_gui.study.comparison_words import clear_count
from affinecal_gui.study.snapshot import Settings, Snapshot
from affinecal_gui.ui.calibrator_table import CalibratorTable, calibrator_title
from affinecal_gui.ui.comparison_section import ComparisonSection
from affinecal_gui.ui.methods_menu import MethodsMenu
from affinecal_gui.ui.number_text import number_text
from affinecal_gui.ui.overlap_view import OverlapView
from affinecal_gui.ui.parameters_section import ParametersSection
from affinecal_gui.ui.penalties_section import PenaltiesSection
from affinecal_gui.ui.selectable import make_selectable
from affinecal_gui.ui.surface_view import SurfaceView
from affinecal_gui.ui.target_section import TargetSection
from affinecal_gui.ui.theme import Theme
from affinecal_gui.ui.widgets import InfoLine, SectionHeading, ThemedToolButton, column

SURFACE_HEIGHT = 186
COMPACT_BELOW = 720  # pixels of height: then the target and the surface are folded to one line each


class ModelPanel(QScrollArea):
    """Sections below each other; each folds to its heading. Every choice goes out as new settings."""

    settings_changed = Signal(object)  # Settings
    export_requested = Signal(str)  # name of a figure, as in study.study_figures
    copy_requested = Signal(str)  # name of a figure

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("modelPanel")
        self.setAccessibleName("Model")
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)  # numbers of odd units may be long
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._snapshot = Snapshot()
        self._compact = False
        self.target = TargetSection()
        self.calibrators = CalibratorTable()
        self.advice = InfoLine("info", note=True)
        self.advice.setObjectName("recommendation")
        make_selectable(self.advice)
        self.methods = MethodsMenu()
        self.comparison = ComparisonSection()
        self.overlap = OverlapView()
        self.penalties = PenaltiesSection()
        self.surface = SurfaceView()
        self.surface.setFixedHeight(SURFACE_HEIGHT)
        self.parameters = ParametersSection()
        self._notes: list[InfoLine] = []
        self._notes_box = column(spacing=4)
        self.headings: dict[str, SectionHeading] = {}
        self._arrange()
        self.target.settings_changed.connect(self._announce)
        self.calibrators.chosen.connect(self._choose_calibrator)
        self.methods.settings_changed.connect(self._announce)
        self.penalties.settings_changed.connect(self._announce)
        self.surface.penalties_chosen.connect(self.penalties.choose)
        self.surface.export_requested.connect(self._wish_for_surface_file)
        self.surface.copy_requested.connect(self._wish_for_surface_copy)
        self.overlap.export_requested.connect(self._wish_for_overlap_file)
        self.overlap.copy_requested.connect(self._wish_for_overlap_copy)
        self.show_snapshot(self._snapshot)

    def _arrange(self) -> None:
        page = self._page = QWidget()
        page.setObjectName("modelContents")
        box = QVBoxLayout(page)
        box.setContentsMargins(10, 6, 10, 10)
        box.setSpacing(2)
        for key, title, body in (
            ("target", "Target", self.target),
            ("calibrator", "Calibrator", column(self.calibrators, self.advice, self.methods)),
            ("comparison", "Comparison", self.comparison),
            ("penalties", "Penalties", self.penalties),
            ("surface", "Cross-validation surface", self.surface),
            ("parameters", "Parameters", self.parameters),
            ("overlap", "MD value and descriptors", self.overlap),
            ("notes", "Notes", self._notes_box),
        ):
            heading = SectionHeading(title)
            heading.setObjectName(f"{key}Heading")
            heading.set_body(body)
            self.headings[key] = heading
            box.addWidget(heading)
            box.addWidget(body)
            box.addSpacing(2)
        box.addStretch(1)
        self.headings["comparison"].set_folded(True)  # the advice above it has said what matters
        for key, copy, export in (
            ("comparison", self._wish_for_comparison_copy, self._wish_for_comparison_file),
            ("surface", self._wish_for_surface_copy, self._wish_for_surface_file),
            ("overlap", self._wish_for_overlap_copy, self._wish_for_overlap_file),
        ):
            buttons = ThemedToolButton("copy", "Copy the figure"), ThemedToolButton("export", "Save the figure…")
            for button, slot in zip(buttons, (copy, export), strict=True):
                button.clicked.connect(slot)
                button.setObjectName(f"{key}{'Copy' if slot is copy else 'Export'}Button")
            self.headings[key].add_tools(*buttons)
        self.setWidget(page)

    # What is shown

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the choices of a snapshot and what followed from them."""
        self._snapshot = snapshot
        calibration = snapshot.calibration
        self.target.show_snapshot(snapshot)
        self.calibrators.show_snapshot(snapshot)
        self.methods.show_snapshot(snapshot)
        self.comparison.show_snapshot(snapshot)
        self.overlap.show_snapshot(snapshot)
        self.penalties.show_snapshot(snapshot)
        self.parameters.show_snapshot(snapshot)
        self.surface.show_snapshot(snapshot)
        self.advice.set_message("info", calibration.recommendation.sentence if calibration is not None else "")
        self._show_notes(calibration.notes if calibration is not None else ())
        result = calibration.models.get(snapshot.settings.model) if calibration is not None else None
        surface = result.surface if result is not None else None
        self._show_section("surface", surface is not None)
        overlap = calibration.overlap if calibration is not None else None
        self._show_section("overlap", overlap is not None)
        pairs = calibration.recommendation.comparisons if calibration is not None else ()
        self._show_section("comparison", bool(pairs))
        best = number_text(float(surface.rmse[surface.chosen]), 3) if surface is not None else ""
        level = calibration.interval_level if calibration is not None else snapshot.settings.interval_level
        self._label("target", summary=self.target.summary())
        self._label(
            "calibrator",
            "out-of-fold RMSE",
            summary=calibrator_title(snapshot.settings.model, snapshot.settings.log_scale),
        )
        words = clear_count(calibration.recommendation) if calibration is not None else ""
        self._label("comparison", summary=words)
        self._label("penalties", summary=self.penalties.summary())
        self._label("surface", summary=f"best {best}")
        self._label("overlap", summary="" if overlap is None else "overlap" if overlap.overlaps else "no overlap told")
        self._label("parameters", f"{100 * level:g} % interval", summary="")
        self._page.setEnabled(bool(snapshot.tables))

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        self.surface.apply_theme(theme)
        self.overlap.apply_theme(theme)
        self._page.update()

    def minimumSizeHint(self) -> QSize:
        """Return the least size; the sections scroll."""
        return QSize(300, 160)

    def sizeHint(self) -> QSize:
        """Return the width of the design; the height is the window's."""
        return QSize(320, 600)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold target and surface when the panel becomes low, unfold them when it becomes tall again."""
        super().resizeEvent(event)
        compact = self.height() < COMPACT_BELOW
        if compact != self._compact:
            self._compact = compact
            for key in ("target", "surface"):
                self.headings[key].set_folded(compact)

    def _label(self, key: str, detail: str = "", *, summary: str) -> None:
        self.headings[key].set_detail(detail)
        self.headings[key].set_summary(summary)

    def _show_section(self, key: str, shown: bool) -> None:
        heading = self.headings[key]
        heading.setVisible(shown)
        bodies: dict[str, QWidget] = {
            "surface": self.surface,
            "notes": self._notes_box,
            "comparison": self.comparison,
            "overlap": self.overlap,
        }
        bodies[key].setVisible(shown and not heading.folded)

    def _show_notes(self, notes: tuple[str, ...]) -> None:
        box = self._notes_box.layout()
        assert box is not None
        while len(self._notes) < len(notes):
            line = InfoLine("info", note=True)
            make_selectable(line)
            self._notes.append(line)
            box.addWidget(line)
        for number, line in enumerate(self._notes):
            line.set_message("info", notes[number] if number < len(notes) else "")
        self._show_section("notes", bool(notes))

    # What the user does

    @Slot(str)
    def _choose_calibrator(self, model: str) -> None:
        settings = replace(self._snapshot.settings, model=model)  # type: ignore[arg-type]  # a ModelName
        self._announce(settings)

    @Slot(object)
    def _announce(self, settings: Settings) -> None:
        if settings != self._snapshot.settings:
            self.settings_changed.emit(settings)

    @Slot()
    def _wish_for_surface_file(self) -> None:
        self.export_requested.emit("surface")

    @Slot()
    def _wish_for_surface_copy(self) -> None:
        self.copy_requested.emit("surface")

    @Slot()
    def _wish_for_overlap_file(self) -> None:
        self.export_requested.emit("overlap")

    @Slot()
    def _wish_for_overlap_copy(self) -> None:
        self.copy_requested.emit("overlap")

    @Slot()
    def _wish_for_comparison_file(self) -> None:
        self.export_requested.emit("comparison")

    @Slot()
    def _wish_for_comparison_copy(self) -> None:
        self.copy_requested.emit("comparison")
