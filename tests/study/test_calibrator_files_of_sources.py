"""Files of calibrators of several sources: they say what their study says, and what stands in where a source is missing."""

import csv
import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

from affinecal_gui.calibration.calibrators.registry import calibrator, source_keys
from affinecal_gui.calibration.sharing.coefficients_only import CoefficientsOnly
from affinecal_gui.calibration.sharing.with_training import TrainedCalibrator
from affinecal_gui.cli import CANNOT, DONE, run_command
from affinecal_gui.errors import UserError
from affinecal_gui.study.calibrator_files.calibrator_file import open_calibrator, save_calibrator_file
from affinecal_gui.study.calibrator_files.making import calibrator_file_of
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.fitting.calibrating import DescribedLibrary
from affinecal_gui.study.results.exporting import write_predictions
from affinecal_gui.tasks.predicting import calibrated_rows, rows_to_apply
from affinecal_gui.tasks.predicting.applying import apply_file
from affinecal_gui.tasks.predicting.asking_calibrator import CORRECTED_MD, ask_calibrator
from affinecal_gui.tasks.predicting.corrected_rows import further_sources
from affinecal_gui.tasks.screening.screening import screen_library
from tests.predicting_calibrator import predicting_calibrator
from tests.study.damage import Content, edited, members, pack
from tests.study.small_study import SIMULATED, small_state, write_tables
from tests.study.test_sources_of_a_study import several_tables

pytestmark = pytest.mark.usefixtures("coarse_calibrations_of_module")

GRADES = ("open", "closed")
TOLD = "It has no value of quantum-corrected MD: calibrated by {} instead, which takes its MD value alone."


@pytest.fixture(scope="module")
def study() -> Derived:
    """Return a study whose library is corrected as a whole, since a calibrator that needs it is shown."""
    state = small_state()
    return derive(replace(state, settings=replace(state.settings, model="affine_sources")), Derived())


