"""A row of a file, or one value of it, that cannot be used: where it is, why, and what to do."""

from dataclasses import dataclass

LIKE_TOTALS = "it looks like a line of totals"
"""How the reason begins for which a line of totals is left out."""


@dataclass(frozen=True, slots=True)
class RowProblem:
    """A row, or one value of it, that is not used."""

    line: int  # 1-based, in the file
    column: str  # heading; "" when it concerns the whole row
    text: str  # what stands there
    reason: str  # a clause: "“n. b.” is not a number"
    suggestion: str = ""
    rejects_row: bool = True  # False: the row is used, but not this value of it

    @property
    def is_total(self) -> bool:
        """Whether the row was taken for a line of totals: no polymer is missing then."""
        return self.reason.startswith(LIKE_TOTALS)

    def sentence(self, file: str) -> str:
        """Say it in one sentence, as messages and reports show it."""
        where = f"{file}, line {self.line}" + (f", {self.column}" if self.column else "")
        return f"{where}: {self.reason}."
