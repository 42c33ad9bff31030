"""``ac.Calibrator``: a calibrator file on data frames gives what it gives on files."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import affinecal_gui as ac
from affinecal_gui.study.calibrator_files.calibrator_file import save_calibrator_file
from affinecal_gui.study.calibrator_files.making import calibrator_file_of
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.tasks.predicting.applying import apply_file
from tests.study.small_study import small_state

NEW = pd.DataFrame(
    {
        "name": ["polybutylene", "broken", "ethylene", "no value"],
        "smiles": ["*CC(*)CC", "*CC(", "*CCCC*", "*CCO*"],
        "Cp [kJ/(kg K)]": [4.458, 3.0, 4.699, np.nan],
    },
    index=["a", "b", "c", "d"],
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("calibrator") / "affine.affinecal-model"
    save_calibrator_file(made, calibrator_file_of(derive(small_state(), Derived()), "affine", "open"))
    return made


def test_a_frame_is_calibrated_as_a_file_is(path: Path, tmp_path: Path) -> None:
    found = ac.Calibrator.open(path).predict(NEW, errors="report")
    assert found.index.tolist() == ["a", "b", "c", "d"]
    NEW.to_csv(tmp_path / "new.csv", index=False)
    apply_file(path, tmp_path / "new.csv", tmp_path / "out.csv")
    expected = pd.read_csv(tmp_path / "out.csv", keep_default_na=False)
    for column in ("calibrated value", "lower", "upper"):
        values = pd.to_numeric(expected[column]).to_numpy()
        np.testing.assert_allclose(found[column].to_numpy(), values, rtol=1e-12)
        assert np.isfinite(found[column].to_numpy()).tolist() == [True, False, True, False]
    assert found["note"].tolist() == expected["note"].tolist()


def test_a_row_that_cannot_be_used_is_a_value_error(path: Path) -> None:
    with pytest.raises(ValueError, match="row b"):
        ac.Calibrator.open(path).predict(NEW)
    assert ac.Calibrator.open(path).predict(NEW.drop("b"))["calibrated value"].notna().sum() == 2


def test_a_calibrator_says_what_it_is(path: Path, tmp_path: Path) -> None:
    one = ac.Calibrator.open(str(path))
    assert "affine calibrator of specific heat capacity" in repr(one)
    assert one.card.startswith("# Affine calibrator")
    (tmp_path / "bad.affinecal-model").write_bytes(b"PK")
    with pytest.raises(ValueError, match=r"bad\.affinecal-model"):
        ac.Calibrator.open(tmp_path / "bad.affinecal-model")
