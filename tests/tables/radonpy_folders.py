"""Folders of results as RadonPy writes them, without LAMMPS."""

import csv
from collections.abc import Mapping
from pathlib import Path

SOUND: Mapping[str, str] = {
    "monomer_ID": "",
    "smiles_list": "*CC*",
    "copoly_ratio_list": "1",
    "copoly_type": "",
    "input_tacticity": "atactic",
    "tacticity": "none",
    "temp": "300.0",
    "press": "1.0",
    "remarks": "",
    "date": "2026-01-31-09-05-00",
    "RadonPy_ver": "0.2.11",
    "check_eq": "True",
    "do_TC": "True",
    "check_tc": "True",
    "density": "0.85",
    "Cp": "4600.0",
    "bulk_modulus": "2.0e9",
    "nematic_order_parameter": "0.03",
    "thermal_conductivity": "0.30",
}


def write_result(root: Path, job: str, name: str = "results.csv", **cells: str) -> Path:
    """Write one result; ``cells`` take the place of those of a sound run."""
    folder = root / job / "analyze"
    folder.mkdir(parents=True, exist_ok=True)
    row = {"DBID": Path(job).name, **SOUND, **cells}
    with (folder / name).open("w", newline="") as file:
        writer = csv.DictWriter(file, row)
        writer.writeheader()
        writer.writerow(row)
    return folder / name
