"""Einstein's equation and its inversion."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affinecal_gui.calibration.einstein import einstein_ratio, implied_wavenumber


@given(st.floats(1e-3, 600.0))
def test_ratio_is_the_formula_of_the_paper(u: float) -> None:
    # log Cp_exp - log Cp_MD = 2 log u + log(exp(u) / (exp(u) - 1)^2), Minami et al. (2023), written without overflow.
    expected = 2.0 * math.log(u) - u - 2.0 * math.log(-math.expm1(-u))
    assert math.log(einstein_ratio(u)) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@given(st.floats(1.0, 4000.0), st.floats(100.0, 600.0))
def test_inversion_returns_the_wavenumber(wavenumber: float, temperature: float) -> None:
    u = 1.438776877 * wavenumber / temperature  # second radiation constant hc/k = 1.438776877 cm K (CODATA 2018)
    ratio = einstein_ratio(u)
    if ratio < 1.0 - 1e-9:
        assert implied_wavenumber(ratio, temperature) == pytest.approx(wavenumber, rel=1e-5)


def test_polycarbonate_by_hand() -> None:
    # Measured 1200, MD 2953 J/(kg K): E(u) = 0.4064 has u = 3.43, times 208.51 cm^-1 (k_B T/hc at 300 K) = 716.
    assert implied_wavenumber(1200.0 / 2953.0, 300.0) == pytest.approx(716.0, abs=1.5)


@pytest.mark.parametrize("ratio", [0.0, -0.5, 1.2, math.nan, math.inf])
def test_no_vibration_explains_an_impossible_ratio(ratio: float) -> None:
    assert math.isnan(implied_wavenumber(ratio, 300.0))


def test_no_quantum_effect_is_wavenumber_zero() -> None:
    assert implied_wavenumber(1.0, 300.0) == 0.0
    assert np.isfinite(implied_wavenumber(1e-200, 300.0))


@pytest.mark.parametrize("ratio", [1e-299, 1e-305, 5e-324])
def test_a_ratio_too_small_to_be_computed_has_no_wavenumber(ratio: float) -> None:
    assert math.isnan(implied_wavenumber(ratio, 300.0))
