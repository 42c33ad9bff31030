"""The matching of two tables as lines that a person can read, and as a CSV file."""

import dataclasses
import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from affinecal_gui.tables.matching.matching import MatchReport
from affinecal_gui.tables.matching.polymer_reports import Polymer
from affinecal_gui.tables.matching.suggestions import SuggestedPartner
from affinecal_gui.tables.problems import RowProblem
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.writing.csv_export import PLAIN, CsvStyle, write_table
from affinecal_gui.task import UNWATCHED, Task

MatchState = Literal[
    "matched",
    "matched after rewriting",
    "linked by hand",
    "ambiguous",
    "no MD value",
    "no measured value",
    "invalid",
    "left out",
]
COLUMNS = (
    "state",
    "measured lines",
    "measured name",
    "measured smiles",
    "measured value",
    "MD lines",
    "MD name",
    "MD smiles",
    "MD value",
    "matched by",
    "reason",
    "suggestion",
)


@dataclass(frozen=True, slots=True)
class MatchLine:
    """What became of one measured polymer, or of one row that could not be used."""

    state: MatchState
    measured_lines: tuple[int, ...]
    measured_name: str
    measured_smiles: str
    measured_value: float = math.nan  # canonical unit of the property
    md_lines: tuple[int, ...] = ()
    md_name: str = ""
    md_smiles: str = ""
    md_value: float = math.nan
    matched_by: str = ""  # "id", "repeat unit" or "by hand"
    reason: str = ""  # a sentence
    suggestion: str = ""
    measured: int = -1  # index into MatchReport.measured; -1 for a row that is no measured polymer
    library: int = -1  # index into MatchReport.library, of the MD value that was found


def match_lines(
    report: MatchReport, measured: PolymerTable, md: PolymerTable, suggestions: Iterable[SuggestedPartner] = ()
) -> tuple[MatchLine, ...]:
    """Return one line for every measured polymer and for every row of the measured file that is not used, in file order.

    The rows of all lines together are the rows of the measured file, each once.
    """
    nearest = {suggestion.measured: suggestion.sentence for suggestion in suggestions}
    lines: list[MatchLine] = []
    for link in report.links:
        one, other = report.measured[link.measured], report.library[link.library]
        state: MatchState = "matched after rewriting" if link.rewritten else "matched"
        if link.way == "by hand":
            state = "linked by hand"
        line = _line(state, one, measured, other, md, link.way, link.note or one.note or other.note)
        lines.append(dataclasses.replace(line, measured=link.measured, library=link.library))
    for unmatched in report.unmatched:
        one = report.measured[unmatched.measured]
        suggestion = nearest.get(unmatched.measured, "")
        line = _line(unmatched.state, one, measured, None, md, "", unmatched.reason, suggestion)
        lines.append(dataclasses.replace(line, measured=unmatched.measured))
    lines += [
        MatchLine(
            "no measured value",
            (measured.lines[row],),
            measured.label(row),
            measured.smiles[row],
            reason="This row has no measured value of the property.",
        )
        for row in report.measured_without_value
    ]
    rejected = [problem for problem in measured.problems if problem.rejects_row]
    lines += [_invalid(problem) for problem in (*rejected, *report.measured_invalid)]
    return tuple(sorted(lines, key=lambda line: line.measured_lines))


def _line(
    state: MatchState,
    one: Polymer,
    measured: PolymerTable,
    other: Polymer | None,
    md: PolymerTable,
    way: str,
    reason: str,
    suggestion: str = "",
) -> MatchLine:
    row = one.rows[0]
    return MatchLine(
        state,
        tuple(measured.lines[i] for i in one.rows),
        measured.names[row] or measured.ids[row],
        measured.smiles[row],
        one.value,
        () if other is None else tuple(md.lines[i] for i in other.rows),
        "" if other is None else md.ids[other.rows[0]] or md.names[other.rows[0]],
        "" if other is None else md.smiles[other.rows[0]],
        math.nan if other is None else other.value,
        way,
        reason,
        suggestion,
    )


def _invalid(problem: RowProblem) -> MatchLine:
    reason = f"{problem.reason[:1].upper()}{problem.reason[1:]}."
    return MatchLine("invalid", (problem.line,), problem.text, "", reason=reason, suggestion=problem.suggestion)


def write_match_report(
    path: str | os.PathLike[str],
    lines: Sequence[MatchLine],
    *,
    style: CsvStyle = PLAIN,
    overwrite: bool = False,
    task: Task = UNWATCHED,
) -> None:
    """Write the lines as CSV; see :func:`affinecal_gui.files.write_atomically` for the errors."""
    rows = (
        (
            line.state,
            ", ".join(map(str, line.measured_lines)),
            line.measured_name,
            line.measured_smiles,
            line.measured_value,
            ", ".join(map(str, line.md_lines)),
            line.md_name,
            line.md_smiles,
            line.md_value,
            line.matched_by,
            line.reason,
            line.suggestion,
        )
        for line in lines
    )
    write_table(path, COLUMNS, rows, style=style, overwrite=overwrite, task=task)
