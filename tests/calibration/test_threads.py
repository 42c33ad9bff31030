"""The linear algebra library keeps to one thread while small matrices are worked on, and gets its threads back."""

import threading
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import numpy as np  # noqa: F401 - loads the library whose threads are counted
import pytest
from threadpoolctl import threadpool_info

from affinecal_gui.calibration.kernels.tasks import work_through
from affinecal_gui.task import UNWATCHED
from affinecal_gui.threads import LARGE, one_thread_each, worker_count


def library_threads():
    return [entry["num_threads"] for entry in threadpool_info() if entry["user_api"] == "blas"]


def limit_is_over():
    """Wait for the end of the thread that holds the limit, which comes soon after its last user."""
    for thread in threading.enumerate():
        if thread.name == "one thread for linear algebra":
            thread.join()


def given_back(threads):
    """Whether the library has its threads again after its last user."""
    limit_is_over()
    return library_threads() == threads


@pytest.fixture(autouse=True)
def one_thread_of_linear_algebra():
    """Nothing holds the limit here, and what a test before set is over."""
    limit_is_over()


def test_small_matrices_have_one_thread_and_large_ones_keep_all():
    before = library_threads()
    with one_thread_each(LARGE):
        assert library_threads() == before
    with one_thread_each(70):
        assert set(library_threads()) == {1}
        with one_thread_each(70):
            assert set(library_threads()) == {1}
        assert set(library_threads()) == {1}
    assert given_back(before)


def test_calculations_that_overlap_give_the_threads_back_at_the_end():
    before = library_threads()
    entered = threading.Barrier(2, timeout=60)

    def work():
        with one_thread_each(10):
            entered.wait()
            return set(library_threads())

    with ThreadPoolExecutor(2) as pool:
        seen = [future.result() for future in [pool.submit(work), pool.submit(work)]]
    assert seen == [{1}, {1}]
    assert given_back(before)


def test_an_error_inside_gives_them_back_too():
    before = library_threads()
    try:
        with one_thread_each(10):
            raise RuntimeError
    except RuntimeError:
        pass
    assert given_back(before)


def test_the_limit_stays_for_the_next_one_and_is_lifted_after_all():
    before = library_threads()
    for _ in range(20):
        with one_thread_each(10):
            assert set(library_threads()) == {1}
    assert given_back(before)
    with one_thread_each(10):
        assert set(library_threads()) == {1}
    assert given_back(before)


def test_there_is_at_least_one_worker():
    assert 1 <= worker_count() <= 4


@pytest.mark.skipif(worker_count() < 2, reason="takes two threads")
def test_items_that_are_being_worked_on_learn_that_the_work_is_to_end() -> None:
    """They are waited for: one that takes long and did not know would keep the program from ending."""
    stopping, begun = Event(), Event()

    def work(interrupts: bool) -> None:
        if interrupts:
            begun.wait()
            raise KeyboardInterrupt
        begun.set()
        assert stopping.wait(60.0)

    with pytest.raises(KeyboardInterrupt):
        work_through(work, (True, False), 0, UNWATCHED, "Working", stopping=stopping)
