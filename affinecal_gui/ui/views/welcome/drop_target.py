"""The place where files are dropped."""

from PySide6.QtCore import QMimeData, Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from affinecal_gui.ui.parts.theme.style_sheet import set_kind
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.parts.widgets.themed_icons import IconLabel


def dropped_files(data: QMimeData) -> tuple[str, ...]:
    """Return the local files that are being dragged, each once; files elsewhere and other data give none."""
    paths = (url.toLocalFile() for url in data.urls() if url.isLocalFile())
    return tuple(dict.fromkeys(path for path in paths if path))


class DropTarget(QFrame):
    """Dashed frame with the invitation and two buttons for those who do not drag. Lights up under dragged files."""

    files_dropped = Signal(object)  # tuple of path strings
    open_requested = Signal()
    paste_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("dropTarget")
        self.setAccessibleName("Drop your measured values here")
        self.setAcceptDrops(True)
        set_kind(self, "drop")
        self.setMinimumHeight(200)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        choose = QPushButton("Choose files…")
        choose.setObjectName("chooseFilesButton")
        set_kind(choose, "primary-large")
        choose.clicked.connect(self.open_requested)
        paste = QPushButton("Paste a table")
        paste.setObjectName("pasteTableButton")
        paste.setToolTip("Use the table that you copied in a spreadsheet")
        set_kind(paste, "large")
        paste.clicked.connect(self.paste_requested)
        self._title = label("Drop your measured values here", "heading")
        explanation = label(
            "CSV, TSV or Excel. One row per polymer: a repeat unit (SMILES) or an id, and one value.\n"
            "Add the MD table at the same time or afterwards.",
            "invitation",
        )
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addStretch(1)
        buttons.addWidget(choose)
        buttons.addWidget(paste)
        buttons.addStretch(1)
        box = QVBoxLayout(self)
        box.setContentsMargins(14, 6, 14, 6)
        box.setSpacing(0)
        box.addStretch(1)
        box.addWidget(IconLabel("drop", "accent", 42), 0, Qt.AlignmentFlag.AlignHCenter)
        box.addSpacing(10)
        self._title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        box.addWidget(self._title)
        box.addSpacing(8)
        explanation.setAlignment(Qt.AlignmentFlag.AlignCenter)
        box.addWidget(explanation)
        box.addSpacing(16)
        box.addLayout(buttons)
        box.addStretch(1)

    @property
    def is_lit(self) -> bool:
        """Whether dragged files are above it."""
        return bool(self.property("kind") == "drop-active")

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files, and show it."""
        if dropped_files(event.mimeData()):
            event.acceptProposedAction()
            self.light(True)
        else:
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Accept files anywhere inside."""
        if dropped_files(event.mimeData()):
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Go back to the quiet look."""
        self.light(False)

    def dropEvent(self, event: QDropEvent) -> None:
        """Announce the files once the drop has ended: the program that they are dragged from waits for it."""
        self.light(False)
        paths = dropped_files(event.mimeData())
        if paths:
            event.acceptProposedAction()
            QTimer.singleShot(0, self, lambda: self.files_dropped.emit(paths))
        else:
            event.ignore()

    def light(self, lit: bool) -> None:
        """Show or hide that files may be dropped."""
        set_kind(self, "drop-active" if lit else "drop")
        self._title.setText("Let go to read the table" if lit else "Drop your measured values here")
