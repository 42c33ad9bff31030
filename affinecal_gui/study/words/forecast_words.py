"""How far more measurements would help, in words made from the numbers."""

import math

from affinecal_gui.calibration.names import calibrator_in_sentence
from affinecal_gui.calibration.results import Calibration, ErrorForecast
from affinecal_gui.numbers import decimal, interval, significant, with_interval
from affinecal_gui.tables.units.properties import Property

TIMES = 2
"""The forecast that is told without being asked for: with so many times the polymers there are."""


def error_title(calibration: Calibration, quantity: Property | None) -> str:
    """Return what the errors are: "RMSE of ln Cp", or with the unit on the linear scale."""
    symbol, unit = ("value", "") if quantity is None else (quantity.symbol, quantity.unit)
    if calibration.log_scale:
        return f"RMSE of ln {symbol}"
    return f"RMSE of {symbol} ({unit})" if unit else f"RMSE of {symbol}"


def forecast_sentences(calibration: Calibration, quantity: Property | None) -> tuple[str, ...]:
    """Say what is forecast for twice as many measured polymers, and whether more are known to help; () without a forecast."""
    forecast = calibration.forecast
    if forecast is None:
        return ()
    name = calibrator_in_sentence(forecast.model, log_scale=calibration.log_scale)
    level = f"{100 * forecast.level:.0f} %"
    now, then = forecast.at(forecast.polymers), forecast.at(TIMES * forecast.polymers)
    first = (
        f"{error_title(calibration, quantity)} by {name}: {with_interval(*now)} with the {forecast.polymers} measured "
        f"polymers, {with_interval(*then)} forecast with {TIMES * forecast.polymers} ({level} bands)."
    )
    return first, _whether_it_falls(forecast, level), *_who_else(calibration, forecast)


def needed_sentence(calibration: Calibration, wished: float) -> str:
    """Say how many measured polymers bring the error down to ``wished``, target scale; "" without a forecast."""
    forecast = calibration.forecast
    if forecast is None:
        return ""
    what = f"an RMSE of {significant(wished)}"
    if not (math.isfinite(wished) and wished > 0.0):
        return "The error that is wished for must be a number above 0."
    if wished >= forecast.at(forecast.polymers)[2]:
        return f"{what[0].upper()}{what[1:]} is reached already with {forecast.polymers} measured polymers."
    if not forecast.falls:
        return f"Whether more measurements lead to {what} cannot be told: they may not lower the error at all."
    found, here = forecast.needed(wished), forecast.polymers
    if math.isinf(found.fewest):
        return f"{what[0].upper()}{what[1:]} is not reached with {forecast.farthest} measured polymers."
    fewest = math.ceil(max(found.fewest, here))
    if math.isinf(found.most):
        least = f"at least {fewest - here} more must be measured" if fewest > here else "those there are may be enough"
        return f"For {what}, {least}; whether {forecast.farthest} in all are enough cannot be told."
    most = math.ceil(found.most)
    if fewest == here:
        return f"For {what}, up to {most - here} more must be measured, {most} in all."
    if fewest == most:
        return f"For {what}, some {most - here} more must be measured, {most} in all."
    return f"For {what}, {fewest - here} to {most - here} more must be measured, {fewest} to {most} in all."


def _whether_it_falls(forecast: ErrorForecast, level: str) -> str:
    band = interval(forecast.exponent_lower, forecast.exponent_upper)
    if forecast.falls:
        of_n = interval(-forecast.exponent_upper, -forecast.exponent_lower)
        return (
            f"What falls of the error goes with n to the power of −{decimal(forecast.exponent, 2)} ({of_n} with {level}); "
            f"{significant(forecast.floor)} remains, however many are measured."
        )
    return (
        f"Whether more measurements lower it cannot be told: the {level} band of the power by which it falls, {band}, "
        f"holds 0."
    )


def _who_else(calibration: Calibration, forecast: ErrorForecast) -> tuple[str, ...]:
    recommended = calibration.recommendation.recommended
    if forecast.model == recommended:
        return ()
    own = calibrator_in_sentence(forecast.model, log_scale=calibration.log_scale)
    other = calibrator_in_sentence(recommended, log_scale=calibration.log_scale)
    return (
        f"The forecast is that of {own}, since {other}, which is recommended, is not fitted to parts of the polymers.",
    )