@pytest.fixture(scope="module")
def folder(study: Derived, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("calibrators")
    for model in source_keys():
        for grade in GRADES:
            save_calibrator_file(named(made, model, grade), calibrator_file_of(study, model, grade))  # type: ignore[arg-type]
    return made


def named(folder: Path, model: str, grade: str) -> Path:
    return folder / f"{model}-{grade}.affinecal-model"


def library_of(study: Derived, path: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return MD values, descriptors, and the corrected MD values that are worked out for a file."""
    calibration, described, assembly = study.snapshot.calibration, study.descriptors, study.assembly
    assert calibration is not None
    assert assembly is not None
    assert isinstance(described, DescribedLibrary)
    md = calibration.library_md
    kelvin = np.where(np.arange(len(md)) < len(md) - 1, 300.0, np.nan)  # the last row of SIMULATED states none
    further = further_sources(open_calibrator(path), assembly.library_smiles, md, kelvin)
    assert further is not None
    return md, described.values, further.values


@pytest.mark.parametrize("grade", GRADES)
@pytest.mark.parametrize("model", source_keys())
def test_a_file_says_what_its_study_says(study: Derived, folder: Path, model: str, grade: str) -> None:
    path = named(folder, model, grade)
    opened = open_calibrator(path)
    assert opened.manifest.version == {"open": 5, "closed": 4}[grade]
    md, descriptors, further = library_of(study, path)
    assert study.snapshot.calibration is not None
    expected = study.snapshot.calibration.models[model]
    found = opened.calibrator.apply(md, descriptors, further)
    assert not found.stood_in.any()
    assert np.isfinite(found.values).sum() >= 9
    np.testing.assert_allclose(found.values, expected.library, rtol=1e-12)
    if grade == "open":
        np.testing.assert_allclose(found.lower, expected.library_lower, rtol=1e-12)
        np.testing.assert_allclose(found.upper, expected.library_upper, rtol=1e-12)
    assert (found.lower < found.values).all()
    assert (found.values < found.upper).all()


@pytest.mark.parametrize("grade", GRADES)
@pytest.mark.parametrize("model", source_keys())
def test_a_polymer_that_lacks_the_corrected_value_has_that_of_the_calibrator_of_one_source(
    study: Derived, folder: Path, model: str, grade: str
) -> None:
    path = named(folder, model, grade)
    md, descriptors, known = library_of(study, path)
    further = np.where(np.isin(np.arange(len(md)), (1, 4))[:, None], np.nan, known)
    one_source = calibrator(model).one_source
    alone = calibrator_file_of(study, one_source, grade).calibrator.apply(md, descriptors)  # type: ignore[arg-type]
    one = open_calibrator(path).calibrator
    found, without = one.apply(md, descriptors, further), one.apply(md, descriptors)
    assert np.flatnonzero(found.stood_in).tolist() == [1, 4]
    assert without.stood_in.all()
    for name in ("values", "lower", "upper"):
        np.testing.assert_allclose(getattr(found, name)[[1, 4]], getattr(alone, name)[[1, 4]], rtol=1e-12)
        np.testing.assert_allclose(getattr(without, name), getattr(alone, name), rtol=1e-12)


def rows_of(path: Path) -> dict[str, dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return {row["id"]: row for row in csv.DictReader(file)}


@pytest.mark.parametrize("model", source_keys())
def test_applied_to_the_md_table_of_the_study_it_gives_the_predictions_of_the_study(
    study: Derived, folder: Path, tmp_path: Path, model: str
) -> None:
    """Temperatures of the rows included: that of the last one is not stated, and stands for room temperature."""
    shown = replace(study.snapshot, settings=replace(study.snapshot.settings, model=model))
    expected = rows_of(write_predictions(shown, tmp_path / "study.csv"))
    _, md = write_tables(tmp_path)
    for grade in GRADES:
        said = apply_file(named(folder, model, grade), md, tmp_path / f"{grade}.csv")
        assert said[0] == f"12 of 12 polymers calibrated with {calibrator(model).name}."
        for key, row in rows_of(tmp_path / f"{grade}.csv").items():
            for column in ("final-fit value", *(("lower", "upper") if grade == "open" else ())):
                if column == "final-fit value" or not expected[key]["measured value"]:  # others are held-out intervals
                    assert float(row[column]) == pytest.approx(float(expected[key][column]), rel=1e-12), (key, column)


def test_a_row_says_what_stands_in_and_a_table_that_states_no_temperature_that_it_is_taken_for_room_temperature(
    folder: Path, tmp_path: Path
) -> None:
    table = tmp_path / "new.csv"
    # An MD value below what would be taken off has no corrected one.
    table.write_text("id,smiles,Cp [J/(kg K)]\nusual,*CC(*)CC,4400\nlow,*CC(*)CC,2500\n", encoding="utf-8")
    said = apply_file(named(folder, "affine_sources", "open"), table, tmp_path / "out.csv")
    assert "new.csv states no temperature: the quantum correction is that at 298.15 K." in said
    rows = rows_of(tmp_path / "out.csv")
    assert "not above the quantum correction" in rows["low"]["note"]
    assert TOLD.format("affine") in rows["low"]["note"]
    assert "instead" not in rows["usual"]["note"]
    assert float(rows["low"]["calibrated value"]) > 0.0


def test_the_temperature_of_a_row_counts(folder: Path, tmp_path: Path) -> None:
    table = tmp_path / "new.csv"
    table.write_text("id,smiles,T [K],Cp [J/(kg K)]\na,*CC(*)CC,300,4400\nb,*CC(*)CC,500,4400\n", encoding="utf-8")
    path = named(folder, "ordinary_sources", "open")
    said = apply_file(path, table, tmp_path / "out.csv", temperature_tolerance=200.0)
    assert not any("states no temperature" in line for line in said)
    rows = rows_of(tmp_path / "out.csv")
    assert float(rows["a"]["calibrated value"]) < float(
        rows["b"]["calibrated value"]
    )  # less is taken off when it is hot


def test_several_processes_give_the_same_rows(folder: Path, tmp_path: Path) -> None:
    _, md = write_tables(tmp_path)
    path = named(folder, "affine_sources", "open")
    apply_file(path, md, tmp_path / "one.csv")
    apply_file(path, md, tmp_path / "two.csv", jobs=2)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


def test_a_long_table_that_is_read_row_by_row_gives_the_same(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, md = write_tables(tmp_path)
    path = named(folder, "affine_sources", "open")
    apply_file(path, md, tmp_path / "short.csv")
    monkeypatch.setattr(rows_to_apply, "READ_AT_ONCE", 5)
    monkeypatch.setattr(rows_to_apply, "ROWS_AT_ONCE", 4)
    monkeypatch.setattr(calibrated_rows, "ROWS_TOGETHER", 3)
    apply_file(path, md, tmp_path / "long.csv")
    short, long = rows_of(tmp_path / "short.csv"), rows_of(tmp_path / "long.csv")
    assert list(long) == list(short)
    for key, row in long.items():
        assert float(row["calibrated value"]) == pytest.approx(float(short[key]["calibrated value"]), rel=1e-12)
        assert row["note"] == short[key]["note"]


@pytest.mark.parametrize("grade", GRADES)
def test_a_library_is_screened_with_the_values_of_apply(folder: Path, tmp_path: Path, grade: str) -> None:
    library, path = tmp_path / "library.csv", named(folder, "affine_sources", grade)
    library.write_text(f"{SIMULATED}low,*CC(*)CC,2500,,300\n", encoding="utf-8")
    apply_file(path, library, tmp_path / "applied.csv")
    screen_library(library, [path], tmp_path / "screened")
    (part,) = (tmp_path / "screened" / "rows").iterdir()
    screened = pyarrow.parquet.read_table(part).to_pylist()
    applied = list(rows_of(tmp_path / "applied.csv").values())
    assert len(screened) == len(applied) == 13
    for row, own in zip(screened, applied, strict=True):
        assert row["value"] == pytest.approx(float(own["calibrated value"]), rel=1e-12)
        assert row["lower"] == pytest.approx(float(own["lower"]), rel=1e-12)
        assert row["reason"] == "ok"
    assert screened[-1]["message"].endswith(TOLD.format("affine"))
    assert screened[-1]["message"] in applied[-1]["note"]
    assert not screened[0]["message"]


def test_a_polymer_too_large_for_vibrations_says_so_in_each_command(folder: Path, tmp_path: Path) -> None:
    library, path = tmp_path / "library.csv", named(folder, "affine_sources", "open")
    library.write_text(f"{SIMULATED}large,*CC(*)C(=O)O{'C' * 400},4400,,300\n", encoding="utf-8")
    why = "The repeat unit has 1,209 atoms, hydrogens included; vibrations are computed of at most 1,000."
    apply_file(path, library, tmp_path / "applied.csv")
    assert f"{why} {TOLD.format('affine')}" in rows_of(tmp_path / "applied.csv")["large"]["note"]
    said = screen_library(library, [path], tmp_path / "screened")
    assert f"1 of them lacks a source of the calibrator. The first: {why} {TOLD.format('affine')}" in said
    summary = json.loads((tmp_path / "screened" / "summary.json").read_text(encoding="utf-8"))
    assert summary["properties"]["Cp"]["rows_by_calibrator_of_one_source"] == 1
    assert why in ask_calibrator(open_calibrator(path), f"*CC(*)C(=O)O{'C' * 400}", "4400").sentence


def test_wishes_are_met_with_the_errors_of_all_sources(folder: Path, study: Derived) -> None:
    calibration = study.snapshot.calibration
    assert calibration is not None
    errors = np.log(calibration.measured / calibration.models["affine_sources"].out_of_fold)
    shown = open_calibrator(named(folder, "affine_sources", "open")).calibrator.errors_shown()
    assert sorted(np.sign(shown.values.mean(axis=0))) == sorted(np.sign(errors))
    alone = calibrator_file_of(study, "affine", "open").calibrator.errors_shown()
    assert shown.values.shape == alone.values.shape
    closed = open_calibrator(named(folder, "affine_sources", "closed")).calibrator.errors_shown()
    of_one = calibrator_file_of(study, "affine", "closed").calibrator.errors_shown()
    for own, other in ((shown, alone), (closed, of_one)):
        assert np.std(own.values) != pytest.approx(np.std(other.values), rel=1e-3)


def test_effects_are_those_of_the_correction_at_the_mean_source(study: Derived, folder: Path) -> None:
    assert study.snapshot.calibration is not None
    coefficients = study.snapshot.calibration.models["affine_sources"].coefficients
    assert coefficients is not None
    opened = open_calibrator(named(folder, "affine_sources", "open")).calibrator
    assert isinstance(opened, TrainedCalibrator)
    assert opened.sources is not None
    np.testing.assert_allclose(opened.effects, coefficients.sign * coefficients.gamma, rtol=1e-9, atol=1e-12)
    closed = open_calibrator(named(folder, "affine_sources", "closed")).calibrator
    assert np.abs(closed.effects).max() > 0.0


@pytest.mark.parametrize("grade", GRADES)
def test_a_polymer_that_is_asked_about_is_told_its_corrected_value(folder: Path, grade: str) -> None:
    opened = open_calibrator(named(folder, "affine_sources", grade))
    asked = ask_calibrator(opened, "*CC(*)CC", "4400")
    assert asked.content is not None
    values = {line.label: line.value for line in asked.content.values}
    assert 1500.0 < values[CORRECTED_MD] < 2500.0
    assert "corrected for quantum effects at 298.15 K" in asked.sentence
    low = ask_calibrator(opened, "*CC(*)CC", "2500")
    assert low.content is not None
    assert CORRECTED_MD not in {line.label for line in low.content.values}
    assert TOLD.format("affine") in low.sentence


def test_a_predicted_md_value_is_calibrated_by_the_calibrator_of_one_source(tmp_path: Path) -> None:
    path = tmp_path / "several.affinecal-model"
    save_calibrator_file(path, predicting_calibrator("affine_sources"))
    several, alone = open_calibrator(path), predicting_calibrator()
    assert several.predicts_md
    told = ask_calibrator(several, "*CC(*)C#N", "")
    assert told.value == pytest.approx(ask_calibrator(alone, "*CC(*)C#N", "").value, rel=1e-12)
    assert told.origin == "predicted MD"
    assert TOLD.format("affine") in told.sentence


def test_the_grades_hold_what_they_say(study: Derived, folder: Path) -> None:
    closed = named(folder, "affine_sources", "closed")
    assert isinstance(open_calibrator(closed).calibrator, CoefficientsOnly)
    text = b"".join(members(closed).values())
    for row in study.snapshot.rows:
        assert len(row.smiles) < 4 or row.smiles.encode() not in text
    for grade in GRADES:
        card = open_calibrator(named(folder, "affine_sources", grade)).card
        assert "It takes the quantum-corrected MD of a polymer as well" in card
        assert "move other vibrations than all of them but the stretching of bonds to hydrogen" in card


def test_a_calibrator_that_weighs_md_tables_is_refused_in_a_sentence(tmp_path: Path) -> None:
    study = derive(several_tables(tmp_path, second=11), Derived())
    with pytest.raises(UserError, match=r"weighs the MD values of one\.csv and two\.csv side by side") as caught:
        calibrator_file_of(study, "affine_sources", "open")
    assert "choose a calibrator of the MD value alone with --calibrator (affine)" in str(caught.value)


def test_fit_saves_it_and_a_refusal_names_what_can_be_saved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measured, md = write_tables(tmp_path)
    words = ["fit", "--quiet", "--experiment", str(measured), "--md", str(md), "--property", "Cp", "--no-cache"]
    made = tmp_path / "made.affinecal-model"
    saving = ["--output", str(tmp_path / "out"), "--save-calibrator", str(made), "--overwrite", "--calibrator"]
    assert run_command([*words, *saving, "log_difference_sources", "--grade", "closed"]) == DONE
    assert open_calibrator(made).facts.model == "log_difference_sources"
    capsys.readouterr()
    assert run_command([*words, *saving, "quantum_corrected"]) == CANNOT
    assert "ordinary_sources" in capsys.readouterr().err


# -- files that are refused ---------------------------------------------------------------------------------------------


def summed(content: Content) -> Content:
    """Return the content with checksums that fit it, as somebody would make them who wants to do harm."""
    sums = {
        name: hashlib.sha256(data).hexdigest()
        for name, data in content.items()
        if name not in ("checksums.json", "mimetype")
    }
    return content | {"checksums.json": json.dumps(sums).encode()}


def filled(name: str, value: float):  # type: ignore[no-untyped-def]
    def change(content: Content) -> None:
        count = len(content[f"numbers/{name}.f64"]) // 8
        content[f"numbers/{name}.f64"] = np.full(count, value, dtype="<f8").tobytes()

    return change


def without(name: str):  # type: ignore[no-untyped-def]
    return lambda content: content.__delitem__(name)


DAMAGED = {
    "no sources": (GRADES, without("sources.json"), "sources.json is not what calibrator.json says of it"),
    "one source": (
        GRADES,
        edited("calibrator.json", lambda plain: plain.update(model="affine")),
        "sources.json is not what calibrator.json says of it",
    ),
    "other sources": (
        GRADES,
        edited("sources.json", lambda plain: plain.update(names=["MD as it is", "what I say"])),
        "names sources that no polymer can be given",
    ),
    "three sources": (
        GRADES,
        edited("sources.json", lambda plain: plain["names"].append("one more")),
        "names sources that no polymer can be given",
    ),
    "unknown bonds": (GRADES, edited("sources.json", lambda plain: plain.update(rigid_bonds="some")), "rigid_bonds"),
    "no fit takes any": (GRADES, filled("sources taken", 0.0), "takes none of the sources"),
    "half a source": (GRADES, filled("sources taken", 0.5), "sources taken"),
    "no weights": (GRADES, without("numbers/sources apart.f64"), "sources apart.f64 is missing"),
    "infinite weights": (GRADES, filled("sources apart", np.inf), "no number"),
    "constants": (("open",), filled("sources, constants", 0.0), "constants of affine"),
    "infinite sources": (("open",), filled("sources of training", np.inf), "no number"),
    "no form": (("closed",), edited("sources.json", lambda plain: plain.update(form=None)), "lacks a number"),
    "half a form": (
        ("closed",),
        edited("sources.json", lambda plain: plain["form"].update(offset=None)),
        "lacks a number",
    ),
    "scores": (("closed",), filled("sources scores", -1.0), "scores"),
}


@pytest.mark.parametrize(
    ("damage", "grade"), [(name, grade) for name, (grades, *_) in DAMAGED.items() for grade in grades]
)
def test_a_file_that_was_tampered_with_is_refused_in_a_sentence(
    folder: Path, tmp_path: Path, damage: str, grade: str
) -> None:
    _, change, words = DAMAGED[damage]
    content = members(named(folder, "affine_sources", grade))
    change(content)
    path = pack(tmp_path / "bad.affinecal-model", summed(content))
    with pytest.raises(UserError) as caught:
        open_calibrator(path)
    sentence = str(caught.value)
    assert words in sentence
    assert path.name in sentence
    assert "\n" not in sentence
    assert len(sentence) < 400
