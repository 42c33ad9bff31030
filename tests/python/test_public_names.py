"""What ``import affinecal_gui as ac`` gives: quickly, lazily, without Qt, and the same to type checkers."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import affinecal_gui as ac


def test_the_import_loads_neither_numpy_pandas_scikit_learn_nor_qt() -> None:
    code = (
        "import sys, affinecal_gui; "
        "print([m for m in ('numpy', 'scipy', 'pandas', 'sklearn', 'matplotlib', 'rdkit', 'PySide6') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=250, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("words", [["fit", "--help"], ["describe", "--help"]])
def test_a_command_does_not_load_pandas_or_scikit_learn(words: list[str]) -> None:
    code = (
        "import sys, contextlib\n"
        "from affinecal_gui.__main__ import main\n"
        f"with contextlib.suppress(SystemExit): main({words!r})\n"
        "sys.exit(any(m in sys.modules for m in ('pandas', 'sklearn', 'affinecal_gui.python')))"
    )
    subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=250, check=True)


def test_every_public_name_is_there_and_says_what_it_is() -> None:
    for name in ac.__all__:
        assert getattr(ac, name).__doc__ or name == "__version__"
    assert set(ac.__all__) <= set(dir(ac))
    with pytest.raises(AttributeError, match="no attribute 'Studio'"):
        ac.Studio  # noqa: B018


def test_type_checkers_see_the_same_names_in_the_same_modules() -> None:
    stub = Path(ac.__file__).with_suffix(".pyi")
    homes = {
        alias.asname: node.module
        for node in ast.parse(stub.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert set(homes) == set(ac.__all__) - {"__version__"}
    assert {name: getattr(ac, name).__module__ for name in homes} == homes


def test_the_import_takes_less_than_half_a_second() -> None:
    code = "import time; start = time.perf_counter(); import affinecal_gui as ac; print(time.perf_counter() - start)"
    best = min(
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(3)
    )
    assert best < 0.5
