"""Which texts are one polymer: by rewriting, by brute-force isomorphism, and on a published list."""

import csv
import random
from collections import defaultdict
from itertools import combinations, pairwise, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdkit import Chem

from affinecal_gui.polymers.chain.identity import PolymerIdentity, polymer_identity
from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit, RepeatUnit, parse_repeat_unit
from tests.polymers.chain_isomorphism import same_chain
from tests.polymers.chain_rewriting import rewritten
from tests.tries import tries


def identity(text: str) -> PolymerIdentity:
    return polymer_identity(parse_repeat_unit(text))


ONE_POLYMER = {
    "polyethylene, whatever the period": ["*CC*", "*CCCC*", "*C*", "[*:1]CCC[*:2]", "[R1]CC[R2]", "[Cu]CC[Au]"],
    "poly(ethylene oxide), cut and direction": ["*OCC*", "*COC*", "*CCO*", "*CCOCCO*"],
    "polystyrene, both directions and Kekulé": ["*CC(*)c1ccccc1", "*C(C*)C1=CC=CC=C1", "c1ccccc1C(*)C*"],
    "polyacetylene, cut at either bond": ["*C=C*", "*=CC=*", "*C=CC=C*", "*=CC=CC=*"],
    "polyyne, cut at either bond": ["*C#C*", "*#CC#*"],
    "ring in the backbone, period inside the ring's row": ["*c1ccc(*)cc1", "*c1ccc(cc1)-c1ccc(*)cc1"],
    "head-to-tail unit of a polyester, cut in the acid": [
        "*OCCOC(=O)c1ccc(cc1)C(*)=O",
        "*c1ccc(cc1)C(=O)OCCOC(*)=O",
        "*CCOC(=O)c1ccc(C(=O)O*)cc1",
    ],
    "nitro group, charge-separated or not": ["*CC(*)N(=O)=O", "*CC(*)[N+](=O)[O-]"],
    "ring double bonds to the next unit": ["*=C1C=CC(=*)C=C1", "*=C1C=CC(C=C1)=C1C=CC(=*)C=C1"],
    "counter-ions go with the units": [
        "*CC(*)C(=O)[O-].[Na+]",
        "[Na+].[Na+].*CC(C([O-])=O)CC(*)C(=O)[O-]",
    ],
    "half a divalent counter-ion per unit": [
        "*CC(C(=O)[O-])CC(*)C(=O)[O-].[Ca+2]",
        "*CC(C(=O)[O-])CC(C(=O)[O-])CC(C(=O)[O-])CC(*)C(=O)[O-].[Ca+2].[Ca+2]",
    ],
    "explicit hydrogens": ["[H]C([H])(*)C([H])([H])*", "*CC*"],
    "spiro and side rings": ["*CC1(*)CCC2(CC1)OCCO2", "*C1(CCC2(OCCO2)CC1)C*"],
}


@pytest.mark.parametrize("texts", ONE_POLYMER.values(), ids=ONE_POLYMER)
def test_one_chain_has_one_identity(texts: list[str]) -> None:
    assert len({identity(text) for text in texts}) == 1


DIFFERENT = [
    ("*CC*", "*CC(*)C"),
    ("*OCC*", "*OC*"),
    ("*OCCC*", "*OCC*"),
    ("*CC(*)C", "*CC(C)C(C)C*"),  # head-to-tail against head-to-head
    ("*C=CCC*", "*C=C*"),
    ("*c1ccc(*)cc1", "*c1cccc(*)c1"),
    ("*c1ccc(*)cc1", "*C1CCC(*)CC1"),
    ("*c1ccc(C=C*)cc1", "*=C1C=CC(=CC=*)C=C1"),  # benzenoid against quinoid: the bonds differ
    ("*CC(*)[2H]", "*CC*"),
    ("*CC(*)C(=O)[O-].[Na+]", "*CC(*)C(=O)[O-].[K+]"),
    ("*CC(*)C(=O)[O-].[Na+]", "*CC(*)C(=O)[O-]"),
    ("*CC(*)C(=O)[O-]", "*CC(*)C(=O)O"),
    ("*CC(C(=O)[O-])CC(*)C(=O)[O-].[Ca+2]", "*CC(*)C(=O)[O-].[Ca+2]"),
    ("*OC(=O)CCCC(=O)OCC*", "*OC(=O)CCC(=O)OCCC*"),
    ("*[Si](C)(C)O*", "*[Ge](C)(C)O*"),
    ("*C1CC2CC1CC2*", "*C1CC2CC(*)C1C2"),
]


