"""What every test can rely on: no display, nothing of the user's own settings or caches, no thread left behind."""

import gc
import os
import signal
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# The same few examples each time, so that the suite says the same of the same code; with ``--hypothesis-profile search``
# many others are drawn each time, and what failed is remembered. Speed is measured by the scripts in tests/benchmarks: on a
# busy machine a deadline fails tests at random.
settings.register_profile("repeatable", deadline=None, derandomize=True, database=None, max_examples=30)
settings.register_profile("search", deadline=None, derandomize=False, print_blob=True, max_examples=100)
settings.load_profile("repeatable")

# Before anything of Qt or of the program is imported.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
_HOME = tempfile.TemporaryDirectory(prefix="affinecal-tests-")
for _name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
    os.environ[_name] = str(Path(_HOME.name) / _name.lower())


def pytest_collection_finish() -> None:
    """Set aside what lives as long as the tests: every collection of cycles would look through all of it."""
    gc.collect()
    gc.freeze()


REPOSITORY = Path(__file__).resolve().parent.parent
SHARED_DATA = REPOSITORY.parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Reference data that lie beside the checkout on some machines and are not part of the product."""
    if not SHARED_DATA.is_dir():
        pytest.skip("reference data are not on this machine")
    return SHARED_DATA


@pytest.fixture(scope="session")
def examples() -> Path:
    """The folder of the bundled example tables."""
    return REPOSITORY / "resources" / "examples"


@pytest.fixture
def heeding_ctrl_c() -> Iterator[None]:
    """Let this process and those it starts heed Ctrl+C, whatever their parent does: what it ignores, its children ignore.

    In the background of a shell that is so, and under some services.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def blank_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are saved, but nothing is drawn in them: for tests of what else a command writes, which takes far less time.

    Those of reports, comparisons and benchmarks likewise.
    """
    from matplotlib.figure import Figure

    from affinecal_gui.figures import saving
    from affinecal_gui.figures.report import report_content
    from affinecal_gui.figures.report.report_document import Picture
    from affinecal_gui.study.results import study_figures

    def empty(*_: object) -> Figure:
        return Figure(figsize=(0.1, 0.1), layout="none")

    def blank(_draw: object, caption: str, alternative: str) -> Picture:
        return Picture(lambda open_sheet: open_sheet(60.0, 10.0), caption, alternative)

    save = saving.save_figure
    monkeypatch.setattr(saving, "save_figure", lambda _, path, **choices: save(empty(), path, **choices))
    monkeypatch.setattr(study_figures, "draw_figure", empty)
    monkeypatch.setattr(report_content, "Picture", blank)


STUDY_CALIBRATES = "affinecal_gui.study.fitting.calibrating.calibrate"
STUDY_LEARNS = "affinecal_gui.study.fitting.unsimulated.calibrate_unsimulated"


@pytest.fixture(scope="session", autouse=True)
def computed_once() -> Iterator[None]:
    """Let studies of the same data share their calibration, and what they learn of polymers nobody has simulated."""
    from affinecal_gui.calibration.calibrate import calibrate
    from affinecal_gui.calibration.unsimulated import calibrate_unsimulated
    from tests.kept_calibrations import keeping

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(STUDY_CALIBRATES, keeping(calibrate))
        patch.setattr(STUDY_LEARNS, keeping(calibrate_unsimulated))
        yield


@pytest.fixture
def coarse_calibrations(computed_once: None) -> Iterator[None]:
    """Let studies search and check coarsely: for tests of what is made of a calibration, which takes a tenth of the time."""
    from tests.kept_calibrations import calibrating_coarsely

    with calibrating_coarsely():
        yield


@pytest.fixture(scope="module")
def coarse_calibrations_of_module(computed_once: None) -> Iterator[None]:
    """The same for all tests of a module, and for what they share."""
    from tests.kept_calibrations import calibrating_coarsely

    with calibrating_coarsely():
        yield


@pytest.fixture
def computing_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a study compute whatever was computed before: for tests of what happens meanwhile."""
    from affinecal_gui.calibration.calibrate import calibrate

    monkeypatch.setattr(STUDY_CALIBRATES, calibrate)


KEPT_THREADS = ("pool_", "ThreadPoolExecutor", "QueueFeederThread", "MainThread", "pymp", "Dummy")
"""Threads of shared pools, which live as long as the program."""


@pytest.fixture(autouse=True)
def no_thread_left_behind() -> Iterator[None]:
    """Fail a test that starts a thread of its own and does not end it."""
    before = set(threading.enumerate())
    yield
    left = [
        thread
        for thread in threading.enumerate()
        if thread not in before and thread.is_alive() and not thread.daemon and not thread.name.startswith(KEPT_THREADS)
    ]
    for thread in left:
        thread.join(5)
    assert not [thread for thread in left if thread.is_alive()], "the test left threads behind"
