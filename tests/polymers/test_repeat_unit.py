"""Reading repeat units: every accepted spelling, and one exact reason for every refusal."""

import csv
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdkit import Chem

from affinecal_gui.errors import UserError
from affinecal_gui.polymers.reading.repeat_unit import (
    MAXIMUM_ATOMS,
    MAXIMUM_LENGTH,
    InvalidRepeatUnit,
    RepeatUnit,
    parse_repeat_unit,
)
from tests.tries import tries


def reason(text: str) -> str:
    with pytest.raises(InvalidRepeatUnit) as caught:
        parse_repeat_unit(text)
    assert isinstance(caught.value, UserError)
    return str(caught.value)


SPELLINGS = [
    "*CC*",
    "[*]CC[*]",
    "[*:1]CC[*:2]",
    "[*:2]CC[*:1]",
    "[1*]CC[2*]",
    "[R1]CC[R2]",
    "[R]CC[R]",
    "[R#]CC[R#]",
    "[Cu]CC[Au]",
    "[At]CC[At]",
    "[*@TB2]CC[*@]",
    "[Cu@SP1]CC[Au@@:3]",
    "C(*)C*",
    " *CC*\t",
    "\ufeff*CC*\u200b",
    "*CC* |$_AP1;;;_AP2$|",
    "＊CC＊",
    "∗CC∗",
    "*C–C*",
    "[H]C([H])(*)C([H])([H])*",
]


@pytest.mark.parametrize("text", SPELLINGS)
def test_every_spelling_of_the_ends_gives_the_same_unit(text: str) -> None:
    unit = parse_repeat_unit(text)
    assert unit.text == text
    assert unit.smiles == "*CC*"
    marks = [unit.molecule.GetAtomWithIdx(mark) for mark in unit.attachment_points]
    assert [(mark.GetAtomicNum(), mark.GetDegree(), mark.GetIsotope(), mark.GetAtomMapNum()) for mark in marks] == [
        (0, 1, 0, 0)
    ] * 2
    assert not any(list(mark.GetPropNames(includePrivate=True, includeComputed=False)) for mark in marks)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("[Cu]CC[Au]", "[Cu] and [Au] were read as attachment points"),
        ("＊CC＊", 'was read as the attachment point "*"'),
        ("*C–C*", "–"),
        ("*CC* |$_AP1;;;_AP2$|", "extension |$_AP1;;;_AP2$| after the SMILES was ignored"),
        ("*CC(*)C(=O)[O-].[Na+]", "Kept as part of the polymer: [Na+]"),
        ("*CC(*)C(=O)[O-]", "net charge of -1"),
        ("*CC(*)[2H]", "Isotopes are kept"),
        ("*[CH2:3]C*", "Atom numbers"),
        ("*C[C@](C)(C)*", "no stereocentre"),
    ],
)
def test_what_was_interpreted_is_said(text: str, part: str) -> None:
    assert any(part in note for note in parse_repeat_unit(text).notes)


@pytest.mark.parametrize("text", ["*CC*", "[*:1]CC[*:2]", "[R1]CC[R2]", "*C[C@H](*)C", "*/C=C/C*", "*=CC=*"])
def test_plain_units_need_no_note(text: str) -> None:
    assert parse_repeat_unit(text).notes == ()


