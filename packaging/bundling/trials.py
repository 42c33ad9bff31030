"""What is asked of a bundle and of the source tree alike: the same words in two folders, whose files must be the same."""

import filecmp
import json
import re
import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path

from bundling.places import ROOT

EXAMPLES = ("heat_capacity_measured.csv", "md_radonpy.csv", "density_measured.csv")
FOLDERS = ("radonpy_runs",)
TABLES = ("plain.csv", "plain.xlsx", "plain.ods", "plain.xls", "plain.parquet", "bad_repeat_units.csv", "locked.xlsx")
_OF_THE_MOMENT = re.compile(
    r"^ {0,2}\d{1,3}\.\d %  .*\n|^Matplotlib is building the font cache; this may take a moment\.\n", re.MULTILINE
)
ARCHIVES = (".affinecal", ".affinecal-model")


@dataclass(frozen=True)
class Trial:
    """One start of the program.

    Attributes
    ----------
    name
        What it is a trial of.
    words
        What follows ``affinecal`` on the command line; files are relative to the folder of the trials.
    status
        The exit status that is right.
    needs_screen
        Whether it shows a window, which is then closed.
    """

    name: str
    words: tuple[str, ...]
    status: int = 0
    needs_screen: bool = False


HEAT = ("--experiment", "heat_capacity_measured.csv", "--md", "md_radonpy.csv", "--property", "Cp")
SOURCES = ("--experiment", "density_measured.csv", "--md", "radonpy_runs", "--other-md", "md_radonpy.csv")
SCREEN = ("screen", "md_radonpy.csv", "--calibrator", "heat.affinecal-model")

TRIALS = (
    Trial("version", ("--version",)),
    Trial("window on the example, as a picture", ("--example", "heat_capacity", "--screenshot", "example.png")),
    Trial(
        "fit with report",
        ("fit", *HEAT, "--report", "--save-calibrator", "heat.affinecal-model", "--output", "fit", "--no-cache"),
    ),
    Trial("fit of a saved study", ("fit", "--study", "format_1.affinecal", "--output", "study", "--no-cache")),
    Trial("window on a saved study, as a picture", ("format_1.affinecal", "--screenshot", "study.png")),
    Trial(
        "calibrator applied",
        ("apply", "heat.affinecal-model", "md_radonpy.csv", "--output", "applied.csv", "--no-cache"),
    ),
    Trial("window on a calibrator, as a picture", ("heat.affinecal-model", "--screenshot", "calibrator.png")),
    Trial(
        "library screened by two processes",
        (*SCREEN, "--top", "10", "--where", "Cp > 1500 J/(kg K)", "--jobs", "2", "--output", "screened"),
    ),
    Trial(
        "heat capacities corrected without measured values, with report",
        ("fit", "--md", "md_radonpy.csv", "--property", "Cp", "--report", "--output", "corrected", "--no-cache"),
    ),
    Trial(
        "fit with several sources, one of them a folder of simulations",
        ("fit", *SOURCES, "--output", "sources", "--no-cache"),
    ),
    Trial(
        "kernel method compared with the linear ones",
        ("compare", *HEAT, "--methods", "htl_offset", "--output", "compared", "--no-cache"),
    ),
    Trial("benchmark", ("benchmark", "--protocol", "eigenvalues", "--repetitions", "2", "--output", "benchmark")),
    Trial("predict", ("predict", *HEAT, "md_radonpy.csv", "--output", "predicted.csv", "--no-cache")),
    Trial(
        "describe with two processes",
        ("describe", "md_radonpy.csv", "--output", "described.csv", "--jobs", "2", "--no-cache"),
    ),
    *(
        Trial(f"describe a table .{kind}", ("describe", f"plain.{kind}", "--output", f"from_{kind}.csv", "--no-cache"))
        for kind in ("xlsx", "ods", "xls", "parquet")
    ),
    Trial(
        "polymers that nobody has simulated",
        (
            "predict",
            "bad_repeat_units.csv",
            "--study",
            "format_1.affinecal",
            "--output",
            "unsimulated.csv",
            "--no-cache",
        ),
    ),
    Trial("bad rows are said", ("describe", "bad_repeat_units.csv", "--output", "bad.csv", "--no-cache")),
    Trial("a locked workbook is refused", ("describe", "locked.xlsx", "--output", "locked.csv"), status=2),
    Trial("no such file", ("describe", "nothing.csv", "--output", "nothing_described.csv"), status=2),
    Trial(
        "no cluster without Dask",
        (*SCREEN, "--scheduler", "tcp://127.0.0.1:9", "--output", "clustered"),
        status=2,
    ),
    Trial("no such command", ("calibrate",), status=2),
    Trial("no such option", ("fit", "--no-such-option"), status=2),
    Trial("window on a screen", ("--example", "heat_capacity"), needs_screen=True),
    Trial("window of a calibrator on a screen", ("heat.affinecal-model",), needs_screen=True),
)


def lay_out(folder: Path) -> None:
    """Put the files that the trials read into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in EXAMPLES:
        shutil.copyfile(ROOT / "resources" / "examples" / name, folder / name)
    for name in FOLDERS:
        shutil.copytree(ROOT / "resources" / "examples" / name, folder / name)
    for name in TABLES:
        shutil.copyfile(ROOT / "tests" / "data" / "tables" / name, folder / name)
    shutil.copyfile(ROOT / "tests" / "data" / "studies" / "format_1.affinecal", folder / "format_1.affinecal")


def comparable(said: str, folder: str) -> str:
    """Return what a program said without what depends on the moment and the place: progress, and the folder it ran in."""
    return _OF_THE_MOMENT.sub("", said).replace(folder, "FOLDER")


def differences(one: Path, other: Path) -> tuple[list[str], int]:
    """Return the files of two folders that are not in both or not the same, and how many there are in all.

    The same are files of the same bytes, archives of the program that differ in when they were saved, and manifests of
    screenings that differ in the checksum of such an archive.
    """
    names = {path.relative_to(folder) for folder in (one, other) for path in folder.rglob("*") if path.is_file()}
    different = [
        name.as_posix()
        for name in sorted(names)
        if not (
            (one / name).is_file()
            and (other / name).is_file()
            and (
                filecmp.cmp(one / name, other / name, shallow=False) or _is_same_but_for_when(one / name, other / name)
            )
        )
    ]
    return different, len(names)


def _is_same_but_for_when(one: Path, other: Path) -> bool:
    if one.suffix in ARCHIVES:
        return _members(one) == _members(other)
    return one.name == "manifest.json" and _manifest(one.read_bytes()) == _manifest(other.read_bytes())


def _members(path: Path) -> dict[str, object]:
    """Return what an archive holds, without when it was saved and the checksum of the member that says so."""
    with zipfile.ZipFile(path) as archive:
        members: dict[str, object] = {name: archive.read(name) for name in archive.namelist()}
        members["manifest.json"] = _manifest(archive.read("manifest.json"))
        checksums = json.loads(archive.read("checksums.json"))
        del checksums["manifest.json"]
        members["checksums.json"] = checksums
    return members


def _manifest(content: bytes) -> dict[str, object]:
    """Return a manifest of an archive without when it was saved, or of a screening without the checksum of such archives."""
    told: dict[str, object] = json.loads(content)
    told.pop("saved", None)
    made_from = told.get("made_from")
    if isinstance(made_from, dict):
        made_from.pop("calibrators", None)
    return told
