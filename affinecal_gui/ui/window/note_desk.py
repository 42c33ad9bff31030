"""Notes about polymers: the field in which one is written, wherever it was asked for."""

from PySide6.QtCore import QObject, QRect, Slot
from PySide6.QtWidgets import QWidget

from affinecal_gui.ui.session.session import Session
from affinecal_gui.ui.session.text_prompt import TextPrompt


class NoteDesk(QObject):
    """Asks for the text of a note, and hands it to the study."""

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._window = session, window

    @Slot(str, QRect)
    def ask(self, key: str, place: QRect) -> None:
        """Ask, below a place on the screen, what there is to say about the polymer of this row."""
        row = self._session.study.snapshot().row(key)
        if row is None:
            return
        note = self._session.study.state.settings.note_of(key)
        prompt = TextPrompt(f"Note about {row.label}; an empty one is taken away", note, "Keep", self._window)
        prompt.entered.connect(lambda text: self._session.write_note(key, text))
        prompt.open_at(place)
