"""Which polymer is the chosen one, in all views of a window."""

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from affinecal_gui.study.snapshot import Snapshot


class Selection(QObject):
    """Holds the key of the chosen row."""

    changed = Signal(str)  # the key, when another polymer was chosen

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.key = ""
        """Of the chosen row; empty while none is."""

    @Slot(str)
    def choose(self, key: str) -> None:
        """Choose a polymer."""
        if key != self.key:
            self.key = key
            self.changed.emit(key)

    def follow(self, snapshot: Snapshot) -> None:
        """Choose, without a word, a row that there is in a snapshot where the chosen one is gone or none was.

        It is the one of the fit that stands first in the list, as that is sorted at first.
        """
        if self.key and snapshot.row(self.key) is None:
            self.key = ""
        if snapshot.tables and not self.key:
            from affinecal_gui.study.data.row_columns import columns_of

            columns = columns_of(snapshot)
            used = np.flatnonzero(columns.in_state("used"))
            if used.size:
                # The table is sorted by name at first; of a very long one the order is not known yet.
                first = np.argmin(columns.ranks("label")[used]) if columns.has_ranks("label") else 0
                self.key = snapshot.rows[used[first]].key
            elif snapshot.corrected is not None and snapshot.rows:
                self.key = snapshot.rows[0].key
