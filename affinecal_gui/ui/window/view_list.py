"""The views of a study, one line each: how a view is made, when it is fed and where it lies follow from its line."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

Place = Literal["left", "right", "bottom", "centre"]


@dataclass(frozen=True, slots=True)
class ViewLine:
    """One view. Its class is named rather than imported, because the first window does not wait for it."""

    name: str
    title: str  # of its dock or its tab
    place: Place
    module: str  # below affinecal_gui.ui.views
    class_name: str
    dock: str = ""  # object name of its dock; layouts are stored under it

    def load(self) -> Any:
        """Import and return the class, a :class:`~affinecal_gui.ui.views.study_view.StudyView`."""
        return getattr(import_module(f"affinecal_gui.ui.views.{self.module}"), self.class_name)


VIEWS = (
    ViewLine("data_panel", "Data", "left", "polymers.data_panel", "DataPanel", "dataDock"),
    ViewLine("model_panel", "Model", "right", "model.model_panel", "ModelPanel", "modelDock"),
    ViewLine("inspector", "Inspector", "bottom", "polymers.inspector", "Inspector", "inspectorDock"),
    ViewLine("parity_view", "Parity", "centre", "plots.parity_view", "ParityView"),
    ViewLine("coefficient_view", "Coefficients", "centre", "plots.coefficient_view", "CoefficientView"),
)
"""In the order in which they are made and stand in the menu."""
