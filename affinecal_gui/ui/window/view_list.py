"""The views of a study, one line each: how a view is made, when it is fed and where it lies follow from its line."""

from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any, Literal, NamedTuple

Place = Literal["left", "right", "bottom", "centre"]


class ViewLine(NamedTuple):
    """One view. Its class is named rather than imported, because the first window does not wait for it."""

    name: str
    title: str  # of its dock or its tab
    place: Place
    module: str  # below affinecal_gui.ui.views
    class_name: str
    dock: str = ""  # object name of its dock; layouts are stored under it
    behind: str = ""  # name of a view of the centre, behind whose tab it lies
    parts: tuple[str, ...] = ()  # modules of it that take long to import, and get a turn each

    def load(self) -> Any:
        """Import and return the class, a :class:`~affinecal_gui.ui.views.study_view.StudyView`."""
        return getattr(_import(self.module), self.class_name)

    def load_in_steps(self) -> Iterator[None]:
        """Import the class, a step at a time."""
        for module in (*self.parts, self.module):
            _import(module)
            yield


def _import(module: str) -> ModuleType:
    return import_module(f"affinecal_gui.ui.views.{module}")


VIEWS = (
    ViewLine(
        "data_panel",
        "Data",
        "left",
        "polymers.data_panel",
        "DataPanel",
        "dataDock",
        parts=("polymers.table.polymer_cells", "polymers.table.polymer_table", "polymers.tables_list"),
    ),
    ViewLine("model_panel", "Model", "right", "model.model_panel", "ModelPanel", "modelDock"),
    ViewLine("inspector", "Inspector", "bottom", "polymers.inspector.inspector", "Inspector", "inspectorDock"),
    ViewLine("parity_view", "Parity", "centre", "plots.parity.parity_view", "ParityView"),
    ViewLine("residual_view", "Residuals", "centre", "plots.residual_view", "ResidualView", behind="parity_view"),
    ViewLine("coefficient_view", "Coefficients", "centre", "plots.coefficients.coefficient_view", "CoefficientView"),
)
"""In the order in which they are made and stand in the menu."""

CENTRE_COLUMNS = tuple(
    tuple(other for other in VIEWS if line.name in (other.name, other.behind))
    for line in VIEWS
    if line.place == "centre" and not line.behind
)
"""The views of the centre from left to right; those of a column share its place."""

PAIR = "view_pair"
"""What holds the views of the centre; it is made when they are there, and shows nothing of its own."""

LINES = {line.name: line for line in VIEWS}
