"""What the rows of a table say of themselves that could not be used, for results with a row for each row of the file."""

from dataclasses import dataclass

from affinecal_gui.tables.cells.formula_texts import restored
from affinecal_gui.tables.evidence.copolymer_columns import polymer_columns
from affinecal_gui.tables.headings.role_names import Role
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.values.polymer_table import PolymerTable


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """A row of the file without a polymer in the table."""

    line: int  # 1-based, in the file
    id: str  # "" where it cannot be read, like the next two
    name: str
    smiles: str  # as written, sound or not
    reason: str  # a clause


def rejected_rows(raw: RawTable, table: PolymerTable) -> tuple[RejectedRow, ...]:
    """Return the rows of a file that its table of polymers rejects, in their order.

    Lines of totals are not among them: they stand for no polymer. Of very many rows with too many cells only the first are,
    because the reader does not keep the others.

    Parameters
    ----------
    raw
        The file.
    table
        Made from it.
    """
    problems = [problem for problem in table.problems if problem.rejects_row and not problem.is_total]
    if not problems or table.roles is None:
        return ()
    row_of = {line: row for row, line in enumerate(raw.lines.tolist())}
    text_of = {skipped.line: skipped.text for skipped in raw.skipped if skipped.kind == "ragged"}
    first: dict[Role, int] = {
        role: column.column for role in ("id", "name") if (column := table.roles.first(role)) is not None
    }
    units = polymer_columns(table.roles)
    found = []
    for problem in problems:
        row = row_of.get(problem.line)
        # Of a row with too many cells the first ones are most likely where they should be; what is no repeat unit is not.
        cells = raw.row(row) if row is not None else tuple(text_of.get(problem.line, "").split(", "))

        def cell(role: Role, cells: tuple[str, ...] = cells) -> str:
            number = first.get(role)
            return restored(cells[number]) if number is not None and number < len(cells) else ""

        smiles = ""
        if units is not None and len(cells) > max(units.all):
            smiles = restored(units.text(cells))
        if row is None and "*" not in smiles:
            smiles = ""
        found.append(RejectedRow(problem.line, cell("id"), cell("name"), smiles, problem.reason))
    return tuple(found)
