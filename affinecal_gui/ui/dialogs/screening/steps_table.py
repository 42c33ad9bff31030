"""What to do next as a table: structure, repeat unit, the step, what it gains for its cost, and what is known now."""

import math
from collections.abc import Sequence

from affinecal_gui.tasks.screening.next_steps import MEASURE, SIMULATE, NextStep
from affinecal_gui.tasks.screening.results.so_far import Candidate, candidate_of
from affinecal_gui.ui.dialogs.screening.candidates_table import (
    INTERVAL,
    REMARKS,
    VALUE,
    CandidatesModel,
    CandidatesTable,
    chance_text,
    remarks_of,
)
from affinecal_gui.ui.parts.number_text import number_text, range_text, significant

NO_STEPS = (
    "Say what is wished and tick “List next steps”: what to measure and to simulate next is listed here in the end."
)
_WORDS = {MEASURE: "Measure", SIMULATE: "Simulate"}


class StepsModel(CandidatesModel):
    """Steps, the best first."""

    _steps: Sequence[NextStep] = ()

    def name_values(self, unit: str, level: float) -> None:
        """Say in which unit values are; the intervals stand beside them."""
        value = f"Value, {unit}" if unit else "Value"
        self.titles = ("", "Structure", "Repeat unit", "Step", "Gain for its cost", value)
        super().name_values_changed()

    def show_steps(self, steps: Sequence[NextStep], of: str) -> None:
        """Take over others; ``of`` follows the names of the columns of the property whose values are shown."""
        self._steps = steps
        self.show_candidates([candidate_of(one.cells, of) for one in steps])

    def to_simulate(self, rows: Sequence[int]) -> list[Candidate]:
        """Return the candidates of these rows, or of all steps that are simulations where there are none."""
        wanted = rows or [number for number, one in enumerate(self._steps) if one.kind == SIMULATE]
        return [self.candidates[row] for row in wanted]

    def text(self, row: int, column: int) -> str:
        """Return what a cell says."""
        step = self._steps[row]
        if column == VALUE:
            return _WORDS[step.kind]
        if column == INTERVAL:
            return significant(step.gain_per_cost)
        if column == REMARKS:
            one = self.candidates[row]
            chance = f" · {chance_text(one.chance)} probable" if math.isfinite(one.chance) else ""
            return f"{number_text(one.value, self.decimals)}{chance}"
        return super().text(row, column)

    def note(self, row: int, column: int) -> str:
        """Return the second, smaller line of a cell."""
        step = self._steps[row]
        if column == VALUE:
            return f"cost {step.cost:g}"
        if column == INTERVAL:
            return f"gain {significant(step.gain)}"
        if column == REMARKS:
            one = self.candidates[row]
            mind = "" if one.inside else f" · {remarks_of(one)[0]}"
            return f"{range_text(one.lower, one.upper, self.decimals)}{mind}"
        return super().note(row, column)


class StepsTable(CandidatesTable):
    """The table; Ctrl+C copies the selected rows for a spreadsheet."""

    candidates: StepsModel

    def made_model(self) -> CandidatesModel:
        """Return what the table shows."""
        self.setObjectName("stepsTable")
        self.setAccessibleName("What to measure and to simulate next")
        return StepsModel(self)

    @property
    def nothing_yet(self) -> str:
        """What is said while there is nothing."""
        return NO_STEPS

    @property
    def chosen_to_simulate(self) -> list[Candidate]:
        """The polymers of the selected steps, or of all simulations where none is selected."""
        return self.candidates.to_simulate(sorted(index.row() for index in self.selectionModel().selectedRows()))

    def show_steps(self, steps: Sequence[NextStep], of: str) -> None:
        """Take over others."""
        self.candidates.show_steps(steps, of)
        self.share_room()
