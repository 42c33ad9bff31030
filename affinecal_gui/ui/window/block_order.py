"""The order in which the user arranged the descriptor blocks, kept from one start to the next."""

from PySide6.QtCore import QObject, QSettings, Signal, Slot

from affinecal_gui.ui.parts.kept_choices import kept_choice


class BlockOrder(QObject):
    """Names of descriptor blocks in the order in which they were arranged last; none before that."""

    changed = Signal(object)  # tuple of the names

    def __init__(self, settings: QSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings

    @property
    def names(self) -> tuple[str, ...]:
        """The blocks from the first to the last."""
        return tuple(kept_choice(self._settings, "coefficients/order", "").splitlines())

    @Slot(object)
    def keep(self, names: tuple[str, ...]) -> None:
        """Take over another order."""
        self._settings.setValue("coefficients/order", "\n".join(names))
        self.changed.emit(names)
