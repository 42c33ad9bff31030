"""Asking for a newer version, and saving a crash report, through the real window."""

import json
import logging
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from affinecal_gui import __version__
from affinecal_gui.support import releases
from affinecal_gui.support.log import start_log
from affinecal_gui.task import Task
from affinecal_gui.ui.dialogs.help.support_desk import CheckForUpdates
from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
from affinecal_gui.ui.running.job import Job
from affinecal_gui.ui.session.dialogs import NoDialogs
from affinecal_gui.ui.window.main_window import MainWindow

# Nothing of this may be in a crash report: structures, values, names of columns, files and folders.
HOME = "home-of-Ada"
STRUCTURES = ("*CC(C#N)(F)*", "*CC(c1ccc(Br)cc1)*")
VALUES = ("1234.5678", "8765.4321")
TABLE = "secret_polymer,smiles,Cp (J/kg/K)\n" + "".join(
    f"private{n},{smiles},{value}\n" for n, (smiles, value) in enumerate(zip(STRUCTURES, VALUES, strict=True))
)
SECRETS = (HOME, "confidential", "secret", "private", *STRUCTURES, *VALUES)


class Saving(NoDialogs):
    """Saves where the test says."""

    path = ""

    def save_file(self, title: str, suggestion: str, filters: str) -> str:
        return self.path


