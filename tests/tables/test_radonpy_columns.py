"""Every column of a table of RadonPy runs is known: with its unit, its meaning, and whether it is a property at all."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.polymers.copolymers.composition import identity_of
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.headings.column_roles import Roles
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.simulations.known_columns import class_name, known_column
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from tests.benchmarks.polyomics_like import HEADINGS, write


@cache
def look_alike(folder: Path) -> tuple[RawTable, Roles]:
    path = folder / "polyomics.csv"
    write(path, 40)
    raw = read_table(path)
    return raw, guess_roles(raw)


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[RawTable, Roles]:
    return look_alike(tmp_path_factory.mktemp("polyomics"))


def test_the_look_alike_has_the_size_of_the_main_table_and_is_the_same_each_time(tmp_path: Path) -> None:
    assert len(HEADINGS) == len(set(HEADINGS)) == 259
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    write(first, 5)
    write(second, 5)
    assert first.read_bytes() == second.read_bytes()


def test_every_column_is_known_with_its_meaning() -> None:
    assert [heading for heading in HEADINGS if known_column(heading) is None] == []
    assert all((column := known_column(heading)) is not None and column.meaning for heading in HEADINGS)


def test_a_published_table_leaves_nothing_to_ask(published: tuple[RawTable, Roles]) -> None:
    _, roles = published
    assert (roles.kind, roles.questions) == ("md", ())


@pytest.mark.parametrize(
    ("heading", "role", "key", "unit"),
    [
        ("monomer_ID", "id", "", ""),
        ("smiles_list", "smiles", "", ""),
        ("temp", "temperature", "", "K"),
        ("tacticity", "detail", "", ""),
        ("tg", "md", "glass_transition", "K"),
        ("tg_rmse", "detail", "", ""),  # a sum of squared densities, and no uncertainty of tg
        ("ini_density", "ignored", "", ""),
        ("Mn", "detail", "", ""),
        ("Python_ver", "ignored", "", ""),
        ("class_PURT", "ignored", "", ""),
        ("smiles_search", "ignored", "", ""),
        ("dielectric_const_dc", "md", "dielectric_constant", ""),
        ("static_dielectric_const", "md", "static_dielectric_const", ""),
        ("bulk_modulus", "md", "bulk_modulus", "Pa"),
        ("sp_total", "md", "solubility_parameter", "MPa^0.5"),
        ("sp_ced", "md", "cohesive_energy_density", "MPa"),
        ("fractional_free_volume", "md", "fractional_free_volume", ""),
        ("abbe_number_sos", "md", "abbe_number", ""),
        ("refractive_index", "md", "refractive_index", ""),
        ("refractive_index_sos_589", "md", "refractive_index_sos_589", ""),
        ("qm_homo_monomer1", "md", "qm_homo_monomer1", "eV"),
        ("r2", "md", "r2", "nm²"),
        ("self-diffusion", "md", "self-diffusion", "m²/s"),
    ],
)
def test_a_column_is_taken_for_what_radonpy_writes_there(
    published: tuple[RawTable, Roles], heading: str, role: str, key: str, unit: str
) -> None:
    raw, roles = published
    column = roles.columns[raw.headings.index(heading)]
    assert column.role == role
    assert (column.quantity.key if column.quantity is not None else "") == key
    if role == "md":
        assert column.unit == unit


def test_the_preview_can_say_what_a_column_holds(published: tuple[RawTable, Roles]) -> None:
    raw, roles = published
    assert "squared residuals" in roles.columns[raw.headings.index("tg_rmse")].meaning


@pytest.mark.parametrize(
    ("key", "column", "text"),
    [("glass_transition", "tg", "1.08e6"), ("fractional_free_volume", "fractional_free_volume", "-0.046")],
)
def test_impossible_values_are_set_aside_and_counted(tmp_path: Path, key: str, column: str, text: str) -> None:
    path = tmp_path / "md.csv"
    sound = "488" if column == "tg" else "0.18"
    rows = [f"U{n},U{n},*CC(*){'C' * n},True,{text if n == 3 else sound}" for n in range(1, 7)]
    path.write_text("\n".join([f"UUID,monomer_ID,smiles_list,check_eq,{column}", *rows]))
    raw = read_table(path)
    table = to_polymer_table(raw, guess_roles(raw))
    assert "U3" not in table.ids
    assert np.isfinite(table.values[("md", key)].values).all()
    assert any("set aside 1 result" in note and "impossible" in note for note in table.notes)


def test_a_permittivity_without_that_of_electrons_is_not_taken_without_a_word(tmp_path: Path) -> None:
    path = tmp_path / "md.csv"
    rows = [f"U{n},*CC(*){'C' * n},True,1.4,1.5" for n in range(1, 5)]
    path.write_text("\n".join(["monomer_ID,smiles_list,check_eq,static_dielectric_const,refractive_index", *rows]))
    roles = guess_roles(read_table(path))
    (column,) = [c for c in roles.columns if c.heading == "static_dielectric_const"]
    assert column.quantity is not None
    assert column.quantity.key == "dielectric_constant"
    assert any("electrons" in note for note in column.notes)


def test_settings_of_other_programs_keep_their_meaning(tmp_path: Path) -> None:
    path = tmp_path / "md.csv"
    path.write_text("smiles,charge,gloss\n*CC*,1.5,2\n*C(C*)C,2.5,3\n*CO*,3.1,4\n")
    roles = guess_roles(read_table(path))
    assert [column.meaning for column in roles.columns] == ["", "", ""]


@pytest.mark.parametrize(
    ("number", "name"), [("1", "polyolefin"), ("13.0", "polyimide"), ("21", "polyphenylene"), ("0", ""), ("x", "")]
)
def test_classes_by_number_have_names(number: str, name: str) -> None:
    # PI1070: 1 is polyethylene's, 13 that of Kapton, 21 that of poly(p-phenylene).
    assert class_name(number) == name


def test_a_class_by_number_is_shown_by_its_name(published: tuple[RawTable, Roles]) -> None:
    assert set(to_polymer_table(*published).details["polymer_class"]) == {"polyolefin"}


SOUND = [f"U{n},*CC(*){'C' * n},,True,20,0.9" for n in range(1, 7)]


def runs(folder: Path, *rows: str) -> RawTable:
    path = folder / "md.csv"
    path.write_text("\n".join(["monomer_ID,smiles_list,copoly_ratio_list,check_eq,DP,density", *rows]))
    return read_table(path)


def test_small_molecules_among_polymers_are_told_apart(tmp_path: Path) -> None:
    raw = runs(tmp_path, *SOUND, "U7,CCO,,True,1,0.78", "U8,c1ccccc1,,True,1,0.87")
    table = to_polymer_table(raw, guess_roles(raw))
    assert len(table) == 6
    assert [problem.line for problem in table.problems] == [8, 9]
    assert any("2 rows are small molecules and no polymer" in note for note in table.notes)


def test_a_table_of_small_molecules_alone_is_refused_with_what_it_is(tmp_path: Path) -> None:
    raw = runs(tmp_path, "U7,CCO,,True,1,0.78", "U8,c1ccccc1,,True,1,0.87")
    with pytest.raises(TableError, match="Line 2: it is a small molecule"):
        to_polymer_table(raw, guess_roles(raw))


def test_several_repeat_units_of_a_run_are_a_copolymer(tmp_path: Path) -> None:
    raw = runs(tmp_path, *SOUND, '"U1,U9","*CC*,*CC(*)Cl","0.25,0.75",True,20,1.1')
    table = to_polymer_table(raw, guess_roles(raw))
    (composition,) = [smiles for smiles in table.smiles if "Cl" in smiles]
    assert identity_of(composition) == identity_of("*CC(*)Cl|*CC*|0.75|0.25")
