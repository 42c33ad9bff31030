"""From tables to a result: what is matched, what is left out and why, and what is not computed twice."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.calibration.results import Penalties
from affinecal_gui.errors import Cancelled, MoreNeeded, UserError
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.fitting.calibrating import DescribedLibrary
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.shown.row_values import row_values
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.study import Study
from affinecal_gui.task import Task

MEASURED = """name,smiles,Cp [J/(kg K)]
polyethylene,*CCCC*,1900
polypropylene,*CC(*)C,1930
polystyrene,*CC(*)c1ccccc1,1210
poly(methyl methacrylate),*CC(C)(*)C(=O)OC,1380
poly(ethylene oxide),*CCO*,2000
poly(vinyl chloride),*CC(*)Cl,950
nylon 6,*NCCCCCC(*)=O,1500
poly(vinyl acetate),*CC(*)OC(C)=O,1350
polytetrafluoroethylene,*C(F)(F)C(*)(F)F,1000
poly(vinyl alcohol),*CC(*)O,1500
unknown,*CC(*)C1CCCCC1CCCC,1700
"""
SIMULATED = """monomer_ID,smiles,Cp,temp
S1,*CC*,4699,300
S2,*C(C*)C,4332,300
S3,*C(C*)c1ccccc1,3100,300
S4,*C(C*)(C(=O)OC)C,3300,300
S5,*OCC*,3900,300
S6,*C(C*)Cl,2300,300
S7,*CCCCCNC(*)=O,3621,300
S8,*C(C*)OC(=O)C,3350,300
S9,*C(F)(F)C(*)(F)F,1345,300
S10,*C(C*)O,3600,300
S11,*C(C*)CC,4458,300
S12,*C(C*)C#N,2900,300
"""


def write_tables(folder: Path) -> Path:
    (folder / "measured.csv").write_text(MEASURED, encoding="utf-8")
    (folder / "md.csv").write_text(SIMULATED, encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_tables(tmp_path)


def state_of(*paths: Path) -> StudyState:
    loaded = load_tables(paths)
    assert not loaded.errors
    return StudyState().with_tables(loaded.tables)


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> StudyState:
    folder = write_tables(tmp_path_factory.mktemp("tables"))
    return state_of(folder / "measured.csv", folder / "md.csv")


@pytest.fixture(scope="module")
def derived(state: StudyState) -> Derived:
    return derive(state, Derived())


def test_every_polymer_has_one_row_and_one_state(derived: Derived) -> None:
    rows = derived.snapshot.rows
    states = [row.state for row in rows]
    assert states.count("used") == 10
    assert states.count("no MD value") == 1
    assert states.count("predicted") == 2
    assert len({row.key for row in rows}) == len(rows) == 13
    unknown = next(row for row in rows if row.name == "unknown")
    assert "md.csv" in unknown.reason


def test_values_belong_to_their_polymer(derived: Derived) -> None:
    rows = {row.name: row for row in derived.snapshot.rows}
    assert rows["polyethylene"].md == 4699.0
    assert rows["polyethylene"].id == "S1"
    assert rows["nylon 6"].md == 3621.0
    calibration = derived.snapshot.calibration
    assert calibration is not None
    for row in derived.snapshot.rows:
        if row.training_index >= 0:
            assert calibration.measured[row.training_index] == row.measured
            assert calibration.md[row.training_index] == row.md
        if row.library_index >= 0:
            assert calibration.library_md[row.library_index] == row.md


def test_two_tables_of_one_kind_count_together(folder: Path) -> None:
    lines = MEASURED.splitlines(keepends=True)
    (folder / "first.csv").write_text("".join(lines[:6]), encoding="utf-8")
    (folder / "second.csv").write_text(lines[0] + "".join(lines[6:]), encoding="utf-8")
    derived = derive(state_of(folder / "first.csv", folder / "second.csv", folder / "md.csv"), Derived())
    assert [row.state for row in derived.snapshot.rows].count("used") == 10
    assert derived.snapshot.calibration is not None


def test_one_table_alone_shows_its_polymers_and_asks_for_the_other(folder: Path) -> None:
    derived = derive(state_of(folder / "measured.csv"), Derived())
    assert len(derived.snapshot.rows) == 11
    assert derived.snapshot.calibration is None
    assert "MD values" in derived.message


def test_repeat_units_without_values_wait_for_values(tmp_path: Path) -> None:
    (tmp_path / "units.smi").write_text("*CC*\n*CC(*)C\n", encoding="utf-8")
    state = StudyState().with_tables(load_tables([tmp_path / "units.smi"]).tables)
    with pytest.raises(MoreNeeded, match="no values yet"):
        derive(state, Derived())


def test_ready_descriptors_are_used_as_they_are(folder: Path, state: StudyState) -> None:
    names = [f"alpha_{i}" for i in range(12)] + [f"beta_{i}" for i in range(10)]
    rng = np.random.default_rng(5)
    values = rng.normal(size=(12, 22))
    lines = ["monomer_ID," + ",".join(names)]
    lines += [f"S{i + 1}," + ",".join(f"{value:.6f}" for value in values[i]) for i in range(12)]
    (folder / "own.csv").write_text("\n".join(lines), encoding="utf-8")
    with_own = state.with_tables(load_tables([folder / "own.csv"]).tables)
    derived = derive(with_own, Derived())
    blocks = derived.snapshot.blocks
    assert blocks is not None
    assert [block.name for block in blocks.blocks] == ["alpha", "beta"]
    assert blocks.sizes == (12, 10)
    np.testing.assert_allclose(derived.snapshot.descriptors, values, atol=1e-6)


def test_choosing_another_calibrator_computes_nothing(state: StudyState, derived: Derived) -> None:
    other = replace(state, settings=replace(state.settings, model="ordinary"))
    again = derive(other, derived)
    assert again.snapshot.calibration is derived.snapshot.calibration


def test_penalties_by_hand_refit_and_agree_with_a_full_calibration(state: StudyState, derived: Derived) -> None:
    by_hand = replace(state, settings=replace(state.settings, penalties=Penalties(3.0, 20.0, 1.0)))
    quick, full = derive(by_hand, derived), derive(by_hand, Derived())
    assert quick.snapshot.calibration is not None
    assert full.snapshot.calibration is not None
    for model in ("log_difference", "affine"):
        one, other = quick.snapshot.calibration.models[model], full.snapshot.calibration.models[model]
        assert one.penalties == other.penalties == Penalties(3.0, 20.0, 1.0)
        np.testing.assert_allclose(one.library, other.library, rtol=1e-6)
        np.testing.assert_allclose(one.out_of_fold, other.out_of_fold, rtol=1e-6)
    unchanged = quick.snapshot.calibration.models["ordinary"]
    assert derived.snapshot.calibration is not None
    assert unchanged.metrics == derived.snapshot.calibration.models["ordinary"].metrics


def test_a_slider_does_not_pay_for_what_it_does_not_change(
    state: StudyState, derived: Derived, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("describe_library", "training_of"):
        monkeypatch.setattr(
            f"affinecal_gui.study.fitting.calibrating.{name}", lambda *_, **__: pytest.fail("done again")
        )
    for lambda_1 in (3.0, 5.0):
        moved = replace(state, settings=replace(state.settings, penalties=Penalties(lambda_1, 20.0, 1.0)))
        derived = derive(moved, derived)
        assert derived.snapshot.calibration is not None
        assert derived.snapshot.calibration.models["affine"].penalties.lambda_1 == lambda_1


def test_another_choice_of_polymers_is_made_anew_from_the_same_descriptors(
    state: StudyState, derived: Derived, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "affinecal_gui.study.fitting.calibrating.describe_library", lambda *_, **__: pytest.fail("done again")
    )
    key = derived.snapshot.rows[0].key
    without = derive(replace(state, settings=replace(state.settings, left_out=frozenset({key}))), derived)
    back = derive(state, without)
    assert without.inputs is not None
    assert back.inputs is not None
    assert derived.inputs is not None
    assert len(without.inputs.training.rows) == len(derived.inputs.training.rows) - 1
    assert back.inputs.training.rows.tolist() == derived.inputs.training.rows.tolist()
    # Of most rows the measured value is nan, which from Python 3.13 on makes a row unequal to its like.
    assert list(map(repr, back.snapshot.rows)) == list(map(repr, derived.snapshot.rows))


def test_leaving_out_describes_nothing_again(state: StudyState, derived: Derived) -> None:
    key = derived.snapshot.rows[0].key
    other = replace(state, settings=replace(state.settings, left_out=frozenset({key})))
    again = derive(other, derived)
    assert again.assembly is derived.assembly
    assert isinstance(again.descriptors, DescribedLibrary)
    assert again.snapshot.rows[0].state == "left out"
    shown = row_values(again.snapshot, (again.snapshot.rows[0],))
    assert np.isfinite(shown.calibrated[0])
    assert not shown.out_of_fold[0]


def test_too_few_polymers_say_what_became_of_the_others(state: StudyState, derived: Derived) -> None:
    keys = frozenset(row.key for row in derived.snapshot.rows[:4])
    with pytest.raises(UserError, match=r"Only 6 .*at least 8.*1 is not in the MD table.*4 are left out"):
        derive(replace(state, settings=replace(state.settings, left_out=keys)), derived, calibrated_only=True)


def test_with_too_few_measured_heat_capacities_the_md_values_are_corrected(state: StudyState, derived: Derived) -> None:
    keys = frozenset(row.key for row in derived.snapshot.rows[:4])
    few = derive(replace(state, settings=replace(state.settings, left_out=keys)), derived)
    assert few.kind == "caution"
    assert few.message.startswith(
        "Only 6 measured polymers have an MD value and can be used; a calibration needs at least 8."
    )
    assert "4 are left out. 12 of 12 MD values are corrected for quantum effects instead; the 6 measured" in few.message
    corrected = few.snapshot.corrected
    assert corrected is not None
    values = row_values(few.snapshot)
    known = np.isfinite(values.measured) & np.isfinite(values.calibrated)
    known &= np.array([row.key not in keys for row in few.snapshot.rows])
    errors = np.log(values.calibrated[known] / values.measured[known])
    assert f"differ from them by {np.sqrt(np.mean(errors**2)):.3g} (RMSE" in few.message
    assert [row.label for row, value in zip(few.snapshot.rows, values.calibrated, strict=True) if np.isnan(value)] == [
        row.label for row in few.snapshot.rows if row.library_index < 0
    ]
    back = derive(state, few)
    assert back.snapshot.corrected is None
    assert back.snapshot.calibration is not None


def test_too_few_measured_polymers_are_refused_where_another_calibrator_is_wished_for(
    state: StudyState, derived: Derived
) -> None:
    keys = frozenset(row.key for row in derived.snapshot.rows[:4])
    settings = replace(state.settings, left_out=keys, model="affine", follows_advice=False)
    with pytest.raises(UserError, match="Only 6 measured polymers"):
        derive(replace(state, settings=settings), derived)


def test_a_value_without_logarithm_is_listed_not_fatal(folder: Path) -> None:
    text = MEASURED.replace("density", "").replace("1930", "-3")
    (folder / "measured.csv").write_text(text.replace("Cp [J/(kg K)]", "charge"), encoding="utf-8")
    (folder / "md.csv").write_text(SIMULATED.replace("Cp", "charge"), encoding="utf-8")
    state = state_of(folder / "measured.csv", folder / "md.csv")
    state = replace(state, settings=replace(state.settings, log_scale=True))
    derived = derive(state, Derived())
    row = next(row for row in derived.snapshot.rows if row.name == "polypropylene")
    assert row.state == "invalid"
    assert "−3 has" in row.reason
    assert derived.kind == "caution"


def test_cancelling_stops_between_polymers(state: StudyState) -> None:
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 8

    with pytest.raises(Cancelled):
        derive(state, Derived(), task=Task(cancelled=cancelled))


def test_progress_never_goes_back(state: StudyState) -> None:
    seen: list[float] = []
    derive(state, Derived(), task=Task(lambda fraction, _sentence: seen.append(fraction)))
    assert len(seen) > 10
    assert all(later >= earlier - 1e-9 for earlier, later in pairwise(seen))
    assert 0.0 <= min(seen) <= max(seen) <= 1.0 + 1e-9


def test_undo_and_redo_walk_through_states(state: StudyState) -> None:
    study = Study()
    study.execute("Add tables", state)
    for lambda_1 in (1.0, 2.0, 3.0):
        changed = replace(state, settings=replace(state.settings, seed=int(lambda_1)))
        study.execute("Change seed", changed, merge=True)
    assert study.snapshot().can_undo == "Change seed"
    assert study.undo()
    assert study.state is state
    assert study.snapshot().can_redo == "Change seed"
    assert study.undo()
    assert study.state.tables == ()
    assert not study.undo()
    assert study.redo()
    assert study.redo()
    assert study.state.settings.seed == 3


def test_bands_by_refits_change_the_bands_alone(state: StudyState, derived: Derived) -> None:
    one = derived.snapshot.calibration
    other = derive(replace(state, settings=replace(state.settings, bands="bootstrap")), derived).snapshot.calibration
    assert one is not None
    assert other is not None
    first, second = one.models["affine"].coefficients, other.models["affine"].coefficients
    assert first is not None
    assert second is not None
    np.testing.assert_array_equal(first.gamma, second.gamma)
    assert (first.upper != second.upper).mean() > 0.9
    assert other.settings["bootstrap"] == 1000
