"""The plan of the house in numbers: its folders, their modules, the imports between them, and whether there are circles.

    python packaging/house.py [CHECKOUT]

A folder is a package, without the packages inside it. An arrow from one folder to another is at least one import, at the top
of a module or inside a function; a circle is a set of folders each of which can be reached from every other by arrows. The
modules at the top of a package that has folders are its vocabulary and its doors, which may be used and may use: they stand
for themselves, not for one folder.

Below stands in how many modules a calibrator, a setting and a view are named: its key as a text, the field given by keyword,
its class. Keys that are common words ("md", "direct") are named where they mean something else as well.
"""

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

PACKAGE = "affinecal_gui"


def modules(checkout: Path) -> dict[str, Path]:
    """Return the modules of the package by their dotted names."""
    found = {}
    for path in sorted((checkout / PACKAGE).rglob("*.py")):
        parts = path.relative_to(checkout).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_of(path: Path) -> Iterator[str]:
    """Yield the dotted names that a module imports, with those that may be names inside a module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def arrows(found: Mapping[str, Path]) -> dict[str, set[str]]:
    """Return for every module the modules that it imports."""
    return {name: {other for other in imports_of(path) if other in found} - {name} for name, path in found.items()}


def folder(module: str, found: Mapping[str, Path]) -> str:
    """Return the folder of a module."""
    return module if found[module].name == "__init__.py" else module.rpartition(".")[0]


def place(module: str, found: Mapping[str, Path]) -> str:
    """Return the folder of a module, or the module itself where it lies beside folders."""
    home = folder(module, found)
    beside_folders = any(
        folder(other, found) != home and folder(other, found).startswith(f"{home}.") for other in found
    )
    return module if beside_folders else home


def circle(found: Mapping[str, Path]) -> list[str]:
    """Return the places of a circle of imports, or nothing."""
    between: dict[str, set[str]] = defaultdict(set)
    places = {module: place(module, found) for module in found if found[module].name != "__init__.py"}
    for module, others in arrows(found).items():
        for other in others:
            if module in places and other in places and places[module] != places[other]:
                between[places[module]].add(places[other])
    try:
        TopologicalSorter(between).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def named(found: Mapping[str, Path]) -> dict[str, Counter[str]]:
    """Return for every calibrator, setting and view the number of modules that name it."""
    defined: dict[str, set[str]] = {"calibrator": set(), "setting": set(), "view": set()}
    texts, keywords, names = Counter[str](), Counter[str](), Counter[str]()
    for path in found.values():
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        written = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        texts.update(written)
        keywords.update({node.arg for node in nodes if isinstance(node, ast.keyword) and node.arg})
        used = {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
        names.update(written | used | {node.name for node in nodes if isinstance(node, ast.ClassDef)})
        for node in nodes:
            if isinstance(node, ast.ClassDef) and node.name == "Settings":
                fields = [part.target for part in node.body if isinstance(part, ast.AnnAssign)]
                defined["setting"].update(field.id for field in fields if isinstance(field, ast.Name))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                given = {word.arg: word.value for word in node.keywords}
                if node.func.id == "Calibrator" and isinstance(given.get("key"), ast.Constant):
                    defined["calibrator"].add(ast.literal_eval(given["key"]))
                if node.func.id == "ViewLine":
                    defined["view"].add(ast.literal_eval(node.args[4]))
    counted = {"calibrator": texts, "setting": keywords, "view": names}
    return {kind: Counter({one: counted[kind][one] for one in ones}) for kind, ones in defined.items()}


def main() -> int:
    """Print a line for each folder, and the sums."""
    checkout = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    found = modules(checkout)
    rooms = Counter(folder(name, found) for name, path in found.items() if path.name != "__init__.py")
    lines = Counter[str]()
    out: dict[str, set[str]] = defaultdict(set)
    for name, path in found.items():
        lines[folder(name, found)] += len(path.read_text(encoding="utf-8").splitlines())
    for name, others in arrows(found).items():
        homes = {folder(other, found) for other in others} - {folder(name, found)}
        out[folder(name, found)] |= homes
    print(f"{'folder':45} modules  lines  folders it imports")
    for name in sorted(rooms):
        print(f"{name:45} {rooms[name]:7} {lines[name]:6}  {len(out[name])}")
    print(f"{len(rooms)} folders, {sum(rooms.values())} modules, {sum(lines.values())} lines;", end=" ")
    print(f"{max(rooms.values())} modules in the fullest folder; {sum(map(len, out.values()))} arrows between folders")
    for kind, counts in named(found).items():
        listed = ", ".join(
            f"{one} {count}" for one, count in sorted(counts.items(), key=lambda pair: (pair[1], pair[0]))
        )
        print(f"modules that name a {kind}: {listed}")
    around = circle(found)
    print(f"a circle: {' -> '.join(around)}" if around else "no circles")
    return bool(around)


if __name__ == "__main__":
    sys.exit(main())
