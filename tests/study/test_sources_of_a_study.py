"""Where a study's calibrators of several sources have them from, and what is said of polymers that lack one."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.__main__ import main
from affinecal_gui.calibration.calibrators.registry import source_keys
from affinecal_gui.calibration.results import Penalties
from affinecal_gui.errors import UserError
from affinecal_gui.figures.report.report_content import report_document
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.results.reporting import report_data
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.words.explanations import explain_parameters
from affinecal_gui.study.words.validity_words import validity_sentence
from tests.study.small_study import MEASURED, SIMULATED, small_result, small_state

LINES = [line.split(",") for line in SIMULATED.splitlines()[1:]]


def test_heat_capacities_have_md_and_its_corrected_value_as_sources() -> None:
    snapshot = small_result().snapshot
    assert snapshot.calibration is not None
    assert set(source_keys()) <= set(snapshot.calibration.models)
    weights = [name for name in snapshot.calibration.models["affine_sources"].parameters if name.startswith("alpha of")]
    assert weights == ["alpha of MD as it is", "alpha of quantum-corrected MD"]


def test_parameters_explanation_and_report_name_the_sources() -> None:
    found = small_result()
    shown = replace(found.snapshot, settings=replace(found.state.settings, model="log_difference_sources"))
    assert "held out alone, anew in every check" in explain_parameters(shown)
    words = repr(report_document(report_data(shown, found.state), most_rows=5))
    assert "weight of quantum-corrected MD" in words
    assert "Ordinary, several sources" in words


def test_the_papers_protocol_says_that_it_knows_one_source() -> None:
    state = small_state()
    wished = replace(state, settings=replace(state.settings, model="affine_sources", protocol="paper"))
    with pytest.raises(UserError, match="knows one source"):
        derive(wished, Derived())


def heat_capacities(folder: Path, model: str, impossible: tuple[str, ...]) -> StudyState:
    """The small study with a calibrator that is chosen; some polymers at 0 K, where nothing can be corrected."""
    simulated = "\n".join(
        f"{line.rsplit(',', 1)[0]},0" if line.split(",")[0] in impossible else line for line in SIMULATED.splitlines()
    )
    measured, md = folder / "measured.csv", folder / "md.csv"
    measured.write_text(MEASURED, encoding="utf-8")
    md.write_text(simulated, encoding="utf-8")
    loaded = load_tables((measured, md))
    assert not loaded.errors
    state = StudyState().with_tables(loaded.tables)
    return replace(state, settings=replace(state.settings, model=model, follows_advice=False))


@pytest.mark.usefixtures("coarse_calibrations")
def test_one_polymer_without_a_corrected_value_is_left_to_the_calibrator_of_the_md_value_alone(tmp_path: Path) -> None:
    state = heat_capacities(tmp_path, "ordinary_sources", ("S8",))
    snapshot = derive(state, Derived()).snapshot
    calibration = snapshot.calibration
    assert calibration is not None
    assert "quantum_corrected" not in calibration.models
    several, simple = calibration.models["ordinary_sources"], calibration.models["ordinary"]
    (lacking,) = (row.training_index for row in snapshot.rows if row.label == "poly(vinyl acetate)")
    assert several.parameters["alpha of quantum-corrected MD"].value != 0.0
    assert several.out_of_fold[lacking] == simple.out_of_fold[lacking]
    assert np.sum(several.out_of_fold == simple.out_of_fold) == 1
    assert any("1 polymer of the fit lacks a source beside the MD value" in note for note in calibration.notes)
    assert any("states no temperature for 1 of" in note for note in calibration.notes)


def test_where_too_few_have_a_corrected_value_that_is_refused_with_their_number_and_the_reason(tmp_path: Path) -> None:
    state = heat_capacities(tmp_path, "affine_sources", ("S1", "S8", "S9"))
    with pytest.raises(UserError, match=r"take 8 polymers of the fit that have all sources, and there are 7\..*not 0"):
        derive(state, Derived())


def test_the_corrected_value_itself_is_compared_by_all_polymers_of_the_fit_or_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is not compared, because one polymer of the fit has none"):
        derive(heat_capacities(tmp_path, "quantum_corrected", ("S8",)), Derived())


def several_tables(folder: Path, *, second: int) -> StudyState:
    """Two MD tables of densities, the second with so many polymers; without any there is one."""
    rng = np.random.default_rng(2)
    names = [line.split(",")[0] for line in MEASURED.splitlines()[1:]]
    truth = {cells[1]: float(cells[3]) for cells in LINES}
    tables = {
        "measured.csv": [f"{names[at]},{cells[1]},{float(cells[3]) * 1.02 + rng.normal(0.0, 0.005):.5g}"
                         for at, cells in enumerate(LINES)],
        "one.csv": [f"{cells[0]},{cells[1]},{truth[cells[1]] + rng.normal(0.0, 0.03):.5g}" for cells in LINES],
        "two.csv": [f"{cells[0]},{cells[1]},{truth[cells[1]] + rng.normal(0.05, 0.02):.5g}" for cells in LINES[:second]],
    }  # fmt: skip
    paths = []
    for name, rows in tables.items():
        if not rows:
            continue
        heading = "name,smiles,density [g/cm3]" if name == "measured.csv" else "id,smiles,MD density [g/cm3]"
        paths.append(folder / name)
        paths[-1].write_text("\n".join([heading, *rows, ""]), encoding="utf-8")
    loaded = load_tables(paths)
    assert not loaded.errors
    state = StudyState().with_tables(loaded.tables).with_property("density")
    return replace(
        state, settings=replace(state.settings, penalties=Penalties(1.0, 10.0))
    )  # quicker than to choose them


def test_two_md_tables_are_weighed_by_the_polymers_that_have_both(tmp_path: Path) -> None:
    calibration = derive(several_tables(tmp_path, second=11), Derived()).snapshot.calibration
    assert calibration is not None
    parameters = calibration.models["ordinary_sources"].parameters
    assert [name for name in parameters if name.startswith("alpha of")] == [
        "alpha of MD as it is", "alpha of one.csv", "alpha of two.csv",
    ]  # fmt: skip


def test_where_too_few_polymers_of_the_fit_have_both_they_are_put_together_and_that_is_said(tmp_path: Path) -> None:
    calibration = derive(several_tables(tmp_path, second=7), Derived()).snapshot.calibration
    assert calibration is not None
    assert not set(source_keys()) & set(calibration.models)
    assert any("that takes 8 polymers of the fit that have all of them, and there are" in n for n in calibration.notes)


def test_a_third_source_of_few_polymers_does_not_keep_two_others_from_being_weighed(tmp_path: Path) -> None:
    state = several_tables(tmp_path, second=11)
    third = tmp_path / "three.csv"
    third.write_text(f"id,smiles,MD density [g/cm3]\nR,{LINES[0][1]},1.9\n", encoding="utf-8")
    found = derive(state.with_tables(load_tables([third]).tables), Derived()).snapshot.calibration
    assert found is not None
    assert {"alpha of one.csv", "alpha of two.csv"} <= set(found.models["ordinary_sources"].parameters)
    assert "alpha of three.csv" not in found.models["ordinary_sources"].parameters
    assert any(note.startswith("MD values from three.csv are put together with the others") for note in found.notes)


@pytest.mark.usefixtures("coarse_calibrations")
def test_a_calibrator_of_two_md_tables_can_be_chosen_for_a_property_that_knows_no_correction(tmp_path: Path) -> None:
    state = several_tables(tmp_path, second=11)
    chosen = replace(state, settings=replace(state.settings, model="ordinary_sources", follows_advice=False))
    calibration = derive(chosen, Derived()).snapshot.calibration
    assert calibration is not None
    assert "ordinary_sources" in calibration.models


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (7, "that takes 8 polymers of the fit that have all of them, and there are 7"),
        (0, "needs a source beside the MD"),
    ],
)
def test_where_it_has_no_second_source_that_is_said_instead(tmp_path: Path, second: int, said: str) -> None:
    state = several_tables(tmp_path, second=second)
    chosen = replace(state, settings=replace(state.settings, model="ordinary_sources", follows_advice=False))
    with pytest.raises(UserError, match=said):
        derive(chosen, Derived())


def test_a_predicted_polymer_that_lacks_a_source_is_calibrated_by_fewer_and_its_row_says_so(tmp_path: Path) -> None:
    measured, md = tmp_path / "measured.csv", tmp_path / "md.csv"
    measured.write_text(MEASURED, encoding="utf-8")
    md.write_text(SIMULATED, encoding="utf-8")
    new = tmp_path / "new.csv"
    # An MD value below what would be taken off has no corrected one.
    new.write_text("name,smiles,temp,Cp [J/(kg K)]\nusual,*CC(*)CC,300,4400\nlow,*CC(*)CC,300,2500\n", encoding="utf-8")
    answers = {}
    for model in ("ordinary", "ordinary_sources"):
        words = ["predict", "--quiet", "--experiment", str(measured), "--md", str(md), "--property", "Cp", "--no-cache"]
        output = tmp_path / f"{model}.csv"
        assert main([*words, "--calibrator", model, str(new), "--output", str(output)]) == 0
        with output.open(encoding="utf-8-sig", newline="") as file:
            answers[model] = {row["name"]: row for row in csv.DictReader(file)}
    simple, several = answers["ordinary"], answers["ordinary_sources"]
    assert several["low"]["calibrated value"] == simple["low"]["calibrated value"]
    assert (
        "It has no value of quantum-corrected MD: calibrated by ordinary regression instead" in several["low"]["note"]
    )
    assert "calibrated by ordinary regression instead" not in several["usual"]["note"]
    assert several["usual"]["calibrated value"] != simple["usual"]["calibrated value"]


def test_the_sentence_is_empty_for_calibrators_of_one_source() -> None:
    calibration = small_result().snapshot.calibration
    assert calibration is not None
    assert "instead" not in validity_sentence(calibration, "affine", 0)
