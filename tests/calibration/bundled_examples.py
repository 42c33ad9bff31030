"""The bundled examples as arrays, joined by the ring that three repeat units form (the same for every cut of the chain)."""

import csv
from functools import cache
from pathlib import Path

import numpy as np
from rdkit import Chem

from affinecal_gui.polymers.descriptors.descriptors import describe

EXAMPLES = Path(__file__).resolve().parents[2] / "resources" / "examples"
SIZES = (10,) + (20,) * 9


@cache
def _ring(smiles: str) -> str:
    unit = Chem.MolFromSmiles(smiles)
    Chem.RemoveStereochemistry(unit)
    ends = [atom for atom in unit.GetAtoms() if atom.GetAtomicNum() == 0]
    joints = [end.GetNeighbors()[0].GetIdx() for end in ends]
    size = unit.GetNumAtoms()
    chain = Chem.CombineMols(Chem.CombineMols(unit, unit), unit)
    editable = Chem.RWMol(chain)
    for k in range(3):
        editable.AddBond(k * size + joints[1], (k + 1) % 3 * size + joints[0], Chem.BondType.SINGLE)
    for index in sorted((k * size + end.GetIdx() for k in range(3) for end in ends), reverse=True):
        editable.RemoveAtom(index)
    ring = editable.GetMol()
    Chem.SanitizeMol(ring)
    return Chem.MolToSmiles(ring)


@cache
def load_example(name: str):
    """(measured, md, X, library_md, library_X) of "heat_capacity", "density" or "refractive_index"."""
    measured_file, measured_column, md_file, md_column = {
        "heat_capacity": ("heat_capacity_measured.csv", "Cp [J/(kg K)]", "md_radonpy.csv", "Cp"),
        "density": ("density_measured.csv", "density [g/cm3]", "md_radonpy.csv", "density"),
        "refractive_index": (
            "optical_measured_and_md.csv",
            "exp_refractive_index",
            "optical_measured_and_md.csv",
            "radonpy_refractive_index",
        ),
    }[name]
    with (EXAMPLES / md_file).open(encoding="utf-8") as handle:
        md = {_ring(row["smiles"]): float(row[md_column]) for row in csv.DictReader(handle) if row[md_column]}
    with (EXAMPLES / measured_file).open(encoding="utf-8") as handle:
        measured = {
            _ring(row["smiles"]): (float(row[measured_column]), row["smiles"]) for row in csv.DictReader(handle)
        }
    library = list(md)
    text = {}
    with (EXAMPLES / md_file).open(encoding="utf-8") as handle:
        text = {_ring(row["smiles"]): row["smiles"] for row in csv.DictReader(handle)}
    library_X = np.array([describe(text[key]) for key in library])
    where = [library.index(key) for key in measured if key in md]
    return (
        np.array([measured[library[i]][0] for i in where]),
        np.array([md[library[i]] for i in where]),
        library_X[where],
        np.array([md[key] for key in library]),
        library_X,
    )
