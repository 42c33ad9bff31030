"""A screening on Dask workers writes what one of this computer writes, and survives what happens to workers."""

import logging
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from affinecal_gui.cli import CANNOT, run_command
from affinecal_gui.errors import UserError
from affinecal_gui.study.calibrator_files.calibrator_file import save_calibrator_file
from affinecal_gui.study.calibrator_files.making import calibrator_file_of
from affinecal_gui.task import Task
from affinecal_gui.tasks.screening.engines.dask_engine import DaskScheduler
from affinecal_gui.tasks.screening.library import partitions
from affinecal_gui.tasks.screening.screening import screen_library
from tests.screening_here import Here, contents_of
from tests.study.small_study import small_result

distributed = pytest.importorskip("distributed", reason="Dask is not installed: pip install affinecal[cluster]")

pytestmark = pytest.mark.filterwarnings("default")  # of Dask, about itself


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(partitions, "FEWEST_ROWS", 10)
    path = tmp_path / "library.csv"
    rows = [f"*CC(*){'C' * (row % 5)}O,{2000 + 40 * row}" for row in range(80)]
    path.write_text("\n".join(["smiles,Cp [J/(kg K)]", *rows, ""]), encoding="utf-8")
    return path


@pytest.fixture
def calibrator(tmp_path: Path) -> Path:
    path = tmp_path / "Cp.affinecal-model"
    save_calibrator_file(path, calibrator_file_of(small_result(), "affine", "closed"))
    return path


@pytest.fixture
def cluster() -> Iterator["distributed.LocalCluster"]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as made:
        yield made


def test_two_workers_one_of_them_killed_write_the_same_bytes(
    tmp_path: Path, library: Path, calibrator: Path, cluster: "distributed.LocalCluster"
) -> None:
    killed: list[int] = []

    def kill_one(fraction: float, sentence: str) -> None:
        if sentence.startswith("Screened 2 ") and not killed:
            killed.append(cluster.workers[0].process.pid)
            os.kill(killed[0], signal.SIGKILL)

    screen_library(
        library, [calibrator], tmp_path / "dask", engine=DaskScheduler(cluster.scheduler_address), task=Task(kill_one)
    )
    assert killed
    screen_library(library, [calibrator], tmp_path / "local", engine=Here())
    assert len(contents_of(tmp_path / "local")) == 8 + 5
    assert contents_of(tmp_path / "dask") == contents_of(tmp_path / "local")


def test_a_scheduler_that_is_not_there_is_said(
    tmp_path: Path,
    library: Path,
    calibrator: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("affinecal_gui.tasks.screening.engines.dask_engine.SECONDS_TO_CONNECT", 0.2)
    words = ["screen", "--quiet", str(library), "--calibrator", str(calibrator), "--output", str(tmp_path / "out")]
    assert run_command([*words, "--scheduler", "tcp://127.0.0.1:1"]) == CANNOT
    assert "There is no Dask scheduler at tcp://127.0.0.1:1." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [("workers=0", "workers must be a whole number, 1 or more"), ("fast", "“fast” is not understood")],
)
def test_options_of_a_queue_that_are_not_understood_are_quoted(
    tmp_path: Path, library: Path, calibrator: Path, capsys: pytest.CaptureFixture[str], options: str, said: str
) -> None:
    pytest.importorskip("dask_jobqueue", reason="dask-jobqueue is not installed: pip install affinecal[cluster]")
    words = ["screen", "--quiet", str(library), "--calibrator", str(calibrator), "--output", str(tmp_path / "out")]
    assert run_command([*words, "--slurm", options]) == CANNOT
    assert said in capsys.readouterr().err


def test_a_scheduler_that_goes_away_leaves_what_is_finished(
    tmp_path: Path,
    library: Path,
    calibrator: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("affinecal_gui.tasks.screening.engines.dask_engine.SECONDS_TO_CONNECT", 1.0)
    monkeypatch.setattr(logging.getLogger("distributed.client"), "handlers", [caplog.handler])
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, silence_logs=50
    ) as cluster:
        engine = DaskScheduler(cluster.scheduler_address)

        def close(fraction: float, sentence: str) -> None:
            if sentence.startswith("Screened 1 "):
                cluster.close()

        with pytest.raises(UserError, match=r"has gone away\. Start it again; what is finished is kept"):
            screen_library(library, [calibrator], tmp_path / "out", engine=engine, task=Task(close))
    assert list((tmp_path / "out" / "rows").glob("part-*.parquet"))
    assert not [one for one in caplog.records if one.levelno >= logging.ERROR]  # the sentence is all that is said
