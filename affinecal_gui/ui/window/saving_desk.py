"""Saving the study of a window, and what becomes of unsaved changes when it is left."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from affinecal_gui.study.stored.study_names import with_study_suffix
from affinecal_gui.ui.session.dialogs import STUDY_FILTER, Dialogs
from affinecal_gui.ui.session.session import Session
from affinecal_gui.ui.session.study_keeper import StudyKeeper


class SavingDesk(QObject):
    """Asks where to save, and before anything is lost."""

    left = Signal()  # the study of the window gives way to another one

    def __init__(self, session: Session, keeper: StudyKeeper, dialogs: Dialogs, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._keeper, self._dialogs = session, keeper, dialogs

    def save(self, then: Callable[[], object] | None = None) -> None:
        """Save the study where it was saved before, and then do what was meant to come next."""
        path = self._keeper.path
        if not path:
            self.save_as(then)
        elif not self._keeper.was_changed_outside() or self._dialogs.confirm(
            "Save study", f"{Path(path).name} was changed by another program since it was opened here.", "Replace"
        ):
            self._keeper.save(path, then)

    def save_as(self, then: Callable[[], object] | None = None) -> None:
        """Ask where to save the study."""
        if not self._session.study.state.tables:
            return
        chosen = self._dialogs.save_file("Save study", self._keeper.suggested_name, STUDY_FILTER)
        if not chosen:
            return
        path = with_study_suffix(chosen)
        is_asked = str(path) == chosen or not path.exists()  # else the dialog asked about another name
        if is_asked or self._dialogs.confirm("Save study", f"{path.name} exists already.", "Replace"):
            self._keeper.save(str(path), then)

    def leave(self, go_on: Callable[[], object]) -> None:
        """Ask once what becomes of unsaved changes, then go on; not at all when the user thinks better of it."""
        if not self._session.study.state.tables and self._session.study.snapshot().can_redo:
            question = "The study that was undone cannot be brought back once another one is opened."
            if not self._dialogs.confirm("Open another study", question, "Open"):
                return
        answer = self._dialogs.save_changes(self._keeper.name) if self._keeper.is_modified else "discard"
        if answer == "save":
            self.save(partial(self._go_on, go_on))
        elif answer == "discard":
            self._go_on(go_on)

    def may_close(self, close: Callable[[], object]) -> bool:
        """Ask what becomes of unsaved changes; ``close`` is called again when they are saved."""
        if not self._keeper.is_modified:
            return True
        answer = self._dialogs.save_changes(self._keeper.name)
        if answer == "save":
            self.save(close)
        return answer == "discard"  # else not yet, or not at all

    def _go_on(self, go_on: Callable[[], object]) -> None:
        self.left.emit()
        go_on()
