"""Commands import what they are asked for: nobody waits for a library that draws when nothing is drawn."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[1] / "resources" / "examples" / "optical_measured_and_md.csv"
PROGRAM = """
import sys
from affinecal_gui.__main__ import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print("imported:", *sys.modules)
"""


def imported(words: list[str]) -> set[str]:
    """Return the names of the modules that a command leaves imported."""
    done = subprocess.run([sys.executable, "-c", PROGRAM, *words], capture_output=True, text=True, check=True)
    last = done.stdout.splitlines()[-1]
    assert last.startswith("imported: ")
    return set(last.split()[1:])


@pytest.mark.parametrize("command", [["fit", "--help"], ["benchmark", "--help"]])
def test_help_imports_no_library(command: list[str]) -> None:
    found = imported(command)
    assert "affinecal_gui.commands.fit" in found
    assert not found & {"numpy", "scipy", "rdkit", "matplotlib", "pyarrow", "PySide6"}


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    """The first polymers of the smallest example as both tables of a command."""
    few = tmp_path / "few.csv"
    few.write_text("".join(EXAMPLE.read_text(encoding="utf-8").splitlines(keepends=True)[:10]), encoding="utf-8")
    return ["--experiment", str(few), "--md", str(few), "--quiet", "--penalties", "1", "10", "--calibrator", "ordinary"]


def test_a_fit_imports_neither_reports_nor_kernels_nor_the_window(words: list[str], tmp_path: Path) -> None:
    found = imported(["fit", *words, "--output", str(tmp_path / "out")])
    assert "matplotlib" in found
    assert not found & {
        "PySide6",
        "pyqtgraph",
        "pandas",
        "pyarrow",
        "matplotlib.pyplot",
        "matplotlib.backends.backend_pdf",
    }
    assert not found & {
        "scipy.stats",
        "scipy.optimize",
        "scipy.spatial",
        "affinecal_gui.calibration.kernels.comparing.compare",
        "numpy.f2py",
    }
    assert "affinecal_gui.figures.report.report" not in found


def test_a_prediction_draws_nothing(words: list[str], tmp_path: Path) -> None:
    found = imported(["predict", str(tmp_path / "few.csv"), *words, "--output", str(tmp_path / "out.csv")])
    assert (tmp_path / "out.csv").exists()
    assert "rdkit" in found
    assert "matplotlib" not in found
