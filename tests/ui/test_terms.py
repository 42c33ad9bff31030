"""Every term that a new user need not know has a plain line where it stands."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from affinecal_gui.calibration.calibrators.registry import calibrator, kernel_keys
from affinecal_gui.calibration.names import KERNEL_MEANINGS, KERNEL_TITLES
from affinecal_gui.calibration.uncertainty import band_words
from affinecal_gui.ui.parts import terms
from affinecal_gui.ui.parts.widgets.tool_buttons import ExplainButton
from affinecal_gui.ui.views.model.methods_menu import MethodsMenu
from affinecal_gui.ui.views.model.model_panel import ModelPanel
from affinecal_gui.ui.views.plots.coefficients.coefficient_key import CoefficientKey
from affinecal_gui.ui.views.plots.coefficients.coefficient_scale import CoefficientScale


def answer(heading: QWidget) -> str:
    (button,) = heading.findChildren(ExplainButton)
    return button.accessibleDescription()


@pytest.mark.parametrize(
    ("section", "words"),
    [
        ("target", ("Leak-free", "As published", "logarithm")),
        ("calibrator", ("Out-of-fold", "RMSE", "MD as it is", "Ordinary", "Log-difference", "Affine", "star")),
        ("penalties", ("λ₁", "λ₂", "λ<sub>β</sub>", "Cross-validation")),
        ("parameters", ("α₀", "α₁", "β", "interval")),
    ],
)
def test_a_section_of_the_model_panel_explains_its_own_terms(
    model_panel: ModelPanel, section: str, words: tuple[str, ...]
) -> None:
    told = answer(model_panel.headings[section])
    assert [word for word in words if word.casefold() not in told.casefold()] == []


@pytest.mark.parametrize(
    ("penalty", "what"),
    [("lambda_1", "less the structure"), ("lambda_2", "neighbouring"), ("lambda_beta", "with the MD value")],
)
def test_a_penalty_says_what_more_of_it_does(model_panel: ModelPanel, penalty: str, what: str) -> None:
    row = model_panel.penalties.rows[penalty]
    assert "larger" in row.slider.toolTip()
    assert what in row.slider.toolTip()
    assert row.number.toolTip() == row.slider.toolTip()


@pytest.mark.parametrize("key", kernel_keys())
def test_a_method_with_kernels_says_first_what_it_is_good_for(key: str) -> None:
    assert calibrator(key).explanation.startswith("Good w")


def test_the_menu_of_methods_tells_methods_and_kernels_apart_in_words(qtbot: QtBot, light: QApplication) -> None:
    methods = MethodsMenu()
    qtbot.addWidget(methods)
    menu = methods.menu()
    by_tip = {action.toolTip() for action in menu.actions()}
    assert {calibrator(key).explanation for key in kernel_keys()} <= by_tip
    inner = [one for one in menu.findChildren(QMenu) if one.title().startswith("Kernel of")]
    assert [one.title() for one in inner] == [
        "Kernel of the MD value",
        "Kernel of the MD value in g₂",
        "Kernel of the descriptors",
    ]
    tips = [[action.toolTip() for action in one.actions()] for one in inner]
    assert tips[1][0].startswith("AffineTL-full alone multiplies")  # the choice of no other kernel
    assert [tips[0], tips[1][1:], tips[2]] == 3 * [list(KERNEL_MEANINGS.values())]
    assert all(one.toolTipsVisible() for one in inner)
    assert KERNEL_MEANINGS.keys() == KERNEL_TITLES.keys()


def test_the_protocols_say_what_they_let_the_fit_see(model_panel: ModelPanel) -> None:
    box = model_panel.target.protocol
    tips = [box.itemData(row, Qt.ItemDataRole.ToolTipRole) for row in range(box.count())]
    assert tips == [terms.LEAK_FREE, terms.AS_PUBLISHED]
    assert "nothing of the polymers that are predicted leaks into the fit" in tips[0]


def test_the_key_of_the_coefficients_says_what_clear_of_zero_and_a_standard_unit_are(
    qtbot: QtBot, light: QApplication
) -> None:
    key = CoefficientKey()
    qtbot.addWidget(key)
    clear, _, band = (swatch.toolTip() for swatch in key.swatches)
    assert "one side of zero" in clear
    assert "one standard deviation of the descriptor" in band
    key.show_for("affine", 0.9, band_words.BY_REFITS, with_band=True, scale=CoefficientScale(cuts_bands=True))
    assert key.swatches[2].toolTip() == f"{band} {band_words.BY_REFITS} " + (
        "Bands that reach beyond the frame are cut there: the axis is scaled on the bars."
    )


def test_quantum_corrected_is_told_without_formulas() -> None:
    assert "C–H" in terms.QUANTUM_CORRECTED
    assert "Nothing is fitted" in terms.QUANTUM_CORRECTED
