"""What the docstrings show of a function is what it does."""

import doctest
import linecache
from importlib import import_module
from pathlib import Path

import pytest

import affinecal_gui

PACKAGE = Path(affinecal_gui.__file__).parent
WITH_EXAMPLES = sorted(
    ".".join(("affinecal_gui", *path.relative_to(PACKAGE).with_suffix("").parts))
    for path in PACKAGE.rglob("*.py")
    if "    >>> " in path.read_text(encoding="utf-8")
)


def test_there_are_modules_with_examples() -> None:
    assert "affinecal_gui.streams" in WITH_EXAMPLES


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_the_examples_of_a_module_are_true(module: str) -> None:
    linecache.clearcache()  # else every source that was ever read is looked up, for each docstring
    name = module.removesuffix(".__init__")
    found = doctest.testmod(import_module(name))
    assert found.attempted > 0
    assert found.failed == 0
