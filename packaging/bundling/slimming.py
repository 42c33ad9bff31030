"""Makes the folder of a Linux bundle smaller without changing what it does: libraries that nothing needs, and their symbols.

Some plug-ins and modules are left out after PyInstaller has collected what they need: that is found here and goes as well.
"""

import re
import shutil
import struct
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import setting_up

TOOLS = ("readelf", "strip")
_LOAD = 1
_PAGE = 4096


def slim(folder: Path) -> int:
    """Remove what nothing needs and strip the rest; return how many bytes that saves.

    Parameters
    ----------
    folder
        That of the libraries: the program beside it holds an archive that must not be touched.
    """
    if missing := [tool for tool in TOOLS if shutil.which(tool) is None]:
        setting_up.stop(f"there is no {' and no '.join(missing)} (Debian and Ubuntu: apt-get install binutils).")
    before = _size(folder)
    for path in orphans(folder):
        path.unlink()
    for path in _dangling_links(folder):
        path.unlink()
    for path in elf_files(folder):
        strip(path)
    return before - _size(folder)


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _dangling_links(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_symlink() and not path.exists()]


def elf_files(folder: Path) -> list[Path]:
    """Return the programs and libraries of a folder, each once."""
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink() and is_elf(path)]


def is_elf(path: Path) -> bool:
    """Return whether a file is a program or a library of Linux."""
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def orphans(folder: Path) -> list[Path]:
    """Return the libraries that no module of Python and no plug-in of Qt needs, directly or through others."""
    needs = {path: needed_by(path) for path in elf_files(folder)}
    by_name: dict[str, list[Path]] = defaultdict(list)
    for path in needs:
        by_name[path.name].append(path)
    waiting = [path for path in needs if _is_loaded_by_name(path.relative_to(folder).as_posix())]
    kept = set(waiting)
    while waiting:
        for name in needs[waiting.pop()]:
            found = [path for path in by_name[name] if path not in kept]
            kept.update(found)
            waiting += found
    return [path for path in needs if path not in kept]


def _is_loaded_by_name(name: str) -> bool:
    """Whether Python, Qt or the program itself loads a file, and not the system for another library."""
    if name.startswith("libpython") or "/plugins/" in name:
        return True
    base = name.rpartition("/")[2]
    # A module of Python may be called lib: pyarrow's is.
    return re.search(r"\.(cpython-\w+|abi3)[.-]", base) is not None or not base.startswith("lib")


def needed_by(path: Path) -> set[str]:
    """Return the names of the libraries that a program or a library itself asks for."""
    told = subprocess.run(["readelf", "-d", str(path)], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"\(NEEDED\).*\[(.+)\]", told))


def newest_c_library(paths: Iterable[Path]) -> str:
    """Return the newest version of the C library that one of these programs and libraries asks for, "2.35"."""
    asked: set[tuple[int, ...]] = {(0,)}
    for path in paths:
        told = subprocess.run(["readelf", "-V", str(path)], capture_output=True, text=True, check=True).stdout
        asked |= {tuple(map(int, number.split("."))) for number in re.findall(r"\bGLIBC_(\d[\d.]*)", told)}
    return ".".join(map(str, max(asked)))


def strip(path: Path) -> None:
    """Take the symbols for debuggers out of a library, unless that would damage it.

    Libraries that were made portable were moved about inside, and some versions of strip do not keep what they load in step
    with the pages of the memory; then the file stays as it is.
    """
    smaller = path.with_name(path.name + ".smaller")
    command = ["strip", "--strip-unneeded", "-o", str(smaller), str(path)]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode == 0 and smaller.stat().st_size < path.stat().st_size and can_be_loaded(smaller):
        smaller.chmod(path.stat().st_mode)
        smaller.replace(path)
    smaller.unlink(missing_ok=True)


def can_be_loaded(path: Path) -> bool:
    """Return whether what a library loads lies in the file as it has to lie in the memory."""
    content = path.read_bytes()
    if content[4] != 2:  # 64 bit
        return False
    (start,) = struct.unpack_from("<Q", content, 32)
    size, count = struct.unpack_from("<HH", content, 54)
    for number in range(count):
        kind, _flags, offset, address, _physical, in_file = struct.unpack_from(
            "<IIQQQQ", content, start + number * size
        )
        if kind == _LOAD and (offset % _PAGE != address % _PAGE or offset + in_file > len(content)):
            return False
    return True
