"""Tries the installer for Windows on Linux: compiles it, installs one version over another, opens files, and uninstalls.

    python3 packaging/try_installer.py

The script of the installer is the one that a release is made with, packaging/desktop/windows/affinecal.iss. Its compiler,
Inno Setup, comes from the npm registry and runs under Wine in a bare Debian below build/bundle: for that this needs Linux,
root, debootstrap, npm, Xvfb, a network and, for the icon, a folder that bundle.py has built. What is installed is a small
program that stands in for AffineCal: the installer is tried, not the bundle.
"""

import filecmp
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import setting_up
from bundling.bare_root import TRIALS, USER, BareRoot
from bundling.places import DESKTOP, ROOT, WORK, version
from display_in_memory import MISSING, display_in_memory, is_there

INNO_SETUP = "innosetup@6.4.1"
"""The package of the npm registry that has the compiler's programs in it."""
WINE = ("wine", "wine64", "wine32:i386", "gcc-mingw-w64-x86-64")
"""Installers of Inno Setup are programs of 32 bits."""

NEXT_VERSION = "9.9.9"
KINDS = {"größte Stüdie.affinecal", "one.affinecal-model"}
OWN = "Software\\\\Wine\\\\"  # keys of Wine, which puts links of the menu into that of its desktop


def main(words: list[str]) -> int:
    """Try it; return 0 when all is well."""
    setting_up.SPEAKER = "try_installer"
    if words:
        print(__doc__)
        return 2
    bare = BareRoot(WORK / "wine", WORK / "windows")
    if not is_there():
        setting_up.stop(MISSING)
    prepare(bare)
    own = bare.place / TRIALS[1:]
    lay_out(own)
    compile_stand_ins(bare)
    subprocess.run(["chown", "-R", f"{USER}:{USER}", str(own)], check=True)
    with display_in_memory() as shown:
        done = bare.start(("sh", "try_in_wine.sh", version(), NEXT_VERSION), {"DISPLAY": shown["DISPLAY"]})
        said = "".join(done.communicate())
    if done.returncode != 0:
        print(f"{said}\nFAULT a step ended with {done.returncode}")
        return 1
    faults = look_at(own)
    for fault in faults:
        print(f"FAULT {fault}")
    print("all is well" if not faults else f"{len(faults)} faults")
    return bool(faults)


def prepare(bare: BareRoot) -> None:
    """Make the bare Debian with Wine, which is kept, and a copy of it; put the compiler into that."""
    if shutil.which("npm") is None:
        setting_up.stop("there is no npm, with which the compiler is fetched (Debian and Ubuntu: apt-get install npm).")
    if not bare.base.exists():
        unfinished = BareRoot(WORK / "debian", WORK / "wine-unfinished")
        unfinished.make()
        print("try_installer: installing Wine; the first time this takes some minutes", flush=True)
        unfinished.as_root("dpkg", "--add-architecture", "i386")
        unfinished.as_root("apt-get", "update", "-qq", network=True)
        unfinished.as_root("apt-get", "install", "-y", "-qq", "--no-install-recommends", *WINE, network=True)
        unfinished.as_root("useradd", "--uid", str(USER), "--home-dir", "/home/user", "user")
        unfinished.place.rename(bare.base)
    bare.make()
    fetched = WORK / "inno"
    command = ["npm", "install", "--silent", "--no-save", "--ignore-scripts", "--prefix", str(fetched), INNO_SETUP]
    if subprocess.run(command, check=False).returncode != 0:
        setting_up.stop(
            "npm could not install Inno Setup (see above); check the network connection and start this again."
        )
    shutil.copytree(fetched / "node_modules" / "innosetup" / "bin", bare.place / "opt" / "inno")


