"""The notebook shows what is stored in it, with the numbers of the command; the page of Python names what there is."""

import ast
import csv
import inspect
import json
import re
from pathlib import Path
from typing import Any

import pytest

import affinecal_gui as ac
from affinecal_gui.__main__ import main
from affinecal_gui.calibration.calibrators.registry import calibrator_keys
from affinecal_gui.study.results.study_figures import FIGURES
from tests.python.notebook_runner import code_of, printed, read_notebook, run_notebook

DOCS = Path(__file__).resolve().parents[2] / "docs"
NOTEBOOK, PAGE = DOCS / "python.ipynb", DOCS / "python.md"


@pytest.fixture(scope="module")
def coarse_calibrations_of_module() -> None:
    """The notebook shows the numbers of a full search."""


@pytest.fixture(scope="module")
def executed() -> tuple[dict[str, Any], list[list[dict[str, Any]]]]:
    return run_notebook(NOTEBOOK)


def test_the_notebook_prints_what_is_stored_in_it(executed: tuple[dict[str, Any], list[list[dict[str, Any]]]]) -> None:
    cells = [cell for cell in read_notebook(NOTEBOOK)["cells"] if cell["cell_type"] == "code"]
    stored = [printed(cell) for cell in cells]
    assert [printed({"outputs": outputs}) for outputs in executed[1]] == stored
    assert sum(map(bool, stored)) == len(cells)
    assert NOTEBOOK.stat().st_size < 100_000


def test_the_numbers_of_the_notebook_are_those_of_the_command(
    executed: tuple[dict[str, Any], list[list[dict[str, Any]]]], examples: Path, tmp_path: Path
) -> None:
    names, _ = executed
    table = str(examples / "optical_measured_and_md.csv")
    words = ["--experiment", table, "--md", table, "--property", "refractive_index", "--calibrator", "log_difference"]
    assert main(["fit", *words, "--output", str(tmp_path / "out"), "--quiet"]) == 0
    assert names["study"].metrics() == json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))
    for column in ("MD value", "calibrated value", "lower", "upper", "out-of-fold value"):
        assert names["values"][column].tolist() == numbers(tmp_path / "out" / "predictions.csv", column)
    for column in ("coefficient", "lower", "upper"):
        assert names["coefficients"][column].tolist() == numbers(tmp_path / "out" / "coefficients.csv", column)
    names["new"].to_csv(tmp_path / "new.csv", index=False)
    assert (
        main(["predict", str(tmp_path / "new.csv"), *words, "--output", str(tmp_path / "new out.csv"), "--quiet"]) == 0
    )
    for column in ("calibrated value", "lower", "upper"):
        assert names["calibrated"][column].tolist() == numbers(tmp_path / "new out.csv", column)


def numbers(path: Path, column: str) -> list[float]:
    with path.open(encoding="utf-8", newline="") as file:
        return [float(row[column]) for row in csv.DictReader(file)]


def code_blocks(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)


def calls(code: str) -> list[tuple[Any, ast.Call]]:
    """Every call of a public name, or of a method of a study, in some code."""
    found = []
    for node in ast.walk(ast.parse(code)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        owner = ast.unparse(node.func.value)
        home = {"ac": ac, "ac.Study": ac.Study, "study": ac.Study}.get(owner)
        if home is not None:
            found.append((getattr(home, node.func.attr), node))
    return found


def test_the_page_calls_only_what_there_is_with_arguments_that_it_has() -> None:
    blocks = code_blocks(PAGE)
    assert len(blocks) > 5
    found = [call for block in blocks for call in calls(block)]
    assert len(found) > 15
    for function, node in found:
        parameters = inspect.signature(function).parameters
        unknown = {word.arg for word in node.keywords} - set(parameters) - {None}
        assert not unknown or any(p.kind is p.VAR_KEYWORD for p in parameters.values()), ast.unparse(node)


def test_the_page_speaks_of_every_public_name_and_every_method_of_a_study() -> None:
    text = PAGE.read_text(encoding="utf-8")
    methods = [name for name, _ in inspect.getmembers(ac.Study, callable) if not name.startswith("_")]
    for name in [*ac.__all__, *methods]:
        if not name.startswith("_"):
            assert re.search(rf"\b{name}\b", text), name


def test_the_page_and_the_docstring_name_every_figure_of_a_calibration() -> None:
    without_selection = {kind.name for kind in FIGURES.values() if "row_key" not in kind.heeds}
    for name in without_selection - {"corrected", "forecast"}:  # of MD values alone; after another call
        assert f'"{name}"' in PAGE.read_text(encoding="utf-8"), name
        assert f'"{name}"' in (ac.Study.figure.__doc__ or ""), name


def test_the_docstring_of_fit_names_every_calibrator() -> None:
    assert [key for key in calibrator_keys() if f'"{key}"' not in (ac.Study.fit.__doc__ or "")] == []


def test_the_code_of_the_notebook_uses_public_names_alone() -> None:
    for cell in read_notebook(NOTEBOOK)["cells"]:
        if cell["cell_type"] == "code":
            assert "affinecal_gui." not in code_of(cell)
            assert not re.search(r"\._\w", code_of(cell))
