"""A study saved and opened again: every value, every choice, every number of the result; and what happens to the file."""

import csv
import dataclasses
import errno
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from affinecal_gui.calibration.calibrators import registry
from affinecal_gui.calibration.calibrators.registry import linear_keys, source_keys
from affinecal_gui.calibration.results import Penalties
from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.importing.examples import example_files, find_example
from affinecal_gui.study.importing.loading import load_pasted, load_tables
from affinecal_gui.study.snapshot import MatchingChoices, Settings, Weighting
from affinecal_gui.study.state import LoadedTable, StudyState
from affinecal_gui.study.stored import migrations, study_file
from affinecal_gui.study.stored.manifest import read_manifest
from affinecal_gui.study.stored.study_file import open_study, save_study
from affinecal_gui.study.stored.study_names import is_study, study_name, with_study_suffix
from affinecal_gui.tables.flagged_runs import FlaggedRuns
from affinecal_gui.tables.headings.column_roles import ColumnRole, Question, Roles
from affinecal_gui.tables.matching.combine_rules import CombineRule
from affinecal_gui.tables.problems import RowProblem
from affinecal_gui.tables.simulation_jobs import SimulationJob
from affinecal_gui.tables.units.properties import find_property, own_property
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.value_columns import ValueColumn
from affinecal_gui.task import Task
from tests.study.damage import Content, members, pack
from tests.study.small_study import assert_same, small_result, small_state, write_tables
from tests.tries import tries

KEPT_FORMAT_1 = Path(__file__).resolve().parent.parent / "data" / "studies" / "format_1.affinecal"


def rewrite(source: Path, target: Path, change: Callable[[Content], None]) -> Path:
    """Write the file again as a hand would: unpack, change, pack."""
    content = members(source)
    change(content)
    return pack(target, content)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "my study.affinecal"
    save_study(path, small_state(), small_result())
    return path


def test_everything_comes_back_identical(saved: Path) -> None:
    opened = open_study(saved)
    assert opened.state.settings == small_state().settings
    assert_same(small_state().tables, opened.state.tables)
    assert opened.derived is not None
    assert opened.derived.state is opened.state
    assert_same(small_result().snapshot, opened.derived.snapshot)
    assert_same(small_result().descriptors, opened.derived.descriptors, ignore=("computed",))
    assert not opened.notes


