"""Study files from strangers: what somebody, or a failing disk, may have done to them."""

import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Content = dict[str, bytes]


def members(path: Path) -> Content:
    """Return the members of an archive by name."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pack(path: Path, content: Content) -> Path:
    """Write members to an archive as any packing program does."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return path


def edited(name: str, change: Callable[[Any], Any]) -> Callable[[Content], None]:
    """Return a change of one JSON member; what ``change`` returns, if anything, takes the place of the content."""

    def apply(content: Content) -> None:
        plain = json.loads(content[name])
        changed = change(plain)
        content[name] = json.dumps(plain if changed is None else changed).encode()

    return apply


def replaced(name: str, old: bytes, new: bytes) -> Callable[[Content], None]:
    """Return a change of the bytes of one member."""

    def apply(content: Content) -> None:
        assert old in content[name], (name, old)
        content[name] = content[name].replace(old, new, 1)

    return apply


def put(name: str, data: bytes) -> Callable[[Content], None]:
    """Return the addition, or replacement, of a member."""
    return lambda content: content.update({name: data})


def without(name: str) -> Callable[[Content], None]:
    """Return the removal of a member."""
    return lambda content: content.__delitem__(name)


def paths_in(plain: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where every value of plain data stands."""
    yield path
    items = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    for key, item in items:
        yield from paths_in(item, (*path, key))


def set_at(plain: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Put a value somewhere into plain data; returns the data."""
    if not path:
        return value
    for key in path[:-1]:
        plain = plain[key]
    plain[path[-1]] = value
    return None