REASONS = [
    ("", "The repeat unit is empty."),
    (" \t", "The repeat unit is empty."),
    ("\ufeff\u200b", "The repeat unit is empty."),
    ("CC", "no attachment point"),
    ("*CC", "only one attachment point (position 1)"),
    ("*", "only one attachment point (position 1)"),
    ("*CC(*)(*)C", "three attachment points (positions 1, 5, 8)"),
    ("[*:1]C1([*:2])CCC([*:3])C1[*:4]", "four attachment points"),
    ("**", "nothing between"),
    ("[*][*]", "nothing between"),
    ("*.CC*", "position 1 is bonded to nothing"),
    ("*C.C*", "different fragments"),
    ("*CC*.*CC(*)C", "2 repeat units in one field"),
    ("*CC*;*CC(*)C", 'several repeat units in one field, separated by ";"'),
    ("[*]C[*], [*]CC([*])CC", 'separated by ","'),
    ("*CC*|*C(C*)C", 'separated by "|"'),
    ("C*C*C", "position 2 is not at an end: it has 2 bonds"),
    ("*1CC1*", "position 1 is not at an end"),
    ("*#C*", "differ (triple and single)"),
    ("*=CC*", "differ (double and single)"),
    ("*$CC$*", "neither single, double nor triple"),
    ("[*+]CC*", "position 1 carries a charge or hydrogens"),
    ("[*H]CC*", "position 1 carries a charge or hydrogens"),
    ("*CC~C*", 'bond "~" at position 4'),
    ("*CC* PE", 'text after the SMILES at position 6: "PE"'),
    ("*CC*\n  poly\r\nethylene\x07", 'text after the SMILES at position 6: "poly ethylene�"'),
    ("*C[\x07]C*", "position 3: [�] is not an atom"),
    ("{[$]CC[$]}", "BigSMILES"),
    ("{<NCc1cccc(c1)CNC(=O)CCCCC(=O)>}", "BigSMILES"),
    ("$CC$", "BigSMILES"),
    ("[$]CC[$]", "BigSMILES"),
    ("C{-}C{n+}C", "CurlySMILES"),
    ("*CC(*", 'position 4: this "(" is never closed'),
    ("*CC*)C", 'position 5: there is no "(" for this ")"'),
    ("*CC(*)c1ccccc", "position 8: ring closure 1 is opened here and never closed"),
    ("*CC(*)C%12CC", "position 8: ring closure 12 is opened here"),
    ("*C=1CC-1*", 'position 8: ring closure 1 is "=" at position 4 but "-" here'),
    ("*CC11*", "position 5: ring closure 1 would bond an atom to itself"),
    ("*C1C1*", "position 5: ring closure 1 would bond two atoms twice"),
    ("=1+1", 'position 1: the bond "=" follows no atom'),
    ("*C=#C*", 'position 4: two bonds, "=" and "#"'),
    ("*CC*=", 'position 5: the bond "=" leads to no atom'),
    ("*C()C*", "position 4: the branch is empty"),
    ("(*)CC*", "position 1: a branch needs an atom before it"),
    ("*C..C*", "position 4: a dot needs an atom before it"),
    ("*CC[*", 'position 4: this "[" is never closed'),
    ("*CC*]", 'position 5: there is no "[" for this "]"'),
    ("*CDC*", 'position 3: "D" is not an element'),
    ("*SiCC*", 'position 3: "i" is not an element'),
    ("*CNaC*", 'position 4: "a" is not an element'),
    ("[Q]CC[A]", "position 1: [Q] is not a chemical element"),
    ("*CC(*)c1ccc([X])cc1", "position 13: [X] is not a chemical element"),
    ("*CC(*)[R3]", "position 7: [R3] stands for an unknown group"),
    ("c1([d])ccc([e])cc1", "position 4: [d] is not a chemical element"),
    ("[*:1+]CC*", "position 1: [*:1+] is not an atom"),
    ("*CC(*)C'", 'position 8: "\'" cannot be part of it'),
    ("*CC(*)C√", 'position 8: "√" cannot be part of it'),
    ("*C\x00C*", "position 3: the character with code 0"),
    ("  *CC(*", "position 6"),  # positions are those of the text as given
    ("*C(=O)(=O)C*", "The C atom at position 2 has too many bonds"),
    ("[R1]C(=O)(=O)C[R2]", "The C atom at position 5 has too many bonds"),
    ("*cc*", "position 2 is written as aromatic"),
    ("*CC(*)c1ccc(cc1)c1cccc1", "positions 17, 19, 20, 21, 22"),
    ("*c1cncc1*", "[nH]"),
    ("*CC(*)c1ccc$cc1", "The aromatic ring at position 11 holds a quadruple bond"),
    ("*CC(*)c1ccccc#1", "The aromatic ring at position 13 holds a triple bond"),
    ("*" + "C" * MAXIMUM_LENGTH + "*", "5,002 characters"),
    ("*" + "C" * MAXIMUM_ATOMS + "*", "2,002 atoms"),
    ("*C(*)C8" + "c1ccc(cc1)" * 100 + "C8", "One ring system has 602 atoms"),
    ("[C:99999999999]*", "no atom can have"),
]


@pytest.mark.parametrize(("text", "part"), REASONS)
def test_every_refusal_gives_one_exact_reason(text: str, part: str) -> None:
    message = reason(text)
    assert part in message
    assert "\n" not in message
    assert len(message) < 260


def test_an_atom_with_dozens_of_ring_bonds_is_refused_before_rings_are_sought() -> None:
    molecule = Chem.RWMol(Chem.MolFromSmiles("*C(*)[Pt].[Pt]"))
    for _ in range(60):
        carbon = molecule.AddAtom(Chem.Atom("C"))
        molecule.AddBond(3, carbon, Chem.BondType.SINGLE)
        molecule.AddBond(4, carbon, Chem.BondType.SINGLE)
    assert "61 bonds" in reason(Chem.MolToSmiles(molecule, canonical=False))


