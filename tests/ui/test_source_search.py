"""PySide6 does not read the text of all that is imported after it."""

import linecache
import sys
from pathlib import Path

import pytest

from affinecal_gui.ui.running.source_search import stop_source_search


def test_the_text_of_a_module_that_is_imported_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "some_module_of_this_test.py"
    module.write_text("VALUE = 1  # PySide6\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    stop_source_search()
    try:
        assert __import__(module.stem).VALUE == 1
        assert str(module) not in linecache.cache
    finally:
        sys.modules.pop(module.stem, None)
