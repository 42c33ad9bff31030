"""Copolymers in a study: from two tables to calibrated values, pictures and exported files."""

import math
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.errors import UserError
from affinecal_gui.polymers.copolymers.composition import describe_composition
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.shown.correction import correction_of
from affinecal_gui.study.shown.inspection import inspect_polymer
from affinecal_gui.study.snapshot import PolymerRow
from affinecal_gui.tasks.reading.data_files import DataFiles, read_study

ETHYLENE, PROPYLENE, STYRENE = "*CC*", "*CC(*)C", "*CC(*)c1ccccc1"


@pytest.fixture(scope="module")
def derived(tmp_path_factory: pytest.TempPathFactory) -> Derived:
    """Ten measured copolymers of styrene, written in columns; the simulated ones written in one text, and a homopolymer."""
    folder = tmp_path_factory.mktemp("copolymers")
    measured = ["name,smiles_1,smiles_2,fraction_1,fraction_2,Cp [J/(kg K)]"]
    simulated = ["monomer_ID,smiles,ratio,Cp,temp"]
    for number in range(10):
        other = (ETHYLENE, PROPYLENE)[number % 2]
        twice = ("*CCCC*", "*C(C)CC(C)C*")[number % 2]
        share = round(0.05 + number / 12, 2)
        measured.append(f"copolymer {number},{other},{STYRENE},{share},{1 - share:.2f},{1200 + 500 * share:.0f}")
        half = share / 2
        simulated.append(
            f"S{number},*C(C*)c1ccccc1|{twice},{1 - share:.2f}|{half},{3000 + 1700 * share + 40 * (number % 3):.0f},300"
        )
    measured += [f"polystyrene,{STYRENE},,1,,1210", f"unsound,{ETHYLENE},{STYRENE},0.7,-0.3,1500"]
    simulated += ["S98,*C(C*)c1ccccc1,,3100,300", f"S99,{ETHYLENE}|{STYRENE},0.5|0.5,3900,300"]
    paths = []
    for name, lines in (("measured.csv", measured), ("md.csv", simulated)):
        paths.append(folder / name)
        paths[-1].write_text("\n".join(lines), encoding="utf-8")
    state, _ = read_study(DataFiles(paths[0], paths[1], property_key="Cp"))
    return derive(state, Derived(), cache=DescriptorCache(folder / "cache.sqlite"))


def row_named(derived: Derived, name: str) -> PolymerRow:
    return next(row for row in derived.snapshot.rows if row.label == name)


def test_copolymers_are_matched_and_calibrated(derived: Derived) -> None:
    rows = derived.snapshot.rows
    assert sum(row.state == "used" for row in rows) == 11
    assert derived.snapshot.match_summary == "11 of 11 measured polymers have an MD value."
    calibration = derived.snapshot.calibration
    assert calibration is not None
    assert len(calibration.measured) == 11


def test_bad_fractions_are_listed_with_their_reason(derived: Derived) -> None:
    (table,) = [table for table in derived.state.tables if table.table.name == "measured.csv"]
    (problem,) = table.table.problems
    assert problem.line == 13
    assert "-0.3 is negative" in problem.reason


def test_their_descriptors_are_those_of_the_composition(derived: Derived) -> None:
    row = row_named(derived, "S99")
    values = derived.snapshot.descriptors
    assert values is not None
    expected = describe_composition(f"{ETHYLENE}|{STYRENE}|0.5|0.5")
    np.testing.assert_allclose(values[row.library_index], expected, atol=1e-12)


def test_a_copolymer_is_inspected_without_shares_of_atoms(derived: Derived) -> None:
    row = row_named(derived, "copolymer 3")
    content = inspect_polymer(derived.snapshot, row.key)
    assert content is not None
    assert "mol %" in content.svg
    assert "mol %" in content.svg_dark
    assert math.isnan(content.legend_limit)
    assert sum(effect.value for effect in content.effects) == pytest.approx(content.effects_sum, abs=1e-12)
    assert content.effects_sum
    with pytest.raises(UserError, match="is a copolymer"):
        correction_of(derived.snapshot, row)
    homopolymer = inspect_polymer(derived.snapshot, row_named(derived, "polystyrene").key)
    assert homopolymer is not None
    assert homopolymer.effects


def test_a_known_copolymer_is_found_in_the_cache(derived: Derived, monkeypatch: pytest.MonkeyPatch) -> None:
    from affinecal_gui.study.describing import describing

    text = f"{ETHYLENE}|{STYRENE}|0.5|0.5"
    cache = derived_cache(derived)
    monkeypatch.setattr(describing, "describe_text", lambda text, force_field: pytest.fail("it is described anew"))
    table = describing.describe_polymers([text], cache=cache)
    np.testing.assert_allclose(table.values[0], describe_composition(text), atol=1e-12)


def derived_cache(derived: Derived) -> DescriptorCache:
    return DescriptorCache(Path(derived.state.tables[0].table.path).with_name("cache.sqlite"))
