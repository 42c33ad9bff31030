"""What is said of two small tables where nobody can be asked, as on the command line."""

from collections.abc import Sequence
from dataclasses import replace

from affinecal_gui.study.data.assembly import assemble
from affinecal_gui.tasks.reading.data_files import DataFiles, read_study
from tests.tables.making import pasted

POLYMERS = ("*CC*", "*CC(*)C", "*CC(*)Cl", "*CCO*", "*CC(*)C#N", "*CC(*)O", "*CC(F)(F)*", "*CC(*)(C)C(=O)OC", "*CC(*)F")
TG = (195.0, 260.0, 354.0, 206.0, 370.0, 358.0, 233.0, 378.0, 314.0)
"""Glass transition temperatures in K, of the usual size, in the order of the polymers."""
MD_TG = (210.0, 281.0, 370.0, 232.0, 388.0, 379.0, 250.0, 401.0, 330.0)


def table(headings: Sequence[str], *columns: Sequence[object]) -> str:
    """Return a table as text, divided by tabs."""
    return "".join("\t".join(map(str, row)) + "\n" for row in (headings, *zip(*columns, strict=True)))


MD = table(("smiles", "Tg (K)"), POLYMERS, MD_TG)


def said_of(measured: str, md: str = MD, **named: str) -> str:
    """Return everything that is said of a measured and an MD table: notes, remarks and rows that are not used.

    Raises
    ------
    UserError
        The tables are refused.
    """
    files = (replace(pasted(text, name), path=name) for text, name in ((measured, "exp.csv"), (md, "md.csv")))
    state, tables = read_study(DataFiles(*files, **named))
    found = assemble(state.tables, state.quantity)
    doubts = [doubt.sentence for doubt in found.unit_doubts]
    remarks = [remark for one in tables for remark in one.remarks(state.quantity.key)]
    problems = [problem.reason for one in tables for problem in one.problems]
    return "\n".join([*found.notes, *doubts, *remarks, *problems])
