"""The bundle as a folder: what PyInstaller makes of the wheel, and whether it is whole."""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import setting_up

from bundling import slimming
from bundling.places import ROOT, WORK, epoch, version

FOLDER = WORK / "affinecal"
INSIDE = FOLDER / "_internal"
ICONS = WORK / "icons"
SOURCES = WORK / "pyinstaller" / "affinecal" / "sources.txt"
"""What each collected file is called in the bundle, and where it came from; written by affinecal.spec."""

# What every desktop has and no program brings: the C library, and the libraries behind which the drivers of graphics cards
# and the fonts of the machine are found. Library -> Debian package.
OF_THE_SYSTEM = {
    "ld-linux-x86-64.so.2": "libc6",
    "ld-linux-aarch64.so.1": "libc6",
    "libc.so.6": "libc6",
    "libdl.so.2": "libc6",
    "libm.so.6": "libc6",
    "libpthread.so.0": "libc6",
    "libresolv.so.2": "libc6",
    "librt.so.1": "libc6",
    "libutil.so.1": "libc6",
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libGLX.so.0": "libglx0",
    "libGLdispatch.so.0": "libglvnd0",
    "libX11.so.6": "libx11-6",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb.so.1": "libxcb1",
    "libXau.so.6": "libxau6",
    "libXdmcp.so.6": "libxdmcp6",
    "libbsd.so.0": "libbsd0",
    "libmd.so.0": "libmd0",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libexpat.so.1": "libexpat1",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libz.so.1": "zlib1g",
    "libstdc++.so.6": "libstdc++6",
    "libgcc_s.so.1": "libgcc-s1",
}


def build(python: Path) -> Path:
    """Run PyInstaller with the environment's interpreter; return the folder."""
    subprocess.run([str(python), str(ROOT / "packaging" / "bundling" / "icons.py"), str(ICONS)], check=True)
    environment = {
        **os.environ,
        "AFFINECAL_BUNDLE_VERSION": version(),
        "AFFINECAL_BUNDLE_ICONS": str(ICONS),
        "SOURCE_DATE_EPOCH": str(epoch()),
        "PYTHONHASHSEED": "1",  # the order in which sets are written down is the same each time
        "PYTHONNOUSERSITE": "1",
    }
    environment.pop("PYTHONPATH", None)
    log = WORK / "pyinstaller.log"
    print(f"bundle: PyInstaller is at work, some minutes; what it says goes to {log}", flush=True)
    spec = ROOT / "packaging" / "bundling" / "affinecal.spec"
    command = [str(python), "-m", "PyInstaller", "--noconfirm", "--distpath", str(WORK)]
    command += ["--workpath", str(WORK / "pyinstaller"), str(spec)]
    with log.open("w", encoding="utf-8") as said:
        # Not in the checkout, whose package would be found before the wheel's, which has the resources inside.
        started = subprocess.run(command, cwd=WORK, env=environment, stdout=said, stderr=subprocess.STDOUT, check=False)
    if started.returncode != 0:
        setting_up.stop(f"PyInstaller failed; the last lines of {log} say why.")
    if sys.platform.startswith("linux"):
        saved = slimming.slim(INSIDE)
        print(f"bundle: {saved / 1e6:.0f} MB of libraries and symbols are needed by nothing, and removed")
        check_libraries(FOLDER)
    return FOLDER


def sources() -> list[str]:
    """Return where everything that is in the bundle came from; modules that were compiled into it are among it."""
    lines = (line.split("\t") for line in SOURCES.read_text(encoding="utf-8").splitlines())
    return [source for name, source in lines if not name or os.path.lexists(INSIDE / name)]


def check_libraries(folder: Path) -> set[str]:
    """Return the libraries that the bundle takes from the system; stop where one is missing or is not known as such.

    What was left out must not be needed by what stayed: a library that is missing is met here, and not by a user.
    """
    missing, outside = Counter[str](), set()
    for path in slimming.elf_files(folder):
        # What is loaded by Python finds the bundle's own libraries because the program has loaded them before, or here.
        environment = {**os.environ, "LD_LIBRARY_PATH": str(INSIDE)}
        needed = slimming.needed_by(path)
        told = subprocess.run(["ldd", str(path)], capture_output=True, text=True, env=environment, check=False).stdout
        for name, where in re.findall(r"^\s*(\S+) => (not found|\S+)", told, re.MULTILINE):
            if where == "not found":
                missing[f"{name} of {path.relative_to(folder)}"] += 1
            elif name in needed and not Path(where).resolve().is_relative_to(folder.resolve()):
                outside.add(name)  # what that one needs in turn comes with its package
    if missing:
        setting_up.stop(f"the bundle lacks libraries: {', '.join(sorted(missing))}.")
    if unknown := {Path(name).name for name in outside} - set(OF_THE_SYSTEM):
        setting_up.stop(f"the bundle counts on libraries of this machine: {', '.join(sorted(unknown))}.")
    return outside


def sizes(folder: Path) -> dict[str, int]:
    """Return the bytes of each part of a folder of libraries, the largest first.

    A part is what is of one name at the top: a package, with the libraries that were shipped beside it.
    """
    parts = Counter[str]()
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            top = path.relative_to(folder).parts[0]
            parts["single files" if path.parent == folder else top.removesuffix(".libs")] += path.stat().st_size
    return dict(parts.most_common())
