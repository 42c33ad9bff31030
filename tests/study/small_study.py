"""A study small enough to be calibrated, saved and opened many times, and how two of them are compared."""

import dataclasses
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.state import StudyState
from tests.kept_calibrations import calibrating_coarsely

MEASURED = '''name,smiles,Cp [J/(kg K)],± Cp [J/(kg K)],source,phase
polyethylene,*CCCC*,1900,20,"a, b ""c""",amorphous
polypropylene,*CC(*)C,1930,,=1+1,
polystyrene,*CC(*)c1ccccc1,1210,15,'quoted,glass
poly(methyl methacrylate),*CC(C)(*)C(=O)OC,1380,,,glass
poly(ethylene oxide),*CCO*,2000,,two words,
poly(vinyl chloride),*CC(*)Cl,950,5.5,,glass
nylon 6,*NCCCCCC(*)=O,1500,,,
poly(vinyl acetate),*CC(*)OC(C)=O,1350,,,
polytetrafluoroethylene,*C(F)(F)C(*)(F)F,1000,,,
poly(vinyl alcohol),*CC(*)O,n. b.,,,
cis-polybutadiene,*C/C=C\\C*,1960.25,,,
unknown,*CC(*)C1CCCCC1CCCC,1700,,,
broken,*CC(,1700,,,
'''
SIMULATED = """monomer_ID,smiles,Cp,density,temp
S1,*CC*,4699,0.85,300
S2,*C(C*)C,4332,0.86,300
S3,*C(C*)c1ccccc1,3100,1.02,300
S4,*C(C*)(C(=O)OC)C,3300,1.1,300
S5,*OCC*,3900,1.15,300
S6,*C(C*)Cl,2300,1.3,300
S7,*CCCCCNC(*)=O,3621,1.1,300
S8,*C(C*)OC(=O)C,3350,1.15,300
S9,*C(F)(F)C(*)(F)F,1345,2.0,300
S10,*C(C*)O,3600,1.2,300
S11,*C(C*)CC,4458,0.84,300
S12,*C/C=C\\C*,4300.125,0.9,
"""


def write_tables(folder: Path) -> tuple[Path, Path]:
    """Write the two tables."""
    measured, simulated = folder / "measured.csv", folder / "md.csv"
    measured.write_text(MEASURED, encoding="utf-8")
    simulated.write_text(SIMULATED, encoding="utf-8")
    return measured, simulated


@cache
def small_state() -> StudyState:
    """The study with one polymer left out; it shows affine, whatever is recommended."""
    with TemporaryDirectory() as folder:
        loaded = load_tables(write_tables(Path(folder)))
    assert not loaded.errors
    state = StudyState().with_tables(loaded.tables)
    settings = dataclasses.replace(
        state.settings, left_out=frozenset({"t1.4"}), seed=3, interval_level=0.8, follows_advice=False
    )
    return dataclasses.replace(state, settings=settings)


@cache
def small_result() -> Derived:
    """The study, calibrated, whose penalties were searched coarsely."""
    with calibrating_coarsely():
        return derive(small_state(), Derived())


def assert_same(one: Any, other: Any, where: str = "", ignore: tuple[str, ...] = ("kept_fit", "made_with")) -> None:
    """Fail unless two objects hold the same in every field; arrays bit by bit, and read-only as they must be."""
    if dataclasses.is_dataclass(one):
        assert type(one) is type(other), where
        for field in dataclasses.fields(one):
            if field.name not in ignore:
                assert_same(getattr(one, field.name), getattr(other, field.name), f"{where}.{field.name}", ignore)
    elif isinstance(one, np.ndarray):
        assert one.dtype == other.dtype, where
        assert one.shape == other.shape, where
        assert np.array_equal(one, other, equal_nan=one.dtype.kind == "f"), where
        assert not other.flags.writeable, where
    elif isinstance(one, Mapping):
        assert list(one) == list(other), where
        for key in one:
            assert_same(one[key], other[key], f"{where}[{key!r}]", ignore)
    elif isinstance(one, tuple | list):
        assert len(one) == len(other), where
        for number, (first, second) in enumerate(zip(one, other, strict=True)):
            assert_same(first, second, f"{where}[{number}]", ignore)
    elif isinstance(one, float) and one != one:
        assert other != other, where
    else:
        assert one == other, where
