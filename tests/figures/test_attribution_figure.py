"""The shares of one polymer's correction: bars to scale, signs, and a sum that is the correction."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.patches import Rectangle

from affinecal_gui.figures.plots.attribution import Share, attribution_figure
from tests.figures.invented import HEAT_CAPACITY
from tests.figures.layout_checks import assert_legible, written

SHARES = [Share("atoms", -0.026), Share("bonds", -0.055), Share("angles", -0.010), Share("dihedrals", 0.016)]


def test_bars_are_as_long_as_the_shares_and_the_sum_is_shown() -> None:
    figure = attribution_figure(SHARES, HEAT_CAPACITY, polymer="polysulfone", total=-0.075)
    bars = [patch for patch in figure.artists + figure.patches if isinstance(patch, Rectangle)]
    lengths = [bar.get_width() for bar in bars if bar.get_width() < 0.99]
    scale = lengths[1] / 0.055
    assert lengths == pytest.approx([abs(share.value) * scale for share in SHARES])
    texts = [text for text, _, _ in written(figure)]
    for expected in ("−0.026", "−0.055", "−0.010", "+0.016", "−0.075", "polysulfone"):
        assert expected in texts
    assert_legible(figure)


def test_refuses_shares_that_do_not_add_up() -> None:
    with pytest.raises(ValueError, match="add up"):
        attribution_figure(SHARES, HEAT_CAPACITY, total=-0.08)


shares = st.builds(
    Share, st.sampled_from(["atoms", "a very long name of a share", "$"]), st.floats(-1, 1).map(lambda v: v**5)
)


@settings(max_examples=10, deadline=None)
@given(st.lists(shares, min_size=1, max_size=8), st.text(max_size=200), st.sampled_from([85.0, 180.0]))
def test_is_legible_for_any_shares(found: list[Share], polymer: str, width: float) -> None:
    assert_legible(attribution_figure(found, HEAT_CAPACITY, polymer=polymer, width_mm=width))
