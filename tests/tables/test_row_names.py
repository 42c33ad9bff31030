"""Tables of statistics programs, whose line of headings is one cell shorter than the rows, are read with row names."""

from collections.abc import Sequence

import pytest

from affinecal_gui.errors import UserError
from affinecal_gui.tables.formats.text_tables import read_pasted_text
from tests.tables.said_of import POLYMERS, TG, said_of

NAMES = tuple(f"poly {letter}" for letter in "ABCDEFGHI")
COUNT = tuple(map(str, range(1, 10)))


def written(head: Sequence[str], *columns: Sequence[object], separator: str = " ", quoted: bool = True) -> str:
    """Return a table as ``write.table`` of R writes it: texts in quotation marks, no heading above the row names."""
    mark = '"' if quoted else ""
    lines = [separator.join(f"{mark}{name}{mark}" for name in head)]
    lines += [
        separator.join(f"{mark}{cell}{mark}" if isinstance(cell, str) else str(cell) for cell in row)
        for row in zip(*columns, strict=True)
    ]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("separator", [" ", "\t", ",", ";"])
@pytest.mark.parametrize("names", [COUNT, NAMES], ids=["counted", "named"])
def test_the_first_cell_of_each_row_is_its_name(separator: str, names: tuple[str, ...]) -> None:
    text = written(("smiles", "Tg..K."), names, POLYMERS, TG, separator=separator)
    raw = read_pasted_text(text)
    assert raw.headings == ("row", "smiles", "Tg..K.")
    assert [list(column) for column in raw.columns] == [list(names), list(POLYMERS), list(map(str, TG))]
    assert said_of(text) == ""


@pytest.mark.parametrize("separator", [" ", "\t", ",", ";"])
@pytest.mark.parametrize("quoted", [True, False])
def test_repeat_units_may_be_the_row_names(separator: str, quoted: bool) -> None:
    assert said_of(written(("Tg..K.",), POLYMERS, TG, separator=separator, quoted=quoted)) == ""


@pytest.mark.parametrize("separator", ["\t", ","])
def test_a_last_column_without_heading_makes_no_row_names(separator: str) -> None:
    text = written(("name", "smiles", "Tg (K)"), NAMES, POLYMERS, TG, [3, 1, 4, 1, 5, 9, 2, 6, 5], separator=separator)
    assert read_pasted_text(text).headings[:3] == ("name", "smiles", "Tg (K)")
    assert said_of(text) == "Beside “Tg (K)”, columns of numbers are not used: “column 4”."


@pytest.mark.parametrize("head", ["smiles,Tg (K)", "Tg (K),smiles"])
def test_a_decimal_comma_between_commas_makes_no_row_names(head: str) -> None:
    rows = [f"{t:.0f},5,{p}" if head.startswith("Tg") else f"{p},{t:.0f},5" for p, t in zip(POLYMERS, TG, strict=True)]
    with pytest.raises(UserError, match="a decimal comma needs quotation marks"):
        said_of("\n".join((head, *rows)))
