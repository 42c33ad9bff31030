"""The folder of the results of a run: one run at a time, and all of its results or none, wherever it is stopped."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from affinecal_gui.errors import UserError
from affinecal_gui.files import write_atomically
from affinecal_gui.tasks.writing.results_folder import results_folder

NAMES = ("a.csv", "b.csv", "c.png", "left_out.csv")
OLD = {"a.csv": b"old a", "b.csv": b"old b", "left_out.csv": b"old rows"}
NEW = {"a.csv": b"new a", "b.csv": b"new b", "c.png": b"new c"}
MINE = {"notes.txt": b"mine", "d.csv": b"mine as well"}


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def write(folder: Path, files: dict[str, bytes]) -> None:
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)


def run(
    output: Path,
    *,
    overwrite: bool = False,
    files: dict[str, bytes] = NEW,
    then: Callable[[], object] = lambda: None,
) -> None:
    """Write results as a command does; ``then`` is what happens when all are written."""
    with results_folder(output, NAMES, overwrite=overwrite) as folder:
        for name, data in files.items():
            write_atomically(folder / name, data)
        then()


def raise_(error: BaseException | type[BaseException]) -> None:
    raise error


def test_a_new_folder_holds_the_results_and_nothing_else(tmp_path: Path) -> None:
    run(tmp_path / "deep" / "out")
    assert content(tmp_path / "deep" / "out") == NEW
    assert len(list((tmp_path / "deep" / "out").iterdir())) == len(NEW)


def test_results_of_before_are_replaced_only_when_that_was_asked_for_and_other_files_never(tmp_path: Path) -> None:
    write(tmp_path / "out", OLD | MINE)
    with pytest.raises(UserError, match=r"holds a\.csv already.*--overwrite"):
        run(tmp_path / "out")
    assert content(tmp_path / "out") == OLD | MINE
    run(tmp_path / "out", overwrite=True)
    assert content(tmp_path / "out") == NEW | MINE


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("error", [KeyboardInterrupt, UserError("no"), OSError(28, "No space left on device")])
def test_a_run_that_fails_leaves_the_folder_as_it_was(
    error: BaseException | type[BaseException], overwrite: bool, tmp_path: Path
) -> None:
    old = OLD | MINE if overwrite else MINE
    write(tmp_path / "out", old)
    for output, expected in ((tmp_path / "out", old), (tmp_path / "new" / "out", None)):
        with pytest.raises((KeyboardInterrupt, UserError, OSError)):
            run(output, overwrite=overwrite, then=lambda: raise_(error))
        if expected is not None:
            assert content(output) == expected
            assert len(list(output.iterdir())) == len(expected)
    assert not (tmp_path / "new").exists()


def calls(function: str, number: int, error: BaseException, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Let one call of a function of the system fail; return how many calls there were."""
    real, count = getattr(os, function), 0

    def counted(*words: object, **options: object) -> object:
        nonlocal count
        count += 1
        if count == number:
            raise error
        return real(*words, **options)

    monkeypatch.setattr(os, function, counted)
    return lambda: count


