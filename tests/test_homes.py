"""Each name is imported from the module that defines it: whoever reads an import knows where to look."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import affinecal_gui

PACKAGE = Path(affinecal_gui.__file__).parent
FREE = ("affinecal_gui.calibration.kernels", "affinecal_gui.ui")  # which gather names of their parts
IMPORT = re.compile(r"^[ \t]*from (affinecal_gui(?:\.\w+)*) import (?:\(([^)]*)\)|([^\n#(]*))", re.MULTILINE)
"""Read from the text: to parse some thousand files takes as long as a hundred tests."""


@cache
def imports_of(path: Path) -> tuple[tuple[str, str, str], ...]:
    """Every name that a file imports from the package: the module, the name there, and the name here."""
    return tuple(_imports(path.read_text(encoding="utf-8")))


def _imports(text: str) -> Iterator[tuple[str, str, str]]:
    for module, inside, beside in IMPORT.findall(text):
        for part in re.sub(r"#[^\n]*", "", inside or beside).split(","):
            name, _, own = part.strip().partition(" as ")
            if name:
                yield module, name, own or name


@cache
def defined_in(path: Path) -> frozenset[str]:
    """The names that a module defines itself."""
    defined: set[str] = set()
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            defined.add(statement.name)
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                defined.add(node.id)
    return frozenset(defined)


def path_of(module: str) -> Path:
    path = PACKAGE.joinpath(*module.split(".")[1:])
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def test_imports_are_read_however_they_are_written() -> None:
    text = (
        "from affinecal_gui.a import one, two as three  # why\n    from affinecal_gui import four\n"
        "from affinecal_gui.b.c import (\n    five,  # noqa\n    six as seven,\n)\nfrom elsewhere import eight\n"
    )
    assert list(_imports(text)) == [
        ("affinecal_gui.a", "one", "one"), ("affinecal_gui.a", "two", "three"), ("affinecal_gui", "four", "four"),
        ("affinecal_gui.b.c", "five", "five"), ("affinecal_gui.b.c", "six", "seven"),
    ]  # fmt: skip


def test_names_are_imported_from_where_they_are_defined() -> None:
    elsewhere, seen = [], 0
    for path in (*PACKAGE.rglob("*.py"), *Path(__file__).parent.rglob("*.py")):
        for module, name, _ in imports_of(path):
            home = path_of(module)
            if module == "affinecal_gui" or module.startswith(FREE) or not home.exists():
                continue
            seen += 1
            there = next((of for of, _, own in imports_of(home) if own == name), None)
            if there is not None and name not in defined_in(home):
                elsewhere.append(f"{path.name}: {name} from {module}, but it is defined in {there}")
    assert seen > 5000
    assert not elsewhere


def test_no_test_takes_a_private_name_out_of_a_module() -> None:
    """The linter looks at attributes; this looks at imports, and at names that are written as texts."""
    imported = r"from affinecal_gui[^\n]* import (?:[^\n]*\W)?_[A-Za-z]"
    written = r'(?:set|get|del)attr\(\s*[^()\n]+?[.,]\s*"_[A-Za-z]|"affinecal_gui[\w.]*\._\w'
    private = re.compile(f"{imported}|{written}")
    tests = Path(__file__).parent
    assert [str(path) for path in tests.rglob("*.py") if private.search(path.read_text(encoding="utf-8"))] == []


def test_no_two_public_classes_have_one_name_but_the_faces_of_python() -> None:
    homes: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        for name in re.findall(r"^class ([A-Za-z]\w*)", path.read_text(encoding="utf-8"), re.MULTILINE):
            homes.setdefault(name, set()).add(path.relative_to(PACKAGE).as_posix())
    twice = {name: found for name, found in homes.items() if len(found) > 1}
    assert set(twice) == {"Study", "Calibrator"}, twice
    assert all(any(home.startswith("python/") for home in found) for found in twice.values()), twice
