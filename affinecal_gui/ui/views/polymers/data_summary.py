"""What the data dock says of the loaded tables: what matched, what is described and predicted, what is set aside."""

from html import escape

import numpy as np
from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from affinecal_gui.study.data.row_columns import columns_of, without_md
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.words.flagged_words import flagged_sentence
from affinecal_gui.ui.parts.selectable import make_selectable
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.parts.widgets.info_line import InfoLine, link_markup

NOT_EXPORTED = "Copied lists and saved files have calibrated values from simulated MD values only."


class DataSummary(QWidget):
    """Four sentences, of which those that have nothing to say are hidden; a link in one goes out as a signal."""

    adjust_wanted = Signal(str)  # key of a table whose reading is to be looked at
    match_report_requested = Signal()
    bundled_md_wanted = Signal()
    predicted_md_wanted = Signal()  # of the measured polymers that nobody simulated
    set_aside_wanted = Signal(str)  # key of a table of simulations of which some failed a check

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot = Snapshot()
        self._predicting = False
        self._match = InfoLine("check")
        self._descriptors = InfoLine("check")
        self._predicted = InfoLine("info")
        self._set_aside = InfoLine("caution")
        self._match.setObjectName("matchSummary")
        self._descriptors.setObjectName("descriptorSummary")
        self._predicted.setObjectName("predictedSummary")
        self._set_aside.setObjectName("setAsideSummary")
        make_selectable(self._match, self._descriptors, self._predicted, self._set_aside)
        lines = QVBoxLayout(self)
        lines.setContentsMargins(2, 0, 2, 0)
        lines.setSpacing(3)
        for line in (self._match, self._descriptors, self._predicted, self._set_aside):
            lines.addWidget(line)
        self._match.link_activated.connect(self._follow_link)
        self._set_aside.link_activated.connect(self.set_aside_wanted)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Say it of another state of the study."""
        self._snapshot = snapshot
        self._say_what_matched()
        self._say_what_is_described()
        self._say_what_is_predicted()
        self._say_what_is_set_aside()

    def show_predicting(self, predicting: bool) -> None:
        """Say whether values of the polymers without an MD value are on their way."""
        self._predicting = predicting
        self._say_what_matched()
        self._say_what_is_predicted()

    def apply_theme(self, _theme: Theme) -> None:
        """Take over the colour of links."""
        self._say_what_matched()
        self._say_what_is_set_aside()

    def _say_what_matched(self) -> None:
        snapshot = self._snapshot
        columns = columns_of(snapshot)
        measured, alone = np.isfinite(columns.measured), columns.in_state("no MD value")
        unmatched = int(alone.sum())
        text = escape(snapshot.match_summary)
        question = snapshot.property_question
        if question is not None:
            text += f" &nbsp;{link_markup('property', 'Choose…')}"
        elif snapshot.compared and unmatched:
            words = "The other one…" if unmatched == 1 else f"The {unmatched:,} others…"
            if not (measured & ~alone).any():
                words = "Show them…"  # there is none that matched
            text += f" &nbsp;{link_markup('others', words)}"
        if snapshot.calibration is not None and snapshot.predicted_md is None and not self._predicting:
            count = int(without_md(columns).sum())
            if count:
                text += f" &nbsp;{link_markup('predict', 'Predict it' if count == 1 else 'Predict them')}"
        if snapshot.bundled_md_would_help:
            text += f" &nbsp;{link_markup('bundled', 'Use the MD values that come with AffineCal (RadonPy)')}"
        has_match = bool((measured & (columns.library_index >= 0)).any())
        self._match.set_message("check" if has_match else "caution", text)

    def _say_what_is_described(self) -> None:
        """Say for how many polymers with an MD value descriptors were computed."""
        descriptors = self._snapshot.descriptors
        if descriptors is None or not descriptors.size:
            self._descriptors.set_message("info", "")
            return
        every, columns = descriptors.shape
        done = int(np.isfinite(descriptors).all(axis=1).sum())
        whole = done == every
        of_all = f"all {every:,}" if whole else f"{done:,} of {every:,}"
        self._descriptors.set_message(
            "check" if whole else "caution", f"{columns} descriptors computed for {of_all} polymers with an MD value."
        )

    def _say_what_is_predicted(self) -> None:
        """Say what predicted MD values give the measured polymers without any, and the others."""
        found = self._snapshot.predicted_md
        if self._predicting:
            self._predicted.set_message("info", "MD values are being predicted for the measured polymers without any…")
        elif found is None or self._snapshot.calibration is None:
            self._predicted.set_message("info", "")
        else:
            self._predicted.set_message("check" if found.are_there else "caution", escape(found.sentence))
        basis = found.basis if found is not None else ""
        self._predicted.setToolTip(f"{escape(basis)} {NOT_EXPORTED}" if basis else "")

    def _say_what_is_set_aside(self) -> None:
        """Say how many simulations failed a check, by reason, of each table that has such; a link leads to the choice."""
        told = []
        for table in self._snapshot.tables:
            sentence = flagged_sentence(table.flagged)
            if sentence:
                told.append(f"{escape(sentence)} &nbsp;{link_markup(table.key, 'Review…')}")
        self._set_aside.set_message("caution", "<br>".join(told))

    @Slot(str)
    def _follow_link(self, address: str) -> None:
        question = self._snapshot.property_question
        if address == "bundled":
            self.bundled_md_wanted.emit()
        elif address == "predict":
            self.predicted_md_wanted.emit()
        elif address != "property":
            self.match_report_requested.emit()
        elif question is not None:
            self.adjust_wanted.emit(question.table)