@pytest.fixture(scope="module")
def shared_window(
    request: pytest.FixtureRequest, qapp: QApplication, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[MainWindow]:
    folder = tmp_path_factory.mktemp("support")
    settings = QSettings(str(folder / "s.ini"), QSettings.Format.IniFormat)
    made = MainWindow(ThemeKeeper(qapp, "light"), Saving(), settings, folder / "studies")
    made.show()
    QtBot(request).waitUntil(lambda: made.is_at_rest, timeout=60_000)
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def window(shared_window: MainWindow) -> MainWindow:
    shared_window.message_bar.clear()
    return shared_window


@dataclass
class Page:
    """A release page of this computer, and what it was asked."""

    content: bytes = b"{}"
    status: int = 200
    let_go: threading.Event = field(default_factory=threading.Event)
    asked: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    address: str = ""


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    made = Page()
    made.let_go.set()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            made.asked.append((self.command, self.path, dict(self.headers)))
            made.let_go.wait(20)
            self.send_response(made.status)
            self.end_headers()
            self.wfile.write(made.content)

        def log_message(self, *words: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    made.address = f"http://127.0.0.1:{server.server_port}/releases.json"
    monkeypatch.setenv(releases.VARIABLE, made.address)
    monkeypatch.setenv("no_proxy", "*")
    yield made
    made.let_go.set()
    server.shutdown()
    thread.join()
    server.server_close()


def said(qtbot: QtBot, window: MainWindow) -> str:
    """Choose the action and return what the window says."""
    window.window_actions.check_for_updates.trigger()
    qtbot.waitUntil(lambda: bool(window.message_bar.texts()))
    (text,) = window.message_bar.texts()
    return text


def test_a_newer_version_is_said_with_its_page_and_the_request_says_nothing_about_the_user(
    qtbot: QtBot, window: MainWindow, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert page.asked == []
    page.content = json.dumps({"tag_name": "v99.1.0", "html_url": "https://example.org/99.1"}).encode()
    assert said(qtbot, window) == f"AffineCal 99.1.0 is there; this is {__version__}."
    ((method, path, headers),) = page.asked
    assert (method, path) == ("GET", "/releases.json")
    headers.pop("Host")
    assert headers == {
        "User-Agent": "AffineCal",
        "Accept": "application/json",
        "Accept-Encoding": "identity",
        "Connection": "close",
    }
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    qtbot.mouseClick(window.message_bar.findChild(QPushButton, "noticeActionButton"), Qt.MouseButton.LeftButton)
    assert opened == ["https://example.org/99.1"]
    assert window.message_bar.texts() == []


@pytest.mark.parametrize(
    ("version", "sentence"),
    [
        (__version__, f"This is the newest version of AffineCal, {__version__}."),
        ("0.0.1", f"This is AffineCal {__version__}, newer than the newest release, 0.0.1."),
    ],
)
def test_the_same_and_an_older_version_are_said(
    version: str, sentence: str, qtbot: QtBot, window: MainWindow, page: Page
) -> None:
    page.content = json.dumps({"version": version}).encode()
    assert said(qtbot, window) == sentence
    assert window.message_bar.findChild(QPushButton, "noticeActionButton") is None


@pytest.mark.parametrize(
    ("content", "status", "sentence"),
    [
        (b"", 404, "127.0.0.1 cannot be reached (it answers 404 Not Found), so whether there is a newer version"),
        (b"<html>Log in", 200, "What 127.0.0.1 answers names no version"),
        (b'{"message": "rate limit"}', 200, "What 127.0.0.1 answers names no version"),
    ],
)
def test_an_answer_that_does_not_help_is_said(
    content: bytes, status: int, sentence: str, qtbot: QtBot, window: MainWindow, page: Page
) -> None:
    page.content, page.status = content, status
    assert said(qtbot, window).startswith(sentence)


def test_a_page_that_does_not_answer_in_time_holds_nothing_up(
    qtbot: QtBot, window: MainWindow, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    page.let_go.clear()
    monkeypatch.setattr(releases.check_for_updates, "__kwdefaults__", {"timeout": 0.2, "task": Task()})
    window.window_actions.check_for_updates.trigger()
    assert window.session.jobs.is_running(CheckForUpdates)  # in a thread: the window goes on
    qtbot.waitUntil(lambda: bool(window.message_bar.texts()))
    assert window.message_bar.texts() == [
        "127.0.0.1 cannot be reached (no answer in time), so whether there is a newer version is not known."
    ]


def test_a_server_that_is_not_there_is_said(qtbot: QtBot, window: MainWindow, page: Page) -> None:
    with pytest.MonkeyPatch.context() as given:
        given.setenv(releases.VARIABLE, "http://127.0.0.1:9/releases.json")  # the port of the protocol "discard"
        assert said(qtbot, window).startswith("127.0.0.1 cannot be reached (Connection refused)")
    assert page.asked == []


def test_where_no_address_is_set_that_is_said(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(releases.VARIABLE, "")
    assert said(qtbot, window) == (
        "This copy of AffineCal names no release page, so it cannot look for a newer version."
    )


@dataclass(frozen=True, eq=False)
class Fails(Job[None]):
    """A fault of the program whose message quotes a user's data."""

    path: Path

    def run(self, task: Task, publish: Callable[[None], None]) -> None:
        try:
            raise KeyError(STRUCTURES[0])
        except KeyError as error:
            raise ValueError(f"{STRUCTURES[1]} of {self.path} has the value {VALUES[0]}") from error


@pytest.fixture
def logged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The home of a user, with a log in it."""
    home = tmp_path / HOME
    home.mkdir()
    for name, folder in {"HOME": home, "XDG_STATE_HOME": home / "state", "LOCALAPPDATA": home / "state"}.items():
        monkeypatch.setenv(name, str(folder))
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    start_log()
    yield home
    for handler in set(root.handlers) - set(before):
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)


def test_a_crash_report_says_what_failed_and_holds_no_data(
    qtbot: QtBot, window: MainWindow, logged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = logged / "confidential.csv"
    table.write_text(TABLE, encoding="utf-8")
    window.open_files((str(table),))
    qtbot.waitUntil(lambda: bool(window.session.study.snapshot().tables) and window.is_at_rest)
    undo = window.window_actions.undo
    assert "confidential" in undo.text()
    undo.trigger()
    qtbot.waitUntil(lambda: window.is_at_rest)
    window.window_actions.redo.trigger()
    qtbot.waitUntil(lambda: window.is_at_rest)
    window.message_bar.clear()
    window.session.jobs.start(Fails(table))
    qtbot.waitUntil(lambda: bool(window.message_bar.texts()))

    path = logged / "report.zip"
    monkeypatch.setattr(window.dialogs, "path", str(path))
    with qtbot.waitSignal(window.session.exported):
        qtbot.mouseClick(window.message_bar.findChild(QPushButton, "crashReportButton"), Qt.MouseButton.LeftButton)
    with zipfile.ZipFile(path) as archive:
        told = {name: archive.read(name).decode() for name in archive.namelist()}
    assert list(told) == ["READ ME.txt", "versions.txt", "trace.txt"]
    for secret in SECRETS:
        assert not [name for name, text in told.items() if secret.lower() in text.lower()], secret
    assert f"AffineCal: {__version__}, installed as a package\n" in told["versions.txt"]
    assert "platform of the window: offscreen\n" in told["versions.txt"]
    lines = [line.partition("affinecal_gui.")[2] or line for line in told["trace.txt"].splitlines()]
    expected = ["actions: Undo", "actions: Redo", "jobs: Fails", "ui.running.worker: A job failed", "  ValueError"]
    assert [line for line in lines if line in expected] == expected
    assert "jobs: ReadFiles" in lines
    assert any(
        line.strip().startswith("affinecal_gui/ui/running/worker.py:") for line in told["trace.txt"].splitlines()
    )
    assert "  after KeyError" in lines
    assert STRUCTURES[1] in (next(logged.rglob("affinecal.log"))).read_text(encoding="utf-8")  # which stays here


def test_the_report_is_in_the_help_menu_and_is_not_written_unless_a_file_is_named(
    window: MainWindow, logged: Path
) -> None:
    window.window_actions.crash_report.trigger()
    assert not window.session.jobs.is_busy
    assert list(logged.rglob("*.zip")) == []
