"""The views of a study: made piece by piece behind the first window, and shown a snapshot one after the other.

Making all of them, or showing a result in all of them, takes longer than a window may be deaf. Here every turn of the
event loop gets one piece, so that a click or a key is never far from being heard.
"""

from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QThread, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.parts.theme.plotting_ahead import plotting_by_steps
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.running.in_steps import at_once, one_step
from affinecal_gui.ui.running.making_ahead import MakingAhead
from affinecal_gui.ui.running.paint_turns import paint_turns
from affinecal_gui.ui.views.study_view import DrawsPictures, FollowsSelection, ShowsChoices, TakesSteps
from affinecal_gui.ui.window.view_list import CENTRE_COLUMNS, LINES, PAIR, VIEWS

if TYPE_CHECKING:  # the first window does not wait for these
    from affinecal_gui.ui.views.model.model_panel import ModelPanel
    from affinecal_gui.ui.views.plots.coefficients.coefficient_view import CoefficientView
    from affinecal_gui.ui.views.plots.parity.parity_view import ParityView
    from affinecal_gui.ui.views.plots.residual_view import ResidualView
    from affinecal_gui.ui.views.polymers.data_panel import DataPanel
    from affinecal_gui.ui.views.polymers.inspector.inspector import Inspector
    from affinecal_gui.ui.window.layout.view_pair import ViewPair

VIEW_NAMES = (*(line.name for line in VIEWS), PAIR)
"""Names of all that is made, in that order."""


class StudyViews(QObject):
    """Makes and feeds the views. A view that is asked for before its turn is made at once."""

    made = Signal(str)  # name of a view that is there now, to be placed and connected
    completed = Signal()  # every view is there
    settled = Signal(object)  # Snapshot, once every view has taken it over

    def __init__(self, ahead: MakingAhead, parent: QObject | None = None) -> None:
        """Make no view yet; ``ahead`` is what makes them when their turn comes."""
        super().__init__(parent)
        self._ahead = ahead
        self._views: dict[str, Any] = {}
        self._prepared: dict[str, Any] = {}  # made, but not placed yet
        self._snapshot = Snapshot()
        self._selected = ""
        self._waiting: list[str] = []  # views that have not taken over the snapshot, the next one first
        self._taking_over = ""  # the view that is doing so
        self._steps: Iterator[None] = iter(())  # what it still has to do
        self._to_select: list[str] = []  # views that show another polymer as the chosen one
        self._to_tell: Callable[[], object] | None = None  # what there is to say about the chosen polymer
        self._is_painting = False  # what the last turn changed
        self._has_settled = True
        self._turns = QTimer(self)
        self._turns.setInterval(0)
        self._turns.timeout.connect(self._do_one)
        ahead.ended.connect(self._turns.start)  # what waited for the views to be made goes on

    # -- the views ------------------------------------------------------------------------------------------------

    @property
    def data_panel(self) -> "DataPanel":
        """The tables, and the list of polymers."""
        view: DataPanel = self.view("data_panel")
        return view

    @property
    def model_panel(self) -> "ModelPanel":
        """Target, calibrators, penalties and parameters."""
        view: ModelPanel = self.view("model_panel")
        return view

    @property
    def inspector(self) -> "Inspector":
        """What there is to say about one polymer."""
        view: Inspector = self.view("inspector")
        return view

    @property
    def parity_view(self) -> "ParityView":
        """Predicted against measured values."""
        view: ParityView = self.view("parity_view")
        return view

    @property
    def residual_view(self) -> "ResidualView":
        """How far predictions are off."""
        view: ResidualView = self.view("residual_view")
        return view

    @property
    def coefficient_view(self) -> "CoefficientView":
        """The coefficients of the descriptor blocks."""
        view: CoefficientView = self.view("coefficient_view")
        return view

    @property
    def view_pair(self) -> "ViewPair":
        """The two plots side by side."""
        view: ViewPair = self.view("view_pair")
        return view

    def view(self, name: str) -> Any:
        """Return a view; one that is new is announced, and shows the present snapshot."""
        known = self._views.get(name)
        if known is not None:
            return known
        prepared = self._prepared.pop(name, None)
        view = prepared if prepared is not None else at_once(self.make(name))
        self._views[name] = view
        self.made.emit(name)
        if name in LINES:
            self._feed(name)
        if self.is_complete:
            self.completed.emit()
        return view

    def _making(self, name: str) -> Iterator[None]:
        """Make a view step by step; placing it takes as long again, and is another step."""
        if name in self._views:
            return
        made = yield from self.make(name)
        if name in self._views:  # it was asked for meanwhile
            made.deleteLater()
        else:
            self._prepared[name] = made

    def make(self, name: str) -> Generator[None, None, QObject]:
        """Make a view, a step at a time."""
        if name == PAIR:
            from affinecal_gui.ui.window.layout.view_pair import ViewPair

            return ViewPair([[(self.view(line.name), line.title) for line in column] for column in CENTRE_COLUMNS])
        view_class = LINES[name].load()
        made: QObject = (yield from view_class.in_steps()) if hasattr(view_class, "in_steps") else view_class()
        return made

    @property
    def is_complete(self) -> bool:
        """Whether every view is there."""
        return len(self._views) == len(VIEW_NAMES)

    def has(self, name: str) -> bool:
        """Whether a view has been made."""
        return name in self._views

    def make_all(self) -> None:
        """Make what is missing, now."""
        for name in VIEW_NAMES:
            self.view(name)

    def make_ahead(self) -> None:
        """Make what is missing, one step a turn."""
        self._ahead.take(plotting_by_steps())
        for name in VIEW_NAMES:
            if name in LINES:
                self._ahead.take(LINES[name].load_in_steps())
            self._ahead.take(self._making(name))
            self._ahead.take(one_step(partial(self.view, name)))

    # -- what they show -------------------------------------------------------------------------------------------

    @property
    def is_settled(self) -> bool:
        """Whether every view shows the present snapshot, and none is being made."""
        return not self._turns.isActive() and not self._ahead.is_under_way

    @property
    def is_drawing(self) -> bool:
        """Whether pictures of structures are still to come."""
        return any(view.is_drawing for view in self._with_pictures())

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show another state of the study: the choices at once, everything else as its turn comes."""
        self._snapshot = snapshot
        self._has_settled = False
        # What the user chooses next starts from the choices shown, which must not be those of before.
        choices = {name: view for name, view in self._views.items() if isinstance(view, ShowsChoices)}
        for view in choices.values():
            view.show_choices(snapshot)
        # Where the user is choosing, the answer comes first. A view that has waited through one snapshot does not go to
        # the end of the queue because of another.
        self._waiting += [name for name in {**choices, **LINES} if name not in self._waiting]
        self._turns.start()

    def show_selection(self, key: str) -> None:
        """Show this polymer as the chosen one, in one view a turn."""
        self._selected = key
        self._to_select = [name for name, view in self._views.items() if isinstance(view, FollowsSelection)]
        if QThread.currentThread().loopLevel():
            self._turns.start()
        while self._to_select and not self._turns.isActive():  # nobody is waiting for an answer
            self._select_in_one()

    def _select_in_one(self) -> None:
        name = self._to_select.pop(0)
        if name in self._views and name not in self._waiting and name != self._taking_over:
            self._views[name].show_selection(self._selected)

    def tell(self, show: Callable[[], object]) -> None:
        """Let what there is to say about the chosen polymer be shown when its turn comes; only the last one counts."""
        self._to_tell = show
        self._turns.start()

    def colour_in_steps(self, theme: Theme) -> Iterator[None]:
        """Take over other colours, in one view a step; views that are made later ask for the theme themselves."""
        for name, view in {**self._prepared, **self._views}.items():
            if name != PAIR and isValid(view):
                view.apply_theme(theme)
                yield

    def close(self) -> None:
        """Stop making, feeding and drawing."""
        self._turns.stop()
        self._waiting.clear()
        self._stop_taking_over()
        self._ahead.stop()
        self._to_select.clear()
        self._to_tell = None
        for view in self._with_pictures():
            view.close_thumbnails()

    def _with_pictures(self) -> list[DrawsPictures]:
        views = {**self._prepared, **self._views}
        return [view for view in views.values() if isinstance(view, DrawsPictures)]

    def _feed(self, name: str) -> None:
        """Show a view the present snapshot, now."""
        if name == self._taking_over:
            self._stop_taking_over()
        if name in self._waiting:
            self._waiting.remove(name)
        view = self._views[name]
        view.show_snapshot(self._snapshot)
        if isinstance(view, FollowsSelection):
            view.show_selection(self._selected)

    def _begin_to_take_over(self) -> None:
        """Let the view that has waited longest show the snapshot, step by step and unpainted until it is done."""
        name = self._waiting.pop(0)
        if name not in self._views:
            return  # it is shown the snapshot when it is made
        view: QWidget = self._views[name]
        view.setUpdatesEnabled(False)
        self._taking_over, self._steps = name, self._take_over(name)

    def _take_over(self, name: str) -> Iterator[None]:
        view = self._views[name]
        if isinstance(view, TakesSteps):
            yield from view.show_in_steps(self._snapshot)
        else:
            view.show_snapshot(self._snapshot)
        if isinstance(view, FollowsSelection):
            yield
            view.show_selection(self._selected)

    def _take_a_step(self) -> None:
        try:
            next(self._steps)
        except StopIteration:
            self._stop_taking_over()
        except Exception:
            self._stop_taking_over()
            raise

    def _stop_taking_over(self) -> None:
        name, self._taking_over, self._steps = self._taking_over, "", iter(())
        if name in self._views:
            self._views[name].setUpdatesEnabled(True)

    @Slot()
    def _do_one(self) -> None:
        paint_turns().begin()
        self._is_painting = not self._is_painting
        if not self._is_painting or paint_turns().is_painting:
            return  # so that painting what was changed does not add to changing the next view
        if self._to_select:
            self._select_in_one()
            return
        if self._to_tell is not None:
            show, self._to_tell = self._to_tell, None
            show()
            return
        if self._taking_over:
            self._take_a_step()
            return
        if self._waiting:
            self._begin_to_take_over()
            return
        self._turns.stop()
        if not self._has_settled and not self._ahead.is_under_way:
            self._has_settled = True
            self.settled.emit(self._snapshot)