@pytest.mark.parametrize(("first", "second"), DIFFERENT)
def test_different_chains_have_different_keys(first: str, second: str) -> None:
    assert identity(first).key != identity(second).key


SAME_STEREO = [
    ("*C[C@H](*)C", "*C[C@@H](*)C"),  # an isotactic chain read from its other end
    ("*C[C@H](*)C", "*C[C@H](C)C[C@@H](*)C"),
    ("*[C@H](*)C", "*[C@@H](*)C"),
    ("*/C=C/C*", "*C/C=C/*"),
    ("*/C=C\\*", "*/C=C\\C=C/*"),
    ("*CC(*)[C@H]1CC[C@@H](C)CC1", "*CC(*)[C@@H]1CC[C@H](C)CC1"),  # trans, and its mirror image
    ("*C[C@](C)(C)*", "*CC(C)(C)*"),  # no stereocentre
]
OTHER_STEREO = [
    ("*C[C@H](*)C", "*C[C@H](C)C[C@H](*)C"),  # isotactic, syndiotactic
    ("*C[C@H](*)C", "*CC(*)C"),
    ("*O[C@H](C)C(*)=O", "*O[C@@H](C)C(*)=O"),  # poly(L-lactide), poly(D-lactide): this chain has a direction
    ("*/C=C/CC*", "*/C=C\\CC*"),
    ("*/C=C/*", "*/C=C\\*"),
    ("*[C@H]1CC[C@@H](*)CC1", "*[C@H]1CC[C@H](*)CC1"),
    ("*CC(*)[C@H]1CC[C@@H](C)CC1", "*CC(*)[C@H]1CC[C@H](C)CC1"),
    ("*CC(*)/N=C/C", "*CC(*)/N=C\\C"),
    ("*CC(*)/C=N/[H]", "*CC(*)/C=N\\[H]"),
    ("*C[N+](C)(C)*.[O-]C(=O)[C@H](C)O", "*C[N+](C)(C)*.[O-]C(=O)[C@@H](C)O"),
    ("*CC1(*)C/C=C\\CCCCC1", "*CC1(*)C/C=C/CCCCC1"),
]


@pytest.mark.parametrize(("first", "second"), SAME_STEREO)
def test_stereo_written_differently_is_the_same(first: str, second: str) -> None:
    assert identity(first).stereo_key == identity(second).stereo_key


@pytest.mark.parametrize(("first", "second"), OTHER_STEREO)
def test_stereo_that_differs_tells_apart_only_the_stereo_keys(first: str, second: str) -> None:
    assert identity(first).key == identity(second).key
    assert identity(first).stereo_key != identity(second).stereo_key


def test_has_stereo_only_with_marks_that_tell_something_apart() -> None:
    assert identity("*C[C@H](*)C").has_stereo
    assert identity("*/C=C/CC*").has_stereo
    for text in ("*CC(*)C", "*C[C@](C)(C)*"):
        found = identity(text)
        assert not found.has_stereo
        assert found.stereo_key == found.key


# Parts of backbones with a direction, without one, with rings, and with side groups; joined by single bonds.
PARTS = ["C", "O", "N", "C(=O)", "C(C)", "C(F)(F)", "C=C", "c1ccc(cc1)", "c1cccc(c1)", "C1CC(C1)", "C1(CC1)"]


def test_keys_agree_with_brute_force_isomorphism_of_closed_chains() -> None:
    """All units of one or two parts, a sample of those of three; every equal key and every look-alike is checked."""
    rows = [*product(PARTS, repeat=1), *product(PARTS, repeat=2)]
    rows += random.Random(3).sample(list(product(PARTS, repeat=3)), 500)
    by_key: defaultdict[str, list[RepeatUnit]] = defaultdict(list)
    for row in rows:
        unit = parse_repeat_unit(f"*{''.join(row)}*")
        by_key[polymer_identity(unit).key].append(unit)
    equal = 0
    for units in by_key.values():
        for unit in units[1:]:
            assert same_chain(units[0], unit, stereo=False), (units[0].text, unit.text)
            equal += 1
    assert equal > 80
    by_composition: defaultdict[tuple[tuple[str, float], ...], list[RepeatUnit]] = defaultdict(list)
    for units in by_key.values():
        labels = [f"{atom.GetSymbol()}{atom.GetTotalNumHs()}" for atom in units[0].molecule.GetAtoms()]
        shares = {label: labels.count(label) / (len(labels) - 2) for label in labels if label != "*0"}
        by_composition[tuple(sorted(shares.items()))].append(units[0])
    look_alikes = [pair for units in by_composition.values() for pair in combinations(units, 2)]
    assert len(look_alikes) > 60
    for first, second in look_alikes:
        assert not same_chain(first, second, stereo=False), (first.text, second.text)


