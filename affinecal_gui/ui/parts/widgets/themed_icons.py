"""Icons that follow the theme."""

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QLabel,
    QWidget,
)

from affinecal_gui.ui.parts.theme.theme import current_theme, icon

COLOUR_CHANGES = (QEvent.Type.PaletteChange, QEvent.Type.ApplicationPaletteChange)


def themed_icon(name: str, role: str = "text") -> QIcon:
    """Return an icon in the colours of the theme in use."""
    return icon(name, current_theme().palette, role)


class IconLabel(QLabel):
    """An icon that follows the theme and the scale factor of the screen.

    Parameters
    ----------
    icon_name, role
        Drawing and colour.
    size
        In logical pixels.
    """

    def __init__(self, icon_name: str, role: str = "text", size: int = 16, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self._role = role
        self._size = size
        self._shown: tuple[object, ...] = ()
        self.setFixedSize(size, size)
        self._tint()

    def set_icon(self, icon_name: str, role: str) -> None:
        """Show another icon."""
        if (icon_name, role) != (self._icon_name, self._role):
            self._icon_name, self._role = icon_name, role
            self._tint()

    def changeEvent(self, event: QEvent) -> None:
        """Colour the icon anew when the theme or the screen changed."""
        super().changeEvent(event)
        if event.type() in (*COLOUR_CHANGES, QEvent.Type.DevicePixelRatioChange):
            self._tint()

    def _tint(self) -> None:
        wanted = (self._icon_name, self._role, current_theme(), self.devicePixelRatioF())
        if wanted != self._shown:  # Qt tells of one change of theme several times
            self._shown = wanted
            size = QSize(self._size, self._size)
            self.setPixmap(themed_icon(self._icon_name, self._role).pixmap(size, self.devicePixelRatioF()))
