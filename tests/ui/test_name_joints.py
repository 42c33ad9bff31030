"""Names of polymers are broken between their parts, and lose nothing by it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from affinecal_gui.ui.parts.theme.fonts import interface_font
from affinecal_gui.ui.views.polymers.table.name_joints import JOINT, with_joints
from affinecal_gui.ui.views.polymers.table.polymer_delegate import wrap


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("polymethacrylamide", "poly|meth|acryl|amide"),
        ("polyoxymethylene", "poly|oxy|methylene"),
        ("polychlorotrifluoroethylene", "poly|chloro|tri|fluoro|ethylene"),
        ("poly(alpha-methylstyrene)", "poly(alpha-methyl|styrene)"),
        ("polyethylene", "poly|ethylene"),
        ("poly(vinylidene chloride)", "poly(vinyl|idene chloride)"),
        ("poly(propylene oxide)", "poly(propyl|ene oxide)"),
        ("poly(butylene adipate)", "poly(butyl|ene adipate)"),
        ("polyisobutylene", "polyiso|butylene"),
        ("polypropylene", "poly|propylene"),
        ("carboxymethyl cellulose", "carboxy|methyl cellulose"),
        ("PI82", "PI82"),
        ("", ""),
    ],
)
def test_joints_lie_between_the_parts_of_a_name(name: str, parts: str) -> None:
    assert with_joints(name).replace(JOINT, "|") == parts


def test_a_name_is_broken_at_a_joint(light: QApplication) -> None:
    font = interface_font()
    metrics = QFontMetricsF(font)
    width = metrics.horizontalAdvance("polymethacrylam")
    assert wrap("polymethacrylamide", font, width, 3) == ["polymethacryl-", "amide"]
    for name in ("polychlorotrifluoroethylene", "poly(ethylene terephthalate)", "bisphenol-A polycarbonate"):
        for width in range(70, 200, 5):
            assert max(map(metrics.horizontalAdvance, wrap(name, font, width, 9))) < width + 1.0


@given(st.text(st.sampled_from("polymethacryl styrene(4-)1,ü"), max_size=40), st.floats(20.0, 200.0))
def test_no_letter_is_lost(qapp: QApplication, name: str, width: float) -> None:
    found = "".join(wrap(name, interface_font(), width, 1000))
    assert found.replace(" ", "").replace("-", "") == name.replace(" ", "").replace("-", "")
