"""By what the points of a plot are coloured: the choice, and the key that explains it."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from affinecal_gui.study.shown.groups import Groups, groups_by
from affinecal_gui.study.shown.parity_points import ParityPoints
from affinecal_gui.study.shown.traits import NO_TRAIT, Trait, traits_of
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.views.plots.points.dense_points import MANY
from affinecal_gui.ui.views.plots.points.group_looks import GroupKey
from affinecal_gui.ui.views.plots.points.trait_button import TraitButton

_CALIBRATOR = Trait(NO_TRAIT, "Calibrator")


class ColourChoice(QObject):
    """A button and a key, for a view to place.

    Parameters
    ----------
    shown
        Gives the snapshot and the points that the view draws; no points where it draws none.
    """

    changed = Signal()

    def __init__(self, shown: Callable[[], tuple[Snapshot, ParityPoints | None]], parent: QWidget) -> None:
        super().__init__(parent)
        self._shown = shown
        self.trait = NO_TRAIT
        """Key of the chosen trait."""
        self.button = TraitButton("Colour by", "Colour of the points by", self._offered)
        self.button.show_trait(_CALIBRATOR)
        self.button.chosen.connect(self.choose)
        self.key = GroupKey()
        self.shown_trait = NO_TRAIT
        """Key of the trait by which points are coloured at present; none where they have the colour of their calibrator."""

    @Slot(str)
    def choose(self, trait: str) -> None:
        """Colour by the trait of this key."""
        self.trait = trait
        self.changed.emit()

    def groups(self, *, can_be: bool = True) -> Groups | None:
        """Group the points shown, and explain the groups; None where points keep the colour of their calibrator.

        A trait that these points do not have is kept for others that do.
        """
        snapshot, points = self._shown()
        few = points is not None and int((~points.left_out).sum()) < MANY
        self.button.setEnabled(can_be and few)
        groups = None
        if can_be and few and points is not None and self.trait != NO_TRAIT:
            groups = groups_by(snapshot, points.rows, self.trait)
        self.shown_trait = groups.trait.key if groups is not None else NO_TRAIT
        self.button.show_trait(groups.trait if groups is not None else _CALIBRATOR)
        if points is not None and not few:
            self.button.setToolTip(f"Points are coloured where there are fewer than {MANY:,} of them")
        self.key.show_groups(groups)
        return groups

    def _offered(self) -> Sequence[Trait]:
        snapshot, points = self._shown()
        return (_CALIBRATOR, *(traits_of(snapshot, points.rows) if points is not None else ()))
