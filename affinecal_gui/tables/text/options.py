"""What a user can choose about how a file is read."""

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

from affinecal_gui.tables.raw_table import DecimalMark, Delimiter


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Choices for one file; None leaves a choice to the program."""

    encoding: str | None = None
    delimiter: Delimiter | None = None
    decimal: DecimalMark | None = None
    thousands: Literal["", ",", ".", " ", "'"] | None = None
    header_line: int | None = None  # 1-based; 0: the file has no headings
    sheet: str | None = None  # of a workbook
    use_flagged: tuple[str, ...] | None = None  # reasons for which simulated values are used though a check says no

    @property
    def chosen(self) -> frozenset[str]:
        """Names of the options that the user chose."""
        return frozenset(f.name for f in dataclasses.fields(self) if getattr(self, f.name) is not None)

    def replace(self, **changes: Any) -> "ReadOptions":
        """Return a copy with some choices changed."""
        return dataclasses.replace(self, **changes)


GUESS = ReadOptions()
