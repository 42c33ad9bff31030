"""The product imports what pyproject.toml names as its dependencies, and nothing that only the tests install."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import affinecal_gui
from affinecal_gui.ui.window.warm_up import MODULES

PACKAGE = Path(affinecal_gui.__file__).parent
OWN = {"affinecal_gui", "resources"}


def imported_names() -> Iterator[tuple[Path, str]]:
    """Every module that the product names in an import, wherever the import stands, and in the list of the warm-up."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from ((path, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield path, node.module
    yield from ((PACKAGE / "ui" / "warm_up.py", name) for name in MODULES)


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_import_is_a_dependency_of_the_product() -> None:
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["cluster"]]
    declared = {normal(re.split(r"[^\w.-]", text, maxsplit=1)[0]) for text in wanted}
    provided = packages_distributions()
    unknown = set()
    for path, name in imported_names():
        top = name.split(".")[0]
        if top in OWN or top in sys.stdlib_module_names:
            continue
        if not {normal(found) for found in provided.get(top, [top])} & (declared | {"shiboken6"}):
            unknown.add(f"{path.relative_to(PACKAGE.parent)}: {name}")
    assert not unknown


def test_every_folder_of_modules_is_installed() -> None:
    named = set(
        tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    )
    there = {".".join(init.parent.relative_to(PACKAGE.parent).parts) for init in PACKAGE.rglob("__init__.py")}
    assert there <= named
