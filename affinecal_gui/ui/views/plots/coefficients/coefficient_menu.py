"""The menu of the coefficient view: what can be done with the block under the mouse, and with the figure."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from affinecal_gui.polymers.descriptors.blocks import DescriptorBlock
from affinecal_gui.study.snapshot import Settings

BLOCK_FACTORS: tuple[tuple[float, str], ...] = (
    (0.1, "× 0.1: much freer than the others"),
    (0.3, "× 0.3: freer"),
    (1.0, "As the others"),
    (3.0, "× 3: smaller and smoother"),
    (10.0, "× 10: much smaller and smoother"),
)
"""What is offered to multiply the penalties of a block by, and how it is called."""
_FACTOR_TIP = "Multiplies λ₁ and λ₂ for the coefficients of this block; everything is calibrated anew"


class CoefficientMenu(QMenu):
    """Deletes itself when it is closed.

    Parameters
    ----------
    settings
        What is chosen at present.
    block
        The block under the mouse; None beside all of them.
    enlarged
        Whether one block has the view for itself.
    """

    enlarge_wanted = Signal(str)  # name of a block, or of the enlarged one to show all again
    move_wanted = Signal(str, int)  # name of a block, by how many places
    toggle_wanted = Signal(str)  # name of a block to be switched off in the model, or on again
    factor_wanted = Signal(str, float)  # name of a block, by what its penalties are to be multiplied
    bands_wanted = Signal(str)  # "posterior" or "bootstrap"
    reset_wanted = Signal()
    copy_wanted = Signal()
    export_wanted = Signal()
    explain_wanted = Signal()

    def __init__(self, parent: QWidget, settings: Settings, block: DescriptorBlock | None, *, enlarged: bool) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if block is not None:
            self._add_block(block, settings, enlarged=enlarged)
            self.addSeparator()
        bootstrap: QAction = self.addAction("Bands by refits to resampled polymers")
        bootstrap.setCheckable(True)
        bootstrap.setChecked(settings.bands == "bootstrap")
        bootstrap.toggled.connect(lambda checked: self.bands_wanted.emit("bootstrap" if checked else "posterior"))
        self._add("Reset view", self.reset_wanted.emit)
        self._add("Copy figure", self.copy_wanted.emit)
        self._add("Save figure as…", self.export_wanted.emit)
        self._add("What am I looking at?", self.explain_wanted.emit)

    def _add(self, text: str, wish: Callable[[], object]) -> QAction:
        action: QAction = self.addAction(text)
        action.triggered.connect(lambda _checked=False: wish())
        return action

    def _add_block(self, block: DescriptorBlock, settings: Settings, *, enlarged: bool) -> None:
        name, title = block.name, block.title
        self._add("Show all blocks" if enlarged else f"Enlarge {title}", partial(self.enlarge_wanted.emit, name))
        if not enlarged:
            self._add("Move before", partial(self.move_wanted.emit, name, -1))
            self._add("Move after", partial(self.move_wanted.emit, name, 1))
        off = name in settings.blocks_off
        words = f"Use {title} in the model again" if off else f"Switch {title} off in the model"
        self._add(words, partial(self.toggle_wanted.emit, name))
        if not off:
            self.addMenu(self._factor_menu(block, settings.block_factors.get(name, 1.0)))

    def _factor_menu(self, block: DescriptorBlock, present: float) -> QMenu:
        """Return the choices of how strongly one block is penalised beside the others."""
        factors = QMenu(f"Penalties of {block.title}", self)
        factors.setToolTipsVisible(True)
        group = QActionGroup(factors)
        offered = dict(BLOCK_FACTORS)
        if present not in offered:
            offered = {present: f"× {present:g}, as it is set", **offered}
        for factor, words in offered.items():
            action: QAction = factors.addAction(words)
            action.setToolTip(_FACTOR_TIP)
            action.setCheckable(True)
            action.setChecked(factor == present)
            action.triggered.connect(partial(self._choose_factor, block.name, factor))
            group.addAction(action)
        return factors

    def _choose_factor(self, name: str, factor: float, _checked: bool = False) -> None:
        self.factor_wanted.emit(name, factor)
