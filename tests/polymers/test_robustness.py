"""Whatever stands in a table as a repeat unit: descriptors, or one reason that the user can read."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affinecal_gui.errors import UserError
from affinecal_gui.polymers.descriptors.descriptors import describe
from tests.polymers.hostile_texts import random_text
from tests.tries import tries


def descriptors_or_reason(text: str) -> None:
    found = np.zeros(190)
    try:
        found = describe(text)
    except UserError as error:
        assert_readable(str(error))
    assert found.shape == (190,)
    assert np.all((found >= 0) & (found <= 1 + 1e-12))


def assert_readable(reason: str) -> None:
    assert reason.strip()
    assert len(reason) < 400


@given(st.integers(0, 2**48))
@settings(max_examples=tries(400), deadline=None)
def test_random_texts(seed: int) -> None:
    descriptors_or_reason(random_text(random.Random(seed)))


@given(st.text(alphabet="CNOSPcnos*[]()=#+-@/\\.:123HF", max_size=40).map(lambda middle: f"*{middle}*"))
@settings(max_examples=tries(200), deadline=None)
def test_random_characters_between_two_attachment_points(text: str) -> None:
    descriptors_or_reason(text)


@pytest.mark.parametrize(
    "text",
    [
        "*" + "C" * 1000 + "*",
        "*" + "CO" * 500 + "*",
        "*" + "C=C" * 300 + "*",
        "*" + "c1ccc(cc1)" * 150 + "*",
        "*C(" + "C(" * 300 + "C" + ")" * 300 + ")C*",
        "*CC(*)" + "C(=O)N" * 200 + "C",
        "*c1cc2cc3cc4cc5cc6cc7cc8ccccc8cc7cc6cc5cc4cc3cc2cc1*",
        "*C1C2CC3CC1CC(C2)C3*",
        "*[H]",
        "*[C]*",
        "*[CH]*",
        "*[C](C)[C](C)*",
        "[H][H].*CC*",
        "*CC(*)[2H]",
        "*[N+](C)(C)*.[O-]Cl(=O)(=O)=O",
        "*CC(*)c1cc[n+](cc1)[O-]",
        "*C=[N+]=[N-]",
        "*CC(*)C.[U]",
        "*C" + "." * 3 + "C*",
        "*P(F)(F)(F)*",
        "*S(F)(F)(F)(F)*",
        "*I(C)*",
        "*[Xe]*",
        "*N(=O)*",
        "*#C*",
        "*=C=*",
        "*=C=C=*",
        "*B(O)*",
    ],
)
def test_extremes(text: str) -> None:
    descriptors_or_reason(text)
