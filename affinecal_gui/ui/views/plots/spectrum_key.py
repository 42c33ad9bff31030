"""The key of a spectrum of vibrations: what its colours mean."""

from PySide6.QtWidgets import QLabel, QWidget

from affinecal_gui.ui.parts.selectable import make_selectable
from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme


class SpectrumKey(QLabel):
    """Coloured dots, each with a word beside it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_kind(self, "note-text")
        self.setWordWrap(True)
        make_selectable(self)
        self._measured = False

    def show_key(self, *, measured: bool) -> None:
        """Explain the two spectra; with ``measured`` also a measured point."""
        self._measured = measured
        self.apply_theme(current_theme())

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        parts = [("grey", "in the simulation"), ("teal", "by quantum mechanics")]
        if self._measured:
            parts.append(("selected_point", "measured"))
        spans = (f"<span style='color:{theme.colour(role).name()}'>●</span>&nbsp;{words}" for role, words in parts)
        self.setText("&nbsp; ".join(spans))
