"""Archives that are the same bytes whenever the same files go into them."""

import hashlib
import lzma
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

from bundling.places import epoch


def write_tar_xz(folder: Path, name: str, target: Path) -> None:
    """Write a folder as an archive in which everything is below ``name``, in order, of one time and nobody's.

    Parameters
    ----------
    folder
        What is packed.
    name
        The single folder at the top of the archive.
    target
        The archive; replaced.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with (
        lzma.open(target, "wb", preset=6) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.GNU_FORMAT) as tar,
    ):
        for path in [folder, *sorted(folder.rglob("*"))]:
            entry = tar.gettarinfo(str(path), arcname=str(Path(name) / path.relative_to(folder)))
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = "root"
            entry.mtime = epoch()
            entry.mode = mode_of(path)
            if entry.islnk():  # a second name of a file, on this disk by chance
                entry.type, entry.size = tarfile.REGTYPE, path.stat().st_size
            if entry.isreg():
                with path.open("rb") as file:
                    tar.addfile(entry, file)
            else:
                tar.addfile(entry)


def mode_of(path: Path) -> int:
    """Return the permissions of a file in a package: those of its owner, to be read by everybody."""
    if path.is_symlink():
        return 0o777
    if path.is_dir():
        return 0o755
    is_library = ".so" in path.suffixes  # is loaded, and not run
    return 0o755 if path.stat().st_mode & 0o100 and not is_library else 0o644


def settle(folder: Path) -> None:
    """Give everything in a folder the permissions and the time of a package."""
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            path.chmod(mode_of(path))
        os.utime(path, (epoch(), epoch()), follow_symlinks=False)


def copy_tree(source: Path, target: Path) -> None:
    """Copy a folder, links as links, without what only this disk knows of it."""
    shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)


def sha256(path: Path) -> str:
    """Return the checksum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def listing(folder: Path) -> str:
    """Return a line for each file of a folder: its checksum and name, or the name it is a link to."""
    lines = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            lines.append(f"{'link to ' + str(path.readlink()):64}  {name}")
        elif path.is_file():
            lines.append(f"{sha256(path)}  {name}")
    return "\n".join(lines) + "\n"


def write_checksums(files: list[Path], target: Path) -> None:
    """Write what ``sha256sum --check`` reads."""
    target.write_text("".join(f"{sha256(path)}  {path.name}\n" for path in sorted(files)), encoding="utf-8")


def architecture() -> str:
    """Return what Debian calls this kind of machine."""
    told = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True)
    return told.stdout.strip()
