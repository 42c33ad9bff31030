"""Calibrations of invented numbers, of any size and range; nothing here is a golden value."""

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.calibrators.registry import calibrator, linear_keys
from affinecal_gui.calibration.results import (
    Calibration,
    CoefficientEstimates,
    Convergence,
    Estimate,
    Metrics,
    ModelName,
    ModelResult,
    PairedComparison,
    Penalties,
    PenaltySurface,
    Recommendation,
    Suggestion,
    Validity,
)
from affinecal_gui.figures.quantity import Quantity
from affinecal_gui.polymers.descriptors.blocks import DescriptorBlock, DescriptorBlocks, TermKind

Array = NDArray[np.float64]

ELEMENTS = ("H", "C", "N", "O", "F", "P", "S", "Cl", "Br", "I")
HEAT_CAPACITY = Quantity("Specific heat capacity", "Cp", r"$C_\mathrm{p}$", "J/(kg K)", True)
DENSITY = Quantity("Density", "ρ", r"$\rho$", "g/cm³", False)


def blocks() -> DescriptorBlocks:
    """The shape of the ten blocks: 190 columns, plausible ranges."""
    rows: tuple[tuple[str, str, str, str, TermKind, float, float], ...] = (
        ("charge", "Partial charge", "q", "e", "atom", -1.0, 1.0),
        ("epsilon", "Well depth", "ε", "kcal/mol", "atom", 0.0, 0.5),
        ("sigma", "Diameter", "σ", "Å", "atom", 0.9, 4.1),
        ("k_bond", "Bond constant", "k", "kcal/(mol Å²)", "bond", 60.0, 940.0),
        ("r0", "Bond length", "r₀", "Å", "bond", 0.9, 3.0),
        ("polar", "Bond polarity", "Δq", "e", "bond", 0.0, 2.0),
        ("k_angle", "Angle constant", "k", "kcal/(mol rad²)", "angle", 20.0, 160.0),
        ("theta0", "Angle", "θ₀", "degrees", "angle", 45.0, 180.0),
        ("k_dih", "Torsion barrier", "V", "kcal/mol", "dihedral", 0.0, 12.0),
    )
    spread = tuple((2 * j + 1) / 40 for j in range(20))
    mass = DescriptorBlock(
        "mass", "Atomic mass", "m", "", "atom", tuple(f"mass_{e}" for e in ELEMENTS), 1.008, 126.904,
        tuple(np.linspace(0, 1, 10).tolist()), 0.05, ELEMENTS,
    )  # fmt: skip
    others = tuple(
        DescriptorBlock(
            name, title, symbol, unit, over, tuple(f"{name}_{j}" for j in range(20)), low, high, spread, 0.025
        )
        for name, title, symbol, unit, over, low, high in rows
    )
    return DescriptorBlocks((mass, *others))


def metrics(measured: Array, predicted: Array, *, log: bool) -> Metrics:
    with np.errstate(all="ignore"):
        keep = np.isfinite(predicted)
        measured, predicted = measured[keep], predicted[keep]
        residual = predicted - measured
        on_target = np.log(predicted / measured) if log else residual
        spread = np.sum((measured - measured.mean()) ** 2) if measured.size else np.nan
        return Metrics(
            n=int(measured.size),
            rmse=float(np.sqrt(np.mean(residual**2))) if measured.size else np.nan,
            mae=float(np.mean(np.abs(residual))) if measured.size else np.nan,
            r2=float(1 - np.sum(residual**2) / spread) if spread else np.nan,
            rmse_target_scale=float(np.sqrt(np.mean(on_target**2))) if measured.size else np.nan,
            rmse_standard_error=0.007 if log else 0.04 * float(np.std(residual)) if measured.size else np.nan,
            within_ten_percent=int(np.sum(np.abs(residual) <= 0.1 * np.abs(measured))),
        )


def coefficients(
    random: np.random.Generator, where: DescriptorBlocks, *, size: float, band: bool, sign: int
) -> CoefficientEstimates:
    gamma = np.concatenate(
        [
            size * random.uniform(-1, 1) * np.exp(-(((np.arange(n) - random.uniform(0, n)) / (0.3 * n + 1)) ** 2))
            for n in where.sizes
        ]
        or [np.zeros(0)]
    )
    half = 0.35 * size + 0.3 * np.abs(gamma) if band else np.full(gamma.size, np.nan)
    return CoefficientEstimates(
        gamma, gamma - half, gamma + half, np.full(gamma.size, 0.1), np.full(gamma.size, 0.05), sign
    )


def surface(a: int = 25, b: int = 13, *, best: tuple[float, float] = (0.83, 1.5)) -> PenaltySurface:
    lambda_1, lambda_2 = np.logspace(-2, 2, a), np.logspace(0, 3, b)
    first, second = np.log10(lambda_1)[:, None], np.log10(lambda_2)[None, :]
    rmse = 0.165 + 0.012 * (first - best[0]) ** 2 + 0.006 * (second - best[1]) ** 2
    rmse = rmse + 0.02 * np.maximum(0, -first - 0.5 * second + 0.5)
    at = np.unravel_index(int(np.argmin(rmse)), rmse.shape)
    edges = tuple(
        name for name, k, size in (("lambda_1", at[0], a), ("lambda_2", at[1], b)) if size > 1 and k in (0, size - 1)
    )
    return PenaltySurface(lambda_1, lambda_2, rmse, (int(at[0]), int(at[1])), edges)  # type: ignore[arg-type]


