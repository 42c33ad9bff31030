"""What the model card of a calibrator says of the licences and sources of its tables."""

import dataclasses
from pathlib import Path

from affinecal_gui.bundled import resources
from affinecal_gui.study.calibrator_files.stated_licences import stated_licences
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.tables.values.polymer_table import PolymerTable


def table(folder: Path, text: str) -> PolymerTable:
    path = folder / "measured.csv"
    path.write_text(text)
    raw = read_table(path)
    return to_polymer_table(raw, guess_roles(raw))


def test_licences_are_quoted_and_sources_by_how_often_they_stand_there(tmp_path: Path) -> None:
    lines = ["smiles,density (g/cm3),Licence,Reference", "*CC*,0.85,CC BY 4.0,Handbook"]
    lines += [f"*CC(*)C{'C' * number},0.9,CC BY 4.0,Paper {number}" for number in range(5)] + ["*CO*,1.2,,Paper 3"]
    found = table(tmp_path, "\n".join(lines))
    assert stated_licences([found], "open") == (
        "measured.csv states as its licence: CC BY 4.0.",
        "measured.csv names as its sources: Paper 3; Handbook; Paper 0; Paper 1; Paper 2; and 1 more.",
    )


def test_a_closed_calibrator_names_no_source_which_may_name_polymers(tmp_path: Path) -> None:
    found = table(tmp_path, "smiles,density (g/cm3),license,source\n*CC*,0.85,MIT,polyethylene of Weber\n")
    assert stated_licences([found], "closed") == ("measured.csv states as its licence: MIT.",)


def test_tables_without_a_word_are_told_and_bundled_ones_are_known(tmp_path: Path) -> None:
    found = table(tmp_path, "smiles,density (g/cm3)\n*CC*,0.85\n*CC(*)C,0.86\n")
    bundled = dataclasses.replace(found, name="md.csv", path=str(resources() / "examples" / "md.csv"))
    assert stated_licences([found, bundled], "open") == (
        "measured.csv states no licence.",
        "md.csv comes with AffineCal, whose NOTICE.md names its licence.",
    )
