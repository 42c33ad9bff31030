"""The package for Debian and Ubuntu: the bundle in /usr/lib, the program in the menu, files that open by a double-click.

It has no scripts of its own: the desktop's programs notice the files by themselves, and removing the package removes all.
"""

import gzip
import os
import shutil
import subprocess
from collections.abc import Iterable
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

import setting_up

from bundling import archives
from bundling.folder import ICONS, OF_THE_SYSTEM
from bundling.places import DESKTOP, ROOT, WORK, epoch, version
from bundling.slimming import elf_files, newest_c_library

HOME = "usr/lib/affinecal"
ICON_SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
ICON_NAMES = (
    "apps/affinecal",
    "mimetypes/application-x-affinecal-study",
    "mimetypes/application-x-affinecal-model",
)

MAINTAINER = "The AffineCal developers <developers@affinecal.invalid>"

CHANGES = """\
affinecal ({version}) stable; urgency=medium

  * What has changed is told in CHANGELOG.md.gz.

 -- {maintainer}  {made}
"""
"""What Debian's own changelog has of a program whose changes are told elsewhere."""

CONTROL = """\
Package: affinecal
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {kilobytes}
Depends: {depends}
Section: science
Priority: optional
Description: corrects simulated polymer properties with a few measurements
 Molecular dynamics predicts properties of polymers cheaply, but with a
 systematic error. AffineCal takes a table of measured and one of simulated
 values, fits a correction that depends on the force field parameters of each
 repeat unit, and gives calibrated values with intervals.
 .
 The package brings Python and all libraries along and needs no network.
"""


def build(folder: Path, libraries: Iterable[str], results: Path, compression: str = "xz") -> Path:
    """Build the package of a bundle.

    Parameters
    ----------
    folder
        The bundle.
    libraries
        The libraries that it takes from the system.
    results
        Where the package goes.
    compression
        What dpkg-deb calls it; ``none`` is quick, for trials.
    """
    for tool in ("dpkg-deb", "dpkg"):
        if shutil.which(tool) is None:
            setting_up.stop(f"there is no {tool}, so no .deb can be made (Debian and Ubuntu: apt-get install dpkg).")
    root = WORK / "deb"
    shutil.rmtree(root, ignore_errors=True)
    lay_out(folder, root)
    architecture = archives.architecture()
    control = CONTROL.format(
        version=version(),
        architecture=architecture,
        maintainer=MAINTAINER,
        kilobytes=sum(path.stat().st_size for path in root.rglob("*") if path.is_file() and not path.is_symlink())
        // 1024,
        depends=", ".join(dependencies(libraries, newest_c_library(elf_files(folder)))),
    )
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN" / "control").write_text(control, encoding="utf-8")
    archives.settle(root)
    results.mkdir(parents=True, exist_ok=True)
    package = results / f"affinecal_{version()}_{architecture}.deb"
    # One thread: several divide the data by the number of processors, and the bytes would depend on the machine. The option
    # for it would be refused by the dpkg-deb of Ubuntu 22.04, which passes over the variable.
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch()), "DPKG_DEB_THREADS_MAX": "1"}
    command = ["dpkg-deb", "--root-owner-group", f"-Z{compression}", "--build", str(root), str(package)]
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return package


def dependencies(libraries: Iterable[str], c_library: str) -> list[str]:
    """Return the packages of libraries; of the C library the version as well, before which no program of the bundle starts.

    Every system whose C library is as new as that has the others as new as the bundle wants them.
    """
    packages = {OF_THE_SYSTEM[Path(name).name] for name in libraries} | {"libc6"}
    return sorted(f"libc6 (>= {c_library})" if package == "libc6" else package for package in packages)


def lay_out(folder: Path, root: Path) -> None:
    """Put the bundle and what the desktop reads where they are in an installed system."""
    share = root / "usr" / "share"
    archives.copy_tree(folder, root / HOME)
    licences = root / HOME / "licences"
    documents = share / "doc" / "affinecal"
    documents.mkdir(parents=True)
    licences.rename(documents / "licences")
    (root / HOME / "affinecal.cdx.json").rename(documents / "affinecal.cdx.json")
    shutil.copyfile(ROOT / "LICENSE", documents / "copyright")
    _write_packed(documents / "CHANGELOG.md.gz", (ROOT / "CHANGELOG.md").read_bytes())
    made = format_datetime(datetime.fromtimestamp(epoch(), UTC))
    changes = CHANGES.format(version=version(), maintainer=MAINTAINER, made=made)
    _write_packed(documents / "changelog.gz", changes.encode())
    (root / "usr" / "bin").mkdir()
    (root / "usr" / "bin" / "affinecal").symlink_to("../lib/affinecal/affinecal")
    _copy(DESKTOP / "linux" / "affinecal.desktop", share / "applications")
    _copy(DESKTOP / "linux" / "affinecal.xml", share / "mime" / "packages")
    _copy(DESKTOP / "linux" / "org.affinecal.AffineCal.metainfo.xml", share / "metainfo")
    icons = share / "icons" / "hicolor"
    for name in ICON_NAMES:
        _copy(ROOT / "resources" / "icons" / "affinecal.svg", icons / "scalable" / Path(name).parent, Path(name).name)
        for size in ICON_SIZES:
            of_this_size = icons / f"{size}x{size}" / Path(name).parent
            _copy(ICONS / f"affinecal-{size}.png", of_this_size, Path(name).name)


def _write_packed(target: Path, content: bytes) -> None:
    with target.open("wb") as packed, gzip.GzipFile("", "wb", 9, packed, mtime=0) as file:
        file.write(content)


def _copy(source: Path, folder: Path, stem: str | None = None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, folder / (source.name if stem is None else stem + source.suffix))
