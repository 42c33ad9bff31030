"""The window is on the screen before the chemistry and the mathematics are imported, which would take seconds."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = (
    "numpy",
    "rdkit",
    "scipy",
    "pandas",
    "matplotlib",
    "pint",
    "openpyxl",
    "xlsxwriter",
    "python_calamine",
    "pyqtgraph",
)
"""None of these may be there when the first window is painted."""

SLOW = ("argparse", "importlib.resources", "subprocess")
"""Python's own of which the first window of the program has no need, and which take a hundredth of its time each."""
if sys.version_info < (3, 14):  # whose tracebacks rest on it
    SLOW += ("dataclasses",)

FIRST_WINDOW = """
from affinecal_gui.ui.application import make_application
from affinecal_gui.ui.window.main_window import MainWindow
from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
app = make_application(["x"])
window = MainWindow(ThemeKeeper(app, "light"))
window.show()
window.repaint()
"""


@pytest.mark.parametrize(
    ("script", "unwanted"),
    [
        ("import affinecal_gui.__main__", (*HEAVY, *SLOW)),
        ("import affinecal_gui.ui.application", HEAVY),
        (FIRST_WINDOW, HEAVY),
        ("from affinecal_gui.__main__ import load_window\nload_window()" + FIRST_WINDOW, (*HEAVY, *SLOW)),
    ],
    ids=["front door", "first modules", "first window", "first window of the program"],
)
def test_what_the_first_window_imports(script: str, unwanted: tuple[str, ...], tmp_path: Path) -> None:
    listing = (
        f"import sys\nfound = sorted(set({unwanted!r}) & set(sys.modules))\nprint(*found)\nimport os\nos._exit(0)\n"
    )
    homes = {name: str(tmp_path) for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
    done = subprocess.run(
        [sys.executable, "-c", script + "\n" + listing.replace("print(*found)", "print(*found, flush=True)")],
        env=os.environ | homes | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []


def test_making_the_views_imports_no_mathematics(tmp_path: Path) -> None:
    """They are made in the main thread behind the first window, while a thread imports the mathematics."""
    script = (
        "from importlib import import_module\nimport sys\n"
        "from affinecal_gui.ui.window.view_list import VIEWS\n"
        "for one in VIEWS:\n    import_module(f'affinecal_gui.ui.views.{one.module}')\n"
        f"print(*sorted({set(HEAVY) - {'numpy', 'pyqtgraph'}!r} & set(sys.modules)), flush=True)\n"
        "import os\nos._exit(0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []
