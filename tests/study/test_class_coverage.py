"""How many intervals hold the measured value, class by class."""

import numpy as np
import pytest
from scipy.stats import binomtest

from affinecal_gui.study.results.class_coverage import FEWEST, coverage_of


def test_classes_with_enough_polymers_are_counted_the_largest_first():
    classes = ["polyester"] * 8 + ["polyamide"] * 12 + ["polyether"] * (FEWEST - 1) + [""] * 20
    inside = np.ones(len(classes), dtype=bool)
    inside[[0, 1, 9]] = False
    amide, ester = coverage_of(classes, inside)
    assert (amide.name, amide.polymers, amide.inside) == ("polyamide", 12, 11)
    assert (ester.name, ester.polymers, ester.inside) == ("polyester", 8, 6)


@pytest.mark.parametrize(("inside", "polymers"), [(0, 8), (6, 8), (8, 8), (9, 10), (33, 40)])
def test_the_interval_of_a_share_is_that_of_scipy(inside, polymers):
    (found,) = coverage_of(["polyester"] * polymers, np.arange(polymers) < inside)
    peer = binomtest(inside, polymers).proportion_ci(0.95, method="exact")
    assert (found.lower, found.upper) == pytest.approx((peer.low, peer.high))
