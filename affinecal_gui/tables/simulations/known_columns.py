"""What the columns of a table of RadonPy runs hold, such as PI1070 and PolyOmics: the unit and the meaning of each.

Their headings name no units. Meanings and units are those of RadonPy's own description of its output, but for ``r2``: it
says Å², while the values are about six times the squared radius of gyration, as those of a coil are, only in nm².
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

Use = Literal["property", "id", "repeat unit", "setting", "record"]
"""property: a value that can be calibrated; setting: kept and shown, never a property; record: of no use here."""

_OF_RADONPY = frozenset(
    (
        *(
            "DBID",
            "UUID",
            "monomer_ID",
            "smiles_list",
            "check_eq",
            "check_tc",
            "do_TC",
            "input_natom",
            "n_atom_mean",
            "DP",
        ),
        *(
            "self-diffusion",
            "static_dielectric_const",
            "isentropic_compressibility",
            "nematic_order_parameter",
            "TC_ke",
        ),
    )
)
_ENOUGH = 3
"""Headings that no other program writes, from which on a table is one of RadonPy's."""

CLASSES: tuple[tuple[str, str], ...] = (
    ("PHYC", "polyolefin"),
    ("PSTR", "polystyrene"),
    ("PVNL", "polyvinyl"),
    ("PACR", "polyacrylic"),
    ("PHAL", "polyhaloolefin"),
    ("PDIE", "polydiene"),
    ("POXI", "polyether"),
    ("PSUL", "polysulfide"),
    ("PEST", "polyester"),
    ("PAMD", "polyamide"),
    ("PURT", "polyurethane"),
    ("PURA", "polyurea"),
    ("PIMD", "polyimide"),
    ("PANH", "polyanhydride"),
    ("PCBN", "polycarbonate"),
    ("PIMN", "polyimine"),
    ("PSIL", "polysiloxane"),
    ("PPHS", "polyphosphazene"),
    ("PKTN", "polyketone"),
    ("PSFO", "polysulfone"),
    ("PPNL", "polyphenylene"),
)
"""PoLyInfo's classes, by which ``class_*`` columns are called; ``polymer_class`` counts them from 1."""

CLASS_BY_NUMBER = "class of the polymer, by number"
"""The meaning of a column whose cells :func:`class_name` puts into words."""


@dataclass(frozen=True, slots=True)
class KnownColumn:
    """What one column of RadonPy holds."""

    use: Use
    meaning: str  # a phrase without full stop
    unit: str = ""
    quantity: str = (
        ""  # key of the property that can be compared with measured values, where the heading does not name it
    )


def _property(meaning: str, unit: str = "", quantity: str = "") -> KnownColumn:
    return KnownColumn("property", meaning, unit, quantity)


def _setting(meaning: str, unit: str = "") -> KnownColumn:
    return KnownColumn("setting", meaning, unit)


def _record(meaning: str, unit: str = "") -> KnownColumn:
    return KnownColumn("record", meaning, unit)


