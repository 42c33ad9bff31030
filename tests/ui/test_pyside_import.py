"""PySide6 is imported without what it does then for the sake of others, and tells all the same what it is asked."""

import linecache
import subprocess
import sys
from pathlib import Path

import pytest

from affinecal_gui.ui.running.pyside_import import READ_WHEN_ASKED, import_pyside

LIGHTLY = "from affinecal_gui.ui.running.pyside_import import READ_WHEN_ASKED, import_pyside; import_pyside()\n"
ASK = """
import inspect, sys
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel
from PySide6.support.signature import get_signature
print(QLabel.setText.__doc__, QLabel.__doc__, inspect.getdoc(Qt.AlignmentFlag))
print(get_signature(QTimer.start), get_signature(QLabel), get_signature(QTimer.singleShot))
for wrong in (
    lambda: QObject(1, 2, 3),
    lambda: QTimer.singleShot("soon"),
    lambda: QColor([], {}),
    lambda: QObject(no_such_argument=1),
    lambda: Qt.Key("a"),
):
    try:
        wrong()
    except Exception as error:
        print(type(error), error)
print(sorted(name for name in sys.modules if name.startswith(("shibokensupport", "PySide6.support"))))
print(sorted((name, module.__spec__.name) for name, module in sys.modules.items() if "shibokensupport" in name))
"""


def said_by(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_answers_as_ever() -> None:
    assert said_by(LIGHTLY + ASK) == said_by(ASK)


def test_what_tells_of_signatures_is_not_read_before_it_is_asked() -> None:
    program = LIGHTLY + (
        "import sys\n"
        "def unread(): return sorted(name for name in READ_WHEN_ASKED if '__getattr__' in vars(sys.modules[name]))\n"
        "from PySide6.QtWidgets import QApplication, QLabel\n"
        "before = unread()\n"
        "import inspect\n"
        "from PySide6.support.signature import get_signature\n"
        "inspect.getdoc(inspect), get_signature(QLabel.setText)\n"
        "print(before == sorted(READ_WHEN_ASKED), 'inspect' in unread(), 'shibokensupport.signature.parser' in unread())\n"
    )
    assert said_by(program).split() == ["True", "False", "False"]
    assert "inspect" in READ_WHEN_ASKED


def test_threads_that_ask_at_once_all_get_an_answer() -> None:
    program = LIGHTLY + (
        "import sys, threading\n"
        "sys.setswitchinterval(1e-6)\n"
        "import inspect\n"
        "start, answers = threading.Barrier(8), []\n"
        "def ask():\n"
        "    start.wait()\n"
        "    answers.append(str(inspect.signature(lambda a, b=1: 0)))\n"
        "threads = [threading.Thread(target=ask) for _ in range(8)]\n"
        "for thread in threads: thread.start()\n"
        "for thread in threads: thread.join()\n"
        "print(answers == ['(a, b=1)'] * 8)\n"
    )
    assert said_by(program) == "True\n"


def test_a_module_that_could_not_be_read_is_read_at_the_next_question() -> None:
    program = LIGHTLY + (
        "import builtins, inspect\n"
        "genuine = builtins.__import__\n"
        "def no_ast(name, *rest):\n"
        "    if name == 'ast': raise ImportError('not now')\n"
        "    return genuine(name, *rest)\n"
        "builtins.__import__ = no_ast\n"
        "try:\n"
        "    inspect.isfunction\n"
        "except ImportError as error:\n"
        "    print(error)\n"
        "builtins.__import__ = genuine\n"
        "print(inspect.isfunction(no_ast), inspect.__spec__.name)\n"
    )
    assert said_by(program) == "not now\nTrue inspect\n"


def test_the_finders_of_others_stay_as_they_are() -> None:
    program = (
        "import sys\nfinders, before = sys.meta_path, list(sys.meta_path)\n"
        + LIGHTLY
        + "print(sys.meta_path is finders, finders == before)\n"
    )
    assert said_by(program) == "True True\n"


def test_the_text_of_a_module_that_is_imported_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "some_module_of_this_test.py"
    module.write_text("VALUE = 1  # PySide6\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    import_pyside()
    try:
        assert __import__(module.stem).VALUE == 1
        assert str(module) not in linecache.cache
    finally:
        sys.modules.pop(module.stem, None)


@pytest.mark.parametrize("wanted", ["__path__", "no_such_thing"])
def test_what_is_not_there_is_not_there(wanted: str) -> None:
    program = LIGHTLY + f"import inspect\nprint(hasattr(inspect, {wanted!r}), inspect.isfunction(print))\n"
    assert said_by(program) == "False False\n"
