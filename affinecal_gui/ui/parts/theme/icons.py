"""Icons: own 16 px drawings, coloured by the theme, sharp at every scale factor.

The drawings lie in ``resources/icons`` and say ``currentColor``. Qt can colour neither an SVG nor the arrows and
ticks of a style sheet, so a drawing is written into an in-memory Qt resource when it is first wanted in a colour,
``:/affinecal-<scheme>/<scheme>.<role>.<name>.svg``. No file is written, and Qt's own SVG engine draws each size anew.
"""

import struct
from functools import cache

from PySide6.QtCore import QSize, qRegisterResourceData
from PySide6.QtGui import QIcon

from affinecal_gui.bundled import resources
from affinecal_gui.ui.parts.theme.palette import Palette

ROLES: tuple[str, ...] = (
    "text",
    "muted",
    "faint",
    "accent",
    "text_on_accent",
    "link",
    "good",
    "caution",
    "bad",
)
"""Roles of the palette in which icons are drawn."""

_PREFIX = "affinecal"

_registered: list[tuple[bytes, bytes, bytes]] = []
"""Resource trees. Qt keeps only pointers to them: they have to live as long as the process."""


@cache
def icon_names() -> tuple[str, ...]:
    """Return the names of all drawings, in alphabetical order."""
    folder = resources() / "icons"
    return tuple(sorted(entry.name.removesuffix(".svg") for entry in folder.iterdir() if entry.name.endswith(".svg")))


@cache
def drawing(name: str) -> str:
    """Return the SVG text of a drawing, its colour still ``currentColor``.

    Raises
    ------
    KeyError
        There is no such drawing.
    """
    try:
        return (resources() / "icons" / f"{name}.svg").read_text(encoding="utf-8")
    except FileNotFoundError:
        raise KeyError(f"no icon is called {name!r}") from None


@cache
def path(palette: Palette, role: str, name: str) -> str:
    """Return the resource path of a drawing in the colour of a role, as style sheets and :class:`QIcon` want it.

    Raises
    ------
    KeyError
        There is no such drawing, or none is drawn in this role.
    """
    text = drawing(name)
    if role not in ROLES:
        raise KeyError(f"icons are not drawn in the role {role!r}")
    folder, file = f"{_PREFIX}-{palette.scheme}", f"{palette.scheme}.{role}.{name}.svg"
    tree = resource_tree(folder, {file: text.replace("currentColor", getattr(palette, role)).encode()})
    _registered.append(tree)
    qRegisterResourceData(1, *tree)
    return f":/{folder}/{file}"


@cache
def coloured(palette: Palette, role: str, name: str) -> QIcon:
    """Return a drawing as an icon: in the role's colour, faint when disabled."""
    icon = QIcon(path(palette, role, name))
    icon.addFile(path(palette, "faint", name), QSize(), QIcon.Mode.Disabled)
    return icon


def resource_tree(folder: str, files: dict[str, bytes]) -> tuple[bytes, bytes, bytes]:
    """Lay out one folder of files as Qt's resource compiler does (format 1): structure, names, data."""
    names = bytearray()
    data = bytearray()

    def add_name(text: str) -> int:
        offset = len(names)
        encoded = text.encode("utf-16-be")
        names.extend(struct.pack(">HI", len(text), _name_hash(text)) + encoded)
        return offset

    structure = bytearray(struct.pack(">IHII", 0, 2, 1, 1))  # the root: a folder with one child, entry 1
    structure += struct.pack(">IHII", add_name(folder), 2, len(files), 2)  # the folder: its children start at entry 2
    for name in sorted(files, key=_name_hash):  # Qt looks names up by bisection over their hashes
        structure += struct.pack(">IHHHI", add_name(name), 0, 0, 1, len(data))  # any territory, language C
        data += struct.pack(">I", len(files[name])) + files[name]
    return bytes(structure), bytes(names), bytes(data)


@cache
def _name_hash(text: str) -> int:
    """Return Qt's hash of a resource name (the ELF hash, 28 bits)."""
    value = 0
    for character in text:
        value = (value << 4) + ord(character)
        value ^= (value & 0xF0000000) >> 23
        value &= 0x0FFFFFFF
    return value
