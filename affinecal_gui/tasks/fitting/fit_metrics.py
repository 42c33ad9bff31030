"""Everything about a calibration but its tables, as the content of ``metrics.json``."""

from dataclasses import asdict
from typing import Any

import numpy as np

from affinecal_gui import __version__
from affinecal_gui.calibration.results import ERROR_LEVEL, Calibration, IntervalParts, ModelResult
from affinecal_gui.study.describing.describing import FORCE_FIELD, blocks_of
from affinecal_gui.study.describing.estimates import estimates_of, may_be_estimated
from affinecal_gui.study.results.class_coverage import CONFIDENCE, coverage_by_class
from affinecal_gui.study.results.forecast_table import forecast_numbers
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.words.forecast_words import forecast_sentences
from affinecal_gui.study.words.interval_words import PARTS
from affinecal_gui.study.words.outlier_words import FlaggedPolymer, flagged_polymers, outlier_notes


def metrics_of(snapshot: Snapshot) -> dict[str, Any]:
    """Return everything that ``metrics.json`` says; numbers that do not exist are null."""
    calibration = snapshot.calibration
    quantity = snapshot.quantity
    assert calibration is not None
    assert quantity is not None
    flagged = flagged_polymers(snapshot)
    return {
        "program": f"AffineCal {__version__}",
        "property": quantity.key,
        "unit": quantity.unit,
        "target_scale": "natural logarithm" if calibration.log_scale else "linear",
        "protocol": calibration.protocol,
        "seed": calibration.seed,
        "weights": snapshot.settings.weighting,
        "penalties_by_hand": asdict(snapshot.settings.penalties) if snapshot.settings.penalties is not None else None,
        "blocks_off": sorted(snapshot.settings.blocks_off),
        "block_penalties": dict(sorted(snapshot.settings.block_penalties)),
        "robust": snapshot.settings.robust,
        "bands": snapshot.settings.bands,
        "rigid_bonds": snapshot.settings.rigid_bonds,
        "n_polymers": len(calibration.measured),
        "n_library": len(calibration.library_md),
        "match": snapshot.match_summary,
        "temperature_tolerance": snapshot.settings.matching.temperature_tolerance,
        "md_sources": [_plain(asdict(one)) for one in snapshot.md_sources],
        "estimated_parameters": _estimated(snapshot),
        "calibrator": snapshot.settings.model,
        "calibrator_is_recommended": snapshot.settings.model == calibration.recommendation.recommended,
        "models": {
            name: _model(result, calibration) | {"coverage_by_class": _by_class(snapshot, name)}
            for name, result in calibration.models.items()
        },
        "recommendation": {
            "best": calibration.recommendation.best,
            "recommended": calibration.recommendation.recommended,
            "sentence": calibration.recommendation.sentence,
            "structure_p_value": _plain(calibration.recommendation.structure_p_value),
            "comparisons": [
                {key: _plain(value) for key, value in asdict(pair).items()}
                for pair in calibration.recommendation.comparisons
            ],
        },
        "forecast": _forecast(calibration, snapshot),
        "interval_level": calibration.interval_level,
        "flagged": [_flagged(one) for one in flagged],
        "notes": [*outlier_notes(flagged), *calibration.notes],
    }


def _estimated(snapshot: Snapshot) -> list[dict[str, str]]:
    """Say of which polymers of the fit and of the library parameters of the force field had to be estimated, and which."""
    if snapshot.blocks != blocks_of(FORCE_FIELD):
        return []  # descriptors of the user's own
    texts = dict.fromkeys(
        row.smiles for row in snapshot.rows if row.library_index >= 0 and may_be_estimated(row.smiles)
    )
    said = {text: estimates_of(text) for text in texts}
    return [
        {"polymer": row.label, "smiles": row.smiles, "estimated": said[row.smiles]}
        for row in snapshot.rows
        if row.library_index >= 0 and said.get(row.smiles)
    ]


