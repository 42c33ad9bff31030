"""The product imports what pyproject.toml names as its dependencies, and nothing that only the tests install."""

import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import affinecal_gui
from affinecal_gui.ui.window.warm_up import FOUNDATIONS, MODULES

PACKAGE = Path(affinecal_gui.__file__).parent
OWN = {"affinecal_gui", "resources"}


IMPORT = re.compile(
    r"^[ \t]*(?:from ([\w.]+) import |import ([\w.]+(?:[ \t]*,[ \t]*[\w.]+)*)(?: as \w+)?[ \t]*(?:#|$))", re.MULTILINE
)
"""Read from the text, which takes a tenth of the time of parsing some thousand files."""


def imported_names() -> Iterator[tuple[Path, str]]:
    """Every module that the product names in an import, wherever the import stands, and in the list of the warm-up."""
    for path in PACKAGE.rglob("*.py"):
        for source, modules in IMPORT.findall(path.read_text(encoding="utf-8")):
            if source:
                yield path, source
            else:
                yield from ((path, name.strip()) for name in modules.split(","))
    yield from ((PACKAGE / "ui" / "warm_up.py", name) for name in (*FOUNDATIONS, *MODULES))


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_import_is_a_dependency_of_the_product() -> None:
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["cluster"]]
    declared = {normal(re.split(r"[^\w.-]", text, maxsplit=1)[0]) for text in wanted}
    provided = packages_distributions()
    unknown, seen = set(), set()
    for path, name in imported_names():
        seen.add(name)
        top = name.split(".")[0]
        if top in OWN or top in sys.stdlib_module_names:
            continue
        if not {normal(found) for found in provided.get(top, [top])} & (declared | {"shiboken6"}):
            unknown.add(f"{path.relative_to(PACKAGE.parent)}: {name}")
    assert not unknown
    assert {"numpy", "PySide6.QtCore", "matplotlib.figure", "rdkit"} <= seen


def test_every_folder_of_modules_is_installed() -> None:
    named = set(
        tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    )
    there = {".".join(init.parent.relative_to(PACKAGE.parent).parts) for init in PACKAGE.rglob("__init__.py")}
    assert there <= named
