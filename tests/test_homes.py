"""Each name is imported from the module that defines it: whoever reads an import knows where to look."""

import ast
from functools import cache
from pathlib import Path

import affinecal_gui

PACKAGE = Path(affinecal_gui.__file__).parent
FREE = ("affinecal_gui.calibration.kernels", "affinecal_gui.ui")  # which gather names of their parts


@cache
def names_of(module: str) -> tuple[dict[str, str], frozenset[str]]:
    """What a module imports from the package, with the module it names, and what it defines itself."""
    imported: dict[str, str] = {}
    defined: set[str] = set()
    for statement in tree_of(path_of(module)).body:
        for node in ast.walk(statement):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("affinecal_gui"):
                imported |= {alias.asname or alias.name: str(node.module) for alias in node.names}
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                defined.add(node.id)
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            defined.add(statement.name)
    return imported, frozenset(defined)


def path_of(module: str) -> Path:
    path = PACKAGE.joinpath(*module.split(".")[1:])
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def test_names_are_imported_from_where_they_are_defined() -> None:
    elsewhere = []
    for path in (*PACKAGE.rglob("*.py"), *Path(__file__).parent.rglob("*.py")):
        for node in ast.walk(tree_of(path)):
            if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith("affinecal_gui."):
                continue
            module = str(node.module)
            if module.startswith(FREE) or not path_of(module).exists():
                continue
            imported, defined = names_of(module)
            elsewhere += [
                f"{path.name}: {alias.name} from {module}, but it is defined in {imported[alias.name]}"
                for alias in node.names
                if alias.name in imported and alias.name not in defined
            ]
    assert not elsewhere
