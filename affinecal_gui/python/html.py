"""A study in a cell of a notebook: what was matched, how good each calibrator is, and what is recommended."""

from html import escape

from affinecal_gui.calibration.names import calibrator_name
from affinecal_gui.numbers import significant
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.words.outlier_words import notes_shown


def html_of(snapshot: Snapshot, state: StudyState) -> str:
    """Return a study as HTML that any notebook can show; texts of files are escaped."""
    quantity = state.quantity
    unit = f", {quantity.unit}" if quantity.unit else ""
    parts = [f"<h4>{escape(f'{quantity.title}{unit}')}</h4>"]
    files = ", ".join(f"{loaded.table.name} ({loaded.table.row_count:,} rows)" for loaded in state.tables)
    parts.append(f"<p>{escape(files)}</p>")
    if snapshot.match_summary:
        parts.append(f"<p>{escape(snapshot.match_summary)}</p>")
    parts.append(_errors(snapshot) if snapshot.calibration is not None else "<p>Not calibrated yet: call fit().</p>")
    return f"<div>{''.join(parts)}</div>"


def _errors(snapshot: Snapshot) -> str:
    calibration = snapshot.calibration
    assert calibration is not None
    heads = ["calibrator", "out-of-fold RMSE", "MAE", "R²", *(["RMSE, ln scale"] if calibration.log_scale else [])]
    rows = []
    for name, result in calibration.models.items():
        metrics = result.metrics
        numbers = [metrics.rmse, metrics.mae, metrics.r2]
        if calibration.log_scale:
            numbers.append(metrics.rmse_target_scale)
        title = escape(calibrator_name(name, log_scale=calibration.log_scale))
        chosen = f"<b>{title}</b>" if name == snapshot.settings.model else title
        rows.append(_row("td", [chosen, *(significant(number, 4) for number in numbers)]))
    sentences = [calibration.recommendation.sentence, *notes_shown(snapshot)]
    words = "".join(f"<p>{escape(sentence)}</p>" for sentence in sentences)
    return f"<table><thead>{_row('th', heads)}</thead><tbody>{''.join(rows)}</tbody></table>{words}"


def _row(tag: str, cells: list[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>"
