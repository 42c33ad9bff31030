"""A small study for the tests of the face for Python: the optical example, quick to calibrate, as files and as frames."""

from pathlib import Path

import pandas as pd
import pytest

import affinecal_gui as ac
from affinecal_gui.__main__ import main
from tests.kept_calibrations import calibrating_coarsely


@pytest.fixture(autouse=True, scope="module")
def made_of_coarse_calibrations(coarse_calibrations_of_module: None) -> None:
    """Nothing here depends on how finely penalties are searched, but in modules that say so by a fixture of that name."""


@pytest.fixture(scope="session")
def optical(examples: Path) -> pd.DataFrame:
    """26 polymers with measured and MD values in one table."""
    return ac.read_table(examples / "optical_measured_and_md.csv")


@pytest.fixture(scope="session")
def study(optical: pd.DataFrame) -> ac.Study:
    """The study of the refractive index, calibrated; no test may change it."""
    with calibrating_coarsely():
        return ac.Study.from_frames(optical, property="refractive_index").fit()


@pytest.fixture(scope="session")
def by_command(examples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ``affinecal fit`` writes of the same table."""
    output = tmp_path_factory.mktemp("fit") / "results"
    table = str(examples / "optical_measured_and_md.csv")
    words = ["fit", "--experiment", table, "--md", table, "--property", "refractive_index", "--output", str(output)]
    with calibrating_coarsely():
        assert main([*words, "--quiet"]) == 0
    return output
