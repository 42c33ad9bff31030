"""The line above the list of polymers that says whose values these are, where another calibrator is recommended."""

from dataclasses import replace
from html import escape

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from affinecal_gui.study.snapshot import Settings, Snapshot
from affinecal_gui.study.words.comparison_words import not_recommended
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.parts.widgets.info_line import InfoLine, link_markup


class AdviceLine(InfoLine):
    """Says that the values shown are not those of the recommended calibrator, and offers those."""

    settings_changed = Signal(object)  # Settings

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("caution", note=True, parent=parent)
        self.setObjectName("adviceLine")
        self.setContentsMargins(8, 6, 8, 6)
        self._snapshot = Snapshot()
        self.link_activated.connect(self._follow)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the line where the calibrator of a snapshot is not the recommended one."""
        self._snapshot = snapshot
        calibration = snapshot.calibration
        sentence = "" if calibration is None else not_recommended(calibration, snapshot.settings.model)
        link = link_markup("recommended", "Show the recommended one")
        self.set_message("caution", f"{escape(sentence)} &nbsp;{link}" if sentence else "")

    def apply_theme(self, _theme: Theme) -> None:
        """Take over the colour of links."""
        self.show_snapshot(self._snapshot)

    @Slot()
    def _follow(self) -> None:
        self.settings_changed.emit(replace(self._snapshot.settings, model=Settings().model, follows_advice=True))