def test_stereo_marks_are_kept_also_between_the_two_ends() -> None:
    assert parse_repeat_unit("*C[C@H](*)C").smiles in {"*C[C@@H](*)C", "*C[C@H](*)C"}
    assert "@" in parse_repeat_unit("*[C@H](*)C").smiles
    assert "/" in parse_repeat_unit("*/C=C/C*").smiles


def test_charges_isotopes_and_ions_are_kept() -> None:
    unit = parse_repeat_unit("*C[N+](C)(C)[13CH2]*.[Cl-]")
    assert Chem.GetFormalCharge(unit.molecule) == 0
    assert "[13CH2]" in unit.smiles
    assert "[Cl-]" in unit.smiles


def test_units_compare_by_their_text() -> None:
    assert parse_repeat_unit("*CC*") == parse_repeat_unit("*CC*")
    assert parse_repeat_unit("*CC*") != parse_repeat_unit("*CO*")
    assert len({parse_repeat_unit("*CC*"), parse_repeat_unit("*CC*")}) == 1


def test_rdkit_stays_silent(capfd: pytest.CaptureFixture[str]) -> None:
    for text in ("*C(=O)(=O)C*", "*cc*", "*CC(*", "*c1cncc1*", "*CC(*)C"):
        try:
            _ = parse_repeat_unit(text).smiles
        except InvalidRepeatUnit:
            continue
    assert capfd.readouterr() == ("", "")


def outcome(text: str) -> RepeatUnit | str:
    """The unit, or the reason why there is none."""
    try:
        return parse_repeat_unit(text)
    except InvalidRepeatUnit as error:
        return str(error)


def check(unit: RepeatUnit | str) -> None:
    """What holds for every repeat unit that is read, and for every reason."""
    if isinstance(unit, str):
        assert unit.endswith(".")
        assert "\n" not in unit
        return
    marks = [atom for atom in unit.molecule.GetAtoms() if atom.GetAtomicNum() == 0]
    assert [mark.GetDegree() for mark in marks] == [1, 1]
    assert not any(mark.GetIsotope() or mark.GetAtomMapNum() or mark.GetFormalCharge() for mark in marks)
    assert unit.smiles.count("*") == 2
    assert parse_repeat_unit(unit.smiles).smiles == unit.smiles


PIECES = [
    *"*CNOcnos()[]=#$-+.:%@/\\123 {}<>|,;'",
    "[*]",
    "[*:1]",
    "[1*]",
    "[R1]",
    "[Cu]",
    "c1ccccc1",
    "[nH]",
    "C(*)",
    "＊",
    "[Q]",
]


@settings(max_examples=tries(400), deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_any_text_is_a_unit_or_has_a_reason(text: str) -> None:
    check(outcome(text))


@settings(max_examples=tries(200), deadline=None)
@given(st.text(max_size=40))
def test_any_unicode_text_is_a_unit_or_has_a_reason(text: str) -> None:
    check(outcome(text))


@pytest.mark.peer
def test_odd_strings_of_public_lists(shared_data: Path) -> None:
    """Chemically sensible kinds are read, the others have a reason (kinds as the list itself names them)."""
    with (shared_data / "odd_polymer_smiles.csv").open(encoding="utf-8") as file:
        rows = [(row["smiles"], row["category"]) for row in csv.DictReader(file)]
    readable = ("charged", "hypothetical ROP", "hetero/metal", "ordinary", "charged/zwitterion")
    refused = ("no attachment", "ladder/PIM", "copolymer", "BigSMILES", "CurlySMILES", "1, 3 or 4 stars")
    read = 0
    for text, category in rows:
        found = outcome(text)
        check(found)
        read += isinstance(found, RepeatUnit)
        if category.startswith(readable):
            assert isinstance(found, RepeatUnit), text
        if category.startswith(refused):
            assert isinstance(found, str), text
    assert read > 370


@pytest.mark.peer
def test_published_list_is_read_without_remarks(shared_data: Path) -> None:
    with (shared_data / "PI1070.csv").open(encoding="utf-8") as file:
        texts = [row["smiles"] for row in csv.DictReader(file)]
    for text in random.Random(2).sample(texts, 300):
        unit = parse_repeat_unit(text)
        check(unit)
        assert unit.notes in ((), ("Isotopes are kept: the labelled polymer counts as a polymer of its own.",))