STEREO_PARTS = [
    "C",
    "O",
    "[C@H](C)",
    "[C@@H](C)",
    "[C@](C)(F)",
    "/C=C/",
    "/C=C\\",
    "[C@H]1C[C@@H](C1)",
    "[C@H]1C[C@H](C1)",
]


def test_stereo_keys_agree_with_brute_force_isomorphism_that_keeps_parity() -> None:
    rows = [row for length in (1, 2, 3) for row in product(STEREO_PARTS, repeat=length)]
    rows = [row for row in rows if not any(a.startswith("/") and b.startswith("/") for a, b in pairwise(row))]
    by_key: defaultdict[str, dict[str, list[RepeatUnit]]] = defaultdict(lambda: defaultdict(list))
    for row in random.Random(5).sample(rows, 330):
        try:
            unit = parse_repeat_unit(f"*{''.join(row)}*")
        except InvalidRepeatUnit:
            continue
        found = polymer_identity(unit)
        by_key[found.key][found.stereo_key].append(unit)
    equal = different = 0
    for forms in by_key.values():
        for units in forms.values():
            for unit in units[1:]:
                assert same_chain(units[0], unit, stereo=True), (units[0].text, unit.text)
                equal += 1
        for first, second in combinations([units[0] for units in forms.values()], 2):
            assert not same_chain(first, second, stereo=True), (first.text, second.text)
            different += 1
    assert equal > 30
    assert different > 60


AWKWARD = [
    "*CC*",
    "*C(C*)C1CC1",
    "*/C=C/C*",
    "*C[C@H](*)C",
    "*C[C@H](C)C[C@@H](*)C",
    "*[C@H]1CC[C@@H](*)CC1",
    "*CC(*)[C@H]1CC[C@@H](C)CC1",
    "*C1(*)CC[C@H](C)[C@H](C)C1",
    "*C[C@@H](*)C(=O)N[C@@H](C)CC",
    "*O[C@H]1O[C@H](CO)[C@@H](*)[C@H](O)[C@H]1O",
    "*=C1C=CC(=*)C=C1",
    "*=NC1=CC=C(C=C1)N=*",
    "*N1C(=O)c2cc3c(cc2C1=O)C(=O)N(*)C3=O",
    "*C1CC2(C1)CC(*)C2",
    "*CC(C*)C12C3C4C1C5C2C3C45",
    "*C[N+](C)(C)C*.[O-]S(=O)(=O)c1ccc(C)cc1",
    "*C[N+](C)(C)C[N+](C)(C)*.[O-]C(=O)/C=C/C(=O)[O-]",
    "*C(*)C8c1ccc(cc1)c1ccc(cc1)c1ccc(cc1)C8",
    "*S(=O)(=O)c1ccc(Oc2ccc(C(C)(C)c3ccc(O*)cc3)cc2)cc1",
    "*c1cc2c(s1)C1=C(c3sc(*)cc3C1=O)C2=O",
    "*Oc1cc2c(cc1*)C1(CC2(C)C)CC(C)(C)c2cc3c(cc21)Oc1c(O3)c(C#N)cc(C)c1C#N",
    "*[C@@H]1[C@@H]2C[C@H]([C@@H]1*)C=C2",
]


@settings(max_examples=tries(100), deadline=None)
@given(st.sampled_from(AWKWARD), st.integers(0, 2**32))
def test_rewriting_an_awkward_unit_keeps_its_identity(text: str, seed: int) -> None:
    unit = parse_repeat_unit(text)
    again = parse_repeat_unit(rewritten(unit, random.Random(seed)))
    assert polymer_identity(again).key == polymer_identity(unit).key
    assert polymer_identity(again).stereo_key == polymer_identity(unit).stereo_key


