"""Colours, fonts, marks and style of the window, light and dark.

How to use it in a widget:

* **Once, in main:** ``keeper = ThemeKeeper(app)`` styles the application and follows the system's light/dark setting;
  ``keeper.set_choice("system" | "light" | "dark")`` overrides it; ``keeper.changed`` (a :class:`Theme`) tells whoever has
  more to colour, a view a step: ``keeper.continue_with(steps)``.
* **Plain Qt widgets** need nothing: the style sheet ``resources/styles/window.qss`` covers them. A label says what
  it is with ``set_kind(label, "note")``; the kinds are ``muted``, ``faint``, ``note`` (11 px muted), ``note-text``
  (11 px), ``smallest`` (10.5 px), ``view-title`` (13 px), ``section`` (12 px bold), ``section-title`` (14 px),
  ``summary`` (15 px), ``heading`` (20 px), ``welcome`` (26 px), ``value`` and ``strong`` (bold), ``good``,
  ``caution``, ``bad``; of a button: ``primary``, ``large``, ``primary-large``, ``link``, ``flat``; of a frame:
  ``rule``, ``card``, ``table``, ``view`` (white ground), ``drop``, ``drop-active``; of an item view: ``framed``.
  Ready-made parts: :mod:`affinecal_gui.ui.parts.widgets`.
* **What you paint yourself** takes colours from ``theme.palette.<role>`` (``#rrggbb``) or ``theme.colour(role, alpha)``
  and fonts from ``theme.font(size, bold)``. Use :func:`current_theme` only where no theme is passed in;
  a widget learns of a change by ``QEvent.Type.PaletteChange`` in ``changeEvent`` or by its ``apply_theme``.
* **Icons:** ``icon("search", palette)`` or ``icon("check", palette, "good")``. Names: ``icons.icon_names()``.
* **Calibrators:** title, colour role and symbol of each come from :func:`model_style` and nowhere else.
"""

import re
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from types import MappingProxyType
from typing import Literal

import pyqtgraph as pg
from pyqtgraph.graphicsItems.ScatterPlotItem import Symbols
from PySide6.QtCore import QByteArray, QObject, QPointF, Qt, QThread, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QIcon, QPainterPath, QPalette, QPolygonF
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from affinecal_gui.bundled import resources
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.names import calibrator_title
from affinecal_gui.calibration.results import ModelName
from affinecal_gui.ui.parts import icons
from affinecal_gui.ui.parts.restyling import restyle
from affinecal_gui.ui.running.in_steps import take_all
from affinecal_gui.ui.running.paint_turns import paint_turns

Choice = Literal["system", "light", "dark"]

PAINTED_ALONE = "paintedAlone"
"""Property of a part of a window that takes long to paint: it gets its new look in a turn of the event loop of its own."""

BODY_SIZE = 12.0
NOTE_SIZE = 11.0
SMALLEST_SIZE = 10.5
VIEW_TITLE_SIZE = 13.0
"""Sizes of type in logical pixels; Qt multiplies them by the scale factor of the screen."""


@dataclass(frozen=True, slots=True)
class Palette:
    """Every colour of the window by role, as ``#rrggbb``; data colours follow Okabe and Ito."""

    scheme: Literal["light", "dark"]
    window: str
    dock_title: str
    base: str
    alternate_row: str
    border: str
    soft_border: str
    grid: str
    text: str
    muted: str
    faint: str
    accent: str
    text_on_accent: str
    selection: str
    link: str
    button_top: str
    button_bottom: str
    grey: str
    ochre: str
    green: str
    blue: str
    brown: str
    olive: str
    violet: str
    sky: str
    red: str
    sage: str
    indigo: str
    teal: str
    rose: str
    selected_point: str
    interval_bar: str
    coefficient_band: str
    good: str
    caution: str
    bad: str
    caution_tint: str
    bad_tint: str
    atom_lowers: str
    atom_average: str
    atom_raises: str
    surface_best: str
    surface_worst: str


LIGHT = Palette(
    scheme="light",
    window="#EFF0F2",
    dock_title="#E4E6E9",
    base="#FFFFFF",
    alternate_row="#F6F7F8",
    border="#BFC4C9",
    soft_border="#DCDFE2",
    grid="#ECEEF0",
    text="#1B1F23",
    muted="#58616A",
    faint="#6E7780",
    accent="#0072B2",
    text_on_accent="#FFFFFF",
    selection="#D8E8F3",
    link="#005E94",
    button_top="#FDFDFE",
    button_bottom="#EDEFF1",
    grey="#6B747C",
    ochre="#B97900",
    green="#00805E",
    blue="#0072B2",
    brown="#8A5A00",
    olive="#4D5D2A",
    violet="#A0478A",
    sky="#2B8CBE",
    red="#B03A2E",
    sage="#5B8E7D",
    indigo="#33558B",
    teal="#007A87",
    rose="#C2528B",
    selected_point="#D55E00",
    interval_bar="#9CC3DC",
    coefficient_band="#CFE2EF",
    good="#00735A",
    caution="#9A4A00",
    bad="#A83A00",
    caution_tint="#FFF3E4",
    bad_tint="#FBE3DA",
    atom_lowers="#4AA3D8",
    atom_average="#E6E8EA",
    atom_raises="#E8834A",
    surface_best="#00507E",
    surface_worst="#F3F6F8",
)