def test_an_opened_result_is_not_calculated_again(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = open_study(saved)
    assert opened.derived is not None
    monkeypatch.setattr(
        "affinecal_gui.study.fitting.calibrating.calibrate", lambda *_args, **_options: pytest.fail("calibrated")
    )
    monkeypatch.setattr(
        "affinecal_gui.study.describing.describing.describe_in_order",
        lambda texts, **_options: iter([pytest.fail(f"described {text}") for text in texts]),
    )
    shown = dataclasses.replace(opened.state.settings, model="ordinary")
    again = derive(dataclasses.replace(opened.state, settings=shown), opened.derived)
    assert again.snapshot.calibration is opened.derived.snapshot.calibration


def test_a_change_after_opening_gives_what_it_would_have_given_before_saving(saved: Path) -> None:
    opened = open_study(saved)
    assert opened.derived is not None
    choices = dataclasses.replace(small_state().settings, left_out=frozenset())
    before = derive(dataclasses.replace(small_state(), settings=choices), small_result())
    after = derive(dataclasses.replace(opened.state, settings=choices), opened.derived)
    assert before.snapshot.calibration is not None
    assert after.snapshot.calibration is not None
    assert after.snapshot.calibration.models["affine"].metrics == before.snapshot.calibration.models["affine"].metrics


def test_bundled_examples_come_back(tmp_path: Path) -> None:
    for key in ("density", "optical"):
        state = StudyState().with_tables(load_tables(example_files(find_example(key))).tables)
        save_study(tmp_path / f"{key}.affinecal", state)
        assert_same(state, open_study(tmp_path / f"{key}.affinecal").state)


def test_without_a_result_it_is_left_to_be_calculated(tmp_path: Path) -> None:
    save_study(tmp_path / "a.affinecal", small_state())
    opened = open_study(tmp_path / "a.affinecal")
    assert opened.derived is None
    assert not opened.notes
    assert opened.manifest.summary == "2 tables, not calibrated yet"


def test_a_result_of_another_state_is_not_stored(tmp_path: Path) -> None:
    other = dataclasses.replace(small_state(), settings=Settings(seed=9))
    save_study(tmp_path / "a.affinecal", other, small_result())
    assert open_study(tmp_path / "a.affinecal").derived is None


def test_the_manifest_says_what_the_file_is(saved: Path) -> None:
    manifest = read_manifest(saved)
    assert manifest.version == migrations.FORMAT_VERSION
    assert manifest.title == "Specific heat capacity"
    assert manifest.summary.startswith("9 polymers, affine, RMSE ")
    assert manifest.summary.endswith(" J/(kg K)")
    assert manifest.seed == 3
    assert [entry.name for entry in manifest.tables] == ["measured.csv", "md.csv"]
    assert manifest.time is not None
    assert {"AffineCal", "Python", "RDKit", "NumPy"} <= set(manifest.program)


def test_the_file_can_be_read_by_hand(saved: Path) -> None:
    content = members(saved)
    assert content["mimetype"] == b"application/x-affinecal-study"
    with saved.open("rb") as file:  # the first bytes tell the kind, to programs that look at nothing else
        assert file.read(68)[30:] == b"mimetypeapplication/x-affinecal-study" + b"P"
    rows = list(csv.DictReader(io.StringIO(content["tables/t1.csv"].decode(), newline="")))
    assert rows[0]["name"] == "polyethylene"
    assert rows[0]["measured Specific heat capacity [J/(kg K)]"] == "1900"
    assert rows[0]["measured Specific heat capacity, uncertainty [J/(kg K)]"] == "20"
    assert rows[1]["source"] == "'=1+1"  # a spreadsheet would run it
    assert json.loads(content["settings.json"])["left_out"] == ["t1.4"]
    result = json.loads(content["result/result.json"])
    assert set(result["calibration"]["models"]) == {*linear_keys(), *source_keys(), "quantum_corrected"}
    library = list(csv.DictReader(io.StringIO(content["result/library.csv"].decode(), newline="")))
    assert [row["polymer"] for row in library][:2] == ["polyethylene", "polypropylene"]
    calibration = small_result().snapshot.calibration
    assert calibration is not None
    assert float(library[0]["affine library"]) == calibration.models["affine"].library[0]


# -- tables with everything that a table can have ------------------------------------------------------------------------


def full_table(path: str = "", texts: tuple[str, ...] = ("a", "b", "c")) -> PolymerTable:
    """A table that uses every field."""
    own = own_property("Wärmeleitung <x> [W]", "W/(m K)")
    heat, density = find_property("Cp"), find_property("density")
    nothing = np.full(3, np.nan)
    bad = RowProblem(7, "Cp", texts[0], "“x” is no number", "Type a value", rejects_row=False)
    values = {
        ("measured", "Cp"): ValueColumn(
            heat,
            np.array([1.1, np.nan, -0.0]),
            np.array([0.1, np.nan, 5e-324]),
            "Cp [J/(g K)]",
            "J/(g K)",
            np.array([1.0, np.nan, 2.0]),
            nothing,
            np.array([3.0, np.nan, 1.0]),
            MappingProxyType({0: "approximate", 2: "range"}),
            (bad,),
            ("No unit is named.", "One value is far off."),
        ),
        ("md", own.key): ValueColumn(own, np.array([1e308, 1 / 3, 0.1]), nothing, own.key, "W/(m K)"),
        ("md", "density"): ValueColumn(density, nothing, nothing, "rho", ""),
    }
    columns = (
        ColumnRole(0, "Cp [J/(g K)]", "measured", heat, "J/(g K)"),
        ColumnRole(1, own.key, "md", own, own.unit, of=None, confidence=0.5, reason="heading", notes=("a",)),
        ColumnRole(2, "±", "uncertainty", of=0),
    )
    questions = (Question("Which unit?", 0), Question("Measured or MD?", "kind"))
    table = PolymerTable(
        name="full.xlsx",
        path=path,
        lines=(2, 3, 1_048_576),
        ids=texts,
        names=texts[::-1],
        smiles=("*CC*", "", "*C/C=C\\C*"),
        values=values,
        details=MappingProxyType({"source": texts, "": texts, "id": ("1", "2", "3"), "press": ("1", "", "10")}),
        temperature=np.array([298.15, np.nan, 0.1 + 0.2]),
        phase=texts,
        descriptor_names=("mass_H", "mass_C"),
        descriptors=np.array([[1.0, 2.0], [np.nan, 4.0], [5.0, 1e-300]]),
        problems=(RowProblem(9, "", "total", "no repeat unit", "Add it"), bad),
        rows_read=5,
        rows_rejected=2,
        notes=("One thing.", "Another."),
        roles=Roles(columns, "both", 0.9, "headings", questions),
        pressure=np.array([0.101325, np.nan, 1.01325]),
        again=(SimulationJob(("PI1", "PI1", "*CC*", "1", "", "atactic", "300.0", "1.0", "check_eq is False")),),
        flagged=(FlaggedRuns("not-equilibrated", 6, 0, ("PI1", "PI2")), FlaggedRuns("oriented", 0, 2, ())),
    )
    for array in (table.temperature, table.descriptors, *(c.values for c in values.values())):
        assert array is not None
        array.setflags(write=False)
    return table


def round_trip(table: PolymerTable, folder: Path) -> PolymerTable:
    path = folder / "round.affinecal"
    save_study(path, StudyState((LoadedTable("t1", table),)), overwrite=True)
    return open_study(path).state.tables[0].table


def test_every_field_of_a_table_comes_back(tmp_path: Path) -> None:
    table = full_table(str(tmp_path / "data" / "full.xlsx"))
    back = round_trip(table, tmp_path)
    assert_same(table, back)
    first = back.values[("measured", "Cp")].values
    assert np.signbit(first[2])  # -0.0 as well
    # Every field was used: one that is added to the classes has to be added here, and stored.
    for thing in (table, table.values[("measured", "Cp")]):
        for field in dataclasses.fields(thing):
            content = getattr(thing, field.name)
            assert content is not None, field.name
            assert not isinstance(content, str | tuple | int) or content, field.name


def test_what_is_stored_is_all_there_is() -> None:
    """A field that is added to one of these classes must be stored as well, and then be added here."""
    stored = {
        StudyState: "tables settings",
        LoadedTable: "key table",
        PolymerTable: "name path lines ids names smiles values details temperature phase descriptor_names descriptors "
        "problems rows_read rows_rejected notes roles again flagged pressure",  # the last follows from the details
        ValueColumn: "quantity values uncertainty heading unit_as_written lowest highest repeats notes problems remarks "
        "unit_is_named kelvin megapascal",  # the last two follow from the heading
        RowProblem: "line column text reason suggestion rejects_row",
    }
    for kind, names in stored.items():
        assert [field.name for field in dataclasses.fields(kind)] == names.split()


AWKWARD = st.text(
    st.characters(exclude_categories=("Cs",)) | st.sampled_from("\r\n\t\"',;=+-@ \0\u2028\x85\x1e\ufeff"), max_size=12
)


@settings(max_examples=tries(60), deadline=None)
@given(texts=st.tuples(AWKWARD, AWKWARD, AWKWARD))
def test_any_text_comes_back(tmp_path_factory: pytest.TempPathFactory, texts: tuple[str, str, str]) -> None:
    table = dataclasses.replace(full_table(), ids=texts, names=texts, phase=texts)
    assert_same(table, round_trip(table, tmp_path_factory.getbasetemp()))


@settings(max_examples=tries(60), deadline=None)
@given(numbers=st_numpy.arrays(np.float64, 3, elements=st.floats(allow_infinity=False)))
def test_any_number_comes_back(tmp_path_factory: pytest.TempPathFactory, numbers: np.ndarray) -> None:
    numbers.setflags(write=False)
    back = round_trip(dataclasses.replace(full_table(), temperature=numbers), tmp_path_factory.getbasetemp())
    assert back.temperature is not None
    assert np.array_equal(back.temperature, numbers, equal_nan=True)


def test_many_rows_come_back_in_order(tmp_path: Path) -> None:
    many = 50_000
    lines = "\n".join(f"*CC*,P{i},{i / 7}" for i in range(many))
    (table,) = load_pasted(f"smiles,id,measured Cp [J/(kg K)]\n{lines}\n").tables
    assert_same(table, round_trip(table, tmp_path))


@settings(max_examples=tries(40), deadline=None)
@given(
    choices=st.builds(
        Settings,
        property_key=st.sampled_from(("Cp", "density", "my own")),
        log_scale=st.booleans(),
        protocol=st.sampled_from(("default", "paper")),
        model=st.sampled_from(linear_keys()),
        penalties=st.none() | st.builds(Penalties, st.floats(1e-6, 1e6), st.floats(0, 1e6), st.floats(1e-6, 1e6)),
        left_out=st.frozensets(st.from_regex(r"t[1-9]\.[0-9]{1,5}", fullmatch=True)),
        blocks_off=st.frozensets(st.sampled_from(("mass", "k_bond", "größe"))),
        interval_level=st.floats(0.01, 0.99),
        seed=st.integers(0, 2**32 - 1),
        weighting=st.sampled_from(get_args(Weighting)),
        bands=st.sampled_from(("posterior", "bootstrap")),
        robust=st.booleans(),
        block_penalties=st.dictionaries(st.sampled_from(("mass", "größe")), st.floats(0.01, 100.0)).map(
            lambda factors: frozenset(factors.items())
        ),
        matching=st.builds(
            MatchingChoices,
            rule=st.sampled_from(get_args(CombineRule)),
            temperatures=st.none() | st.tuples(st.floats(0, 1e4), st.floats(0, 1e4)),
            phases=st.none() | st.frozensets(st.text(max_size=5)),
            keep_unknown=st.booleans(),
            by_hand=st.frozensets(st.tuples(st.just("t1.3"), st.from_regex(r"t2\.[0-9]", fullmatch=True))),
        ),
    )
)
def test_any_choice_comes_back(tmp_path_factory: pytest.TempPathFactory, choices: Settings) -> None:
    path = tmp_path_factory.getbasetemp() / "choices.affinecal"
    save_study(path, StudyState((), choices), overwrite=True)
    assert open_study(path).state.settings == choices


# -- the place of the file, and of the tables ----------------------------------------------------------------------------


def test_a_table_keeps_its_place_when_it_moves_with_the_study(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    (old / "data").mkdir(parents=True)
    state = StudyState().with_tables(load_tables([write_tables(old / "data")[0]]).tables)
    save_study(old / "a.affinecal", state)
    assert open_study(old / "a.affinecal").state.tables[0].table.path == str(old / "data" / "measured.csv")
    old.rename(new)
    moved = open_study(new / "a.affinecal").state
    assert moved.tables[0].table.path == str(new / "data" / "measured.csv")
    # The same file, dropped again, takes the place of the table that came from it.
    assert len(moved.with_tables(load_tables([new / "data" / "measured.csv"]).tables).tables) == 1
    description = members(new / "a.affinecal")["tables/t1.json"].decode()
    assert str(tmp_path) not in description


def test_a_pasted_table_stays_without_a_place(tmp_path: Path) -> None:
    (table,) = load_pasted("smiles,Cp\n*CC*,1900\n").tables
    assert round_trip(table, tmp_path).path == "pasted table 1"


def test_an_existing_file_is_replaced_only_when_allowed(tmp_path: Path) -> None:
    path = tmp_path / "a.affinecal"
    save_study(path, small_state())
    before = path.read_bytes()
    with pytest.raises(UserError, match=r"a\.affinecal exists already"):
        save_study(path, StudyState())
    assert path.read_bytes() == before
    save_study(path, StudyState(), overwrite=True)
    assert open_study(path).state.tables == ()


def test_a_save_that_is_cancelled_or_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.affinecal"
    save_study(path, small_state())
    before = path.read_bytes()
    for after in range(3):  # so often it is asked, at least
        answers = iter([False] * after + [True] * 1000)
        with pytest.raises(Cancelled):
            save_study(path, StudyState(), overwrite=True, task=Task(cancelled=lambda answers=answers: next(answers)))
    monkeypatch.setattr(os, "fsync", lambda _file: (_ for _ in ()).throw(OSError(errno.ENOSPC, "No space left")))
    with pytest.raises(UserError, match=r"a\.affinecal cannot be written \(No space left\)"):
        save_study(path, StudyState(), overwrite=True)
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == ["a.affinecal"]


def test_a_missing_folder_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="does not exist"):
        save_study(tmp_path / "no" / "a.affinecal", StudyState())


def test_what_did_not_change_is_not_written_out_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    real = study_file.table_members
    monkeypatch.setattr(
        study_file, "table_members", lambda loaded, *a, **k: (made.append(loaded.key), real(loaded, *a, **k))[1]
    )
    known = study_file.KnownMembers()
    state = small_state()
    save_study(tmp_path / "a.affinecal", state, known=known)
    state = dataclasses.replace(state, settings=Settings(seed=4))
    save_study(tmp_path / "a.affinecal", state, known=known, overwrite=True, compress=False)
    assert made == ["t1", "t2"]
    state = state.without_table("t1")
    save_study(tmp_path / "a.affinecal", state, known=known, overwrite=True)
    assert len(known) == 1
    assert_same(state, open_study(tmp_path / "a.affinecal").state)


# -- other versions, other hands ------------------------------------------------------------------------------------------


def test_a_file_of_format_1_opens_as_it_was_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    """The file was saved by AffineCal 0.1.0 in format 1 (``python tests/data/studies/make_format_1.py``)."""
    then = ("md", "ordinary", "log_difference", "affine")  # of which the stored result is
    monkeypatch.setattr(registry, "CALIBRATORS", tuple(map(registry.calibrator, then)))
    opened = open_study(KEPT_FORMAT_1)
    assert opened.manifest.version == migrations.FORMAT_VERSION
    assert opened.manifest.summary == "9 polymers, affine, RMSE 309 J/(kg K)"
    state = opened.state
    # It compares what it compared then: at whatever temperatures, MD values of all sources as they come.
    matching = MatchingChoices(temperature_tolerance=1000.0, md_on_one_level=False)
    assert state.settings == Settings(
        left_out=frozenset({"t1.4"}), seed=3, interval_level=0.8, follows_advice=False, matching=matching
    )
    measured, simulated = (loaded.table for loaded in state.tables)
    assert measured.names[10] == "unknown"
    assert measured.smiles[9] == "*C/C=C\\C*"
    column = measured.values[("measured", "Cp")]
    assert column.values[:3].tolist() == [1900.0, 1930.0, 1210.0]
    assert column.uncertainty[:3].tolist()[::2] == [20.0, 15.0]
    assert measured.details["source"][:3] == ('a, b "c"', "=1+1", "'quoted")
    assert [problem.line for problem in measured.problems] == [11, 14]
    assert measured.rows_read == 13
    assert simulated.values[("md", "density")].values[8] == 2.0
    assert simulated.temperature is not None
    assert np.isnan(simulated.temperature[11])
    assert opened.derived is not None
    calibration = opened.derived.snapshot.calibration
    assert calibration is not None
    assert calibration.models["affine"].metrics.rmse == pytest.approx(309.0, abs=0.5)
    assert opened.derived.snapshot.descriptors is not None
    assert opened.derived.snapshot.descriptors.shape == (12, 190)


def test_an_older_format_is_brought_to_the_present_one(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def newer(documents: migrations.Documents) -> None:
        documents["settings.json"]["interval_level"] = documents["settings.json"].pop("coverage")

    def older(content: Content) -> None:
        choices = json.loads(content["settings.json"])
        choices["coverage"] = choices.pop("interval_level")
        content["settings.json"] = json.dumps(choices).encode()

    path = rewrite(saved, tmp_path / "old.affinecal", older)
    monkeypatch.setattr(migrations, "FORMAT_VERSION", 2)
    monkeypatch.setattr(migrations, "STEPS", {1: newer})
    monkeypatch.setattr("affinecal_gui.study.stored.manifest.FORMAT_VERSION", 2)
    assert open_study(path).state.settings == small_state().settings


def test_a_newer_format_is_a_sentence(saved: Path, tmp_path: Path) -> None:
    def newer(content: Content) -> None:
        content["manifest.json"] = json.dumps({**json.loads(content["manifest.json"]), "version": 99}).encode()

    path = rewrite(saved, tmp_path / "new.affinecal", newer)
    with pytest.raises(UserError, match=r"new\.affinecal was saved by a newer version of AffineCal \(study format 99"):
        open_study(path)


def test_what_a_newer_version_adds_is_ignored_and_what_it_lacks_has_its_default(saved: Path, tmp_path: Path) -> None:
    def other(content: Content) -> None:
        choices = json.loads(content["settings.json"])
        del choices["interval_level"]
        content["settings.json"] = json.dumps({**choices, "colour": "red"}).encode()
        content["notes/mine.txt"] = b"a note that somebody put into the file"

    opened = open_study(rewrite(saved, tmp_path / "a.affinecal", other))
    assert opened.state.settings == dataclasses.replace(small_state().settings, interval_level=0.9)


def test_a_file_packed_again_by_hand_opens_with_its_result(saved: Path, tmp_path: Path) -> None:
    opened = open_study(rewrite(saved, tmp_path / "a.affinecal", lambda content: None))
    assert opened.derived is not None
    assert not opened.notes


def without_checksums(content: Content) -> None:
    """Make a study one of the first programs, which wrote no checksums and did not say that there are any."""
    del content["result/checksums.json"]
    manifest = json.loads(content["manifest.json"])
    del manifest["has_checksums"]
    content["manifest.json"] = json.dumps(manifest).encode()


def test_a_file_edited_by_hand_opens_with_the_edit_and_without_the_old_result(saved: Path, tmp_path: Path) -> None:
    def edit(content: Content) -> None:
        content["tables/t1.csv"] = content["tables/t1.csv"].replace(b",1900,", b",1905.5,")

    opened = open_study(rewrite(saved, tmp_path / "a.affinecal", edit))
    assert opened.state.tables[0].table.values[("measured", "Cp")].values[0] == 1905.5
    assert opened.derived is None
    assert opened.notes == ("The file was edited after it was saved, so its result is calculated anew.",)


def test_a_result_with_another_number_put_in_by_hand_is_calculated_anew(saved: Path, tmp_path: Path) -> None:
    of_result = [name for name in members(saved) if name.startswith("result/") and "checksums" not in name]
    assert len(of_result) >= 4
    for name in of_result:

        def edit(content: Content, name: str = name) -> None:
            text = content[name].decode()
            digit = next(place for place in range(len(text) - 1, 0, -1) if text[place] in "123456789")
            content[name] = (text[:digit] + ("1" if text[digit] != "1" else "2") + text[digit + 1 :]).encode()

        opened = open_study(rewrite(saved, tmp_path / "a.affinecal", edit))
        assert opened.derived is None, name
        assert opened.notes == ("The file was edited after it was saved, so its result is calculated anew.",)


def test_a_result_whose_checksums_were_taken_away_is_calculated_anew(saved: Path, tmp_path: Path) -> None:
    def edit(content: Content) -> None:
        del content["result/checksums.json"]

    opened = open_study(rewrite(saved, tmp_path / "a.affinecal", edit))
    assert opened.derived is None
    assert opened.notes == ("The file was edited after it was saved, so its result is calculated anew.",)


def test_a_result_of_before_there_were_checksums_is_shown(saved: Path, tmp_path: Path) -> None:
    opened = open_study(rewrite(saved, tmp_path / "a.affinecal", without_checksums))
    assert opened.derived is not None
    assert_same(small_result().snapshot, opened.derived.snapshot)
    assert not opened.notes


def test_a_result_whose_members_are_interchanged_with_those_of_another_study_is_calculated_anew(
    saved: Path, tmp_path: Path
) -> None:
    state = small_state()
    other = derive(dataclasses.replace(state, settings=dataclasses.replace(state.settings, log_scale=False)), Derived())
    save_study(tmp_path / "other.affinecal", other.state, other)
    strange = members(tmp_path / "other.affinecal")["result/library.csv"]

    opened = open_study(
        rewrite(saved, tmp_path / "a.affinecal", lambda content: content.update({"result/library.csv": strange}))
    )
    assert opened.derived is None


def test_a_result_of_other_programs_is_shown_as_it_is_and_said_so(saved: Path, tmp_path: Path) -> None:
    def older(content: Content) -> None:
        result = json.loads(content["result/result.json"])
        result["program"]["RDKit"] = "2020.09.1"
        result["engine"] = "GAFF2_mod, AffineCal 0.0.1, RDKit 2020.09.1"
        content["result/result.json"] = json.dumps(result).encode()
        without_checksums(content)

    opened = open_study(rewrite(saved, tmp_path / "a.affinecal", older))
    assert opened.derived is not None
    assert_same(small_result().snapshot, opened.derived.snapshot)
    assert opened.notes == (
        "The result is shown as AffineCal 0.1.0, RDKit 2020.09.1 calculated it; Calibrate calculates it anew.",
    )
    # Saved once more it is still the result of those programs.
    save_study(tmp_path / "b.affinecal", opened.state, opened.derived)
    assert open_study(tmp_path / "b.affinecal").notes == opened.notes
    # Whatever is calculated now never mixes descriptors of two engines.
    assert opened.derived.descriptors.computed is None  # type: ignore[attr-defined]
    anew = derive(opened.state, opened.derived, again=True)
    assert anew.snapshot.calibration is not None
    assert not anew.snapshot.calibration.made_with


def test_a_calibrator_that_was_added_since_drops_the_result_and_is_told(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    added = dataclasses.replace(registry.calibrator("ordinary"), key="added")
    monkeypatch.setattr(registry, "CALIBRATORS", (*registry.CALIBRATORS, added))
    opened = open_study(saved)
    assert opened.derived is None
    assert opened.notes == (
        "This version of AffineCal has other calibrators than the one that saved the study, so the result is "
        "calculated anew.",
    )


def test_matching_that_turns_out_differently_drops_the_result(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = study_file.restore
    monkeypatch.setattr(study_file, "restore", lambda state, *a, **k: real(state.without_table("t2"), *a, **k))
    opened = open_study(saved)
    assert opened.derived is None
    assert "reads the tables differently" in opened.notes[0]


def test_a_unit_of_the_file_is_converted(saved: Path, tmp_path: Path) -> None:
    def grams(content: Content) -> None:
        description = json.loads(content["tables/t1.json"])
        for column in description["columns"]:
            if column.get("unit") == "J/(kg K)":
                column["unit"] = "J/(g K)"
        content["tables/t1.json"] = json.dumps(description).encode()

    column = (
        open_study(rewrite(saved, tmp_path / "a.affinecal", grams)).state.tables[0].table.values[("measured", "Cp")]
    )
    assert column.values[0] == pytest.approx(1_900_000.0)
    assert column.uncertainty[0] == pytest.approx(20_000.0)


def test_opening_can_be_cancelled(saved: Path) -> None:
    with pytest.raises(Cancelled):
        open_study(saved, task=Task(cancelled=lambda: True))


def test_names() -> None:
    assert is_study("a/B.AffineCal")
    assert not is_study("a.csv")
    assert study_name("/x/heat v1.2.affinecal") == "heat v1.2"
    assert with_study_suffix("heat v1.2") == Path("heat v1.2.affinecal")
    assert with_study_suffix("a.affinecal") == Path("a.affinecal")


def test_a_result_without_match_is_no_result() -> None:
    assert Derived().snapshot.calibration is None


def test_a_large_table_is_copied_when_only_a_choice_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("affinecal_gui.study.stored.table_writing.LARGE_TABLE", 10)
    path, known, state = tmp_path / "a.affinecal", study_file.KnownMembers(), small_state()
    save_study(path, state, small_result(), known=known)
    other = dataclasses.replace(state, settings=Settings(seed=4))
    with monkeypatch.context() as nobody_writes:
        nobody_writes.setattr("affinecal_gui.study.stored.table_writing.csv_parts", None)
        save_study(path, other, known=known, overwrite=True)
    assert_same(other, open_study(path).state)
    path.write_bytes(b"")  # by another program
    save_study(path, state, small_result(), known=known, overwrite=True)
    opened = open_study(path)
    assert_same(state.tables, opened.state.tables)
    assert opened.derived is not None
    known.forget()
    assert len(known) == 0
