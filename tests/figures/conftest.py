"""What the tests of figures share."""

from collections.abc import Iterator

import matplotlib
import pytest


@pytest.fixture(autouse=True, scope="module")
def settings_of_matplotlib_are_left_alone() -> Iterator[None]:
    """Drawing must not change the settings of other code in the process."""
    before = dict(matplotlib.rcParams)
    yield
    assert dict(matplotlib.rcParams) == before
