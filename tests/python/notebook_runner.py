"""Runs the code of a notebook in order, in one namespace and without Jupyter, and keeps what it shows.

``python tests/python/notebook_runner.py docs/python.ipynb`` writes the outputs into the notebook.
"""

import ast
import contextlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any


def read_notebook(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def code_of(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def printed(cell: dict[str, Any]) -> str:
    """What a cell is stored to have printed."""
    return "".join("".join(output["text"]) for output in cell["outputs"] if output["output_type"] == "stream")


def run_notebook(path: Path) -> tuple[dict[str, Any], list[list[dict[str, Any]]]]:
    """Return the names that the code leaves behind, and the outputs of each code cell; relative paths start beside it."""
    names: dict[str, Any] = {"__name__": "__main__"}
    outputs = []
    with contextlib.chdir(path.parent):
        for number, cell in enumerate(cell for cell in read_notebook(path)["cells"] if cell["cell_type"] == "code"):
            outputs.append(_run(code_of(cell), names, f"{path.name}, code cell {number + 1}"))
    return names, outputs


def _run(code: str, names: dict[str, Any], called: str) -> list[dict[str, Any]]:
    tree = ast.parse(code, called)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    text = io.StringIO()
    value = None
    with contextlib.redirect_stdout(text):
        exec(compile(tree, called, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), called, "eval"), names)  # noqa: S307 - our own document
    outputs: list[dict[str, Any]] = []
    if text.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": text.getvalue().splitlines(keepends=True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = value._repr_html_().splitlines(keepends=True)
        outputs.append({"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": data})
    return outputs


def store_outputs(path: Path) -> None:
    """Write what the code shows into the notebook."""
    notebook = read_notebook(path)
    _, outputs = run_notebook(path)
    code_cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, (cell, shown) in enumerate(zip(code_cells, outputs, strict=True), 1):
        cell["execution_count"] = number
        for output in shown:
            if output["output_type"] == "execute_result":
                output["execution_count"] = number
        cell["outputs"] = shown
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + os.linesep, encoding="utf-8")


if __name__ == "__main__":
    for word in sys.argv[1:]:
        store_outputs(Path(word).resolve())