DARK = Palette(
    scheme="dark",
    window="#25282C",
    dock_title="#2E3237",
    base="#1A1D20",
    alternate_row="#1F2226",
    border="#484E55",
    soft_border="#34393F",
    grid="#272B2F",
    text="#E4E7EA",
    muted="#A2ABB4",
    faint="#8A949D",
    accent="#56B4E9",
    text_on_accent="#08202E",
    selection="#1E4259",
    link="#7CC4EE",
    button_top="#3A3F45",
    button_bottom="#32373C",
    grey="#A2ABB4",
    ochre="#E69F00",
    green="#2CC79B",
    blue="#56B4E9",
    brown="#D9A441",
    olive="#A9BF6B",
    violet="#D98CC6",
    sky="#7CC4E8",
    red="#E88474",
    sage="#93CDB9",
    indigo="#8FB0E0",
    teal="#4FC3CF",
    rose="#E79BC0",
    selected_point="#FF8A3D",
    interval_bar="#3F7592",
    coefficient_band="#23465A",
    good="#3CCB9F",
    caution="#F2B45C",
    bad="#FF9A6B",
    caution_tint="#3A2E1C",
    bad_tint="#47281D",
    atom_lowers="#2E86C1",
    atom_average="#4A5056",
    atom_raises="#C9601F",
    surface_best="#7CCBF7",
    surface_worst="#22272B",
)


@dataclass(frozen=True, slots=True)
class ModelStyle:
    """How one calibrator is called and drawn, everywhere."""

    title: str
    short_title: str  # where there is no room for the title
    role: str  # of the palette
    symbol: str  # pyqtgraph's name of the mark
    symbol_scale: float  # evens out the areas of the marks
    explanation: str  # one sentence for tooltips


# As on paper; pyqtgraph has none of this shape, and looks its marks up here.
Symbols["thin_diamond"] = QPainterPath()
Symbols["thin_diamond"].addPolygon(QPolygonF([QPointF(0, -0.5), QPointF(0.3, 0), QPointF(0, 0.5), QPointF(-0.3, 0)]))
Symbols["thin_diamond"].closeSubpath()

_MARKS: Mapping[str, tuple[str, float]] = MappingProxyType(
    {
        "grey": ("s", 0.86),
        "ochre": ("t1", 1.06),
        "green": ("d", 1.16),
        "blue": ("o", 1.0),
        "brown": ("t3", 1.06),
        "olive": ("p", 1.06),
        "violet": ("t", 1.06),
        "sky": ("+", 1.1),
        "red": ("x", 1.1),
        "sage": ("thin_diamond", 1.2),
        "indigo": ("h", 1.06),
        "teal": ("t2", 1.06),
        "rose": ("star", 1.2),  # free for the next calibrator
    }
)
"""Mark by the colour role of a calibrator, and what evens out the areas of the marks."""


def model_style(model: ModelName) -> ModelStyle:
    """Return how a calibrator is called and drawn, everywhere; one of a role not known here is drawn as the free one."""
    one = calibrator(model)
    role = one.role if one.role in _MARKS else "rose"
    title = calibrator_title(model, log_scale=True)
    return ModelStyle(title, one.short_title, role, *_MARKS[role], one.explanation)