_HEADINGS: dict[str, KnownColumn] = {
    "UUID": KnownColumn("id", "id of the run"),
    "DBID": KnownColumn("id", "id of the job"),
    "monomer_ID": KnownColumn("id", "id of the repeat unit"),
    "smiles_list": KnownColumn("repeat unit", "repeat unit, or several separated by commas"),
    "smiles": KnownColumn("repeat unit", "repeat unit"),
    "smiles_search": _record("ring of some repeat units without stereochemistry, for searching"),
    "monomer_dir": _record("folder of the repeat units"),
    "copoly_ratio_list": _setting("composition of a copolymer"),
    "copoly_type": _setting("sequence of a copolymer: random, alternating or block"),
    "qm_method": _record("functional of the quantum-chemical calculation"),
    "qm_td_method": _record("functional of the time-dependent calculation"),
    "charge": _record("model of the charges"),
    "input_natom": _record("wished number of atoms of a chain"),
    "input_nchain": _record("wished number of chains"),
    "ini_density": _record("density at which the simulation began", "g/cm³"),
    "temp": _setting("temperature of the simulation", "K"),
    "press": _setting("pressure of the simulation", "atm"),
    "input_tacticity": _record("wished tacticity"),
    "tacticity": _setting("tacticity of the chains; “none” where there is no stereocentre"),
    "forcefield": _setting("force field"),
    "remarks": _setting("remarks and errors of the run"),
    "date": _record("when the run ended"),
    "check_eq": _setting("whether the run reached equilibrium"),
    "check_tc": _setting("whether the thermal conductivity passed its check"),
    "do_TC": _setting("whether a thermal conductivity may be calculated"),
    "DP": _setting("degree of polymerization"),
    "n_mol": _record("number of chains"),
    "n_atom": _record("numbers of atoms of the chains"),
    "n_atom_mean": _record("mean number of atoms of a chain"),
    "n_atom_var": _record("variance of the number of atoms of a chain"),
    "atomic_weight_mean": _record("mean atomic weight", "g/mol"),
    "mol_weight": _record("molar masses of the chains", "g/mol"),
    "Mn": _setting("number-average molar mass", "g/mol"),
    "Mw": _record("weight-average molar mass", "g/mol"),
    "Mw/Mn": _record("dispersity"),
    "density": _property("density", "g/cm³"),
    "Rg": _property("radius of gyration", "Å"),
    "Scaled Rg": _property("radius of gyration / molar mass^0.6"),
    "Scaled_Rg": _property("radius of gyration / molar mass^0.6"),
    "r2": _property("mean square end-to-end distance", "nm²"),
    "self-diffusion": _property("self-diffusion coefficient", "m²/s"),
    "Cp": _property("specific heat capacity at constant pressure", "J/(kg K)"),
    "Cv": _property("specific heat capacity at constant volume", "J/(kg K)"),
    "compressibility": _property("isothermal compressibility", "1/Pa"),
    "isentropic_compressibility": _property("isentropic compressibility", "1/Pa"),
    "bulk_modulus": _property("isothermal bulk modulus", "Pa"),
    "isentropic_bulk_modulus": _property("isentropic bulk modulus", "Pa"),
    "volume_expansion": _property("volume expansion coefficient", "1/K"),
    "linear_expansion": _property("linear expansion coefficient", "1/K"),
    "static_dielectric_const": _property("permittivity of the orientation of dipoles alone, without that of electrons"),
    "dielectric_const_dc": _property(
        "static dielectric constant: static_dielectric_const - 1 + refractive_index²", "", "dielectric_constant"
    ),
    "nematic_order_parameter": _setting("nematic order parameter; amorphous below 0.1"),
    "refractive_index": _property("refractive index, from the static polarizability"),
    "thermal_conductivity": _property("thermal conductivity", "W/(m K)"),
    "thermal_diffusivity": _property("thermal diffusivity", "m²/s"),
    "tg": _property("glass transition temperature", "K"),
    "tg_rmse": _setting("sum of the squared residuals of the density in the fit of tg", "(g/cm³)²"),
    "tg_init_density": _record("density at the begin of cooling", "g/cm³"),
    "tg_init_density_check": _record("whether that density was steady"),
    "tg_next_temp": _record("temperature of the next step of cooling", "K"),
    "tg_max_temp": _record("highest temperature of cooling", "K"),
    "tg_min_temp": _record("lowest temperature of cooling", "K"),
    "tg_interval_temp": _record("step of cooling", "K"),
    "tg_cooling_rate": _record("cooling rate"),
    "sp_ced": _property("cohesive energy density", "MPa", "cohesive_energy_density"),
    "sp_total": _property("solubility parameter", "MPa^0.5", "solubility_parameter"),
    "sp_vdw": _property("part of the solubility parameter: dispersion", "MPa^0.5"),
    "sp_ele": _property("part of the solubility parameter: electrostatic", "MPa^0.5"),
    "sp_ele_short": _property("part of the solubility parameter: electrostatic at short range", "MPa^0.5"),
    "sp_ele_long": _property("part of the solubility parameter: electrostatic at long range", "MPa^0.5"),
    "cell_volume": _record("volume of the cell", "Å³"),
    "free_volume": _record("free volume of the cell", "Å³"),
    "vdw_volume_bulk": _record("van der Waals volume of the cell", "Å³"),
    "fractional_free_volume": _property("fractional free volume"),
    "refractive_index_sos": _property("refractive index, from excited states"),
    "abbe_number_sos": _property("Abbe number, from excited states", "", "abbe_number"),
    "efdp_frequency": _setting("frequency of the electric field", "Hz"),
    "efdp_permittivity_real": _property("permittivity in an alternating field, real part"),
    "efdp_permittivity_imaginary": _property("permittivity in an alternating field, imaginary part"),
    "efdp_dielectric_loss_tan": _property("dielectric loss tangent in an alternating field"),
    "polymer_class": _setting(CLASS_BY_NUMBER),
}

