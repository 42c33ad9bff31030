"""A palette in use: colours, fonts and icons for what is painted, and the style of an application."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtGui import QColor, QFont, QIcon, QPalette
from PySide6.QtWidgets import QApplication

from affinecal_gui.ui.parts.theme import icons
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE, interface_font
from affinecal_gui.ui.parts.theme.palette import DARK, LIGHT, Palette
from affinecal_gui.ui.parts.theme.restyling import restyle
from affinecal_gui.ui.parts.theme.style_sheet import style_sheet
from affinecal_gui.ui.running.in_steps import take_all

if TYPE_CHECKING:  # imports NumPy, which the first window does not wait for
    from affinecal_gui.calibration.results import ModelName


STYLE = "Fusion"
STYLED = "affinecalStyled"
"""Property of an application that has that style."""


class Theme(NamedTuple):
    """A palette in use."""

    dark: bool
    palette: Palette

    def colour(self, role: str, alpha: float = 1.0) -> QColor:
        """Return the colour of a palette role, with an opacity from 0 to 1."""
        colour = QColor(getattr(self.palette, role))
        colour.setAlphaF(alpha)
        return colour

    def model_colour(self, model: "ModelName") -> QColor:
        """Return the colour of a calibrator."""
        from affinecal_gui.ui.parts.theme.model_style import model_style

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
        """Style a whole application: Fusion, palette, font, style sheet, and what follows the theme beside widgets."""
        take_all(self.apply_by_steps(app))

    def apply_by_steps(self, app: QApplication) -> Iterator[None]:
        """Style a whole application in steps of some milliseconds."""
        global _current  # one application has one theme
        _current = self
        if app.property(STYLED) is None:  # a second setStyle would polish every widget twice
            app.setStyle(STYLE)
            app.setProperty(STYLED, True)
        app.setPalette(self.qt_palette())
        if app.font() != self.font():
            app.setFont(self.font())
        for follow in _followers:
            follow(self)
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


_followers: list[Callable[[Theme], None]] = []


def current_theme() -> Theme:
    """Return the theme applied last; light before any was applied."""
    return _current


def follow_theme(follow: Callable[[Theme], None]) -> None:
    """Call ``follow`` with the theme in use, now and whenever one is applied: for what has defaults outside of widgets."""
    _followers.append(follow)
    follow(_current)


def icon(name: str, palette: Palette, role: str = "text") -> QIcon:
    """Return the icon of that name in the colour of a role; faint where the control is disabled."""
    return icons.coloured(palette, role, name)