@st.composite
def _units(draw: st.DrawFn) -> str:
    parts = draw(
        st.lists(st.sampled_from([*PARTS, "S(=O)(=O)", "[N+](C)(C)", "C(C#N)", "C(C(=O)OC)"]), min_size=1, max_size=7)
    )
    return f"*{''.join(parts)}*"


@settings(max_examples=tries(100), deadline=None)
@given(_units(), st.integers(0, 2**32))
def test_rewriting_any_row_of_parts_keeps_its_identity(text: str, seed: int) -> None:
    unit = parse_repeat_unit(text)
    again = parse_repeat_unit(rewritten(unit, random.Random(seed)))
    assert polymer_identity(again) == polymer_identity(unit)


def test_long_symmetric_and_deep_units_are_read() -> None:
    assert identity("*" + "C" * 1998 + "*") == identity("*CC*")
    assert identity("*" + "C[C@H](C)" * 333 + "*") == identity("*C[C@H](*)C")
    assert identity("*" + "c1ccc(cc1)" * 150 + "*") == identity("*c1ccc(*)cc1")
    deep = "*CC(*)" + "C(" * 900 + "C" + ")" * 900
    assert identity(deep) == identity("*CC(*)" + "C" * 901)
    # Forty phenylene rings in one macrocycle have 2^40 symmetry operations.
    cyclophane = "*C(*)C8" + "c1ccc(cc1)" * 40 + "C8"
    kekule = "*C(*)C8" + "C1=CC=C(C=C1)" * 40 + "C8"
    assert identity(cyclophane) == identity(kekule)


def test_hopeless_symmetry_ends_with_a_note_and_never_matches_by_mistake() -> None:
    # Sixty metal atoms in a ring, neighbours joined by three bridges: no such substance, but a text all the same.
    size, bridges = 60, 3
    molecule = Chem.RWMol()
    for _ in range(size):
        molecule.AddAtom(Chem.Atom("Pt"))
    for metal in range(size):
        for _ in range(bridges):
            bridge = molecule.AddAtom(Chem.Atom("C"))
            molecule.AddBond(metal, bridge, Chem.BondType.SINGLE)
            molecule.AddBond(bridge, (metal + 1) % size, Chem.BondType.SINGLE)
    for _ in range(2):
        molecule.AddBond(0, molecule.AddAtom(Chem.Atom(0)), Chem.BondType.SINGLE)
    text = Chem.MolToSmiles(molecule, canonical=False)
    found = identity(text)
    assert found.key.startswith("as written")
    assert found.notes


@pytest.mark.peer
def test_published_list_has_seven_sets_that_differ_in_stereo_only(shared_data: Path) -> None:
    """PI1070 holds 1,077 polymers; ignoring stereo marks, seven keys have more than one row (checked by eye)."""
    with (shared_data / "PI1070.csv").open(encoding="utf-8") as file:
        texts = [row["smiles"] for row in csv.DictReader(file)]
    assert len(texts) == 1077
    constitution: defaultdict[str, list[str]] = defaultdict(list)
    stereo: defaultdict[str, list[str]] = defaultdict(list)
    for text in texts:
        found = identity(text)
        constitution[found.key].append(text)
        stereo[found.stereo_key].append(text)
    collisions = [group for group in constitution.values() if len(group) > 1]
    assert len(collisions) == 7
    assert all(any(mark in text for text in group for mark in "/\\") for group in collisions)
    assert all(len(group) == 1 for group in stereo.values())


@pytest.mark.peer
@pytest.mark.parametrize("name", ["PI1070.csv", "odd_polymer_smiles.csv"])
def test_rewriting_published_units_keeps_their_identity(shared_data: Path, name: str) -> None:
    with (shared_data / name).open(encoding="utf-8") as file:
        texts = [row["smiles"] for row in csv.DictReader(file)]
    choice = random.Random(11)
    for text in choice.sample(texts, 150):
        try:
            unit = parse_repeat_unit(text)
        except InvalidRepeatUnit:
            continue
        found = polymer_identity(unit)
        for other in (rewritten(unit, choice), unit.smiles):
            again = polymer_identity(parse_repeat_unit(other))
            assert (again.key, again.stereo_key) == (found.key, found.stereo_key), (text, other)
