"""Everything below the window works where Qt is not installed."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import importlib, pkgutil, sys

class NoQt:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"PySide6", "shiboken6", "pyqtgraph"}:
            raise ImportError(f"{name} is not installed")

sys.meta_path.insert(0, NoQt())
import affinecal_gui
for module in pkgutil.walk_packages(affinecal_gui.__path__, "affinecal_gui."):
    if not module.name.startswith("affinecal_gui.ui"):
        importlib.import_module(module.name)
import affinecal_gui as ac
frame = ac.read_table(sys.argv[3])
assert len(ac.match(frame, property="refractive_index")) == 26
assert ac.describe("*CC*").shape == (1, 190)
from affinecal_gui.__main__ import main
assert main(["describe", sys.argv[1], "--output", sys.argv[2], "--jobs", "1"]) == 0
"""


def test_the_floors_below_the_window_need_no_qt(examples: Path, tmp_path: Path) -> None:
    source, program = tmp_path / "in.csv", tmp_path / "program.py"
    source.write_text("name,smiles\nPE,*CC*\n", encoding="utf-8")
    guarded = "".join(f"    {line}" for line in PROGRAM.splitlines(keepends=True))  # worker processes import it again
    program.write_text(f"if __name__ == '__main__':\n{guarded}", encoding="utf-8")
    command = [sys.executable, str(program), str(source), str(tmp_path / "out.csv")]
    command.append(str(examples / "optical_measured_and_md.csv"))
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