@pytest.mark.parametrize("function", ["replace", "link", "unlink", "mkdir", "rename", "rmdir"])
@pytest.mark.parametrize("error", [KeyboardInterrupt(), PermissionError(13, "Permission denied")])
@pytest.mark.parametrize("overwrite", [False, True])
def test_wherever_a_step_fails_all_is_old_or_all_is_new(
    function: str, error: BaseException, overwrite: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = OLD | MINE if overwrite else MINE
    for number in range(1, 40):
        output = tmp_path / f"out{number}"
        write(output, old)
        with monkeypatch.context() as patch:
            counted = calls(function, number, error, patch)
            try:
                run(output, overwrite=overwrite)
            except (UserError, KeyboardInterrupt, OSError):
                expected = [old, NEW | MINE]
            else:
                expected = [NEW | MINE]
            reached = counted() >= number
        seen = {name: data for name, data in content(output).items() if not name.startswith(".")}
        assert seen in expected, (function, number)
        run(output, overwrite=True)
        assert content(output) == NEW | MINE
        if not reached:
            return
    pytest.fail("there is no end of the steps")


KILLED = """
import os, sys
from pathlib import Path
from affinecal_gui.tasks.writing.results_folder import results_folder
from affinecal_gui.files import write_atomically
function, number, output = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
real, count = getattr(os, function), 0
def counted(*words, **options):
    global count
    count += 1
    if count == number:
        os.kill(os.getpid(), 9)
    return real(*words, **options)
setattr(os, function, counted)
with results_folder(output, {names}, overwrite=True) as folder:
    for name, data in {new}.items():
        write_atomically(folder / name, data)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(("function", "number"), [("replace", 1), ("replace", 2), ("replace", 4), ("link", 7)])
def test_what_a_killed_run_left_is_put_back_by_the_next_one(
    function: str, number: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    output = tmp_path / "out"
    write(output, OLD | MINE)
    program = KILLED.format(names=NAMES, new=NEW)
    ended = subprocess.run([sys.executable, "-c", program, function, str(number), str(output)], check=False)
    assert ended.returncode == -signal.SIGKILL
    with pytest.raises(UserError, match=r"holds a\.csv already"):
        run(output)
    seen = {name: data for name, data in content(output).items() if not name.startswith(".")}
    assert seen == OLD | MINE
    if function == "replace" and number > 1:  # the first files had been replaced
        assert "what was there before has been put back" in caplog.text
    run(output, overwrite=True)
    assert content(output) == NEW | MINE
    assert len(list(output.iterdir())) == len(NEW | MINE)


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_second_run_into_the_same_folder_is_refused_and_harms_nothing(overwrite: bool, tmp_path: Path) -> None:
    with results_folder(tmp_path / "out", NAMES, overwrite=overwrite) as folder:
        for name, data in NEW.items():
            write_atomically(folder / name, data)
        with pytest.raises(UserError, match="Another run is writing its results"):
            run(tmp_path / "out", overwrite=overwrite, files={"a.csv": b"other"})
    assert content(tmp_path / "out") == NEW


def test_of_many_runs_at_once_one_writes_and_the_others_say_why_not(tmp_path: Path) -> None:
    outcomes: list[str] = []
    together = threading.Barrier(8)

    def work(number: int) -> None:
        together.wait()
        try:
            run(tmp_path / "deep" / "out", files={name: f"{number}".encode() for name in NEW})
        except UserError as error:
            outcomes.append(str(error))
        else:
            outcomes.append("written")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes.count("written") == 1, outcomes
    assert all("Another run" in text or "already" in text for text in outcomes if text != "written"), outcomes
    assert len(set(content(tmp_path / "deep" / "out").values())) == 1
    assert content(tmp_path / "deep" / "out").keys() == NEW.keys()


OTHER = """
import sys
from pathlib import Path
from affinecal_gui.tasks.writing.results_folder import results_folder
with results_folder(Path(sys.argv[1]), ("a.csv",), overwrite=False) as folder:
    (folder / "a.csv").write_bytes(b"first")
    print("inside", flush=True)
    sys.stdin.readline()
"""


def test_another_program_in_the_same_folder_is_refused_while_the_first_one_works(tmp_path: Path) -> None:
    words = [sys.executable, "-c", OTHER, str(tmp_path / "out")]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "inside\n"
        with pytest.raises(UserError, match="Another run is writing its results"):
            run(tmp_path / "out")
        first.communicate("\n")
    assert content(tmp_path / "out") == {"a.csv": b"first"}


def test_a_file_that_somebody_else_made_meanwhile_is_kept(tmp_path: Path) -> None:
    output = tmp_path / "out"
    with pytest.raises(UserError, match=r"c\.png was created by somebody else"):
        run(output, then=lambda: (output / "c.png").write_bytes(b"theirs"))
    assert content(output) == {"c.png": b"theirs"}


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.usefixtures("heeding_ctrl_c")
@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_results_are_put_in_place_waits_until_they_are(
    way: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output, real = tmp_path / "out", os.replace
    write(output, OLD)

    def replace(one: Path, other: Path) -> None:
        real(one, other)
        signal.raise_signal(way)

    former = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        monkeypatch.setattr(os, "replace", replace)
        with pytest.raises(KeyboardInterrupt):
            run(output, overwrite=True)
    finally:
        signal.signal(signal.SIGTERM, former)
    assert content(output) == NEW


def test_a_result_that_is_no_file_is_refused_before_the_work(tmp_path: Path) -> None:
    output = tmp_path / "out"
    target = tmp_path / "elsewhere.csv"
    target.write_bytes(b"kept")
    ways: list[Callable[[Path], object]] = [Path.mkdir, lambda path: path.symlink_to(target)]
    if sys.platform != "win32":
        ways += [os.mkfifo, lambda path: path.symlink_to("/dev/full"), lambda path: path.symlink_to("/nowhere")]
    for number, make in enumerate(ways):
        folder = output / str(number)
        folder.mkdir(parents=True)
        make(folder / "b.csv")
        before = (folder / "b.csv").lstat()
        with pytest.raises(UserError, match=r"b\.csv is a link, a folder or a device"):
            run(folder, overwrite=True)
        assert os.path.samestat((folder / "b.csv").lstat(), before)
        assert [path.name for path in folder.iterdir()] == ["b.csv"]
    assert target.read_bytes() == b"kept"


def test_a_plan_from_elsewhere_touches_no_file_outside_the_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_bytes(b"mine")
    (tmp_path / "out" / ".affinecal-run").mkdir(parents=True)
    (tmp_path / "out" / ".affinecal-run" / "plan.json").write_text('{"written": ["../mine.txt"], "before": []}')
    run(tmp_path / "out")
    assert (tmp_path / "mine.txt").read_bytes() == b"mine"
