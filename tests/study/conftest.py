"""What the tests of a study share."""

import pytest


@pytest.fixture(autouse=True, scope="module")
def made_of_coarse_calibrations(coarse_calibrations_of_module: None) -> None:
    """Nothing here depends on how finely penalties are searched, but in modules that say so by a fixture of that name."""
