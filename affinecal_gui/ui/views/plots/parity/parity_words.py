"""The words inside the parity plot: the note with the errors, the key, and the error in each small panel."""

from affinecal_gui.calibration.calibrators.registry import RAW
from affinecal_gui.calibration.names import calibrator_title
from affinecal_gui.calibration.results import Calibration, ModelName
from affinecal_gui.study.shown.parity_points import ParityPoints
from affinecal_gui.ui.parts.number_text import decimals_for, number_text, significant
from affinecal_gui.ui.parts.theme.fonts import BODY_SIZE, NOTE_SIZE
from affinecal_gui.ui.views.plots.canvas.plot_notes import Piece

Lines = list[list[Piece]]


def error_lines(points: ParityPoints, calibration: Calibration, chosen: ModelName, unit: str, stage: str) -> Lines:
    """Return the errors of one calibrator; ``stage`` says what kind of predictions they are of."""
    metrics = points.models[chosen].metrics
    decimals = decimals_for((metrics.rmse, metrics.mae), 3)
    title = calibrator_title(chosen, log_scale=calibration.log_scale) + stage
    return [
        [Piece(sample="mark", model=chosen), Piece(title, bold=True, size=BODY_SIZE, model=chosen)],
        [Piece("RMSE", "muted"), Piece(number_text(metrics.rmse, decimals), tab=40.0), Piece(unit)],
        [
            Piece("MAE", "muted"),
            Piece(number_text(metrics.mae, decimals), tab=40.0),
            Piece("R²", "muted", italic=True, tab=74.0),
            Piece(number_text(metrics.r2, 2)),
        ],
        [Piece(f"{metrics.within_ten_percent} of {metrics.n} within ±10 %")],
    ]


def overlaid_error_lines(
    points: ParityPoints, calibration: Calibration, chosen: ModelName, unit: str, stage: str
) -> Lines:
    """Return the errors of all calibrators, the chosen one in bold type."""
    lines = [[Piece(f"RMSE{', ' + unit if unit else ''}{stage}", "muted")]]
    for model in calibration.models:
        value = points.models[model].metrics.rmse
        lines.append(
            [
                Piece(sample="mark", model=model),
                Piece(calibrator_title(model, log_scale=calibration.log_scale), bold=model == chosen, model=model),
                Piece(number_text(value, decimals_for((value,), 3)), flush=True, bold=model == chosen),
            ]
        )
    return lines


def key_lines(points: ParityPoints, calibration: Calibration, chosen: ModelName, *, intervals: bool) -> Lines:
    """Return what line, band, bars and hollow marks mean."""
    key: Lines = [
        [Piece(sample="identity"), Piece("identity", "muted")],
        [Piece(sample="band"), Piece("±10 %", "muted")],
    ]
    if intervals and chosen != RAW:
        level = number_text(100.0 * calibration.interval_level)
        key.append([Piece(sample="interval", model=chosen), Piece(f"{level} % interval", "muted")])
    if (points.left_out & ~points.from_predicted).any():
        key.append([Piece(sample="left_out"), Piece("left out of the fit", "muted")])
    if points.from_predicted.any():
        key.append([Piece(sample="from_predicted"), Piece("from a predicted MD value", "muted")])
    return key


def small_error_lines(points: ParityPoints, model: ModelName) -> Lines:
    """Return the error of the calibrator of a small panel."""
    value = points.models[model].metrics.rmse
    text = number_text(value, decimals_for((value,), 3))
    # A number with a power of ten fills the panel; what it is stands in the panel above.
    words = significant(value, 2) if "×" in text else f"RMSE {text}"
    return [[Piece(words, size=NOTE_SIZE)]]
