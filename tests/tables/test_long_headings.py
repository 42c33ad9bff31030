"""Headings of any length, and any number of them: the work grows with what is looked at, which is counted, not timed."""

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from tests.tries import tries


def table_of(folder: Path, headings: list[str]) -> RawTable:
    """A table of three polymers with a number under each heading."""
    path = folder / "table.csv"
    quoted = ['"' + heading.replace('"', '""') + '"' for heading in ["smiles", *headings]]
    lines = [",".join(quoted), *(",".join([unit, *["1.5"] * len(headings)]) for unit in ("*CC*", "*CO*", "*CCC*"))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return read_table(path)


def steps(work: Callable[[], object]) -> int:
    """Count the calls of functions that some work takes."""
    count = 0

    def counted(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    former = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(former)
    return count


LONG = {
    "units": "Cp [" + "J/(kg K)" * 16_000 + "]",
    "units with blanks": "Cp [" + "J/(kg K) " * 14_000 + "]",
    "open brackets": "Cp " + "(" * 130_000,
    "closed brackets": "Cp " + ")" * 130_000,
    "nested brackets": "Cp " + "[" * 65_000 + "]" * 65_000,
    "pairs of brackets": "Cp " + "(K)" * 43_000,
    "words with strokes": "a_b_c_" * 21_000,
    "camel case": "CpTgRho" * 18_000,
    "two scripts": "比熱Cp密度" * 16_000,
    "digits": "Cp " + "1" * 130_000,
    "digits after a word": "smiles_" + "1" * 9_000,
    "powers": "Cp [J" + "-1" * 65_000 + "]",
    "words": "Cp " + "at " * 43_000,
    "formulas": r"$\mathrm{" * 14_000,
}


@pytest.mark.parametrize("kind", LONG)
def test_a_long_heading_costs_a_bounded_number_of_steps(kind: str, tmp_path: Path) -> None:
    def read(length: int) -> Callable[[], object]:
        raw = table_of(tmp_path, [LONG[kind][:length]])

        def work() -> None:
            with suppress(TableError):  # a unit that cannot be read is refused
                to_polymer_table(raw, guess_roles(raw))

        return work

    read(3)()  # what is made once
    assert steps(read(len(LONG[kind]))) < 200_000  # of 130,000 characters


@pytest.mark.parametrize(
    "heading", ["Cp [J/(kg K)]", "Tg_{} (K)", "density [g/cm3] at {} K", "x{}", "Cp {}", "E_{} [GPa]", "Cp,unit {}"]
)
def test_the_work_grows_with_the_number_of_columns_and_no_faster(heading: str, tmp_path: Path) -> None:
    def read(count: int) -> Callable[[], object]:
        raw = table_of(tmp_path, [heading.replace("{}", str(100 + number)) for number in range(count)])
        return lambda: guess_roles(raw)

    read(3)()
    few, many = steps(read(50)), steps(read(200))
    assert many < 5.5 * few


@settings(max_examples=tries(40), deadline=None)
@given(st.text(alphabet="ab_1 ([{/^-·K比λ.,%$\\", max_size=12), st.integers(1, 600))
def test_no_heading_is_a_fault(tmp_path_factory: pytest.TempPathFactory, part: str, times: int) -> None:
    raw = table_of(tmp_path_factory.getbasetemp(), [part * times, "Cp [J/(kg K)]"])
    assert guess_roles(raw).columns[0].role == "smiles"
