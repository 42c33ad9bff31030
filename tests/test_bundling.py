"""What the installers are made of fits together: pins, versions, what is left out, the bill of materials, files of desktops.

Nothing is built here; packaging/try_bundle.py tries what was built.
"""

import configparser
import io
import json
import os
import plistlib
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
import setting_up
from bundling import archives, bill, debian, environment, folder, left_out, places, slimming, trials
from bundling.bill import Part

import affinecal_gui
from affinecal_gui.study.records.archive import CALIBRATOR, STUDY
from affinecal_gui.study.stored.study_names import CALIBRATOR_SUFFIX, STUDY_SUFFIX

ROOT = Path(__file__).resolve().parent.parent
DESKTOP = ROOT / "packaging" / "desktop"
MEDIA_TYPES = {STUDY_SUFFIX: STUDY.media_type, CALIBRATOR_SUFFIX: CALIBRATOR.media_type}
PINS = re.findall(r"^([\w-]+)==([\w.]+)", places.PINS.read_text(encoding="utf-8"), re.MULTILINE)


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.replace("*", "0").split(".") if part.isdigit())


@pytest.mark.parametrize("requirement", environment.requirements())
def test_each_library_of_a_bundle_is_pinned_to_a_version_that_the_program_allows(requirement: str) -> None:
    name, bounds = re.fullmatch(r"([\w-]+)(.*)", requirement).groups()  # type: ignore[union-attr]
    all_pinned = [numbers(number) for pin, number in PINS if pin == name]  # several, where systems differ
    assert all_pinned
    for pinned in all_pinned:
        for sign, bound in re.findall(r"(>=|<|==)([\w.*]+)", bounds):
            if sign == ">=":
                assert pinned >= numbers(bound)
            elif sign == "<":
                assert pinned < numbers(bound)
            else:
                assert pinned[: bound.count(".")] == numbers(bound)[: bound.count(".")]


def test_a_bundle_has_all_dependencies_but_those_of_the_face_for_python() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    left = set(project["dependencies"]) - set(environment.requirements())
    assert {re.split("[>=]", line)[0] for line in left} == {"pandas", "scikit-learn"}


def test_libraries_that_are_not_pinned_are_named_but_for_the_program_and_pip() -> None:
    installed = [
        "affinecal==0.1.0",
        "pip==23.2.1",
        "Pint==0.25.3",
        "typing-extensions==4.16.0",
        "tzdata==2026.6",
        "new==1",
    ]
    assert environment.not_pinned(installed) == ["new==1"]
    assert environment.not_pinned(["tzdata==2026.5"]) == ["tzdata==2026.5"]
    assert environment.not_pinned(["rdkit==2026.3.6", "rdkit==2025.9.3"]) == []  # each for its own systems


def test_every_place_that_names_the_version_names_the_same() -> None:
    here = affinecal_gui.__version__
    assert places.version() == here
    assert tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"] == here
    assert f"\nversion: {here}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f'version: "{here}"' in (ROOT / "packaging" / "conda" / "recipe.yaml").read_text(encoding="utf-8")
    metainfo = ElementTree.parse(DESKTOP / "linux" / "org.affinecal.AffineCal.metainfo.xml")
    assert next(metainfo.iter("release")).get("version") == here


def test_the_conda_recipe_asks_for_the_dependencies_of_the_package() -> None:
    recipe = (ROOT / "packaging" / "conda" / "recipe.yaml").read_text(encoding="utf-8")
    run = recipe.split("  run:\n")[1].split("\n\n")[0]
    asked = dict(re.findall(r"^\s+- ([\w-]+) (\S+)$", run, re.MULTILINE))
    renamed = {"pyside6-essentials": "pyside6", "matplotlib": "matplotlib-base", "pyarrow": "pyarrow-core"}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {}
    for line in project["dependencies"]:
        name, bounds = re.fullmatch(r"([\w-]+)(.*)", line).groups()  # type: ignore[union-attr]
        wanted[renamed.get(name.lower(), name.lower())] = bounds.removeprefix("==")
    assert asked == wanted


