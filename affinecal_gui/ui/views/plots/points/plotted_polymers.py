"""Which polymers the points of a plot stand for: keys, words and numbers of points, and the walk from one to the next."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from affinecal_gui.calibration.results import ModelName
from affinecal_gui.study.data.row_columns import RowColumns
from affinecal_gui.study.shown.parity_points import ParityPoints, Stage
from affinecal_gui.study.snapshot import PolymerRow, Snapshot
from affinecal_gui.ui.views.plots.points.point_names import points_to_name
from affinecal_gui.ui.views.plots.points.point_words import numbers_of_point

_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}


@dataclass(frozen=True, slots=True, eq=False)
class PlottedPolymers:
    """The polymers of one drawing, as they were when it was drawn. A point is a number from 0; -1 is none."""

    snapshot: Snapshot
    columns: RowColumns  # of the rows of the snapshot
    points: ParityPoints
    model: ModelName  # the calibrator drawn large
    stage: Stage

    def row(self, point: int) -> PolymerRow:
        """Return the row that a point shows."""
        return self.snapshot.rows[int(self.points.rows[point])]

    def key_of(self, point: int) -> str:
        """Return the key of the row that a point shows."""
        return self.row(point).key

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of all rows shown, in the order of the points."""
        return tuple(self.snapshot.rows[row].key for row in self.points.rows)

    def point_of(self, key: str) -> int:
        """Return the point that shows the row of this key."""
        return self.points.point_of(key, self.columns)

    def points_of(self, keys: Iterable[str]) -> list[int]:
        """Return the points of these rows; rows that are not drawn have none."""
        return [point for point in map(self.point_of, keys) if point >= 0]

    def to_name(self, keys: Iterable[str]) -> list[tuple[int, str]]:
        """Return the points that get a name while these rows are selected, each with its name."""
        predicted = self.points.models[self.model].value
        named = points_to_name(set(self.points_of(keys)), self.points.measured, predicted)
        return [(point, self.row(point).label) for point in named]

    def numbers(self, point: int, model: ModelName) -> list[tuple[str, str]]:
        """Return words and numbers of a point under a calibrator."""
        return numbers_of_point(self.snapshot, self.points, point, model, self.stage)

    def describe(self, key: str) -> str:
        """Return a sentence about the selected row for a screen reader; nothing where it is not drawn."""
        point = self.point_of(key)
        if point < 0:
            return ""
        numbers = "; ".join(" ".join(pair) for pair in self.numbers(point, self.model))
        return f". Selected: {self.row(point).label}: {numbers}"


def next_point(event: QKeyEvent, order: Sequence[int], current: int) -> int | None:
    """Return the point to which an arrow key leads, -1 where there is no further one, None for other keys.

    Parameters
    ----------
    order
        The points in the order in which they are walked through.
    current
        Where the walk is; a point that is not in the order is before its beginning or behind its end.
    """
    step = _STEPS.get(Qt.Key(event.key()))
    if step is None:
        return None
    if current not in order:
        return order[0 if step > 0 else -1] if order else -1
    place = order.index(current) + step
    return order[place] if 0 <= place < len(order) else -1
