"""What helps in a study is not advised about a table that is no part of one."""

from affinecal_gui.tables.advice import OTHER_COLUMN, of_no_study
from affinecal_gui.tables.headings.column_roles import taken_instead
from affinecal_gui.tables.simulations.reasons import REASONS
from affinecal_gui.tables.simulations.set_aside import SetAside
from affinecal_gui.tables.units.properties import find_property


def test_simulations_that_are_set_aside_cannot_be_used_there() -> None:
    for reason in REASONS:
        for runs in (["P1"], ["P1", "P2"]):
            tally = SetAside()
            for run in runs:
                tally.add(reason, run)
            (note,) = tally.notes("md.csv")
            assert "Review…" in note
            left = of_no_study(note, md_column=True)
            assert left.endswith(f"({', '.join(runs)}).")
            assert note.startswith(left)


def test_the_other_column_is_named_by_the_option_that_is_there_or_by_none() -> None:
    remark = taken_instead("Cp", "Cp MD", find_property("Cp"))
    assert OTHER_COLUMN in remark
    said = remark.removesuffix(OTHER_COLUMN)
    assert of_no_study(remark, md_column=True) == f"{said}Choose the other with --md-column."
    assert of_no_study(remark, md_column=False) == said.rstrip()


def test_other_remarks_stay_as_they_are() -> None:
    assert of_no_study("Cp: 1 value is a range.", md_column=False) == "Cp: 1 value is a range."