@pytest.mark.parametrize(
    "name",
    [
        "PySide6/Qt/qml/QtQuick/libqtquick2plugin.so",
        "PySide6/Qt/translations/qtbase_de.qm",
        "PySide6\\translations\\qtbase_de.qm",
        "PySide6/Qt/lib/libQt6Quick.so.6",
        "PySide6/Qt6Qml.dll",
        "PySide6/Qt/plugins/sqldrivers/libqsqlite.so",
        "PySide6/Qt/plugins/platforms/libqeglfs.so",
        "PySide6/Qt/plugins/imageformats/libqpdf.so",
        "pyarrow/libarrow_flight.so.2600",
        "pyarrow/libarrow_s3.so.2600",
        "pyarrow/libarrow_python.so",
        "pyarrow/include/arrow/api.h",
        "pyarrow/table.pxi",
        "matplotlib/mpl-data/sample_data/goog.npz",
        "numpy/tests/data/x.csv",
        "libfontconfig.so.1",  # reads the settings of the system, in a format that grows
        "libfreetype.so.6",
        "libX11.so.6",
        "libstdc++.so.6",
    ],
)
def test_what_nobody_here_asks_for_is_left_out(name: str) -> None:
    assert not left_out.is_needed(name)


@pytest.mark.parametrize(
    "name",
    [
        "PySide6/Qt/lib/libQt6Gui.so.6",
        "PySide6/Qt/lib/libQt6Widgets.so.6",
        "PySide6/Qt/lib/libicudata.so.73",
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/plugins/platforms/libqoffscreen.so",
        "PySide6/plugins/platforms/qwindows.dll",
        "PySide6/Qt/plugins/platforms/libqcocoa.dylib",
        "PySide6/Qt/plugins/imageformats/libqsvg.so",
        "PySide6/Qt/plugins/iconengines/libqsvgicon.so",
        "pyarrow/libarrow.so.2600",
        "pyarrow/libarrow_python.so.2600",
        "pyarrow/libarrow_substrait.so.2600",
        "numpy.libs/libscipy_openblas64_-1.so",
        "matplotlib/mpl-data/fonts/ttf/DejaVuSans.ttf",
        "matplotlib/mpl-data/matplotlibrc",
        "affinecal_gui/resources/fonts/Arimo-Regular.ttf",
        "affinecal_gui/resources/fonts/interface/Inter-Regular.otf",
        "affinecal_gui/docs/guide.md",
        "affinecal_gui/docs/pictures/main-light.png",
        "affinecal_gui/docs/practice/series_12.csv",
        "libpython3.11.so.1.0",
        "libXext.so.6",
        "pillow.libs/libfreetype-ee1c40c4.so.6.20.1",
    ],
)
def test_what_the_window_and_the_commands_load_stays(name: str) -> None:
    assert left_out.is_needed(name)


