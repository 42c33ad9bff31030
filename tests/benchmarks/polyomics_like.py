"""A table of the shape of PolyOmics' main one: 95,335 runs of RadonPy in 259 columns, read, matched and fitted.

Run by hand: ``python -m tests.benchmarks.polyomics_like [ROWS] [--output FOLDER]``. Prints seconds and the peak of memory of
reading the table, and of the whole ``fit`` with measured densities beside it; with ``--output`` the table is kept.

The table itself (RadonPy consortium, CC BY 4.0, DOI 10.57967/hf/7475) is not distributed here; what is made has its headings,
its gaps, its repeated runs and the impossible values left in it. Repeat units are those of the bundled MD table, joined in
pairs; the same number of rows always gives the same file.
"""

import contextlib
import csv
import io
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from itertools import chain, product
from pathlib import Path

from affinecal_gui.study.data.assembly import assemble
from affinecal_gui.study.state import StudyState
from affinecal_gui.tables.headings.column_roles import Roles
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.units.properties import find_property
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from tests.benchmarks.options import Options

EXAMPLES = Path(__file__).parents[2] / "resources" / "examples"

ROWS = 95_335

_VERSIONS = ("Python_ver", "RadonPy_ver", "RDKit_ver", "Psi4_ver", "LAMMPS_ver")
_AXES = ("", "_x", "_y", "_z")
_TENSOR = ("", "_xx", "_yy", "_zz", "_xy", "_xz", "_yz")
_CLASSES = (
    *("PHYC", "PSTR", "PVNL", "PACR", "PHAL", "PDIE", "POXI", "PSUL", "PEST", "PAMD", "PURT", "PURA", "PIMD"),
    *("PANH", "PCBN", "PIMN", "PSIL", "PPHS", "PKTN", "PSFO", "PPNL"),
)
_OF_MONOMER = (
    *(
        "qm_method",
        "charge",
        "remarks",
        *_VERSIONS,
        "mol_weight",
        "vdw_volume",
        "qm_total_energy",
        "qm_homo",
        "qm_lumo",
    ),
    *(f"qm_dipole{axis}" for axis in _AXES),
    *(f"qm_polarizability{axes}" for axes in _TENSOR),
    *(f"qm_polarizability_sos{length}" for length in ("", "_486", "_589", "_656")),
)
_SETTINGS = (
    *(
        "UUID",
        "monomer_ID",
        "smiles_list",
        "ter_ID_1",
        "ter_ID_2",
        "smiles_ter_1",
        "smiles_ter_2",
        "qm_method",
        "charge",
    ),
    *("copoly_ratio_list", "copoly_type", "input_natom", "input_nchain", "ini_density", "temp", "press"),
    *("input_tacticity", "tacticity", "remarks", *_VERSIONS, "preset_eq_ver", "preset_tc_ver", "preset_tg_ver"),
    *(
        "preset_sp_ver",
        "preset_ef_dp_ver",
        "check_eq",
        "check_tc",
        "do_TC",
        "forcefield",
        "DBID",
        "monomer_dir",
        "date",
    ),
    *("qm_td_method", "efdp_axis", "efdp_max_efield", "efdp_number_of_waves", "efdp_ensemble", "efdp_tuning_rate"),
)
_RESULTS = (
    *("DP", "n_mol", "n_atom", "n_atom_mean", "n_atom_var", "mol_weight", "Mn", "Mw", "Mw/Mn", "density", "Rg"),
    *("Scaled Rg", "self-diffusion", "Cp", "Cv", "compressibility", "isentropic_compressibility", "bulk_modulus"),
    *("isentropic_bulk_modulus", "volume_expansion", "linear_expansion", "r2", "static_dielectric_const"),
    *("dielectric_const_dc", "nematic_order_parameter", "refractive_index", "thermal_conductivity"),
    *("thermal_diffusivity", "TC_ke", "TC_pe", "TC_pair", "TC_bond", "TC_angle", "TC_dihed", "TC_improper"),
    *("TC_kspace", "TC_fix", "tg_next_temp", "tg_init_density", "tg_init_density_check", "tg_max_temp", "tg_min_temp"),
    *("tg_cooling_rate", "tg_interval_temp", "tg", "tg_rmse", "tg_thermal_expansion_coef(upper_tg)"),
    *("tg_thermal_expansion_intercept(upper_tg)", "tg_thermal_expansion_coef(below_tg)"),
    *("tg_thermal_expansion_intercept(below_tg)", "sp_ced", "sp_total", "sp_vdw", "sp_ele", "sp_ele_short"),
    *("sp_ele_long", "preset_tc_force", "cell_volume", "free_volume", "vdw_volume_bulk", "fractional_free_volume"),
    *("refractive_index_sos_486", "refractive_index_sos_589", "refractive_index_sos_656", "refractive_index_sos"),
    *("abbe_number_sos", "efdp_frequency", "efdp_permittivity_real", "efdp_permittivity_imaginary"),
    *("efdp_dielectric_loss_tan", "smiles_search", "polymer_class", *(f"class_{name}" for name in _CLASSES)),
)
HEADINGS: tuple[str, ...] = (
    *_SETTINGS,
    *chain.from_iterable(
        (
            *(f"smiles_{n}", f"monomer_ID_{n}", f"copoly_ratio_{n}"),
            *(f"{name}_monomer{n}" for name in _OF_MONOMER),
        )
        for n in range(1, 5)
    ),
    *_RESULTS,
)


