"""What is said when fewer polymers than a calibration needs have both values: how many, and why not the others."""

from collections.abc import Iterator, Mapping

import numpy as np

from affinecal_gui.calibration.data.problem import FEWEST_POLYMERS
from affinecal_gui.errors import UserError
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.snapshot import RowState
from affinecal_gui.tables.errors import shortened

MOST_SHOWN = 10


class TooFewPolymers(UserError):  # noqa: N818 - read as a sentence, as UserError's others are
    """Fewer than eight polymers are left; the text points to the table of polymers, which a window shows.

    Attributes
    ----------
    used
        How many are left.
    sentence
        How many that is, how many it takes, and what became of the others.
    in_full
        The text for who sees no such table: with a line for each measured row that has no partner, ten at most.
    """

    def __init__(self, assembly: Assembly, states: Mapping[int, RowState], reasons: Mapping[int, str]) -> None:
        used = self.used = sum(state == "used" for state in states.values())
        text, causes = _count(assembly, used), _causes(assembly, states)
        which = "Of the others" if used else "Of these"
        self.sentence = f"{text} {which}, {causes}." if causes else text
        super().__init__(f"{text} {which}, {causes}; the polymer table says why for each." if causes else text)
        lines = list(_others(assembly, states, reasons))
        if len(lines) > MOST_SHOWN:
            lines[MOST_SHOWN:] = [f"... and {len(lines) - MOST_SHOWN} more."]
        first = f"{text} {which}, {causes}:" if causes else text
        self.in_full = "\n  ".join((first, *lines))


def _count(assembly: Assembly, used: int) -> str:
    if used == 0:
        return (
            f"None of the {len(assembly.measured)} measured polymers has an MD value that can be used; a calibration "
            f"needs at least {FEWEST_POLYMERS}."
        )
    have = f"{used} measured polymer{'s' if used != 1 else ''} {'have' if used != 1 else 'has'}"
    return f"Only {have} an MD value and can be used; a calibration needs at least {FEWEST_POLYMERS}."


def _causes(assembly: Assembly, states: Mapping[int, RowState]) -> str:
    left_out = sum(state == "left out" for state in states.values())
    invalid = sum(state == "invalid" for number, state in states.items() if number < len(assembly.measured))
    unmatched = len(assembly.measured) - int(np.sum(assembly.measured_library >= 0))
    side = assembly.measured_side
    rejected = 0 if side is None else sum(problem.rejects_row for problem in side.table.problems) - len(side.left_out)
    unreadable = rejected + (len(assembly.report.measured_invalid) if assembly.report is not None else 0)
    causes = []
    if unmatched:
        causes.append(f"{unmatched} {'is' if unmatched == 1 else 'are'} not in the MD table")
    if left_out:
        causes.append(f"{left_out} {'is' if left_out == 1 else 'are'} left out")
    if invalid:
        causes.append(f"{invalid} cannot be used")
    if unreadable:
        causes.append(f"{unreadable} {'row' if unreadable == 1 else 'rows'} cannot be read")
    if side is not None and side.left_out:
        count = len(side.left_out)
        causes.append(f"{count} {'row is' if count == 1 else 'rows are'} of another temperature or phase")
    return ", ".join(causes)


def _others(assembly: Assembly, states: Mapping[int, RowState], reasons: Mapping[int, str]) -> Iterator[str]:
    """Yield a line about each measured polymer without a partner, then about each measured row that cannot be read."""
    report, side = assembly.report, assembly.measured_side
    if report is None or side is None:
        return
    names = {loaded.key: loaded.table.name for loaded in assembly.tables}
    for number, polymer in enumerate(report.measured):
        if states.get(number) == "used":
            continue
        row = assembly.rows[number]
        file = names.get(row.key.partition(".")[0], side.table.name)
        yield f"{file}, line {side.table.lines[polymer.rows[0]]}, {shortened(row.label)}: " + (
            reasons.get(number) or row.reason or "You left it out of the fit."
        )
    for problem in (*side.table.problems, *report.measured_invalid):
        if problem.rejects_row:
            label = f", {shortened(problem.text)}" if problem.text else ""
            yield f"{side.table.name}, line {problem.line}{label}: {problem.reason[:1].upper()}{problem.reason[1:]}."
