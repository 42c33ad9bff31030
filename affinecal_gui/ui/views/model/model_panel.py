"""The model dock: what is calibrated and how, which calibrator, its penalties and its parameters."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from html import escape

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QToolButton, QVBoxLayout, QWidget

from affinecal_gui.study.snapshot import Settings, Snapshot
from affinecal_gui.study.words.comparison_words import clear_count
from affinecal_gui.study.words.outlier_words import MOST_TOLD, FlaggedPolymer, flagged_polymers, outlier_notes
from affinecal_gui.ui.parts.number_text import number_text
from affinecal_gui.ui.parts.selectable import make_selectable
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.parts.theme.theme_keeper import PAINTED_ALONE
from affinecal_gui.ui.parts.view_explanations import EXPLANATIONS
from affinecal_gui.ui.parts.widgets.info_line import InfoKind, InfoLine
from affinecal_gui.ui.parts.widgets.rows import column
from affinecal_gui.ui.parts.widgets.section_heading import SectionHeading
from affinecal_gui.ui.parts.widgets.tool_buttons import ExplainButton, ThemedToolButton
from affinecal_gui.ui.running.in_steps import at_once, take_all
from affinecal_gui.ui.running.paint_turns import is_leap, paint_turns
from affinecal_gui.ui.views.model.calibrator_table import CalibratorTable, calibrator_title
from affinecal_gui.ui.views.model.comparison_section import ComparisonSection
from affinecal_gui.ui.views.model.follow_advice import FollowAdvice
from affinecal_gui.ui.views.model.methods_menu import MethodsMenu
from affinecal_gui.ui.views.model.parameters_section import ParametersSection
from affinecal_gui.ui.views.model.penalties_section import PenaltiesSection
from affinecal_gui.ui.views.model.target_section import TargetSection
from affinecal_gui.ui.views.plots.overlap_view import OverlapView
from affinecal_gui.ui.views.plots.surface_view import SurfaceView

SURFACE_HEIGHT = 186
COMPACT_BELOW = 720  # pixels of height: then the target and the surface are folded to one line each


TITLES = {
    "target": "Target",
    "calibrator": "Calibrator",
    "comparison": "Comparison",
    "penalties": "Penalties",
    "surface": "Cross-validation surface",
    "parameters": "Parameters",
    "overlap": "MD value and descriptors",
    "notes": "Notes",
}
"""Title of every section, in the order in which they stand below each other."""


class ModelPage(QWidget):
    """The sections below each other, each under its heading.

    Parameters
    ----------
    target, calibrators, methods, comparison, overlap, penalties, surface, parameters
        The sections.
    """

    def __init__(
        self,
        target: TargetSection,
        calibrators: CalibratorTable,
        methods: MethodsMenu,
        comparison: ComparisonSection,
        overlap: OverlapView,
        penalties: PenaltiesSection,
        surface: SurfaceView,
        parameters: ParametersSection,
    ) -> None:
        super().__init__()
        self.setObjectName("modelContents")
        self.target, self.calibrators, self.methods = target, calibrators, methods
        self.comparison, self.overlap, self.penalties = comparison, overlap, penalties
        self.surface, self.parameters = surface, parameters
        self.surface.setFixedHeight(SURFACE_HEIGHT)
        self.advice = InfoLine("info", note=True)
        self.advice.setObjectName("recommendation")
        make_selectable(self.advice)
        self.follow_advice = FollowAdvice()
        self.notes = column(spacing=4)
        self.headings: dict[str, SectionHeading] = {}
        self.bodies: list[QWidget] = []
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(10, 6, 10, 10)
        self._box.setSpacing(2)

    @classmethod
    def in_steps(cls) -> Generator[None, None, "ModelPage"]:
        """Make the page, a part of it a step."""
        target, calibrators = TargetSection(), CalibratorTable()
        yield
        methods, comparison, overlap = MethodsMenu(), ComparisonSection(), OverlapView()
        yield
        penalties = PenaltiesSection()
        yield
        surface = SurfaceView()
        yield
        page = cls(target, calibrators, methods, comparison, overlap, penalties, surface, ParametersSection())
        for number, (key, title, body) in enumerate(page._bodies()):
            if number % 2 == 0:
                yield
            page._add(key, title, body)
        page._box.addStretch(1)
        page.headings["comparison"].set_folded(True)  # the advice above it has said what matters
        yield
        return page

    def _bodies(self) -> tuple[tuple[str, str, QWidget], ...]:
        return (
            ("target", "Target", self.target),
            ("calibrator", "Calibrator", column(self.calibrators, self.follow_advice, self.advice, self.methods)),
            ("comparison", "Comparison", self.comparison),
            ("penalties", "Penalties", self.penalties),
            ("surface", "Cross-validation surface", self.surface),
            ("parameters", "Parameters", self.parameters),
            ("overlap", "MD value and descriptors", self.overlap),
            ("notes", "Notes", self.notes),
        )

    def _add(self, key: str, title: str, body: QWidget) -> None:
        heading = SectionHeading(title, spare=True)
        heading.setObjectName(f"{key}Heading")
        heading.set_body(body)
        body.setProperty(PAINTED_ALONE, True)
        self.headings[key] = heading
        self.bodies.append(body)
        self._box.addWidget(heading)
        self._box.addWidget(body)
        self._box.addSpacing(2)


class ModelPanel(QScrollArea):
    """Sections below each other; each folds to its heading. Every choice goes out as new settings.

    Parameters
    ----------
    page
        Made beforehand, because making it takes long; it is made now where it is not given.
    """

    settings_changed = Signal(object)  # Settings
    export_requested = Signal(str)  # name of a figure, as in study.study_figures
    copy_requested = Signal(str)  # name of a figure
    leave_out_requested = Signal(object)  # tuple of one row key

    def __init__(self, page: ModelPage | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("modelPanel")
        self.setAccessibleName("Model")
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)  # numbers of odd units may be long
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._snapshot = Snapshot()
        self._compact = False
        page = self.page = page or at_once(ModelPage.in_steps())
        self.target, self.calibrators, self.methods, self.advice = (
            page.target,
            page.calibrators,
            page.methods,
            page.advice,
        )
        self.comparison, self.overlap, self.penalties = page.comparison, page.overlap, page.penalties
        self.surface, self.parameters, self.headings = page.surface, page.parameters, page.headings
        self.bodies = tuple(page.bodies)
        self._notes: list[InfoLine] = []
        self._notes_box = page.notes
        self._add_tools()
        self.setWidget(page)
        self.target.settings_changed.connect(self._announce)
        self.calibrators.chosen.connect(self._choose_calibrator)
        self.methods.settings_changed.connect(self._announce)
        page.follow_advice.settings_changed.connect(self._announce)
        self.penalties.settings_changed.connect(self._announce)
        self.surface.penalties_chosen.connect(self.penalties.choose)
        self.surface.export_requested.connect(self._wish_for_surface_file)
        self.surface.copy_requested.connect(self._wish_for_surface_copy)
        self.overlap.export_requested.connect(self._wish_for_overlap_file)
        self.overlap.copy_requested.connect(self._wish_for_overlap_copy)
        self.show_snapshot(self._snapshot)

    def _add_tools(self) -> None:
        tools: dict[str, tuple[QToolButton, ...]] = {
            key: (ExplainButton(EXPLANATIONS[key]),) if key in EXPLANATIONS else () for key in self.headings
        }
        for key, copy, export in (
            ("comparison", self._wish_for_comparison_copy, self._wish_for_comparison_file),
            ("surface", self._wish_for_surface_copy, self._wish_for_surface_file),
            ("overlap", self._wish_for_overlap_copy, self._wish_for_overlap_file),
        ):
            buttons = ThemedToolButton("copy", "Copy the figure"), ThemedToolButton("export", "Save the figure…")
            for button, slot in zip(buttons, (copy, export), strict=True):
                button.clicked.connect(slot)
                button.setObjectName(f"{key}{'Copy' if slot is copy else 'Export'}Button")
            tools[key] += buttons
        for key, heading in self.headings.items():
            if tools[key]:
                heading.add_tools(*tools[key])

    # What is shown

    @classmethod
    def in_steps(cls) -> Generator[None, None, "ModelPanel"]:
        """Make the panel, a part of its page a step."""
        page = yield from ModelPage.in_steps()
        return cls(page)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the choices of a snapshot and what followed from them."""
        self.show_choices(snapshot)
        take_all(self.show_in_steps(snapshot))

    def show_choices(self, snapshot: Snapshot) -> None:
        """Show the choices alone: what the user chooses next starts from them."""
        self._snapshot = snapshot
        self.target.show_snapshot(snapshot)
        self.calibrators.show_snapshot(snapshot)
        self.page.follow_advice.show_snapshot(snapshot)
        self.methods.show_snapshot(snapshot)
        self.penalties.show_snapshot(snapshot)
        self._label("target", summary=self.target.summary())
        title = calibrator_title(snapshot.settings.model, snapshot.settings.log_scale)
        self._label("calibrator", "out-of-fold RMSE", summary=title)
        self._label("penalties", summary=self.penalties.summary())
        self.page.setEnabled(bool(snapshot.tables))

    def show_in_steps(self, snapshot: Snapshot) -> Iterator[None]:
        """Show what followed from the choices, one section a step; all are arranged at the end."""
        layout = self.page.layout()
        assert layout is not None
        layout.setEnabled(False)
        try:
            yield from self._fill(snapshot)
        finally:
            layout.setEnabled(True)
            layout.activate()

    def _fill(self, snapshot: Snapshot) -> Iterator[None]:
        calibration = snapshot.calibration
        result = calibration.models.get(snapshot.settings.model) if calibration is not None else None
        surface = result.surface if result is not None else None
        self.parameters.show_snapshot(snapshot)
        level = calibration.interval_level if calibration is not None else snapshot.settings.interval_level
        self._label("parameters", f"{100 * level:g} % interval", summary="")
        self.advice.set_message("info", _advice(snapshot))
        yield
        self.comparison.show_snapshot(snapshot)
        pairs = calibration.recommendation.comparisons if calibration is not None else ()
        self.headings["comparison"].set_there(bool(pairs))
        words = clear_count(calibration.recommendation) if calibration is not None else ""
        self._label("comparison", summary=words)
        yield
        self.surface.show_snapshot(snapshot)
        self.headings["surface"].set_there(surface is not None)
        best = number_text(float(surface.rmse[surface.chosen]), 3) if surface is not None else ""
        self._label("surface", summary=f"best {best}")
        yield
        self.overlap.show_snapshot(snapshot)
        overlap = calibration.overlap if calibration is not None else None
        self.headings["overlap"].set_there(overlap is not None)
        self._label("overlap", summary="" if overlap is None else "overlap" if overlap.overlaps else "no overlap told")
        yield
        flagged = flagged_polymers(snapshot)
        with_link = flagged[:MOST_TOLD]
        own = (*outlier_notes(flagged)[len(with_link) :], *(calibration.notes if calibration is not None else ()))
        yield from self._show_notes([*map(_with_link, with_link), *(("info", note) for note in own)])

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        self.surface.apply_theme(theme)
        self.overlap.apply_theme(theme)
        self.page.update()

    def minimumSizeHint(self) -> QSize:
        """Return the least size; the sections scroll."""
        return QSize(300, 160)

    def sizeHint(self) -> QSize:
        """Return the width of the design; the height is the window's."""
        return QSize(320, 600)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the new place: where the window leaps to another size, which takes long, in a turn of its own."""
        turns, old = paint_turns(), event.oldSize()
        if turns.is_to_be_placed(self) or is_leap(old, event.size()):
            turns.place_later(self, partial(self._take_place, old))
        else:
            self._take_place(old)

    def _take_place(self, old: QSize) -> None:
        """Arrange the sections; target and surface are folded where the panel is low, and unfolded where it is tall."""
        super().resizeEvent(QResizeEvent(self.viewport().size(), old))
        compact = self.height() < COMPACT_BELOW
        if compact != self._compact:
            self._compact = compact
            for key in ("target", "surface"):
                self.headings[key].set_folded(compact)

    def _label(self, key: str, detail: str = "", *, summary: str) -> None:
        self.headings[key].set_detail(detail)
        self.headings[key].set_summary(summary)

    def _show_notes(self, notes: Sequence[tuple[InfoKind, str]]) -> Iterator[None]:
        for number in range(max(len(notes), len(self._notes))):
            if number == len(self._notes):
                self._add_note()
                yield
            self._notes[number].set_message(*(notes[number] if number < len(notes) else ("info", "")))
        self.headings["notes"].set_there(bool(notes))

    def _add_note(self) -> None:
        line = InfoLine("info", note=True)
        make_selectable(line)
        line.link_activated.connect(self._wish_to_leave_out)
        self._notes.append(line)
        box = self._notes_box.layout()
        assert box is not None
        box.addWidget(line)

    # What the user does

    @Slot(str)
    def _choose_calibrator(self, model: str) -> None:
        settings = replace(self._snapshot.settings, model=model, follows_advice=False)
        self._announce(settings)

    @Slot(object)
    def _announce(self, settings: Settings) -> None:
        if settings != self._snapshot.settings:
            self.settings_changed.emit(settings)

    @Slot(str)
    def _wish_to_leave_out(self, key: str) -> None:
        self.leave_out_requested.emit((key,))

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


def _advice(snapshot: Snapshot) -> str:
    """Say which calibrator is recommended and why; before the first result, that it will be chosen."""
    if snapshot.calibration is not None:
        return snapshot.calibration.recommendation.sentence
    if snapshot.corrected is not None or not snapshot.tables or not snapshot.settings.follows_advice:
        return ""
    return "The first result shows the calibrator that is recommended for your data; any other is one click away."


def _with_link(flagged: FlaggedPolymer) -> tuple[InfoKind, str]:
    """Return what is said of a flagged polymer, with a link whose address is the key of its row."""
    return "caution", f'{escape(flagged.sentence)} <a href="{escape(flagged.row.key)}">Leave it out</a>'
