"""The steps of bundle.py, one after the other."""

import platform
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import setting_up

from bundling import archives, bill, debian, environment, folder
from bundling.places import DESKTOP, RESULTS, ROOT, WORK, version

STEPS = ("folder", "packages", "sizes", "version")


def main(words: Sequence[str], usage: str) -> int:
    """Run what is asked for, by default the folder and its packages; return the exit status."""
    setting_up.SPEAKER = "bundle"
    if set(words) - set(STEPS):
        print(usage)
        return 2
    asked = words or ("folder", "packages")
    if "folder" in asked:
        make_folder()
    if "packages" in asked:
        make_packages()
    if "sizes" in asked:
        print_sizes()
    if "version" in asked:
        print(version())
    return 0


def make_folder() -> None:
    """Build the folder."""
    python = environment.ensure()
    environment.install_wheel(environment.make_wheel(WORK / "wheel"))
    built = folder.build(python)
    sources = folder.sources()
    parts = [
        bill.interpreter_part(Path(sys.base_prefix)),
        *bill.python_parts(sources, site_packages()),
        *bill.debian_parts(sources),
    ]
    print(f"bundle: built {built}; what it holds is in {bill.write(parts, built)}")


def make_packages() -> None:
    """Make what can be given to others of the folder that is there: on Linux an archive and a Debian package."""
    if not folder.FOLDER.is_dir():
        setting_up.stop(f"{folder.FOLDER} is not there; run python3 packaging/bundle.py folder first.")
    system = f"{platform.system().lower().replace('darwin', 'macos')}-{platform.machine().lower()}"
    name = f"affinecal-{version()}-{system}"
    RESULTS.mkdir(exist_ok=True)
    made = [RESULTS / f"{name}.cdx.json", RESULTS / f"{name}.files.txt"]
    shutil.copyfile(folder.FOLDER / "affinecal.cdx.json", made[0])
    made[1].write_text(archives.listing(folder.FOLDER), encoding="utf-8")
    if sys.platform.startswith("linux"):
        made += [make_archive(name), debian.build(folder.FOLDER, folder.check_libraries(folder.FOLDER), RESULTS)]
    archives.write_checksums(made, RESULTS / f"{name}.sha256")
    for path in made:
        print(f"bundle: {path.relative_to(ROOT)}, {path.stat().st_size / 1e6:.1f} MB")


def make_archive(name: str) -> Path:
    """Pack the folder, with what makes files open by a double-click for one user."""
    archive = RESULTS / f"{name}.tar.xz"
    stage = WORK / "archive"
    shutil.rmtree(stage, ignore_errors=True)
    archives.copy_tree(folder.FOLDER, stage)
    desktop = stage / "desktop"
    desktop.mkdir()
    for part in ("affinecal.desktop", "affinecal.xml", "install.sh"):
        shutil.copyfile(DESKTOP / "linux" / part, desktop / part)
    shutil.copyfile(ROOT / "resources" / "icons" / "affinecal.svg", desktop / "affinecal.svg")
    archives.write_tar_xz(stage, f"affinecal-{version()}", archive)
    return archive


def site_packages() -> Path:
    """Return the folder of the libraries of the bundle's environment."""
    if sys.platform == "win32":
        return setting_up.ENVIRONMENT / "Lib" / "site-packages"
    return next((setting_up.ENVIRONMENT / "lib").glob("python*/site-packages"))


def print_sizes() -> None:
    """Print how much each part takes as pip installs it, and in the bundle."""
    before = folder.sizes(site_packages())
    after = folder.sizes(folder.INSIDE)
    print(f"{'part':28}{'installed':>12}{'in the bundle':>16}   (MB)")
    for name in sorted({*before, *after}, key=lambda part: -max(before.get(part, 0), after.get(part, 0))):
        print(f"{name:28}{before.get(name, 0) / 1e6:12.1f}{after.get(name, 0) / 1e6:16.1f}")
    print(f"{'together':28}{sum(before.values()) / 1e6:12.1f}{sum(after.values()) / 1e6:16.1f}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], __doc__ or ""))