_TENSOR = r"(?:_(?:xx|yy|zz|xy|xz|yz|x|y|z))?"
_OF_UNIT = r"(?:_monomer\d?|_ter_?\d?)"
_PATTERNS: tuple[tuple[str, KnownColumn], ...] = (
    (r"ter_ID_\d", KnownColumn("record", "id of an end group")),
    (r"smiles_ter_\d", _record("end group")),
    (r"smiles_\d", _record("one of the repeat units")),
    (r"monomer_ID_\d", _record("id of one of the repeat units")),
    (r"copoly_ratio_\d", _record("share of one of the repeat units")),
    (r"(?:Python|RadonPy|RDKit|Psi4|LAMMPS)_ver.*|preset_.*", _record("version or option of a program")),
    (rf"(?:qm_method|qm_td_method|charge|remarks|date){_OF_UNIT}", _record("how the repeat unit was calculated")),
    (rf"mol_weight{_OF_UNIT}", _record("molar mass of the repeat unit", "g/mol")),
    (rf"vdw_volume{_OF_UNIT}", _property("van der Waals volume of the repeat unit", "Å³")),
    (rf"qm_total_energy{_OF_UNIT}", _record("total energy of the repeat unit")),
    (rf"qm_homo{_OF_UNIT}", _property("HOMO energy of the repeat unit", "eV")),
    (rf"qm_lumo{_OF_UNIT}", _property("LUMO energy of the repeat unit", "eV")),
    (rf"qm_dipole{_OF_UNIT}", _property("dipole moment of the repeat unit", "debye")),
    (rf"qm_dipole{_TENSOR}{_OF_UNIT}", _record("component of the dipole moment of the repeat unit", "debye")),
    (rf"qm_polarizability(?:_sos(?:_\d+)?)?{_OF_UNIT}", _property("polarizability of the repeat unit", "Å³")),
    (rf"qm_polarizability.*{_OF_UNIT}", _record("component of the polarizability of the repeat unit", "Å³")),
    (r"TC_(?:ke|pe|pair|bond|angle|dihed|improper|kspace|fix)", _property("part of the thermal conductivity", "W/(m K)")),
    (r"tg_thermal_expansion_.*", _record("line of the density above or below tg")),
    (r"refractive_index_sos_(\d+)", _property("refractive index at {0} nm, from excited states")),
    (r"efdp_.*", _record("setting of the alternating electric field")),
)  # fmt: skip
_STATISTICS: tuple[tuple[str, str], ...] = (
    ("_std", "standard deviation of the runs: "),
    ("_count", "number of runs: "),
    ("_min", "lowest of the runs: "),
    ("_max", "highest of the runs: "),
)
_CLASS = {f"class_{short}": name for short, name in CLASSES}


def is_of_radonpy(headings: Iterable[str]) -> bool:
    """Whether the headings of a table are RadonPy's."""
    return len(_OF_RADONPY.intersection(headings)) >= _ENOUGH


@lru_cache(maxsize=2048)
def known_column(heading: str) -> KnownColumn | None:
    """Return what a column of a RadonPy table holds; None for one that RadonPy does not write.

    >>> known_column("qm_homo_monomer2").unit, known_column("refractive_index_sos_589").meaning
    ('eV', 'refractive index at 589 nm, from excited states')
    """
    if heading in _HEADINGS:
        return _HEADINGS[heading]
    if heading in _CLASS:
        return _record(f"whether the polymer is a {_CLASS[heading]}")
    if heading.startswith("class_"):
        return _record("whether the polymer is of this class")
    for pattern, column in _PATTERNS:
        found = re.fullmatch(pattern, heading)
        if found is not None:
            return replace(column, meaning=column.meaning.format(*found.groups()))
    for end, words in _STATISTICS:
        of = known_column(heading.removesuffix(end)) if heading.endswith(end) else None
        if of is not None:
            return KnownColumn(of.use, f"{words}{of.meaning}", "" if end == "_count" else of.unit)
    return None


def class_name(number: str) -> str:
    """Return the name of a class that RadonPy gives by its number; "" where the text is no such number."""
    digits = number.strip().removesuffix(".0")
    return CLASSES[int(digits) - 1][1] if digits.isdecimal() and 1 <= int(digits) <= len(CLASSES) else ""
