"""A small study for the tests of the face for Python: the optical example, quick to calibrate, as files and as frames."""

from pathlib import Path

import pandas as pd
import pytest

import affinecal_gui as ac
from affinecal_gui.__main__ import main


@pytest.fixture(scope="session")
def optical(examples: Path) -> pd.DataFrame:
    """26 polymers with measured and MD values in one table."""
    return ac.read_table(examples / "optical_measured_and_md.csv")


@pytest.fixture(scope="session")
def study(optical: pd.DataFrame) -> ac.Study:
    """The study of the refractive index, calibrated; no test may change it."""
    return ac.Study.from_frames(optical, property="refractive_index").fit()


@pytest.fixture(scope="session")
def by_command(examples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ``affinecal fit`` writes of the same table."""
    output = tmp_path_factory.mktemp("fit") / "results"
    table = str(examples / "optical_measured_and_md.csv")
    words = ["fit", "--experiment", table, "--md", table, "--property", "refractive_index", "--output", str(output)]
    assert main([*words, "--quiet"]) == 0
    return output
