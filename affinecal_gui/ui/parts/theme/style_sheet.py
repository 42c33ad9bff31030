"""The style sheet of the window, and the kinds of widgets that it knows."""

import re
from functools import cache

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from affinecal_gui.bundled import resources
from affinecal_gui.ui.parts.theme import icons
from affinecal_gui.ui.parts.theme.fonts import points
from affinecal_gui.ui.parts.theme.palette import Palette

_MARK = re.compile(
    r"/\*.*?\*/\s*"  # a comment, which names the marks that it explains
    r"|@icon\((?P<drawing>\w+), (?P<role>\w+)\)|@points\((?P<pixels>[\d.]+)\)|@(?P<colour>\w+)",
    re.DOTALL,
)


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
    colours = palette._asdict()

    def filled(found: re.Match[str]) -> str:
        if found["drawing"]:
            return f"url({icons.path(palette, found['role'], found['drawing'])})"
        if found["pixels"]:
            return f"{points(float(found['pixels'])):.2f}pt"
        return str(colours[found["colour"]]) if found["colour"] else ""

    return _MARK.sub(filled, template)


def set_kind(widget: QWidget, kind: str) -> None:
    """Tell the style sheet what a widget is; see the kinds above."""
    if widget.property("kind") != kind:
        widget.setProperty("kind", kind)
        if widget.testAttribute(
            Qt.WidgetAttribute.WA_WState_Polished
        ):  # else it is still to be polished, with its kind
            widget.style().unpolish(widget)
            widget.style().polish(widget)
