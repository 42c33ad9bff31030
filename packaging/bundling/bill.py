"""What a bundle holds and under which licences: a bill of materials in CycloneDX, and the texts of the licences.

Both are made from the metadata that was installed with each library, of those libraries alone of which a file got into the
bundle; of Python itself; and on Debian from what its packages say of the system's libraries that were taken along.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import Distribution, distributions
from pathlib import Path

from bundling.places import ROOT, epoch, version

TEXTS = Path(__file__).parent / "licences"
QT_TEXTS = ("LGPL-3.0.txt", "GPL-3.0.txt")
"""Qt's packages name their licence and do not bring its text; the LGPL adds to the GPL, so both belong to it."""

_IS_LICENCE = re.compile(r"(^|/)(licen[cs]e|copying|notice|copyright)[^/]*$", re.IGNORECASE)
_EXPRESSION = re.compile(r"[A-Za-z0-9.+-]+( (AND|OR|WITH) [A-Za-z0-9.+-]+)*")


@dataclass(frozen=True)
class Part:
    """One library of the bundle."""

    name: str
    version: str
    purl: str
    """Its package URL, by which databases of vulnerabilities know it."""
    licence: str
    """An SPDX expression, or what its metadata says."""
    texts: tuple[Path, ...] = field(default=())


def python_parts(sources: Iterable[str], libraries: Path) -> list[Part]:
    """Return the Python packages of which a file is in the bundle.

    Parameters
    ----------
    sources
        Paths of the files that were collected.
    libraries
        The ``site-packages`` folder that they were collected from.
    """
    collected = {os.path.normpath(source) for source in sources}
    parts = []
    for distribution in distributions(path=[str(libraries)]):
        files = {os.path.normpath(libraries / str(file)): file for file in distribution.files or ()}
        if not collected & set(files) or distribution.name == "affinecal":
            continue
        texts = tuple(sorted(Path(path) for path, file in files.items() if _is_text_of_licence(str(file))))
        if distribution.name.lower() in {"pyside6_essentials", "shiboken6", "pyside6-essentials"}:
            texts += tuple(TEXTS / name for name in QT_TEXTS)
        name = re.sub(r"[-_.]+", "-", distribution.name).lower()
        purl = f"pkg:pypi/{name}@{distribution.version}"
        parts.append(Part(name, distribution.version, purl, _licence(distribution), texts))
    return sorted(parts, key=lambda part: part.name)


def _is_text_of_licence(name: str) -> bool:
    return ".dist-info/" in name and (".dist-info/licenses/" in name or bool(_IS_LICENCE.search(name)))


def _licence(distribution: Distribution) -> str:
    said = distribution.metadata
    if expression := said.get("License-Expression"):
        return str(expression)
    first = (said.get("License") or "").strip().split("\n")[0]
    classifiers = [line.split(" :: ")[-1] for line in said.get_all("Classifier") or () if line.startswith("License ::")]
    return first if _EXPRESSION.fullmatch(first) else ", ".join(classifiers) or first or "see its texts"


def interpreter_part(base: Path) -> Part:
    """Return Python itself, whose licence lies in the folder that it was installed into."""
    number = ".".join(map(str, sys.version_info[:3]))
    places = [base / "LICENSE.txt", base / "LICENSE"]
    places += [base / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "LICENSE.txt"]
    texts = tuple(path for path in places if path.is_file())[:1]
    return Part("python", number, f"pkg:generic/python@{number}", "PSF-2.0", texts)


def debian_parts(sources: Iterable[str]) -> list[Part]:
    """Return the Debian packages of which a library was taken along; none on another system."""
    if shutil.which("dpkg-query") is None:
        return []
    found = {}
    for source in sorted({path for path in map(str, sources) if path.startswith(("/lib/", "/usr/lib/"))}):
        # Since /lib is a link to /usr/lib, a package may know the file by the other name.
        for name in (source, source.removeprefix("/usr"), f"/usr{source}"):
            told = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True, check=False).stdout
            if told:
                found[told.split(": ")[0].split(",")[0]] = source
                break
    parts = []
    for package in sorted(found):
        words = ["dpkg-query", "-W", "-f", "${Package}\t${Version}\t${Architecture}", package]
        name, number, architecture = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split(
            "\t"
        )
        text = Path("/usr/share/doc") / name / "copyright"
        purl = f"pkg:deb/debian/{name}@{number}?arch={architecture}".replace("+", "%2B")
        parts.append(Part(name, number, purl, "see its texts", (text,) if text.is_file() else ()))
    return parts


def bill_of_materials(parts: Iterable[Part]) -> dict[str, object]:
    """Return the document of CycloneDX 1.5; the same parts give the same document."""
    parts = list(parts)
    ours = f"pkg:pypi/affinecal@{version()}"
    identity = uuid.uuid5(uuid.NAMESPACE_URL, "\n".join([ours, *(part.purl for part in parts)]))
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{identity}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(epoch(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": ours,
                "name": "affinecal",
                "version": version(),
                "purl": ours,
                "licenses": [{"license": {"id": "MIT"}}],
            },
        },
        "components": [
            {
                "type": "library",
                "bom-ref": part.purl,
                "name": part.name,
                "version": part.version,
                "purl": part.purl,
                "licenses": [_licence_entry(part.licence)],
            }
            for part in parts
        ],
        "dependencies": [{"ref": ours, "dependsOn": [part.purl for part in parts]}],
    }


def _licence_entry(said: str) -> dict[str, object]:
    is_expression = _EXPRESSION.fullmatch(said) and re.search(r"\d|^MIT|ISC", said)
    return {"expression": said} if is_expression else {"license": {"name": said}}


def write(parts: Iterable[Part], folder: Path) -> Path:
    """Write ``affinecal.cdx.json``, and the texts below ``licences``, into the folder; return the bill of materials."""
    parts = list(parts)
    licences = folder / "licences"
    shutil.rmtree(licences, ignore_errors=True)
    licences.mkdir(parents=True)
    shutil.copyfile(ROOT / "LICENSE", licences / "AffineCal.txt")
    shutil.copyfile(ROOT / "resources" / "NOTICE.md", licences / "AffineCal-data.md")
    lines = ["What this program is made of, and the licences: their texts lie in this folder.", ""]
    for part in parts:
        lines.append(f"{part.name} {part.version}: {part.licence}" + ("" if part.texts else " (no text was installed)"))
        for number, text in enumerate(part.texts):
            suffix = f"-{number + 1}" if number else ""
            shutil.copyfile(text, licences / f"{part.name}{suffix}.txt")
    (licences / "README.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    bill = folder / "affinecal.cdx.json"
    bill.write_text(json.dumps(bill_of_materials(parts), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return bill