@dataclass(frozen=True, slots=True)
class Theme:
    """A palette in use."""

    dark: bool
    palette: Palette

    def colour(self, role: str, alpha: float = 1.0) -> QColor:
        """Return the colour of a palette role, with an opacity from 0 to 1."""
        colour = QColor(getattr(self.palette, role))
        colour.setAlphaF(alpha)
        return colour

    def model_colour(self, model: ModelName) -> QColor:
        """Return the colour of a calibrator."""
        return self.colour(model_style(model).role)

    def font(self, size: float = BODY_SIZE, bold: bool = False, italic: bool = False) -> QFont:
        """Return the interface font with tabular figures.

        Parameters
        ----------
        size
            In logical pixels.
        bold, italic
            Weight 600 instead of 400; slanted.
        """
        return interface_font(size, bold, italic)

    def apply_to(self, app: QApplication) -> None:
        """Style a whole application: Fusion, palette, font, style sheet, and the defaults of pyqtgraph."""
        take_all(self.apply_by_steps(app))

    def apply_by_steps(self, app: QApplication) -> Iterator[None]:
        """Style a whole application in steps of some milliseconds."""
        global _current  # one application has one theme
        _current = self
        register_icons(self.palette)
        if app.property("affinecalStyled") is None:  # a second setStyle would polish every widget twice
            app.setStyle("Fusion")
            app.setProperty("affinecalStyled", True)
        app.setPalette(self.qt_palette())
        if app.font() != self.font():
            app.setFont(self.font())
        pg.setConfigOptions(
            background=self.colour("base"), foreground=self.colour("muted"), antialias=True, imageAxisOrder="row-major"
        )
        if app.styleSheet():
            yield
            yield from restyle(app, style_sheet(self.palette))
        else:
            app.setStyleSheet(style_sheet(self.palette))

    def qt_palette(self) -> QPalette:
        """Return the colours for widgets, and parts of them, that the style sheet leaves to Fusion."""
        p = self.palette
        roles = {
            QPalette.ColorRole.Window: p.window,
            QPalette.ColorRole.WindowText: p.text,
            QPalette.ColorRole.Base: p.base,
            QPalette.ColorRole.AlternateBase: p.alternate_row,
            QPalette.ColorRole.Text: p.text,
            QPalette.ColorRole.PlaceholderText: p.faint,
            QPalette.ColorRole.Button: p.button_bottom,
            QPalette.ColorRole.ButtonText: p.text,
            QPalette.ColorRole.BrightText: p.text_on_accent,
            QPalette.ColorRole.Highlight: p.selection,
            QPalette.ColorRole.HighlightedText: p.text,
            QPalette.ColorRole.Accent: p.accent,
            QPalette.ColorRole.Link: p.link,
            QPalette.ColorRole.LinkVisited: p.link,
            QPalette.ColorRole.ToolTipBase: p.base,
            QPalette.ColorRole.ToolTipText: p.text,
            QPalette.ColorRole.Light: p.button_top,
            QPalette.ColorRole.Midlight: p.soft_border,
            QPalette.ColorRole.Mid: p.border,
            QPalette.ColorRole.Dark: p.border,
            QPalette.ColorRole.Shadow: p.border,
        }
        palette = QPalette()
        for role, colour in roles.items():
            palette.setColor(role, QColor(colour))
        for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(p.faint))
        return palette


LIGHT_THEME = Theme(dark=False, palette=LIGHT)
DARK_THEME = Theme(dark=True, palette=DARK)

_current: Theme = LIGHT_THEME


def current_theme() -> Theme:
    """Return the theme applied last; light before any was applied."""
    return _current


def icon(name: str, palette: Palette, role: str = "text") -> QIcon:
    """Return the icon of that name in the colour of a role; faint where the control is disabled."""
    register_icons(palette)
    return icons.coloured(palette.scheme, role, name)


def register_icons(palette: Palette) -> None:
    """Make the drawings available in this palette's colours."""
    icons.register(palette.scheme, {role: getattr(palette, role) for role in icons.ROLES})


def set_kind(widget: QWidget, kind: str) -> None:
    """Tell the style sheet what a widget is; see the kinds above."""
    if widget.property("kind") != kind:
        widget.setProperty("kind", kind)
        if widget.testAttribute(
            Qt.WidgetAttribute.WA_WState_Polished
        ):  # else it is still to be polished, with its kind
            widget.style().unpolish(widget)
            widget.style().polish(widget)


def interface_font(size: float = BODY_SIZE, bold: bool = False, italic: bool = False) -> QFont:
    """Return the interface font at a size in logical pixels, figures all of one width."""
    return QFont(_font(float(size), bold, italic))  # a copy: QFont is mutable


@cache
def _font(size: float, bold: bool, italic: bool) -> QFont:
    font = QFont(_family())
    # Whole pixels where they are whole; a point size carries the halves, because pixel sizes are integers.
    if size.is_integer():
        font.setPixelSize(int(size))
    else:
        font.setPointSizeF(_points(size))
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    font.setItalic(italic)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def _points(pixels: float) -> float:
    dots_per_inch = QGuiApplication.primaryScreen().logicalDotsPerInch() if QGuiApplication.screens() else 96.0
    return pixels * 72.0 / dots_per_inch


@cache
def _family() -> str:
    """Return the family of the interface font, which is bundled: a text has the same width on every system.

    The system's own stands in where Qt cannot read the files.
    """
    loaded = [
        QFontDatabase.addApplicationFontFromData(QByteArray(found.read_bytes()))
        for found in (resources() / "fonts" / "interface").iterdir()
        if found.name.endswith(".otf")
    ]
    families = {family for number in loaded if number >= 0 for family in QFontDatabase.applicationFontFamilies(number)}
    return min(families, default=QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family())