def lay_out(own: Path) -> None:
    """Put into a folder what the installer is made of: files of a checkout, and what two versions install."""
    checkout = own / "checkout"
    shutil.copytree(DESKTOP / "windows", checkout / "packaging" / "desktop" / "windows")
    shutil.copyfile(ROOT / "LICENSE", checkout / "LICENSE")
    icon = next(iter((WORK / "icons").glob("affinecal.ico")), None)
    if icon is None:
        setting_up.stop("the icon is not there; run python3 packaging/bundle.py folder first.")
    (checkout / "build" / "bundle" / "icons").mkdir(parents=True)
    shutil.copyfile(icon, checkout / "build" / "bundle" / "icons" / icon.name)
    for number, library in ((version(), "earlier"), (NEXT_VERSION, "later")):
        inside = own / f"folder-{number}" / "_internal" / "größe"
        inside.mkdir(parents=True)
        (inside / f"{library}.dll").write_text(library)
    shutil.copyfile(DESKTOP / "windows" / "try_in_wine.sh", own / "try_in_wine.sh")
    shutil.copyfile(ROOT / "tests" / "data" / "studies" / "format_1.affinecal", own / "study.affinecal")


def compile_stand_ins(bare: BareRoot) -> None:
    """Compile what stands in for the two programs of each version: one with a console, one without."""
    source = f"{TRIALS}/checkout/packaging/desktop/windows/stand_in.c"
    for number in (version(), NEXT_VERSION):
        for program, more in (("affinecal.exe", ()), ("AffineCalWindow.exe", ("-mwindows",))):
            target = f"{TRIALS}/folder-{number}/{program}"
            bare.as_root("x86_64-w64-mingw32-gcc", "-s", f'-DVERSION="{number}"', *more, "-o", target, source)


def look_at(own: Path) -> list[str]:
    """Return what is wrong with what the steps left."""
    faults = []
    expected, installed = own / f"folder-{NEXT_VERSION}", own / "installed"
    names = {path.relative_to(expected).as_posix() for path in expected.rglob("*") if path.is_file()}
    there = {path.relative_to(installed).as_posix() for path in installed.rglob("*") if path.is_file()}
    if there != names | {"unins000.exe", "unins000.dat"}:
        faults.append(f"installed are {sorted(there)}, not {sorted(names)} and an uninstaller")
    _, different, missing = filecmp.cmpfiles(expected, installed, names, shallow=False)
    faults += [f"not installed as it is: {name}" for name in (*different, *missing)]
    said = (own / "said.txt").read_text().strip()
    if said != f"AffineCal {NEXT_VERSION}":
        faults.append(f"the installed program says {said!r}")
    opened = {line.rpartition("\\")[2] for line in (own / "opened.txt").read_text("utf-8").splitlines()}
    if opened != KINDS:
        faults.append(f"opened by their kind were {sorted(opened)}")
    if not any(name.endswith("Programs/AffineCal.lnk") for name in files(own, "second")):
        faults.append("there is no entry in the menu")
    keys_of_both = set(keys(own, "second")) - set(keys(own, "before"))
    print(
        f"installed: {len(there)} files and {len(keys_of_both)} keys of the registry, the later version over the earlier"
    )
    left = [name for name in files(own, "after") - files(own, "before") if "affinecal" in name.lower()]
    own_names = [name for name in left if not name.endswith(("/AffineCal", "beside the program.affinecal"))]
    faults += [f"left after uninstalling: {name}" for name in own_names]
    faults += [f"left in the registry: {key}" for key in keys(own, "after") - keys(own, "before")]
    print(f"uninstalled: {len(own_names)} files of the program are left, and all of the user")
    return faults


def files(own: Path, moment: str) -> set[str]:
    """Return the names of all files of the drive at a moment."""
    return set((own / f"{moment}.files").read_text("utf-8").splitlines())


def keys(own: Path, moment: str) -> set[str]:
    """Return the keys of the user's registry at a moment that have to do with the program."""
    lines = (own / f"{moment}.reg").read_text("utf-8", "replace").splitlines()
    found = {line[1:].partition("]")[0] for line in lines if line.startswith("[")}
    return {key for key in found if "affinecal" in key.lower() and not key.startswith(OWN)}


if __name__ == "__main__":
    try:
        os.umask(0o022)
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
