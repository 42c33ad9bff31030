"""Write the force-field tables of resources/force_fields from the parameter files that RadonPy distributes.

Run by hand when the tables change: ``python packaging/make_force_field_tables.py``, in an environment that has
radonpy-pypi 0.2.11. Only what is needed is kept: of a dihedral the largest barrier for the descriptors, and its Fourier
terms, with the impropers, for the vibrations. ``gaff2_mod_*.csv`` holds what GAFF2_mod adds to GAFF2; nothing in it
replaces a GAFF2 entry.
"""

import csv
import importlib.util
import json
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parent.parent / "resources" / "force_fields"

TABLES = {  # table: (section of the source, columns after the atom types)
    "atom_types": ("particle_types", ("element", "epsilon", "sigma")),
    "bond_types": ("bond_types", ("k", "r0")),
    "angle_types": ("angle_types", ("k", "theta0")),
    "dihedral_types": ("dihedral_types", ("barrier",)),
    "fourier_terms": ("dihedral_types", ("barrier", "periodicity", "phase")),  # one row for each term
    "improper_types": ("improper_types", ("barrier",)),
}

RENAMED = {"element": "elem"}


def source_folder() -> Path:
    """Return the folder of the installed RadonPy's parameter files."""
    found = importlib.util.find_spec("radonpy")
    if found is None or found.origin is None:
        raise SystemExit("radonpy-pypi is not installed in this environment.")
    return Path(found.origin).parent / "ff" / "ff_dat"


def rows_of(parameters: dict[str, Any], table: str) -> list[tuple[str, ...]]:
    """Return the rows of one table, atom types first."""
    section, columns = TABLES[table]
    rows = []
    for entry in parameters[section]:
        types = entry["name"].split(",")
        if table == "fourier_terms":
            terms = zip(entry["k"], entry["n"], entry["d"], strict=True)
            rows += [(*types, *map(str, term)) for term in terms]
            continue
        barrier = {"dihedral_types": lambda k: max(k), "improper_types": lambda k: k}.get(table, lambda _: None)
        values = {**entry, "barrier": barrier(entry.get("k"))}
        rows.append((*types, *(str(values[RENAMED.get(column, column)]) for column in columns)))
    return rows


def write(name: str, header: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Write one table."""
    with (TARGET / name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
    print(f"{name}: {len(rows)} rows")


def main() -> None:
    """Write all tables."""
    folder = source_folder()
    plain = json.loads((folder / "gaff2.json").read_text())
    modified = json.loads((folder / "gaff2_mod.json").read_text())
    for table, (_, columns) in TABLES.items():
        rows, modified_rows = rows_of(plain, table), rows_of(modified, table)
        added = [row for row in modified_rows if row not in set(rows)]
        if len(added) + len(rows) != len(modified_rows) or {r[:4] for r in added} & {r[:4] for r in rows}:
            raise SystemExit(f"GAFF2_mod no longer only adds to GAFF2 in {table}.")
        atoms = tuple(f"type_{i + 1}" for i in range(len(rows[0]) - len(columns)))
        write(f"gaff2_{table}.csv", (*atoms, *columns), rows)
        if added:
            write(f"gaff2_mod_{table}.csv", (*atoms, *columns), added)


if __name__ == "__main__":
    main()
