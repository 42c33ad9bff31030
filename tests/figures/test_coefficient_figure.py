"""The coefficient figure: its numbers, physical axes, what is filled and what is outlined, and that it is legible."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_hex

from affinecal_gui.calibration.results import Calibration
from affinecal_gui.calibration.uncertainty.band_words import ON_AVERAGE, PENALTIES_AS_KNOWN
from affinecal_gui.figures.plots.coefficients import coefficient_figure
from affinecal_gui.figures.style import BAR, BAR_BAND
from affinecal_gui.polymers.descriptors.blocks import DescriptorBlock, DescriptorBlocks
from tests.figures.invented import HEAT_CAPACITY, blocks, calibration
from tests.figures.layout_checks import assert_legible, tick_labels, written


def bars(axes):  # type: ignore[no-untyped-def]
    """(middle, height, face colour) of each bar that stands on zero, and (low, high) of each band."""
    found, bands = [], []
    for collection in axes.collections:
        for path in collection.get_paths():
            face = to_hex(collection.get_facecolor()[0]).upper()
            low, _, high, _ = path.vertices[:4]
            if (
                face == BAR_BAND and len(path.vertices) > 5
            ):  # one area: ends, along the lower side and back along the upper
                count = (len(path.vertices) - 1) // 2
                lower, upper = path.vertices[:count], path.vertices[count : 2 * count][::-1]
                np.testing.assert_array_equal(lower[:, 0], upper[:, 0])
                bands += list(zip(lower[1:-1, 1], upper[1:-1, 1], strict=True))
            elif face == BAR_BAND:
                bands.append((low[1], high[1]))
            else:
                found.append(((low[0] + high[0]) / 2, high[1], face))
    return found, bands


def with_coefficients(gamma: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> Calibration:
    found = calibration(20, 10)
    result = found.models["affine"]
    assert result.coefficients is not None
    changed = replace(result.coefficients, gamma=gamma, lower=lower, upper=upper)
    return replace(found, models={"affine": replace(result, coefficients=changed)})


@pytest.mark.parametrize("width", [85.0, 180.0])
def test_average_effects_are_called_so(width: float) -> None:
    found = calibration()
    result = found.models["affine"]
    assert result.coefficients is not None
    effects = replace(result, model="affine_tl_full", coefficients=replace(result.coefficients, average=True))
    shown = replace(found, models={**found.models, "affine_tl_full": effects})
    figure = coefficient_figure(shown, blocks(), HEAT_CAPACITY, model="affine_tl_full", width_mm=width)
    assert_legible(figure)
    words = " ".join(text for text, _, _ in written(figure))
    assert "gamma" not in words
    assert "ffect" in words
    assert "mean over the polymers of the fit" in " ".join(words.split())


def test_bars_stand_at_physical_values_and_are_as_high_as_the_coefficients() -> None:
    found = calibration()
    figure = coefficient_figure(found, blocks(), HEAT_CAPACITY)
    assert len(figure.axes) == 10
    estimates = found.models["affine"].coefficients
    assert estimates is not None
    factor = 10.0**3  # named on the axis
    assert any(r"\gamma" in text and r"10^{3}" in text for text, _, _ in written(figure))
    for axes, block, part in zip(figure.axes, blocks().blocks, blocks().slices.values(), strict=True):
        drawn, bands = bars(axes)
        order = np.argsort([x for x, _, _ in drawn])
        x, heights = np.array([(x, h) for x, h, _ in drawn])[order].T
        expected = np.arange(10) if block.name == "mass" else block.physical_values
        np.testing.assert_allclose(x, expected, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(heights, estimates.gamma[part] * factor, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose([low for low, _ in bands], estimates.lower[part] * factor, rtol=1e-9)
        np.testing.assert_allclose([high for _, high in bands], estimates.upper[part] * factor, rtol=1e-9)
    assert len({axes.get_ylim() for axes in figure.axes}) == 1


def test_masses_are_named_by_element_and_units_stand_below() -> None:
    figure = coefficient_figure(calibration(), blocks(), HEAT_CAPACITY)
    assert tick_labels(figure.axes[0], "x") == [
        "H",
        "C",
        "N",
        "O",
        "F",
        "P",
        "S",
        "Cl",
        "Br",
        "I",
    ]
    shown = [text for text, _, _ in written(figure)]
    for unit in ("element", "e", "Å", "degrees", "kcal/mol", "kcal/(mol Å²)"):
        assert unit in shown


def test_a_bar_is_filled_where_its_band_is_clear_of_zero() -> None:
    columns, centres = ("k_0", "k_1", "k_2", "k_3"), (0.1, 0.3, 0.5, 0.7)
    block = DescriptorBlock("k", "Constant", "k", "e", "bond", columns, 0.0, 1.0, centres, 0.1)
    figure = coefficient_figure(
        with_coefficients(
            np.array([1.0, 1.0, -1.0, -1.0]), np.array([0.1, -0.1, -2.0, -2.0]), np.array([2.0, 2.0, -0.1, 0.1])
        ),
        DescriptorBlocks((block,)),
        HEAT_CAPACITY,
        width_mm=85,
    )
    drawn, _ = bars(figure.axes[0])
    assert [face for _, _, face in sorted(drawn)] == [BAR, "#FFFFFF", BAR, "#FFFFFF"]


def test_without_bands_says_so() -> None:
    figure = coefficient_figure(calibration(band=False), blocks(), HEAT_CAPACITY)
    shown = " ".join(text for text, _, _ in written(figure))
    assert "No band was computed." in shown
    assert "clear of zero" not in shown


@pytest.mark.parametrize(("penalties", "said"), [({}, ON_AVERAGE), ({"affine": {}}, PENALTIES_AS_KNOWN)])
def test_says_what_bands_hold(penalties, said) -> None:  # type: ignore[no-untyped-def]
    found = replace(calibration(), settings={"bands": "posterior", "penalties": penalties})
    figure = coefficient_figure(found, blocks(), HEAT_CAPACITY)
    assert said in " ".join(text for text, _, _ in written(figure))
    bare = coefficient_figure(found, blocks(), HEAT_CAPACITY, notes=False)
    assert said not in " ".join(text for text, _, _ in written(bare))


@pytest.mark.parametrize(("model", "effect"), [("affine", "lowers"), ("log_difference", "raises")])
def test_says_what_a_positive_coefficient_does(model, effect) -> None:  # type: ignore[no-untyped-def]
    figure = coefficient_figure(calibration(), blocks(), HEAT_CAPACITY, model=model)
    shown = " ".join(text for text, _, _ in written(figure))
    assert f"A positive coefficient {effect} the calibrated Cp" in shown
    assert "A standard unit is the standard deviation of a descriptor" in shown


def test_refuses_what_does_not_belong_together() -> None:
    with pytest.raises(ValueError, match="no coefficients"):
        coefficient_figure(calibration(), blocks(), HEAT_CAPACITY, model="ordinary")
    with pytest.raises(ValueError, match="190 coefficients for 10"):
        coefficient_figure(calibration(), DescriptorBlocks(blocks().blocks[:1]), HEAT_CAPACITY)


@st.composite
def own_blocks(draw: st.DrawFn) -> DescriptorBlocks:
    """Blocks of tables that users bring: any number, size, range and name."""
    found = []
    for number in range(draw(st.integers(1, 13))):
        size = draw(st.integers(1, 40))
        low = draw(st.sampled_from([0.0, -1.0, 1e-9, 3e7, 273.15]))
        width = draw(st.sampled_from([0.0, 1.0, 1e-9, 4.2e4]))
        labels = tuple(f"L{j}" for j in range(size)) if draw(st.booleans()) else None
        found.append(
            DescriptorBlock(
                f"b{number}",
                draw(st.sampled_from(["", "Short", "A title that is far too long for one small panel", "$x_", "比熱"])),
                draw(st.sampled_from(["", "r₀", "Δq", "$", "longsymbol"])),
                draw(st.sampled_from(["", "e", "kcal/(mol Å²)", "an astonishingly long unit / nobody needs"])),
                "atom",
                tuple(f"b{number}_{j}" for j in range(size)),
                low,
                low + width,
                tuple((j + 0.5) / size for j in range(size)),
                0.05,
                labels,
            )
        )
    return DescriptorBlocks(tuple(found))


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(own_blocks(), st.sampled_from([85.0, 180.0]), st.integers(-12, 8), st.booleans(), st.integers(0, 99))
def test_is_legible_for_any_blocks(where: DescriptorBlocks, width: float, power: int, band: bool, seed: int) -> None:
    found = calibration(8, 3, where=where, coefficient_size=10.0**power, band=band, seed=seed)
    figure = coefficient_figure(found, where, HEAT_CAPACITY, width_mm=width)
    assert figure.get_size_inches()[0] * 25.4 == pytest.approx(width)
    assert_legible(figure)


@pytest.mark.parametrize("fill", [0.0, np.nan])
def test_all_zero_or_missing_coefficients_still_give_axes(fill: float) -> None:
    values = np.full(190, fill)
    figure = coefficient_figure(with_coefficients(values, values, values), blocks(), HEAT_CAPACITY)
    assert len(figure.axes) == 10
    assert_legible(figure)
