"""Make the bundled folder of RadonPy results, from the bundled table of MD values and their deviations.

    python packaging/example_runs.py [FOLDER]

These are no simulations: two or three runs of a polymer are drawn such that their mean is the published one, and a few are
made to fail a check, to show what then happens. The result is the same each time.
"""

import csv
import sys
from collections.abc import Iterator
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "resources" / "examples"
POLYMERS = 24
PROPERTIES = ("density", "Cp", "refractive_index", "thermal_conductivity")
FAILED = {
    "run-0025": {"check_eq": "False", "remarks": "[ERROR: Did not reach an equilibrium state.]"},
    "run-0026": {"nematic_order_parameter": "0.31", "remarks": "[ERROR: The system is partially oriented.]"},
    "run-0027": {"check_tc": "False"},
}
"""Further runs of the first three polymers, and what is wrong with them."""


def runs() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the folder and the cells of every result."""
    with (EXAMPLES / "md_radonpy.csv").open(encoding="utf-8") as file:
        simulated = {row["smiles"]: row for row in csv.DictReader(file)}
    with (EXAMPLES / "density_measured.csv").open(encoding="utf-8") as file:
        wanted = [row["smiles"] for row in csv.DictReader(file)]
    from affinecal_gui.polymers.copolymers.composition import identity_of

    by_key = {identity_of(smiles).key: row for smiles, row in simulated.items()}
    found = [by_key[key] for smiles in wanted if (key := identity_of(smiles).key) in by_key][:POLYMERS]
    for number, row in enumerate(found):
        # Signs that add up to nothing leave the mean as it is published.
        for part, sign in enumerate((0.0,) if number % 3 else (-1.0, 1.0) if number % 2 else (-1.0, 0.0, 1.0)):
            yield f"{row['monomer_ID']}/run-{part + 1}", _cells(row, sign)
    for name, wrong in FAILED.items():
        row = found[list(FAILED).index(name) * 2]
        yield name, _cells(row, 2.5 if "remarks" in wrong else 0.0) | wrong


def _cells(row: dict[str, str], sign: float) -> dict[str, str]:
    cells = {
        "monomer_ID": row["monomer_ID"],
        "smiles_list": row["smiles"],
        "copoly_ratio_list": "1",
        "input_tacticity": "atactic",
        "temp": "300.0",
        "press": "1.0",
        "remarks": "",
        "RadonPy_ver": "0.2.10",
        "forcefield": "GAFF2_mod",
        "check_eq": "True",
        "do_TC": "True",
        "check_tc": "True",
        "nematic_order_parameter": "0.03",
    }
    for name in PROPERTIES:
        cells[name] = f"{float(row[name]) + sign * float(row[f'{name}_std'] or 0):.6g}" if row[name] else ""
    return cells


def main() -> None:
    """Write the folder."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else EXAMPLES / "radonpy_runs"
    for name, cells in runs():
        place = folder / name / "analyze"
        place.mkdir(parents=True, exist_ok=True)
        with (place / "results.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["DBID", *cells])
            writer.writerow([name.replace("/", "-"), *cells.values()])


if __name__ == "__main__":
    main()
