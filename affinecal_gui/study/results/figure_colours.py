"""The colours of the points of a figure: those that the window gives them."""

from typing import TYPE_CHECKING

import numpy as np

from affinecal_gui.errors import UserError
from affinecal_gui.study.data.row_columns import columns_of
from affinecal_gui.study.shown.groups import GROUP_ROLES, UNKNOWN, groups_by
from affinecal_gui.study.shown.parity_points import ParityPoints
from affinecal_gui.study.shown.traits import NO_TRAIT
from affinecal_gui.study.snapshot import Snapshot

if TYPE_CHECKING:  # matplotlib is imported when a figure is drawn
    from affinecal_gui.figures.groups import PointGroups


def coloured(snapshot: Snapshot, points: ParityPoints, key: str) -> "PointGroups | None":
    """Group the k points that a view draws, by a trait; None where they have the colour of their calibrator.

    Raises
    ------
    UserError
        The polymers do not have this trait, or do not differ in it.
    """
    from affinecal_gui.figures.groups import PointGroups, group_marks

    if key == NO_TRAIT:
        return None
    found = groups_by(snapshot, points.rows, key)
    if found is None:
        title = key.partition(":")[2] or key.replace("_", " ")
        raise UserError(f"The points cannot be coloured by “{title}”: the polymers do not differ in it, or lack it.")
    marks = group_marks(GROUP_ROLES, len(found.labels), found.told, ordered=found.ordered)
    return PointGroups(found.trait.words, found.labels, marks, found.of)


def coloured_training(snapshot: Snapshot, points: ParityPoints, key: str, count: int) -> "PointGroups | None":
    """Group the ``count`` measured polymers of the calibration, as :func:`coloured` does."""
    from affinecal_gui.figures.groups import PointGroups, group_marks

    found = coloured(snapshot, points, key)
    if found is None:
        return None
    training = columns_of(snapshot).training_index[points.rows[~points.left_out]]
    of = np.full(count, -1, dtype=np.intp)
    of[training] = found.of[~points.left_out]
    if (of >= 0).all():
        return PointGroups(found.words, found.labels, found.marks, of)
    of[of < 0] = len(found.labels)  # its row is gone already: the study is ahead of its calibration
    return PointGroups(
        found.words, (*found.labels, UNKNOWN), (*found.marks, *group_marks(GROUP_ROLES, 1, 0, ordered=False)), of
    )
