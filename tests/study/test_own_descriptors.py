"""Descriptors that a table brings along: their blocks, and columns that are missing."""

from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.polymers.descriptors.descriptors import describe
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.describing.describing import FORCE_FIELD, blocks_of
from affinecal_gui.study.describing.own_descriptors import blocks_of_names
from affinecal_gui.study.fitting.calibrating import DescribedLibrary
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.state import StudyState

PUBLISHED = blocks_of(FORCE_FIELD)
MISSING = {"mass_I", "charge_3", "charge_19", *(f"polar_{number}" for number in range(20))}
UNITS = ("CC", "CCO", "CC(F)", "CC(Cl)", "CC(C)", "CC(O)", "CC(c1ccccc1)", "CC(C#N)", "CC(OC)", "CC(CC)")


def test_missing_columns_leave_the_others_their_physical_values() -> None:
    assert blocks_of_names(PUBLISHED.columns) == PUBLISHED
    found = blocks_of_names(tuple(column for column in PUBLISHED.columns if column not in MISSING))
    assert [block.name for block in found.blocks] == [block.name for block in PUBLISHED.blocks if block.name != "polar"]
    assert found.sizes[:3] == (9, 18, 20)
    whole = dict(zip(PUBLISHED.blocks[1].columns, PUBLISHED.blocks[1].physical_values, strict=True))
    np.testing.assert_array_equal(
        found.blocks[1].physical_values, [whole[column] for column in found.blocks[1].columns]
    )
    assert found.blocks[0].labels == PUBLISHED.blocks[0].labels[:-1]  # type: ignore[index]


def test_words_in_the_place_of_numbers_make_one_block() -> None:
    found = blocks_of_names(("mass_C", "mass_H", "size_0", "size_1", "single"))
    assert [(block.name, block.size, block.labels) for block in found.blocks] == [
        ("mass", 2, ("C", "H")),
        ("size", 2, None),
        ("single", 1, ("single",)),
    ]


@pytest.mark.parametrize("described", [10, 7])
def test_a_table_with_columns_missing_is_used_and_completed(tmp_path: Path, described: int) -> None:
    """Rows of polymers that the table does not have are computed, in the columns that it has."""
    kept = [place for place, column in enumerate(PUBLISHED.columns) if column not in MISSING]
    names = [PUBLISHED.columns[place] for place in kept]
    values = np.array([describe(f"*{unit}*") for unit in UNITS])[:, kept]
    measured = "".join(f"*{unit}*,{1000 + 90 * place}\n" for place, unit in enumerate(UNITS))
    simulated = "".join(f"*{unit}*,{2500 + 170 * place}\n" for place, unit in enumerate(UNITS))
    own = "".join(
        f"*{unit}*," + ",".join(map(repr, row.tolist())) + "\n"
        for unit, row in zip(UNITS[:described], values, strict=False)
    )
    (tmp_path / "e.csv").write_text(f"smiles,measured Cp [J/(kg K)]\n{measured}", encoding="utf-8")
    (tmp_path / "m.csv").write_text(f"smiles,MD Cp [J/(kg K)]\n{simulated}", encoding="utf-8")
    (tmp_path / "d.csv").write_text(f"smiles,{','.join(names)}\n{own}", encoding="utf-8")
    loaded = load_tables((tmp_path / "e.csv", tmp_path / "m.csv", tmp_path / "d.csv"))
    assert not loaded.errors
    derived = derive(StudyState().with_tables(loaded.tables), Derived())
    assert isinstance(derived.descriptors, DescribedLibrary)
    assert derived.descriptors.blocks.columns == tuple(names)
    np.testing.assert_allclose(derived.descriptors.values, values, atol=1e-12)
    assert derived.snapshot.calibration is not None
    assert np.isfinite(derived.snapshot.calibration.models["affine"].out_of_fold).all()
