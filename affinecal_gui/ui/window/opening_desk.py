"""Everything that comes into the window: tables, studies and examples, from dialogs, drops, the clipboard and the lists."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QDropEvent, QGuiApplication

from affinecal_gui.study.stored.study_names import is_calibrator, is_study
from affinecal_gui.ui.session.dialogs import Dialogs
from affinecal_gui.ui.session.notices import Notice, NoticeAction
from affinecal_gui.ui.session.session import Session
from affinecal_gui.ui.session.study_keeper import Offers, StudyKeeper
from affinecal_gui.ui.views.welcome.entry_list import Entry
from affinecal_gui.ui.window.saving_desk import SavingDesk


class OpeningDesk(QObject):
    """Opens what the user names, drops, pastes or picks."""

    named = Signal(str)  # path of a file of the user that did not come from a dialog, which asks for the next one there
    opening = Signal()  # files, so that what was said of others may go
    noticed = Signal(object)  # Notice
    calibrator_wished = Signal(str)  # path of a calibrator file
    offered = Signal(object)  # tuple of Entry: the studies that can be opened without asking for a file

    def __init__(
        self, session: Session, keeper: StudyKeeper, dialogs: Dialogs, saving: SavingDesk, parent: QObject
    ) -> None:
        """Open into a session; ``saving`` asks what becomes of the study that is there."""
        super().__init__(parent)
        self._session, self._keeper, self._dialogs, self._saving = session, keeper, dialogs, saving
        self._has_told_of_recovery = False
        keeper.offers_changed.connect(self.offer)

    # -- files ----------------------------------------------------------------------------------------------------

    def open_named(self, paths: tuple[str, ...]) -> None:
        """Open files that the system named, or that were dropped."""
        if paths:
            self.named.emit(paths[0])
        self.open_files(paths)

    @Slot(object)
    def open_files(self, paths: tuple[str, ...]) -> None:
        """Open a study, or read tables into the present one; of both, the tables go into the study that is opened."""
        studies = [path for path in paths if is_study(path)]
        calibrators = [path for path in paths if is_calibrator(path)]
        tables = tuple(path for path in paths if not is_study(path) and not is_calibrator(path))
        if paths:
            self.opening.emit()
        if calibrators:
            self.calibrator_wished.emit(calibrators[0])
        if studies:
            then = partial(self._session.open_files, tables) if tables else None
            self._saving.leave(partial(self._keeper.open, studies[0], then))
        elif tables:
            self._session.open_files(tables)
        if len(calibrators) > 1:
            self._warn(f"One calibrator is shown at a time: only {Path(calibrators[0]).name} was opened.")
        if len(studies) > 1:
            self._warn(f"A window shows one study: only {Path(studies[0]).name} was opened.")

    def open_dropped(self, event: QDropEvent) -> None:
        """Open the files that were dropped."""
        paths = tuple(url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile())
        if paths:
            event.acceptProposedAction()
            # Reading starts after the drop has ended: the program that files are dragged from waits for it.
            QTimer.singleShot(0, self, lambda: self.open_named(paths))
        else:
            self._warn("Only files on this computer can be dropped here.")

    # -- what is asked for ----------------------------------------------------------------------------------------

    @Slot()
    def ask_for_tables(self) -> None:
        """Ask for files, and open them."""
        self.open_files(tuple(self._dialogs.open_tables()))

    @Slot()
    def ask_for_study(self) -> None:
        """Ask for the file of a study, and open it."""
        path = self._dialogs.open_study()
        if path:
            self._saving.leave(partial(self._keeper.open, path))

    @Slot()
    def paste(self) -> None:
        """Read the table on the clipboard."""
        text = QGuiApplication.clipboard().text()
        if text.strip():
            self._session.open_text(text)
        else:
            self._warn("The clipboard holds no text. Copy a table in your spreadsheet first.")

    @Slot()
    def begin_study(self) -> None:
        """Begin a study without tables."""
        self._saving.leave(self._session.new_study)

    @Slot(str)
    def open_example(self, key: str) -> None:
        """Open one of the bundled examples."""
        self._saving.leave(partial(self._session.open_example, key))

    # -- what is offered ------------------------------------------------------------------------------------------

    @Slot(str)
    def open_offered(self, key: str) -> None:
        """Open one of the studies that were offered."""
        recoverable = next((found for found in self._keeper.offers.recoverable if str(found.path) == key), None)
        if recoverable is not None:
            self._saving.leave(partial(self._keeper.recover, recoverable))
        else:
            self.named.emit(key)
            self._saving.leave(partial(self._keeper.open, key))

    @Slot(object)
    def offer(self, offers: Offers) -> None:
        """Offer studies, and say once if some of them were not saved when the program ended."""
        unsaved = [
            Entry(str(found.path), f"{found.title}, not saved", found.manifest.summary, found.when)
            for found in offers.recoverable
        ]
        recent = [Entry(study.path, study.title, study.subtitle, study.day()) for study in offers.recent]
        self.offered.emit((*unsaved, *recent))
        if offers.recoverable and not self._has_told_of_recovery:
            self._has_told_of_recovery = True
            count = len(offers.recoverable)
            what = "A study was not saved" if count == 1 else f"{count} studies were not saved"
            if count == 1:
                open_it = partial(self.open_offered, str(offers.recoverable[0].path))
                self._warn(f"{what} when AffineCal ended.", NoticeAction("Open it", open_it))
            else:
                self._warn(f"{what} when AffineCal ended. Open them under File, Open recent study.")

    def _warn(self, text: str, action: NoticeAction | None = None) -> None:
        self.noticed.emit(Notice("caution", text, action=action))
