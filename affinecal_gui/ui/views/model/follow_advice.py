"""The way back to the recommended calibrator, shown while another one was chosen."""

from dataclasses import replace

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from affinecal_gui.calibration.names import calibrator_title
from affinecal_gui.study.snapshot import Settings, Snapshot
from affinecal_gui.ui.parts.widgets.tool_buttons import LinkButton

ANOTHER, SAME = "Show the recommended one", "Follow the recommendation from now on"
"""What the link says beside another calibrator, and where the recommended one is shown because it was chosen."""


class FollowAdvice(LinkButton):
    """Lets the recommended calibrator be shown, whichever it is after later changes."""

    settings_changed = Signal(object)  # Settings

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(ANOTHER, parent)
        self.setObjectName("followAdvice")
        self._settings = Settings()
        self.clicked.connect(self._follow)
        self.hide()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Offer the way back where there is one."""
        self._settings, calibration = snapshot.settings, snapshot.calibration
        self.setVisible(calibration is not None and not snapshot.settings.follows_advice)
        if calibration is None:
            return
        recommended = calibration.recommendation.recommended
        self.setText(SAME if snapshot.settings.model == recommended else ANOTHER)
        title = calibrator_title(recommended, log_scale=calibration.log_scale)
        self.setToolTip(f"Show {title}, and another one when that is recommended after a change")
        self.setAccessibleName(f"Show the recommended calibrator, {title}")

    @Slot()
    def _follow(self) -> None:
        self.settings_changed.emit(replace(self._settings, model=Settings().model, follows_advice=True))
