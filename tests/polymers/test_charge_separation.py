"""A group that can be written with or without separated charges is one group, and its polymer one polymer."""

import numpy as np
import pytest

from affinecal_gui.polymers.chain.identity import polymer_identity
from affinecal_gui.polymers.descriptor_error import DescriptorError
from affinecal_gui.polymers.descriptors.descriptors import describe
from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit, parse_repeat_unit

SAME = (
    ("*CC(*)S(=O)C", "*CC(*)[S+]([O-])C"),
    ("*CC(*)S(=O)(=O)C", "*CC(*)[S+2]([O-])([O-])C"),
    ("*CC(*)S(=O)(=O)C", "*CC(*)[S+](=O)([O-])C"),
    ("*c1ccc(cc1)S(*)(=O)=O", "*c1ccc(cc1)[S+2](*)([O-])[O-]"),
    ("*CC(*)OS(=O)(=O)[O-].[Na+]", "*CC(*)O[S+2]([O-])([O-])[O-].[Na+]"),
    ("*CC(*)[Se](=O)C", "*CC(*)[Se+]([O-])C"),
    ("*CP(=O)(C)*", "*C[P+]([O-])(C)*"),
    ("*OP(=O)(Oc1ccccc1)O*", "*O[P+]([O-])(Oc1ccccc1)O*"),
    ("*CC(*)P(=S)(C)C", "*CC(*)[P+]([S-])(C)C"),
    ("*N=P(C)(C)*", "*[N-][P+](C)(C)*"),
    ("*N=P(C)(C)*", "*[P+](C)(C)[N-]*"),
    ("*CC(*)P(C)(C)=C", "*CC(*)[P+](C)(C)[CH2-]"),
    ("*CC(*)S(C)(=O)=NC", "*CC(*)[S+]([O-])(C)=NC"),
    ("*CC(*)S(C)(=O)=NC", "*CC(*)[S+2]([O-])(C)[N-]C"),
    ("*CC(*)[N+](=O)[O-]", "*CC(*)N(=O)=O"),
    ("*CC(*)[N+](=O)[O-]", "*CC(*)[N+2]([O-])[O-]"),
    ("*CC(*)c1ccc(cc1)[N+](=O)[O-]", "*CC(*)c1ccc(cc1)[N+]([O-])=O"),
    ("*CC(*)N=[N+]=[N-]", "*CC(*)[N-][N+]#N"),
    ("*CC(*)N=[N+]=[N-]", "*CC(*)N=N#N"),
    ("*CC(*)C=[N+]=[N-]", "*CC(*)[CH-][N+]#N"),
    ("*CC(*)C#[N+][O-]", "*CC(*)[C-]=[N+]=O"),
    ("*CC(*)[N+](C)(C)[O-]", "*CC(*)N(C)(C)=O"),
    ("*CC(*)c1cccc[n+]1[O-]", "*CC(*)c1ccccn1=O"),
    ("*CC(*)C=[N+](C)[O-]", "*CC(*)C=N(C)=O"),
    ("*CC(*)N=[N+]([O-])C", "*CC(*)N=N(=O)C"),
    ("*CC(*)C(=O)C", "*CC(*)[C+]([O-])C"),
)
AS_WRITTEN = (
    "*CC(*)S(=O)(=O)C",
    "*CC(*)[N+](=O)[O-]",
    "*CC(*)N=[N+]=[N-]",
    "*CC(*)[N+]#[C-]",
    "*CC(*)c1cccc[n+]1[O-]",
    "*CC(*)C[N+](C)(C)CC(=O)[O-]",
    "*CC(*)[N+](C)(C)CCCS(=O)(=O)[O-]",
    "*CC(*)OP(=O)([O-])OCC[N+](C)(C)C",
)


@pytest.mark.parametrize(("usual", "other"), SAME)
def test_both_forms_are_one_polymer(usual: str, other: str) -> None:
    first, second = parse_repeat_unit(usual), parse_repeat_unit(other)
    assert polymer_identity(first).key == polymer_identity(second).key
    assert first.smiles == second.smiles


@pytest.mark.parametrize(("usual", "other"), SAME)
def test_both_forms_have_the_same_descriptors_or_the_same_reason_for_none(usual: str, other: str) -> None:
    try:
        expected = describe(usual)
    except DescriptorError:
        with pytest.raises(DescriptorError):
            describe(other)
    else:
        np.testing.assert_allclose(describe(other), expected, rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("*CC(*)[S+]([O-])C", "[S+][O-] was read as S=O, which is the same group."),
        ("*CC(*)[N-][N+]#N", "[N-][N+]#N was read as N=[N+]=[N-], which is the same group."),
        ("*CC(*)N(=O)=O", "as in [N+](=O)[O-]."),
        ("*C[P+]([O-])(C)*", "[P+][O-] was read as P=O"),
    ],
)
def test_the_other_form_is_noted(text: str, words: str) -> None:
    assert any(words in note for note in parse_repeat_unit(text).notes)


@pytest.mark.parametrize("text", AS_WRITTEN)
def test_usual_forms_and_betaines_stay_without_a_word(text: str) -> None:
    unit = parse_repeat_unit(text)
    assert unit.notes == ()
    charges = sorted(atom.GetFormalCharge() for atom in unit.molecule.GetAtoms() if atom.GetFormalCharge())
    assert charges == sorted(1 if sign == "+" else -1 for sign in text if sign in "+-")


def test_a_salt_is_no_other_form_of_an_ylide() -> None:
    unit = parse_repeat_unit("*CC(*)C[P+](C)(C)C.[Cl-]")
    assert "[P+]" in unit.smiles
    assert "[Cl-]" in unit.smiles


@pytest.mark.parametrize(
    ("whole", "cut"),
    [
        ("*C[P+](C)(C)[CH-]*", "*[P+](C)(C)[CH-]C*"),
        ("*C[P+](C)(C)[CH-]*", "*[CH-]C[P+](C)(C)*"),
        ("*CP(C)(C)=C*", "*[CH-]C[P+](C)(C)*"),
        ("*[P+](C)(C)[N-]*", "*N=P(C)(C)*"),
    ],
)
def test_the_cut_may_lie_between_the_charges(whole: str, cut: str) -> None:
    assert polymer_identity(parse_repeat_unit(whole)).key == polymer_identity(parse_repeat_unit(cut)).key


def test_the_handedness_of_a_sulfoxide_is_kept() -> None:
    charged, neutral = (
        polymer_identity(parse_repeat_unit(text)) for text in ("*CC[S@@+]([O-])CC(*)C", "*CC[S@@](=O)CC(*)C")
    )
    assert charged.stereo_key == neutral.stereo_key


@pytest.mark.parametrize("text", ["[Ce]CC([Th])C", "[Ce]CC([Ce])C", "[Th]CC([Th])C", "C([Th])C([Ce])C"])
def test_cerium_and_thorium_end_a_unit(text: str) -> None:
    unit = parse_repeat_unit(text)
    assert polymer_identity(unit).key == polymer_identity(parse_repeat_unit("*CC(*)C")).key
    assert any("were read as attachment points" in note for note in unit.notes)


@pytest.mark.parametrize(
    "text", ["[Ce]CC", "[Ce]CC([Ce])C[Ce]", "[Ce]=CC=[Th]", "C[Ce]CC[Th]", "[Ce+]CC[Th]", "[CeH]CC[Th]"]
)
def test_other_atoms_of_them_do_not(text: str) -> None:
    with pytest.raises(InvalidRepeatUnit, match=r"attachment point"):
        parse_repeat_unit(text)