def test_all_resources_and_documents_of_the_window_stay() -> None:
    names = [path.relative_to(ROOT).as_posix() for path in (ROOT / "resources").rglob("*") if path.is_file()]
    names += [f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")]
    gone = [name for name in names if not left_out.is_needed(f"affinecal_gui/{name}")]
    assert [name for name in gone if not name.endswith((".py", ".pyc"))] == []


def test_the_bill_of_materials_has_the_shape_of_cyclonedx_and_the_same_parts_give_the_same_one() -> None:
    parts = [
        Part("numpy", "2.4.6", "pkg:pypi/numpy@2.4.6", "BSD-3-Clause AND MIT"),
        Part("pint", "0.25.3", "pkg:pypi/pint@0.25.3", "BSD License"),
    ]
    made = bill.bill_of_materials(parts)
    assert made == bill.bill_of_materials(parts)
    assert made != bill.bill_of_materials(parts[:1])
    assert (made["bomFormat"], made["specVersion"], made["version"]) == ("CycloneDX", "1.5", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", str(made["serialNumber"]))
    assert [component["licenses"] for component in made["components"]] == [  # type: ignore[attr-defined]
        [{"expression": "BSD-3-Clause AND MIT"}],
        [{"license": {"name": "BSD License"}}],
    ]
    (depends,) = made["dependencies"]  # type: ignore[misc]
    assert depends["dependsOn"] == ["pkg:pypi/numpy@2.4.6", "pkg:pypi/pint@0.25.3"]


@pytest.mark.parametrize(
    ("metadata", "licence"),
    [
        ("License-Expression: BSD-3-Clause AND MIT", "BSD-3-Clause AND MIT"),
        ("License: MIT\nClassifier: License :: OSI Approved :: MIT License", "MIT"),
        ("License: Copyright (c) 2001, somebody\nClassifier: License :: OSI Approved :: BSD License", "BSD License"),
        ("Summary: says nothing of it", "see its texts"),
    ],
)
def test_a_library_belongs_to_the_bundle_when_one_of_its_files_does_and_brings_its_licence(
    metadata: str, licence: str, tmp_path: Path
) -> None:
    for name in ("Used", "unused"):
        about = tmp_path / f"{name}-1.5.dist-info"
        (about / "licenses").mkdir(parents=True)
        (about / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.5\n{metadata}\n", "utf-8")
        (about / "licenses" / "COPYING").write_text("Do what is right.", "utf-8")
        (tmp_path / f"{name}.py").touch()
        (about / "RECORD").write_text(
            f"{name}.py,,\n{about.name}/METADATA,,\n{about.name}/licenses/COPYING,,\n", "utf-8"
        )
    (part,) = bill.python_parts([str(tmp_path / "Used.py"), "/usr/lib/libz.so.1"], tmp_path)
    assert (part.name, part.version, part.purl, part.licence) == ("used", "1.5", "pkg:pypi/used@1.5", licence)
    assert part.texts == (tmp_path / "Used-1.5.dist-info" / "licenses" / "COPYING",)


def test_the_text_of_each_licence_is_written_beside_the_bill(tmp_path: Path) -> None:
    text = tmp_path / "LICENSE"
    text.write_text("Do what is right.", encoding="utf-8")
    bill.write([Part("a", "1", "pkg:pypi/a@1", "MIT", (text,))], tmp_path / "bundle")
    assert (tmp_path / "bundle" / "licences" / "a.txt").read_text(encoding="utf-8") == "Do what is right."
    assert (tmp_path / "bundle" / "licences" / "AffineCal.txt").is_file()


def test_an_archive_is_the_same_bytes_whenever_and_in_whatever_order_its_files_were_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    made = []
    for number, names in enumerate((["b", "a", "c"], ["c", "a", "b"])):
        place = tmp_path / str(number)
        place.mkdir()
        for name in names:
            (place / name).write_text(name)
        (place / "a").chmod(0o750)
        (place / "b").chmod(0o600)
        (place / "link").symlink_to("a")
        archives.write_tar_xz(place, "program", tmp_path / f"{number}.tar.xz")
        made.append((tmp_path / f"{number}.tar.xz").read_bytes())
    assert made[0] == made[1]
    with tarfile.open(fileobj=io.BytesIO(made[0])) as tar:
        entries = {entry.name: entry for entry in tar}
    assert list(entries) == ["program", "program/a", "program/b", "program/c", "program/link"]
    assert {entry.mtime for entry in entries.values()} == {1700000000}
    assert [entries[f"program/{name}"].mode for name in "ab"] == [0o755, 0o644]


def test_a_library_is_no_program_in_a_package(tmp_path: Path) -> None:
    for name in ("program", "libQt6Core.so.6", "_csv.cpython-311-x86_64-linux-gnu.so"):
        (tmp_path / name).touch(mode=0o755)
    assert {path.name: archives.mode_of(path) for path in tmp_path.iterdir()} == {
        "program": 0o755,
        "libQt6Core.so.6": 0o644,
        "_csv.cpython-311-x86_64-linux-gnu.so": 0o644,
    }


def test_differing_and_missing_files_of_results_are_named(tmp_path: Path) -> None:
    for place, names in (("one", {"same": "1", "other": "1", "only": "1"}), ("two", {"same": "1", "other": "2"})):
        (tmp_path / place).mkdir()
        for name, text in names.items():
            (tmp_path / place / name).write_text(text)
    assert trials.differences(tmp_path / "one", tmp_path / "two") == (["only", "other"], 3)


def test_calibrator_files_may_differ_in_when_they_were_saved_and_in_nothing_else(tmp_path: Path) -> None:
    def calibrator(folder: str, saved: str, numbers: bytes) -> None:
        (tmp_path / folder).mkdir()
        with zipfile.ZipFile(tmp_path / folder / "heat.affinecal-model", "w") as archive:
            archive.writestr("manifest.json", json.dumps({"format": "AffineCal calibrator", "saved": saved}))
            archive.writestr("numbers/md.f64", numbers)
            archive.writestr("checksums.json", json.dumps({"manifest.json": saved, "numbers/md.f64": str(numbers)}))

    calibrator("source", "2026-11-29T15:47:00", b"1234")
    calibrator("later", "2026-11-29T15:51:36", b"1234")
    calibrator("other", "2026-11-29T15:47:00", b"1235")
    assert trials.differences(tmp_path / "source", tmp_path / "later") == ([], 1)
    assert trials.differences(tmp_path / "source", tmp_path / "other") == (["heat.affinecal-model"], 1)


def test_screenings_may_differ_in_the_checksum_of_their_calibrators_and_in_nothing_else(tmp_path: Path) -> None:
    def screening(folder: str, calibrators: str, library: str) -> None:
        (tmp_path / folder).mkdir()
        made_from = {"library": library, "calibrators": calibrators}
        (tmp_path / folder / "manifest.json").write_text(
            json.dumps({"complete": True, "made_from": made_from}), "utf-8"
        )

    screening("source", "0a", "2d")
    screening("later", "1b", "2d")
    screening("other", "0a", "3e")
    assert trials.differences(tmp_path / "source", tmp_path / "later") == ([], 1)
    assert trials.differences(tmp_path / "source", tmp_path / "other") == (["manifest.json"], 1)


def test_what_a_program_says_is_compared_without_progress_and_folder() -> None:
    said = " 56.5 %  Checking\nMatplotlib is building the font cache; this may take a moment.\nNo file x in /home/u. 90.0 %\n"
    assert trials.comparable(said, "/home/u") == "No file x in FOLDER. 90.0 %\n"


def test_the_trials_read_files_that_are_there(tmp_path: Path) -> None:
    trials.lay_out(tmp_path / "trials")
    assert {path.name for path in (tmp_path / "trials").iterdir()} >= {"md_radonpy.csv", "format_1.affinecal"}


@pytest.mark.skipif(shutil.which("cc") is None or shutil.which("readelf") is None, reason="there is no compiler")
def test_a_library_that_no_module_and_no_plugin_needs_is_an_orphan_and_a_module_called_lib_is_none(
    tmp_path: Path,
) -> None:
    (tmp_path / "one.c").write_text("int one(void) { return 1; }")
    (tmp_path / "two.c").write_text("int one(void); int two(void) { return one(); }")
    inside = tmp_path / "inside"
    (inside / "PySide6" / "plugins").mkdir(parents=True)

    def compiled(source: str, target: str, *more: str) -> None:
        command = [
            "cc",
            "-shared",
            "-fPIC",
            "-Wl,--no-as-needed",
            "-o",
            str(inside / target),
            str(tmp_path / source),
            *more,
        ]
        subprocess.run(command, check=True)

    compiled("one.c", "libone.so.1", "-Wl,-soname,libone.so.1")
    compiled("one.c", "libalone.so.1")
    compiled("two.c", "lib.cpython-311-x86_64-linux-gnu.so", str(inside / "libone.so.1"))
    compiled("one.c", "PySide6/plugins/libpicture.so")
    assert slimming.orphans(inside) == [inside / "libalone.so.1"]
    slimming.slim(inside)
    assert sorted(path.name for path in inside.rglob("*.so*")) == [
        "lib.cpython-311-x86_64-linux-gnu.so",
        "libone.so.1",
        "libpicture.so",
    ]


@pytest.mark.skipif(shutil.which("readelf") is None, reason="there is no readelf")
def test_a_package_asks_for_the_newest_c_library_that_anything_in_it_was_made_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = "0x0010: Name: GLIBC_2.9  Flags: none  Version: 3\n 0x0020: Name: GLIBC_2.14  Flags: none\n GLIBC_PRIVATE\n"

    def read(command: list[str], **_: object) -> "subprocess.CompletedProcess[str]":
        return subprocess.CompletedProcess(command, 0, told if command[-1].endswith("one") else "Name: GLIBC_2.2.5\n")

    monkeypatch.setattr(subprocess, "run", read)
    assert slimming.newest_c_library([tmp_path / "one", tmp_path / "two"]) == "2.14"
    assert debian.dependencies({"/lib/libc.so.6", "/lib/libz.so.1"}, "2.14") == ["libc6 (>= 2.14)", "zlib1g"]


def test_every_library_of_the_system_is_of_a_package() -> None:
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9+.-]+", package) for package in folder.OF_THE_SYSTEM.values())


# -- what the desktops read ------------------------------------------------------------------------------------------------


def test_the_menu_entry_opens_files_of_both_kinds() -> None:
    entry = configparser.ConfigParser(interpolation=None)
    entry.optionxform = str  # type: ignore[assignment, method-assign]
    entry.read(DESKTOP / "linux" / "affinecal.desktop", encoding="utf-8")
    found = entry["Desktop Entry"]
    assert (found["Type"], found["Exec"], found["Icon"]) == ("Application", "affinecal %F", "affinecal")
    assert set(found["MimeType"].rstrip(";").split(";")) == set(MEDIA_TYPES.values())


@pytest.mark.skipif(sys.platform == "win32", reason="a script of the shell")
@pytest.mark.parametrize(
    ("folder", "written"),
    [("R&D | my own", "R&D | my own"), ("50 % done", "50 %% done"), ('a$b"c`d', r'a\\$b\\"c\\`d'), ("e\\f", r"e\\\\f")],
)
def test_the_menu_starts_the_program_of_an_unpacked_archive_whatever_its_folder_is_called(
    folder: str, written: str, tmp_path: Path
) -> None:
    """What the specification of menu entries wants: escaped between quotation marks, and once more as every text in them."""
    unpacked, data = tmp_path / folder, tmp_path / "data"
    shutil.copytree(DESKTOP / "linux", unpacked / "desktop")
    shutil.copy(ROOT / "resources" / "icons" / "affinecal.svg", unpacked / "desktop")
    (unpacked / "affinecal").touch(mode=0o755)
    own = {"PATH": "/usr/bin:/bin", "XDG_DATA_HOME": str(data)}
    subprocess.run(["sh", unpacked / "desktop" / "install.sh"], env=own, check=True)
    lines = (data / "applications" / "affinecal.desktop").read_text(encoding="utf-8").splitlines()
    assert f'Exec="{tmp_path}/{written}/affinecal" %F' in lines
    subprocess.run(["sh", unpacked / "desktop" / "install.sh", "--remove"], env=own, check=True)
    left = {path.name for path in data.rglob("*") if path.is_file()}
    assert not any("affinecal" in name for name in left)


def test_the_media_types_of_linux_have_our_suffixes_and_first_bytes() -> None:
    names = {"": "http://www.freedesktop.org/standards/shared-mime-info"}
    kinds = ElementTree.parse(DESKTOP / "linux" / "affinecal.xml").findall("mime-type", names)
    found = {kind.find("glob", names).get("pattern"): kind.get("type") for kind in kinds}  # type: ignore[union-attr]
    assert found == {f"*{suffix}": media_type for suffix, media_type in MEDIA_TYPES.items()}
    for kind in kinds:
        values = [match.get("value") for match in kind.iter(f"{{{names['']}}}match")]
        assert values == ["PK\\003\\004", f"mimetype{kind.get('type')}"]


def test_the_entry_of_software_centres_names_the_menu_entry_and_the_files() -> None:
    metainfo = ElementTree.parse(DESKTOP / "linux" / "org.affinecal.AffineCal.metainfo.xml")
    assert metainfo.findtext("launchable") == "affinecal.desktop"
    assert {found.text for found in metainfo.iter("mediatype")} == set(MEDIA_TYPES.values())
    assert metainfo.findtext("project_license") == "MIT"


def test_macos_is_told_of_both_kinds_of_files() -> None:
    part = (DESKTOP / "macos" / "Info.plist.part").read_text(encoding="utf-8")
    found = plistlib.loads(f'<?xml version="1.0"?><plist version="1.0"><dict>{part}</dict></plist>'.encode())
    types = {kind["UTTypeIdentifier"]: kind["UTTypeTagSpecification"] for kind in found["UTExportedTypeDeclarations"]}
    told = {tags["public.filename-extension"][0]: tags["public.mime-type"] for tags in types.values()}
    assert {f".{suffix}": media_type for suffix, media_type in told.items()} == MEDIA_TYPES
    opened = [name for kind in found["CFBundleDocumentTypes"] for name in kind["LSItemContentTypes"]]
    assert opened == list(types)


def test_windows_is_told_of_both_kinds_of_files_and_asks_for_no_administrator() -> None:
    script = (DESKTOP / "windows" / "affinecal.iss").read_text(encoding="utf-8")
    part = (DESKTOP / "windows" / "affinecal.iss.part").read_text(encoding="utf-8")
    assert "\nPrivilegesRequired=lowest\n" in script
    assert '#include "affinecal.iss.part"' in script
    for suffix, media_type in MEDIA_TYPES.items():
        assert f'Subkey: "Software\\Classes\\{suffix}"; ValueType: string; ValueName: "Content Type"' in part
        assert f'ValueData: "{media_type}"' in part


def test_windows_gets_every_key_of_the_registry_back() -> None:
    """packaging/try_installer.py uninstalls and looks; this says which line was forgotten."""
    part = (DESKTOP / "windows" / "affinecal.iss.part").read_text(encoding="utf-8")
    lines = re.findall(r'^Root: HKA; Subkey: "(.+?)"(.*)$', part, re.MULTILINE)
    taken_whole = {key for key, rest in lines if "uninsdeletekey" in rest.split()}
    for key, rest in lines:
        is_below = any(key == whole or key.startswith(whole + "\\") for whole in taken_whole)
        assert is_below or rest.endswith("Flags: uninsdeletevalue uninsdeletekeyifempty"), key


@pytest.mark.skipif(sys.platform == "win32", reason="a script of the shell")
def test_the_disk_image_for_macos_holds_the_program_its_licences_and_the_way_to_install_it(tmp_path: Path) -> None:
    """With programs that stand in for those of macOS, which say what they were asked for."""
    script = tmp_path / "packaging" / "desktop" / "macos" / "make_dmg.sh"
    script.parent.mkdir(parents=True)
    shutil.copy(DESKTOP / "macos" / "make_dmg.sh", script)
    built = tmp_path / "build" / "bundle"
    (built / "AffineCal.app" / "Contents").mkdir(parents=True)
    (built / "affinecal" / "licences").mkdir(parents=True)
    (built / "affinecal" / "licences" / "qt.txt").touch()
    (built / "affinecal" / "affinecal.cdx.json").touch()
    programs = tmp_path / "programs"
    programs.mkdir()
    stand_in = f'#!/bin/sh\necho "$(basename "$0") $*" >>"{tmp_path}/asked"\n'
    listed = f'case "$1" in create) ls "$5" >"{tmp_path}/held"; ls "$5/licences" >>"{tmp_path}/held" ;; esac\n'
    for name, more in (("hdiutil", listed), ("codesign", ""), ("xcrun", "")):
        (programs / name).write_text(stand_in + more, encoding="utf-8")
        (programs / name).chmod(0o755)
    signing = {"AFFINECAL_MACOS_IDENTITY": "us", "AFFINECAL_NOTARY_PROFILE": "affinecal"}
    for more in ({}, signing):
        environment = {"PATH": f"{programs}:/usr/bin:/bin", **more}
        subprocess.run(["sh", script, "1.2.3"], env=environment, check=True, capture_output=True)
        held = set((tmp_path / "held").read_text(encoding="utf-8").split())
        assert held == {"AffineCal.app", "Applications", "affinecal.cdx.json", "licences", "qt.txt"}
    asked = [" ".join(line.split()[:2]) for line in (tmp_path / "asked").read_text(encoding="utf-8").splitlines()]
    assert asked == [
        "hdiutil create", "hdiutil create", "codesign --verify", "codesign --sign", "xcrun notarytool", "xcrun stapler",
    ]  # fmt: skip


def test_each_job_of_the_workflow_on_linux_installs_what_its_programs_ask_of_the_system() -> None:
    """A hosted runner is not root: what is missing is named there, and the job ends."""
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    asking = {"tests": ".ci/run", "wheel": "try_wheel.py", "linux": "bundle.py"}
    jobs = dict(re.findall(r"^  (\w+):\n((?:    .*\n|\n)+)", workflow, re.MULTILINE))
    for job, program in asking.items():
        assert program in jobs[job]
        installed = set(re.search(r"apt-get install -y ([\w\s.+-]+?)\n      - ", jobs[job])[1].split())  # type: ignore[index]
        assert {*setting_up.SCREEN_LIBRARIES.values(), setting_up.DISPLAY_PACKAGE, "libegl1"} <= installed, job


def test_what_a_program_says_in_another_encoding_is_no_fault_of_the_trials(tmp_path: Path) -> None:
    """As on Windows, where it speaks the code page of the machine into a pipe."""
    story = (
        "import sys, try_bundle; from pathlib import Path; try_bundle.WORK = Path.cwd()\n"
        "speak = r\"import sys; sys.stdout.buffer.write(b'62 \\xb1 3')\"\n"
        "print(ascii(try_bundle.run_here([sys.executable, '-c', speak], Path.cwd())))"
    )
    own = {**os.environ, "PYTHONPATH": str(ROOT / "packaging")}  # it sets up its own process: not that of the tests
    done = subprocess.run(
        [sys.executable, "-c", story], cwd=tmp_path, env=own, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "(0, '62 \\ufffd 3', '')"


def test_installers_and_the_workflow_name_what_is_built_and_programs_that_are_there() -> None:
    def text(*names: str) -> str:
        return "\n".join((ROOT / name).read_text(encoding="utf-8") for name in names)

    desktop = "packaging/desktop"
    scripts = text(
        *(
            f"{desktop}/windows/{name}"
            for name in ("affinecal.iss", "affinecal.iss.part", "try_installer.ps1", "try_in_wine.sh")
        ),
        f"{desktop}/macos/make_dmg.sh",
    )
    built = text("packaging/bundling/affinecal.spec", "packaging/bundling/icons.py")
    named = set(re.findall(r"AffineCal\.app|(?i:affinecal)\w*\.(?:exe|ico)", scripts))
    assert named == {"AffineCalWindow.exe", "affinecal.exe", "affinecal.ico", "AffineCal.app"}
    for name in named:
        assert f'"{name.removesuffix(".exe")}"' in built, name
    workflow = text(".github/workflows/release.yml")
    programs = {name.replace("\\", "/") for name in re.findall(r"packaging[/\\][\w./\\-]+\.\w+", workflow)}
    assert {"packaging/bundle.py", f"{desktop}/windows/affinecal.iss", f"{desktop}/macos/make_dmg.sh"} <= programs
    for name in programs:
        assert (ROOT / name).is_file(), name
