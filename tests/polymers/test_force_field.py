"""Parameter look-up: tables, stand-ins, the empirical rule, scaling ranges."""

import math

import pytest

from affinecal_gui.polymers.descriptor_error import DescriptorError
from affinecal_gui.polymers.force_field.parameters import FORCE_FIELDS, Range, load_force_field

GAFF2_MOD = load_force_field("GAFF2_mod")


def test_tabulated_entries_in_both_directions() -> None:
    # gaff2.dat of AmberTools: c3-c3 232.52 1.538; c3-c3-c3 64.888 111.51; hc-c3-c3-hc 0.12
    assert GAFF2_MOD.bond("c3", "c3") == (232.52, 1.538)
    assert GAFF2_MOD.angle("c3", "c3", "c3") == (64.888, 111.51)
    assert GAFF2_MOD.dihedral("hc", "c3", "c3", "hc") == (0.12,)
    assert GAFF2_MOD.bond("br", "c") == GAFF2_MOD.bond("c", "br") == (146.48, 1.946)
    assert GAFF2_MOD.angle("br", "c", "c3") == GAFF2_MOD.angle("c3", "c", "br")


def test_a_general_dihedral_stands_in_for_a_special_one() -> None:
    assert GAFF2_MOD.dihedral("c3", "ca", "ca", "ha") == GAFF2_MOD.dihedral("ca", "ca", "ca", "ca") == (3.625,)


def test_an_alternative_type_stands_in() -> None:
    assert GAFF2_MOD.bond("c3f", "os") == GAFF2_MOD.bond("c3", "os")
    assert GAFF2_MOD.dihedral("c3", "cx", "c3", "c3") == GAFF2_MOD.dihedral("c3", "c3", "c3", "c3")


def test_empirical_angle_by_hand() -> None:
    # GAFF's empirical rule (Wang et al. 2004): c3-os-f from c3-os-c3 and f-os-f, bonds c3-os and os-f;
    # Z(C) 1.183, C(O) 1.249, Z(F) 1.166.
    left, right = GAFF2_MOD.angle("c3", "os", "c3"), GAFF2_MOD.angle("f", "os", "f")
    first, second = GAFF2_MOD.bond("c3", "os"), GAFF2_MOD.bond("os", "f")
    assert left is not None
    assert right is not None
    assert first is not None
    assert second is not None
    theta = (left[1] + right[1]) / 2
    total, difference = first[1] + second[1], first[1] - second[1]
    constant = 143.9 * 1.183 * 1.249 * 1.166 / total / math.sqrt(theta * math.pi / 180)
    constant *= math.exp(-2 * difference**2 / total**2)
    found = GAFF2_MOD.angle("c3", "os", "f")
    assert found == pytest.approx((constant, theta), rel=1e-12)
    assert GAFF2_MOD.angle("f", "os", "c3") == pytest.approx(found, rel=1e-12)


def test_no_empirical_angle_around_a_hydrogen_or_halogen() -> None:
    assert GAFF2_MOD.angle("c3", "cl", "c3") is None
    assert GAFF2_MOD.angle("c3", "hc", "c3") is None


def test_unknown_combinations_are_none() -> None:
    assert GAFF2_MOD.bond("f", "hw") is None
    assert GAFF2_MOD.dihedral("f", "f", "f", "f") is None


@pytest.mark.parametrize("name", FORCE_FIELDS)
def test_scaling_ranges(name: str) -> None:
    # FF_descriptor of radonpy-pypi 0.2.11: minimum and maximum of its scalers
    assert load_force_field(name).ranges == {
        "epsilon": Range(0.0047, 0.4955),
        "sigma": Range(0.5379246460131368, 4.04468018035714),
        "k_bond": Range(48.08, 891.54),
        "r0": Range(0.957, 2.917),
        "k_angle": Range(25.816, 157.396),
        "theta0": Range(48.3, 180.0),
        "k_dih": Range(0.0, 11.69),
    }


def test_modified_force_field_only_adds_fluorinated_carbon_and_silicon_with_what_is_beside_it() -> None:
    plain = load_force_field("GAFF2")
    assert GAFF2_MOD.elements.keys() - plain.elements.keys() == {"c3f", "si", "ci", "hi", "ng", "oi", "oss"}
    assert plain.dihedral("c3", "c3", "c3", "c3") == GAFF2_MOD.dihedral("c3", "c3", "c3", "c3")
    assert GAFF2_MOD.dihedral("c3f", "c3f", "c3f", "c3f") != plain.dihedral("c3", "c3", "c3", "c3")


def test_unknown_force_field_is_named_with_the_known_ones() -> None:
    with pytest.raises(DescriptorError, match=r"'OPLS'.*GAFF2_mod, GAFF2"):
        load_force_field("OPLS")