_SPREADS = {"md": 1.0, "ordinary": 1.1, "log_difference": 0.96, "affine": 1.0}
_PARAMETERS = {
    "ordinary": {"alpha_0": Estimate(1.2, 0.3, 2.1), "alpha_1": Estimate(0.78, 0.66, 0.9)},
    "log_difference": {"intercept": Estimate(-0.82, -0.85, -0.79)},
    "affine": {
        "alpha_0": Estimate(0.48, -1.46, 2.68),
        "alpha_1": Estimate(0.84, 0.57, 1.08),
        "beta": Estimate(-0.016, -0.028, -0.002),
    },
}


def calibration(
    n: int = 61,
    m: int = 333,
    *,
    log: bool = True,
    low: float = 770.0,
    high: float = 2500.0,
    noise: float = 0.17,
    bias: float = 2.3,
    intervals: bool = True,
    missing: int = 0,
    coefficient_size: float = 0.01,
    band: bool = True,
    where: DescriptorBlocks | None = None,
    seed: int = 0,
) -> Calibration:
    """``low`` and ``high`` bound the measured values, ``noise`` is relative, ``missing`` predictions are nan."""
    random = np.random.default_rng(seed)
    where = blocks() if where is None else where
    measured = np.exp(random.uniform(np.log(low), np.log(high), n)) if log else random.uniform(low, high, n)
    library_md = random.choice(measured, m) * bias
    models: dict[ModelName, ModelResult] = {}
    scale = max(abs(low), abs(high))
    width = high - low
    for model in linear_keys():
        one = calibrator(model)
        own = random if model in _SPREADS else np.random.default_rng((seed, *model.encode()))  # others stay as they are
        spread = _SPREADS.get(model, 1.05) * noise

        def disturbed(values: Array, factor: float, spread: float = spread, own: np.random.Generator = own) -> Array:
            z = own.standard_normal(values.size)
            return (
                values * factor * np.exp(spread * z) if log else values * factor + spread * z * max(width, 1e-3 * scale)
            )

        factor = bias if model == "md" else 1.0
        out = disturbed(measured, factor)
        if missing and model != "md":
            out[own.choice(n, min(n, missing), replace=False)] = np.nan
        fitted = (measured * factor + out) / 2
        half = 1.6 * spread * (1 + 0.5 * own.uniform(size=n))
        if intervals and model != "md":
            lower = out * np.exp(-half) if log else out - half * width
            upper = out * np.exp(half) if log else out + half * width
        else:
            lower = upper = np.full(n, np.nan)
        library = library_md / bias * (factor)
        has_gamma = one.has_coefficients
        known = _PARAMETERS.get(model, {})
        parameters = {named.name: known.get(named.name, Estimate(0.9, 0.8, 1.0)) for named in one.parameters}
        models[model] = ModelResult(
            model=model,
            parameters=parameters,
            coefficients=coefficients(own, where, size=coefficient_size, band=band, sign=one.sign)
            if has_gamma
            else None,
            penalties=Penalties(6.81, 31.6) if has_gamma else None,
            surface=surface() if has_gamma else None,
            convergence=Convergence("direct", 7, True, 4e-13) if model == "affine" else None,
            fitted=fitted,
            out_of_fold=out,
            out_of_fold_lower=lower,
            out_of_fold_upper=upper,
            library=library,
            library_lower=library * 0.8,
            library_upper=library * 1.2,
            metrics=metrics(measured, out, log=log),
            fitted_metrics=metrics(measured, fitted, log=log),
        )
    return Calibration(
        measured=measured,
        md=measured * bias,
        library_md=library_md,
        log_scale=log,
        interval_level=0.9,
        protocol="leak-free, 5 × 10-fold",
        models=models,
        recommendation=Recommendation(
            "log_difference",
            "ordinary",
            "Log-difference predicts best (0.165), but ordinary regression (0.186) is not significantly "
            "worse (p = 0.09): the simpler calibrator will do.",
            (
                PairedComparison("log_difference", "affine", 0.006, 0.31, 0.62),
                PairedComparison("log_difference", "ordinary", 0.021, 0.02, 0.09),
            ),
        ),
        validity=Validity(
            np.ones(m, bool),
            np.ones(m, bool),
            np.full(m, 190),
            np.zeros(m),
            1.0,
            np.zeros((m, 3), np.int64),
            np.zeros((m, 3)),
        ),
        measure_next=(Suggestion(0, 0.61, 0.59), Suggestion(3, 0.59, 0.58)),
        seed=0,
        seconds=0.31,
        notes=("The best λ₂ lies inside the grid.",),
        settings={"property_key": "Cp", "log_scale": log, "seed": 0, "interval_level": 0.9},
    )
