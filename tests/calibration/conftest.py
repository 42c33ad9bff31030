"""The mathematics is compared with references that are written without a thought of speed."""

from collections.abc import Iterator

import pytest

from affinecal_gui.threads import one_thread_each


@pytest.fixture(autouse=True)
def one_thread_of_linear_algebra() -> Iterator[None]:
    """Small products of the references on two threads, which wait for each other, take twenty times as long under load."""
    with one_thread_each(190):
        yield