def joined(first: str, second: str) -> str:
    """Put the second repeat unit in the place of the second attachment point of the first one."""
    place = first.rindex("*")
    shifted = re.sub(r"(\[[^\]]*\])|%(\d\d)|(\d)", lambda m: m[1] or f"%{50 + int(m[2] or m[3])}", second[1:])
    return f"{first[:place]}{shifted}{first[place + 1 :]}"


def repeat_units() -> Iterator[tuple[str, float]]:
    """Yield different repeat units with a density, the bundled ones first, then pairs of them."""
    with (EXAMPLES / "md_radonpy.csv").open(encoding="utf-8") as file:
        known = [
            (row["smiles"], float(row["density"]))
            for row in csv.DictReader(line for line in file if not line.startswith("#"))
        ]
    yield from known
    simple = [(unit, density) for unit, density in known if unit.startswith("*") and not set("/\\@") & set(unit)]
    for (first, one), (second, other) in product(simple, simple):
        if first is not second:
            yield joined(first, second), 0.5 * (one + other)


KINDS_OF_ROWS = 1000
"""Rows of which all but the structure, the tacticity and the density are made once and used again, for speed."""


def write(path: Path, rows: int, *, seed: int = 0) -> None:
    """Write the table."""
    generator = random.Random(seed)
    units = repeat_units()
    place = {heading: number for number, heading in enumerate(HEADINGS)}
    kinds = [
        [cells.get(h, "") for h in HEADINGS] for cells in (run(generator) for _ in range(min(rows, KINDS_OF_ROWS)))
    ]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(HEADINGS)
        written, number = 0, 0
        while written < rows:
            unit, density = next(units)
            number += 1
            repeats = 1 if generator.random() < 0.834 else min(17, 2 + int(generator.expovariate(1.6)))
            tacticity = generator.choices(("none", "atactic", "isotactic", "syndiotactic", ""), (512, 472, 10, 1, 6))[0]
            for _ in range(min(repeats, rows - written)):
                cells = list(kinds[written % len(kinds)])
                own = {
                    "UUID": str(uuid.UUID(int=generator.getrandbits(128), version=4)),
                    **dict.fromkeys(("monomer_ID", "monomer_ID_1"), f"U{number:06d}"),
                    **dict.fromkeys(("smiles_list", "smiles_1"), unit),
                    "smiles_search": unit.replace("*", "C"),
                    "input_tacticity": "atactic" if tacticity == "none" else tacticity,
                    "tacticity": tacticity,
                    "DP": str(max(6, 3000 // len(unit) // 3)),
                    "density": f"{density * (1.0 + 0.003 * generator.gauss(0.0, 1.0)):.15g}",
                }
                for heading, cell in own.items():
                    cells[place[heading]] = cell
                writer.writerow(cells)
                written += 1


def run(generator: random.Random) -> dict[str, str]:
    """Return the cells of one run."""
    traits = [generator.gauss(0.0, 1.0) for _ in range(4)]

    def figure(value: float) -> str:
        return f"{value:.15g}"

    def near(value: float, spread: float, trait: int = 0, width: float = 0.2) -> float:
        return value * (1.0 + width * max(-2.5, min(2.5, traits[trait]))) * (1.0 + spread * generator.gauss(0.0, 1.0))

    def there(share: float) -> bool:
        return generator.random() < share

    def odd(share: float, value: float, usual: float) -> float:
        return value if generator.random() < share else usual

    def versions(suffix: str = "") -> dict[str, str]:
        return {f"{name}{suffix}": "0.2.10" if name == "RadonPy_ver" else "3.11" for name in _VERSIONS}

    mass = near(325.0, 0.0, 1)
    density = near(1.13, 0.0, 2, 0.1)
    n = near(1.55, 0.001, 0, 0.03)
    static = 1.0 + abs(near(0.4, 0.1, 1, 0.5)) + odd(5e-5, 3600.0, 0.0)
    conductivity = odd(5e-5, 43.4, near(0.24, 0.06, 2, 0.15))
    cp = near(2900.0, 0.02, 3, 0.1)
    bulk = near(3.2e9, 0.1, 0, 0.15)
    cells = {
        "copoly_ratio_list": "1",
        "copoly_ratio_1": "1",
        "ter_ID_1": "CH3",
        "smiles_ter_1": "*C",
        "qm_method": "wb97m-d3bj",
        "charge": "RESP",
        "input_natom": "1000",
        "input_nchain": "10",
        "ini_density": "0.05",
        "temp": "300.0",
        "press": "1.0",
        "forcefield": "GAFF2_mod",
        "check_eq": "True",
        "do_TC": "True",
        "check_tc": "True" if there(0.97) else "False",
        "preset_eq_ver": "0.2.1",
        "preset_tc_ver": "0.2.1",
        **versions(),
        **versions("_monomer1"),
        "qm_method_monomer1": "wb97m-d3bj",
        "charge_monomer1": "RESP",
        "mol_weight_monomer1": figure(mass),
        "vdw_volume_monomer1": figure(1.1 * mass),
        "qm_total_energy_monomer1": figure(-2.9 * mass),
        "qm_homo_monomer1": figure(near(-8.2, 0.0)),
        "qm_lumo_monomer1": figure(near(1.1, 0.0)),
        **{f"qm_dipole{axis}_monomer1": figure(near(1.5, 0.5)) for axis in _AXES},
        **{f"qm_polarizability{axes}_monomer1": figure(near(0.12 * mass, 0.1)) for axes in _TENSOR},
        "DP": str(int(7500 / mass)),
        "n_mol": "10",
        "n_atom": "/".join(["998"] * 10),
        "n_atom_mean": "998",
        "n_atom_var": "0",
        "mol_weight": "/".join(["7491.2"] * 10),
        "Mn": "7491.2",
        "Mw": "7491.2",
        "Mw/Mn": "1",
        "Rg": figure(near(19.9, 0.04)),
        "Scaled Rg": figure(near(0.0945, 0.04)),
        "self-diffusion": figure(near(5e-13, 0.3)),
        "Cp": figure(cp),
        "Cv": figure(0.96 * cp),
        "compressibility": figure(1 / bulk),
        "isentropic_compressibility": figure(0.97 / bulk),
        "bulk_modulus": figure(bulk),
        "isentropic_bulk_modulus": figure(1.03 * bulk),
        "volume_expansion": figure(near(3e-4, 0.2)),
        "linear_expansion": figure(near(1e-4, 0.2)),
        "r2": figure(near(22.0, 0.2)),
        "static_dielectric_const": figure(static),
        "nematic_order_parameter": figure(abs(near(0.025, 0.3)) if there(0.999) else 0.15),
        "polymer_class": "1",
        **dict.fromkeys((f"class_{name}" for name in _CLASSES), "False"),
        f"class_{generator.choice(_CLASSES)}": "True",
    }
    if there(0.981):
        cells |= {"refractive_index": figure(n), "dielectric_const_dc": figure(static - 1 + n * n)}
    if there(0.854):
        cells["thermal_conductivity"] = figure(conductivity)
        cells["thermal_diffusivity"] = figure(conductivity / (1000 * density * cp))
        cells |= {name: figure(near(0.03, 0.3)) for name in HEADINGS if name.startswith("TC_")}
    else:
        cells |= {"check_tc": "", "do_TC": "False" if there(0.2) else "True"}
    if there(0.588):
        cells |= {"tg": figure(odd(2e-4, 1.08e6, near(488.0, 0.058, 1, 0.12))), "preset_tg_ver": "0.1.3"}
        cells |= {"tg_rmse": figure(abs(near(0.029, 0.5))), "tg_max_temp": "900", "tg_min_temp": "100"}
        cells |= {"tg_init_density": figure(density), "tg_init_density_check": "True", "tg_cooling_rate": "20"}
        cells |= {name: figure(near(-3e-4, 0.2)) for name in HEADINGS if name.startswith("tg_thermal")}
    if there(0.754):
        ced = near(295.0, 0.02, 2, 0.1)
        cells |= {"sp_ced": figure(ced), "sp_total": figure(ced**0.5), "sp_vdw": figure(0.9 * ced**0.5)}
        cells |= {name: figure(near(6.0, 0.1)) for name in ("sp_ele", "sp_ele_short", "sp_ele_long")}
    if there(0.921):
        cells |= {"cell_volume": "108500", "free_volume": "20600", "vdw_volume_bulk": "67600"}
        cells["fractional_free_volume"] = figure(odd(1e-4, -0.046, near(0.187, 0.02, 3, 0.15)))
    if there(0.199):
        cells |= {f"refractive_index_sos_{length}": figure(n + 0.01) for length in (486, 589, 656)}
        cells |= {"refractive_index_sos": figure(n), "abbe_number_sos": figure(near(35.0, 0.02, 0, 0.1))}
    if there(0.0114):
        cells |= {"efdp_frequency": "1e10", "efdp_permittivity_real": "2.9", "efdp_permittivity_imaginary": "0.01"}
        cells["efdp_dielectric_loss_tan"] = "0.0034"
    return cells


def write_measured(path: Path) -> None:
    """Write the bundled measured densities."""
    path.write_bytes((EXAMPLES / "density_measured.csv").read_bytes())


def _understood(path: Path) -> tuple[RawTable, Roles]:
    raw = read_table(path)
    return raw, guess_roles(raw)


def main() -> None:
    """Measure and print."""
    options = Options(__doc__)
    options.size("rows", ROWS, 60)
    options.add_argument("--output", type=Path, help="keep the files in this folder")
    options.add_argument("--in-parts", action="store_true", help="time the parts of reading as well")
    chosen = options.read()
    with contextlib.ExitStack() as stack:
        folder = chosen.output or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        path, measured = folder / "polyomics_like.csv", folder / "density_measured.csv"
        write(path, chosen.rows)
        write_measured(measured)
        print(f"{chosen.rows:,} x {len(HEADINGS)}, {path.stat().st_size / 1e6:.0f} MB")
        if chosen.in_parts or chosen.smoke:
            began = time.process_time()
            raw = read_table(path)
            read = time.process_time()
            roles = guess_roles(raw)
            guessed = time.process_time()
            table = to_polymer_table(raw, roles)
            made = time.process_time()
            state = StudyState().with_tables((to_polymer_table(*_understood(measured)), table))
            summary = assemble(state.tables, find_property("density")).summary
            matched = time.process_time()
            print(
                f"read_table {read - began:.2f} s, guess_roles {guessed - read:.2f} s, "
                f"to_polymer_table {made - guessed:.2f} s, assemble {matched - made:.2f} s of the processor; "
                f"{len(table):,} rows used. {summary}"
            )
        if not chosen.smoke:
            words = ["fit", "--experiment", str(measured), "--md", str(path), "--property", "density"]
            began = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-m", "affinecal_gui", *words, "--output", str(folder / "out"), "--overwrite"],
                capture_output=True,
                text=True,
                check=False,
            )
            took = time.perf_counter() - began
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            print(
                f"fit --md {used.ru_utime + used.ru_stime:.1f} s of processors, {took:.1f} s by the clock, "
                f"peak {used.ru_maxrss / 1024**2:.2f} GB, exit {done.returncode}"
            )
            print(io.StringIO(done.stdout + done.stderr).read()[-3000:])


if __name__ == "__main__":
    main()