def _forecast(calibration: Calibration, snapshot: Snapshot) -> Any:
    """Say what the error is with more measured polymers, target scale; None where that was not asked."""
    forecast = calibration.forecast
    if forecast is None:
        return None
    return _plain(
        {
            "calibrator": forecast.model,
            "measured_polymers": forecast.polymers,
            "band_level": forecast.level,
            "falls": forecast.falls,
            "floor": forecast.floor,
            "exponent": forecast.exponent,
            "exponent_band": [forecast.exponent_lower, forecast.exponent_upper],
            "found": [
                {"polymers": size, "rmse_target_scale": error}
                for size, error in zip(forecast.sizes, forecast.found, strict=True)
            ],
            "forecast": [
                {"polymers": number, "rmse_target_scale": error, "band": [lower, upper]}
                for number in forecast_numbers(forecast)
                for error, lower, upper in [forecast.at(number)]
            ],
            "sentences": list(forecast_sentences(calibration, snapshot.quantity)),
        }
    )


def _flagged(one: FlaggedPolymer) -> Any:
    """Say of a measured value that the others do not let expect how far it is off, errors on the target scale."""
    outlier = one.outlier
    return _plain(
        {
            "polymer": one.row.label,
            "smiles": one.row.smiles,
            "measured": outlier.measured,
            "calibrated_out_of_fold": outlier.calibrated,
            "factor": outlier.factor,
            "studentised_residual": outlier.studentised,
            "p_value": outlier.p_value,
            "rmse_target_scale": outlier.rmse,
            "rmse_target_scale_without": outlier.rmse_without,
            "moves_fitted_values_of_the_others": outlier.influence,
        }
    )


def _model(result: ModelResult, calibration: Calibration) -> dict[str, Any]:
    metrics = result.metrics
    inside = (result.out_of_fold_lower <= calibration.measured) & (calibration.measured <= result.out_of_fold_upper)
    content: dict[str, Any] = {
        "out_of_fold": {
            "n": metrics.n,
            "rmse": metrics.rmse,
            "mae": metrics.mae,
            "r2": metrics.r2,
            "rmse_target_scale": metrics.rmse_target_scale,
            "rmse_standard_error": metrics.rmse_standard_error,
            "interval_level_of_errors": ERROR_LEVEL,
            "rmse_interval": list(metrics.rmse_interval),
            "mae_interval": list(metrics.mae_interval),
            "rmse_target_scale_interval": list(metrics.rmse_target_scale_interval),
            "within_ten_percent": metrics.within_ten_percent,
            "inside_interval": int(inside.sum()) if np.isfinite(result.out_of_fold_lower).any() else None,
        },
        "fitted": {"rmse": result.fitted_metrics.rmse, "rmse_target_scale": result.fitted_metrics.rmse_target_scale},
        "parameters": {name: asdict(estimate) for name, estimate in result.parameters.items()},
    }
    if result.penalties is not None:
        content["penalties"] = asdict(result.penalties)
        content["penalties_on_edge"] = list(result.surface.on_edge) if result.surface is not None else []
    if result.convergence is not None:
        convergence = result.convergence
        content["convergence"] = {
            "solver": convergence.solver,
            "iterations": convergence.iterations,
            "converged": convergence.converged,
            "slope": convergence.slope,
        }
    if result.parts is not None:
        content["interval_parts"] = _interval_parts(result.parts)
    plain = _plain(content)
    assert isinstance(plain, dict)
    return plain


def _by_class(snapshot: Snapshot, model: str) -> list[dict[str, Any]]:
    """Say of every class with enough measured polymers how many of their intervals hold the measured value."""
    return [
        {
            "class": one.name,
            "n": one.polymers,
            "inside_interval": one.inside,
            "share_interval": [one.lower, one.upper],
            "confidence": CONFIDENCE,
        }
        for one in coverage_by_class(snapshot, model)
    ]


def _interval_parts(parts: IntervalParts) -> dict[str, float | None]:
    """Say what the intervals of the library are made of: mean shares of the variance, and what five more runs narrow."""
    known = np.isfinite(parts.model_form)
    found: dict[str, float | None] = {
        name: float(getattr(parts, name)[known].mean()) if known.any() else None for name in PARTS
    }
    narrower = parts.five_more_runs[np.isfinite(parts.five_more_runs)]
    return found | {"five_more_runs_narrow_by": float(narrower.mean()) if len(narrower) else None}


def _plain(value: Any) -> Any:
    """Return a value as JSON can hold it: numpy numbers as Python's, what is not finite as null."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value
