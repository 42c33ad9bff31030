"""The methods with kernels beside the linear calibrators: asked for by a setting, ranked together, kept in the file."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.__main__ import main
from affinecal_gui.calibration.results import Penalties
from affinecal_gui.errors import UserError
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.fitting.calibrating import compared_methods
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.results.exporting import coefficient_rows, prediction_rows
from affinecal_gui.study.shown.inspection import inspect_polymer
from affinecal_gui.study.shown.row_values import row_values
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.stored.study_file import open_study, save_study
from affinecal_gui.study.stored.study_summary import summary_of
from tests.study.small_study import assert_same, small_result, small_state, write_tables

METHODS = ("direct", "affine_tl_const")


def with_settings(state: StudyState, **changes: object) -> StudyState:
    return replace(state, settings=replace(state.settings, **changes))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def compared() -> Derived:
    return derive(with_settings(small_state(), methods=METHODS), small_result())


def test_the_methods_stand_beside_the_linear_calibrators(compared: Derived) -> None:
    before, after = small_result().snapshot.calibration, compared.snapshot.calibration
    assert before is not None
    assert after is not None
    assert tuple(after.models) == (*before.models, *METHODS)
    for name in before.models:  # of which no number has changed
        assert after.models[name] is before.models[name]
    for name in METHODS:
        found = after.models[name]
        assert np.isfinite(found.out_of_fold).all()
        assert (found.out_of_fold_lower < found.out_of_fold_upper).all()
        assert found.library.shape == after.library_md.shape
    pairs = {frozenset((pair.better, pair.worse)) for pair in after.recommendation.comparisons}
    assert frozenset(METHODS) in pairs
    assert after.overlap is not None
    assert 0.0 < after.overlap.p_value <= 1.0


def test_the_linear_result_is_shown_before_the_comparison() -> None:
    shown: list[Derived] = []
    derive(with_settings(small_state(), methods=("direct",)), small_result(), publish=shown.append)
    calibrations = [one.snapshot.calibration for one in shown if one.snapshot.calibration is not None]
    assert [tuple(one.models) for one in calibrations] == [tuple(small_result().snapshot.calibration.models)]


def test_a_method_can_be_the_one_whose_values_are_shown(compared: Derived) -> None:
    state = with_settings(compared.state, model="direct")
    derived = derive(state, compared)
    assert derived.snapshot.calibration is compared.snapshot.calibration
    snapshot = replace(derived.snapshot, settings=state.settings)
    values = row_values(snapshot)
    calibration = derived.snapshot.calibration
    assert calibration is not None
    used = [number for number, row in enumerate(snapshot.rows) if row.state == "used"]
    expected = [calibration.models["direct"].out_of_fold[snapshot.rows[number].training_index] for number in used]
    assert values.calibrated[used].tolist() == expected


def test_a_method_that_is_chosen_while_it_is_still_compared_can_wait() -> None:
    state = with_settings(small_state(), methods=("direct",), model="direct")
    snapshot = replace(small_result().snapshot, settings=state.settings)  # as the window shows it meanwhile
    used = next(row for row in snapshot.rows if row.state == "used")
    content = inspect_polymer(snapshot, used.key)
    assert content is not None
    assert content.inside
    assert np.isnan(row_values(snapshot).calibrated).all()
    assert summary_of(state, replace(small_result(), state=state)) == "9 polymers, not compared yet"
    for export in (prediction_rows, coefficient_rows):
        with pytest.raises(UserError, match="Direct has not been compared yet"):
            export(snapshot)


def test_penalties_by_hand_keep_the_methods_in_the_ranking(compared: Derived) -> None:
    moved = derive(with_settings(compared.state, penalties=Penalties(5.0, 50.0)), compared).snapshot.calibration
    before = compared.snapshot.calibration
    assert moved is not None
    assert before is not None
    assert moved.models["direct"] is before.models["direct"]
    assert moved.models["affine"].metrics.rmse != before.models["affine"].metrics.rmse
    assert len(moved.recommendation.comparisons) == len(before.recommendation.comparisons)


def test_without_methods_the_linear_calibrators_are_as_they_were(compared: Derived) -> None:
    alone = derive(with_settings(compared.state, methods=()), compared).snapshot.calibration
    expected = small_result().snapshot.calibration
    assert alone is not None
    assert expected is not None
    assert tuple(alone.models) == tuple(expected.models)
    assert alone.recommendation == expected.recommendation
    assert alone.notes == expected.notes
    assert alone.overlap is None


def test_another_kernel_gives_other_values(compared: Derived) -> None:
    other = derive(with_settings(compared.state, kernel_target="linear"), compared).snapshot.calibration
    before = compared.snapshot.calibration
    assert other is not None
    assert before is not None
    assert other.models["direct"].metrics.rmse != before.models["direct"].metrics.rmse
    assert other.models["affine"] is before.models["affine"]


def test_methods_learn_from_further_md_properties(compared: Derived) -> None:
    assert [quantity.key for quantity in compared.snapshot.further_md] == ["density"]
    more = derive(with_settings(compared.state, sources=("density",)), compared).snapshot.calibration
    before = compared.snapshot.calibration
    assert more is not None
    assert before is not None
    assert more.models["affine_tl_const"].metrics.rmse != before.models["affine_tl_const"].metrics.rmse
    assert more.models["direct"].metrics.rmse == before.models["direct"].metrics.rmse  # it looks at no MD value
    assert more.models["affine"] is before.models["affine"]
    with pytest.raises(UserError, match=r"no further property .*It has: density"):
        derive(with_settings(compared.state, sources=("refractive_index",)), compared)


@pytest.mark.usefixtures("blank_figures")
def test_a_polymer_without_a_further_md_property_is_left_out_and_named(tmp_path: Path) -> None:
    """All calibrators are compared on the same polymers, and the linear ones come back when the property is taken off."""
    measured, simulated = write_tables(tmp_path)
    text = simulated.read_text(encoding="utf-8")
    assert "S8,*C(C*)OC(=O)C,3350,1.15,300" in text
    simulated.write_text(text.replace("3350,1.15,300", "3350,,300"), encoding="utf-8")
    plain = StudyState().with_tables(load_tables((measured, simulated)).tables).with_property("Cp")
    without = derive(with_settings(plain, methods=("only_source",)), Derived())
    with_density = derive(with_settings(without.state, sources=("density",)), without)
    states = {row.label: (row.state, row.reason) for row in with_density.snapshot.rows if row.measured_id or row.name}
    assert states["poly(vinyl acetate)"][0] == "invalid"
    assert "no MD value of density" in states["poly(vinyl acetate)"][1]
    one, other = without.snapshot.calibration, with_density.snapshot.calibration
    assert one is not None
    assert other is not None
    assert other.measured.size == one.measured.size - 1
    assert {result.metrics.n for result in other.models.values()} == {other.measured.size}
    assert "One polymer cannot be used. It has no MD value of density" in with_density.message
    again = derive(with_settings(with_density.state, sources=()), with_density).snapshot.calibration
    assert again is not None
    assert np.array_equal(again.models["affine"].out_of_fold, one.models["affine"].out_of_fold)
    study, results = tmp_path / "s.affinecal", tmp_path / "results"
    save_study(study, with_density.state, with_density)
    assert main(["fit", "--study", str(study), "--output", str(results), "--quiet"]) == 0
    left_out = (results / "left_out.csv").read_text(encoding="utf-8")
    assert "poly(vinyl acetate)" in left_out
    assert "no MD value of density" in left_out
    words = [
        "compare",
        "--experiment",
        str(measured),
        "--md",
        str(simulated),
        "--property",
        "Cp",
        "--source",
        "density",
    ]
    assert main([*words, "--methods", "only_source", "--output", str(tmp_path / "compared"), "--quiet"]) == 0
    content = json.loads((tmp_path / "compared" / "comparison.json").read_text(encoding="utf-8"))
    assert {model["out_of_fold"]["n"] for model in content["models"].values()} == {other.measured.size}


def test_another_target_is_not_learned_from_itself(compared: Derived) -> None:
    state = with_settings(compared.state, sources=("density",)).with_property("density")
    assert state.settings.sources == ()


def test_a_study_file_keeps_the_comparison(compared: Derived, tmp_path: Path) -> None:
    path = tmp_path / "compared.affinecal"
    save_study(path, compared.state, compared)
    opened = open_study(path)
    assert opened.state.settings.methods == METHODS
    assert opened.derived is not None
    found, expected = opened.derived.snapshot.calibration, compared.snapshot.calibration
    assert found is not None
    assert expected is not None
    assert tuple(found.models) == tuple(expected.models)
    assert_same(found.models["affine_tl_const"], expected.models["affine_tl_const"])
    assert_same(found.overlap, expected.overlap)
    # Others than those in the file need the kept fit of the calibration, which is therefore made anew.
    more = derive(with_settings(opened.state, methods=("only_source",)), opened.derived).snapshot.calibration
    assert more is not None
    assert compared_methods(more) == ("only_source",)