@cache
def style_sheet(palette: Palette) -> str:
    """Fill the style sheet template.

    ``@role`` becomes the palette's colour, ``@icon(name, role)`` the address of a coloured drawing, ``@points(px)`` a
    size of type in points.

    Raises
    ------
    KeyError
        The template names a role or a drawing that does not exist.
    """
    template = (resources() / "styles" / "window.qss").read_text(encoding="utf-8")
    template = re.sub(r"/\*.*?\*/\s*", "", template, flags=re.DOTALL)  # the comments name the marks they explain
    colours = {field.name: getattr(palette, field.name) for field in fields(palette)}
    filled = re.sub(
        r"@icon\((\w+), (\w+)\)", lambda found: f"url({icons.path(palette.scheme, found[2], found[1])})", template
    )
    filled = re.sub(r"@points\(([\d.]+)\)", lambda found: f"{_points(float(found[1])):.2f}pt", filled)
    return re.sub(r"@(\w+)", lambda found: str(colours[found[1]]), filled)


class ThemeKeeper(QObject):
    """Styles the application, follows the system's light or dark scheme, and lets the user choose either.

    Parameters
    ----------
    app
        The application; it becomes the parent.
    choice
        What the user chose the last time.
    """

    changed = Signal(object)  # the new Theme

    def __init__(self, app: QApplication, choice: Choice = "system") -> None:
        super().__init__(app)
        self._app = app
        self._choice: Choice = choice
        self._steps = _no_steps()
        self._further: list[Iterator[None]] = []  # of those who were told of the change
        self._is_settling = False  # what the last turn changed
        self._turns = QTimer(self, interval=0)
        self._turns.timeout.connect(self._take_step)
        self._theme = LIGHT_THEME
        hints = app.styleHints()
        self._apply_choice()
        hints.colorSchemeChanged.connect(self.follow_system)

    @property
    def theme(self) -> Theme:
        """The theme in use."""
        return self._theme

    @property
    def choice(self) -> Choice:
        """What the user chose: the system's scheme, or always light or dark."""
        return self._choice

    def set_choice(self, choice: Choice) -> None:
        """Choose the system's scheme, or light or dark whatever the system says."""
        if choice != self._choice:
            self._choice = choice
            self._apply_choice()

    def _apply_choice(self) -> None:
        hints = self._app.styleHints()
        # Asking Qt for the scheme lets the window frame and native dialogs follow as well.
        if self._choice == "system":
            hints.unsetColorScheme()
            self._use(hints.colorScheme() == Qt.ColorScheme.Dark)
        else:
            dark = self._choice == "dark"
            hints.setColorScheme(Qt.ColorScheme.Dark if dark else Qt.ColorScheme.Light)
            self._use(dark)

    @Slot(Qt.ColorScheme)
    def follow_system(self, scheme: Qt.ColorScheme) -> None:
        """Follow the system, if the user wants that."""
        if self._choice == "system":
            self._use(scheme == Qt.ColorScheme.Dark)

    def _use(self, dark: bool) -> None:
        theme = DARK_THEME if dark else LIGHT_THEME
        if theme is self._theme and current_theme() is theme and self._app.styleSheet():
            return
        self._stop()  # a change to the other look that is under way: this one begins with everything
        self._theme = theme
        self._steps = self._change_to(theme)
        if QThread.currentThread().loopLevel():
            self._turns.start()
        else:  # nobody is waiting for an answer yet
            take_all(self._steps)

    @property
    def is_changing(self) -> bool:
        """Whether parts of a window still have their old look."""
        return self._turns.isActive()

    def continue_with(self, steps: Iterator[None]) -> None:
        """Take further steps of a change, for one who was told of it and has more to colour than a turn has room for."""
        if self.is_changing:
            self._further.append(steps)
        else:
            take_all(steps)

    def _change_to(self, theme: Theme) -> Generator[None, None, None]:
        """Change the look in steps that leave room for other events; what has its old look is not painted meanwhile."""
        windows = [window for window in self._app.topLevelWidgets() if window.isVisible()]
        parts = [part for window in windows for part in window.findChildren(QWidget) if part.property(PAINTED_ALONE)]
        held = [*windows, *parts]
        paint_turns().hold(held)
        try:
            for _ in theme.apply_by_steps(self._app):
                yield
            yield
            self.changed.emit(theme)
            while self._further:
                yield
                yield from self._further.pop(0)
        finally:
            paint_turns().one_by_one([widget for widget in held if isValid(widget)])

    @Slot()
    def _take_step(self) -> None:
        self._is_settling = not self._is_settling
        if not self._is_settling:
            return  # so that the layouts and the painting that follow a step do not add to the next one
        try:
            next(self._steps)
        except StopIteration:
            self._turns.stop()

    def _stop(self) -> None:
        self._turns.stop()
        self._further.clear()
        self._steps.close()


def _no_steps() -> Generator[None, None, None]:
    yield from ()
