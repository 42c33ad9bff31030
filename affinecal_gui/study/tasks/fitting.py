"""The service behind ``affinecal fit``: two files in, tables and figures out."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from affinecal_gui import __version__
from affinecal_gui.calibration.names import calibrator_name
from affinecal_gui.calibration.results import Calibration, ModelResult
from affinecal_gui.errors import UserError
from affinecal_gui.numbers import significant
from affinecal_gui.progress import CancelCheck, Progress, never, part_of, silent
from affinecal_gui.study.choices import NOTHING_SAID, Choices
from affinecal_gui.study.derive import Derived, derive
from affinecal_gui.study.importing import named
from affinecal_gui.study.results.exporting import write_coefficients, write_predictions
from affinecal_gui.study.results.left_out import (
    LEFT_OUT,
    LeftOutRow,
    left_out_lines,
    left_out_rows,
    raw_tables,
    write_left_out,
)
from affinecal_gui.study.results.study_figures import write_figure
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.tasks.results_folder import results_folder
from affinecal_gui.tables.column_roles import ValueKind
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.export import PLAIN, CsvStyle, write_atomically
from affinecal_gui.tables.polymer_table import PolymerTable, to_polymer_table
from affinecal_gui.tables.properties import Property
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.roles import CERTAIN, guess_roles, with_value_column

OUTPUTS = (
    "predictions.csv",
    "coefficients.csv",
    "metrics.json",
    "parity.svg",
    "parity.png",
    "coefficients.svg",
    "coefficients.png",
)
MOST_NOTES = 10
REPORTS = ("report.pdf", "report.html")


def fit_files(
    experiment: Path,
    md: Path,
    output: Path,
    *,
    property_key: str | None = None,
    descriptors: Path | None = None,
    choices: Choices = NOTHING_SAID,
    report: bool = False,
    value_column: str | None = None,
    md_column: str | None = None,
    style: CsvStyle = PLAIN,
    overwrite: bool = False,
    progress: Progress = silent,
    cancelled: CancelCheck = never,
) -> str:
    """Calibrate the MD values of one file with the measured values of another and write everything to a folder.

    ``choices`` are made instead of those by default. With ``report``, the report is written as well, as PDF and as HTML.
    ``value_column`` and ``md_column`` name the columns of the values, where a file has several of one property.
    Rows that were not used are listed in ``left_out.csv``.

    Returns
    -------
    str
        What was done, for a person: matches, rows left out, the errors of all calibrators.

    Raises
    ------
    UserError
        A file cannot be read, the data cannot be calibrated, or a result exists already and ``overwrite`` is false.
    """
    outputs = (*OUTPUTS, *REPORTS) if report else OUTPUTS
    with results_folder(output, (*outputs, LEFT_OUT), overwrite=overwrite):
        state, tables = read_study(
            experiment,
            md,
            descriptors,
            property_key,
            value_column=value_column,
            md_column=md_column,
            progress=progress,
            cancelled=cancelled,
        )
        state = choices.applied(state)
        derived = derive_as_told(
            state, choices, experiment.name, progress=part_of(progress, 0.1, 0.9), cancelled=cancelled
        )
        snapshot, left_out = _write_results(
            derived, output, "", outputs, style=style, overwrite=overwrite, progress=progress, cancelled=cancelled
        )
    return summary(snapshot, derived, tables, output, outputs, left_out)


def fit_study(
    study: Path,
    output: Path,
    *,
    choices: Choices = NOTHING_SAID,
    report: bool = False,
    style: CsvStyle = PLAIN,
    overwrite: bool = False,
    progress: Progress = silent,
    cancelled: CancelCheck = never,
) -> str:
    """Calibrate a saved study anew, with the choices stored in it but for those given here, and write everything to a folder.

    Returns
    -------
    str
        What was done, for a person.

    Raises
    ------
    UserError
        The file is no study, its data cannot be calibrated, or a result exists already and ``overwrite`` is false.
    """
    from affinecal_gui.study.stored.study_file import open_study

    outputs = (*OUTPUTS, *REPORTS) if report else OUTPUTS
    with results_folder(output, (*outputs, LEFT_OUT), overwrite=overwrite):
        opened = open_study(study, progress=part_of(progress, 0.0, 0.1), cancelled=cancelled)
        state = choices.applied(opened.state)
        derived = derive_as_told(state, choices, study.name, progress=part_of(progress, 0.1, 0.9), cancelled=cancelled)
        if derived.snapshot.calibration is None:
            raise UserError(f"{study.name} cannot be calibrated: it holds no measured and MD values of one property.")
        snapshot, left_out = _write_results(
            derived,
            output,
            study.name,
            outputs,
            style=style,
            overwrite=overwrite,
            progress=progress,
            cancelled=cancelled,
        )
    return summary(snapshot, derived, tuple(loaded.table for loaded in state.tables), output, outputs, left_out)


def derive_as_told(
    state: StudyState,
    choices: Choices,
    measured: str,
    *,
    sources: Sequence[str] = (),
    progress: Progress,
    cancelled: CancelCheck,
) -> Derived:
    """Calibrate; stop as soon as the polymers are matched if the tables do not give the weights that are wished for."""

    def check(partial: Derived) -> None:
        choices.check_weighting(partial.snapshot.weightings, measured)

    return derive(state, Derived(), sources=sources, publish=check, progress=progress, cancelled=cancelled)


def _write_results(
    derived: Derived,
    output: Path,
    study_name: str,
    outputs: Sequence[str],
    *,
    style: CsvStyle,
    overwrite: bool,
    progress: Progress,
    cancelled: CancelCheck,
) -> tuple[Snapshot, tuple[LeftOutRow, ...]]:
    """Write the results of a calibration and return them as the window would show them, and the rows left out."""
    from affinecal_gui.study.assembly import Assembly
    from affinecal_gui.study.results.reporting import write_report

    snapshot = replace(derived.snapshot, settings=derived.state.settings)
    progress(0.9, "Writing the results")
    write_predictions(snapshot, output / "predictions.csv", style=style, overwrite=overwrite)
    write_coefficients(snapshot, output / "coefficients.csv", style=style, overwrite=overwrite)
    assert isinstance(derived.assembly, Assembly)
    # The lines of a study are those of files that may have changed since; those of files just read are right.
    raws = {} if study_name else raw_tables(loaded.table for loaded in derived.assembly.tables)
    left_out = left_out_rows(snapshot, derived.assembly, raws)
    if left_out:
        write_left_out(output / LEFT_OUT, left_out, style=style, overwrite=overwrite)
    else:
        (output / LEFT_OUT).unlink(missing_ok=True)  # that of a run before, which was to be replaced
    metrics = json.dumps(metrics_of(snapshot), indent=2, allow_nan=False, ensure_ascii=False)
    write_atomically(output / "metrics.json", metrics.encode() + b"\n", overwrite=overwrite)
    for name in ("parity", "coefficients"):
        for suffix in ("svg", "png"):
            write_figure(name, snapshot, output / f"{name}.{suffix}", overwrite=overwrite)
    for number, name in enumerate(name for name in REPORTS if name in outputs):
        write_report(
            snapshot,
            derived.state,
            output / name,
            study_name=study_name,
            overwrite=overwrite,
            progress=part_of(progress, 0.92 + 0.04 * number, 0.96 + 0.04 * number),
            cancelled=cancelled,
        )
    progress(1.0, "Done")
    return snapshot, left_out


def read_study(
    experiment: Path,
    md: Path,
    descriptors: Path | None,
    property_key: str | None,
    *,
    value_column: str | None = None,
    md_column: str | None = None,
    progress: Progress = silent,
    cancelled: CancelCheck = never,
) -> tuple[StudyState, tuple[PolymerTable, ...]]:
    """Read the files of a study whose kinds of values are known, and settle on the property.

    Parameters
    ----------
    experiment, md, descriptors
        The tables; measured and MD values may be in one file.
    property_key
        The property; None: the first that both tables have.
    value_column, md_column
        Headings of the columns of measured and of MD values, where they are not to be found.

    Raises
    ------
    UserError
        A file cannot be read, or the two have no property in common.
    """
    progress(0.0, f"Reading {experiment.name}")
    # One file may hold both kinds of values; then it is read once and its columns say which is which.
    same = _same_file(experiment, md)
    named = [name for name in ((value_column, md_column) if same else (value_column,)) if name]
    # What a file given twice holds is for the file to say: an MD table is not to be called a measured one.
    tables = [read_as(experiment, None if same and not named else "measured", named, cancelled=cancelled)]
    if not same:
        progress(0.03, f"Reading {md.name}")
        tables.append(read_as(md, "md", [md_column] if md_column else [], cancelled=cancelled))
    if descriptors is not None:
        tables.append(read_as(descriptors, None, cancelled=cancelled))
        if tables[-1].descriptors is None:
            raise UserError(f"{descriptors.name} has no columns of descriptors, such as mass_H or k_bond_0.")
    state = StudyState().with_tables(tuple(tables))
    return _with_property(state, property_key, experiment.name, md.name, same=same), tuple(tables)


def read_as(
    path: Path, kind: ValueKind | None, value_columns: Sequence[str] = (), *, cancelled: CancelCheck = never
) -> PolymerTable:
    """Read a table whose kind of values the caller knows; a file that says it holds both kinds keeps both.

    ``value_columns`` are headings of the columns that hold the values.
    """
    raw = read_table(path, cancelled=cancelled)
    roles = guess_roles(raw)
    doubt = ""
    if kind is not None and roles.kind not in {kind, "both", "none"}:
        if roles.kind_confidence >= CERTAIN:
            words = {"measured": "measured values", "md": "MD values"}
            doubt = f"{raw.name} looks like {words[roles.kind]}, but was named as the table of {words[kind]}; is it?"
        roles = roles.with_kind(kind)
    for name in value_columns:
        roles = with_value_column(raw, roles, name)
    table = to_polymer_table(raw, roles, cancelled=cancelled)
    return replace(table, notes=(*table.notes, doubt)) if doubt else table


def metrics_of(snapshot: Snapshot) -> dict[str, Any]:
    """Return everything that ``metrics.json`` says; numbers that do not exist are null."""
    calibration = snapshot.calibration
    quantity = snapshot.quantity
    assert calibration is not None
    assert quantity is not None
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
        "bands": snapshot.settings.bands,
        "n_polymers": len(calibration.measured),
        "n_library": len(calibration.library_md),
        "match": snapshot.match_summary,
        "models": {name: _model(result, calibration) for name, result in calibration.models.items()},
        "recommendation": {
            "best": calibration.recommendation.best,
            "recommended": calibration.recommendation.recommended,
            "sentence": calibration.recommendation.sentence,
            "comparisons": [
                {key: _plain(value) for key, value in asdict(pair).items()}
                for pair in calibration.recommendation.comparisons
            ],
        },
        "interval_level": calibration.interval_level,
        "notes": list(calibration.notes),
    }


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
    plain = _plain(content)
    assert isinstance(plain, dict)
    return plain


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


def summary(
    snapshot: Snapshot,
    derived: Derived,
    tables: tuple[PolymerTable, ...],
    output: Path,
    outputs: Sequence[str],
    left_out: Sequence[LeftOutRow] = (),
) -> str:
    """Say in plain words what was done and what was left out."""
    calibration = snapshot.calibration
    assert calibration is not None
    key = snapshot.quantity.key if snapshot.quantity is not None else None
    lines = [*_columns_taken(tables, key), snapshot.match_summary, *_matching_notes(derived)]
    lines += [named(table, remark) for table in tables for remark in table.remarks(key)]
    lines += left_out_lines(left_out)
    lines.append(derived.message)
    lines += _error_table(calibration, snapshot.quantity)
    lines.append(calibration.recommendation.sentence)
    lines += _whose_values(snapshot, calibration)
    if snapshot.settings.weighting == "none" and snapshot.weightings:
        options = " or ".join(f"--weights {weighting}" for weighting in snapshot.weightings)
        lines.append(f"All measured values count the same; {options} lets them count by what the tables say of them.")
    lines += calibration.notes
    written = (*outputs, LEFT_OUT) if left_out else outputs
    lines.append(f"Written to {output}: {', '.join(written)}.")
    return "\n".join(lines)


def _whose_values(snapshot: Snapshot, calibration: Calibration) -> list[str]:
    """Say whose values are written where that is not the recommended calibrator."""
    model, recommended = snapshot.settings.model, calibration.recommendation.recommended
    if model == recommended:
        return []
    own, other = (calibrator_name(name, log_scale=calibration.log_scale) for name in (model, recommended))
    return [f"predictions.csv holds the values of {own}; --calibrator {recommended} writes those of {other}."]


def _error_table(calibration: Calibration, quantity: Property | None) -> list[str]:
    """Return the errors of all calibrators; on a linear scale both kinds of error are the same and stand there once."""
    unit = (quantity.unit if quantity is not None else "") or "no unit"
    lines = [f"Out-of-fold RMSE ({f'ln scale; {unit}' if calibration.log_scale else unit}):"]
    for name, result in calibration.models.items():
        numbers = [result.metrics.rmse]
        if calibration.log_scale:
            numbers.insert(0, result.metrics.rmse_target_scale)
        title = calibrator_name(name, log_scale=calibration.log_scale)
        lines.append(f"  {title:<16} {'   '.join(f'{significant(number, 4):>12}' for number in numbers)}")
    return lines


def _columns_taken(tables: Sequence[PolymerTable], key: str | None) -> list[str]:
    """Say which column of which file was read as what, where several files or columns could have been."""
    words: dict[ValueKind, str] = {"measured": "Measured values", "md": "MD values"}
    found = []
    for kind, word in words.items():
        for table in tables:
            if key is not None and table.has(kind, key):
                column = table.values[(kind, key)]
                unit = f", read as {column.unit_as_written}" if column.unit_as_written else ""
                found.append(f"{word}: {table.name}, column “{shortened(column.heading)}”{unit}.")
    return found


def _matching_notes(derived: Derived) -> list[str]:
    """Say what was combined or ignored when the tables were compared, at most a few lines of it."""
    from affinecal_gui.study.assembly import Assembly

    notes = list(derived.assembly.notes) if isinstance(derived.assembly, Assembly) else []
    more = [f"... and {len(notes) - MOST_NOTES} more remarks of this kind."] if len(notes) > MOST_NOTES else []
    return notes[:MOST_NOTES] + more


def _with_property(state: StudyState, key: str | None, experiment: str, md: str, *, same: bool) -> StudyState:
    """Settle on the property; say precisely what is missing where when there is none."""
    common = state.quantities()
    for name, word, found in (
        (experiment, "measured", state.quantities_of("measured")),
        (md, "MD", state.quantities_of("md")),
    ):
        if not found and same:
            other = "MD" if word == "measured" else "measured"
            raise UserError(
                f"{name} was given twice, as table of measured and of MD values, but it holds {other} values only. Name the "
                f"table of {word} values with {'--experiment' if word == 'measured' else '--md'}."
            )
        if not found:
            raise UserError(f"{name} has no column of {word} values. Give it one whose heading names the property.")
    if not common:
        raise UserError(
            f"{experiment} has measured values of {_listed(state.quantities_of('measured'))}, {md} has MD values of "
            f"{_listed(state.quantities_of('md'))}: no property is in both."
        )
    if key is None:
        return state
    wanted = [quantity.key for quantity in common if quantity.key.casefold() == key.casefold()]
    if not wanted:
        raise UserError(f"There are no measured and MD values of “{key}”; both tables have {_listed(common)}.")
    return state.with_property(wanted[0])


def _listed(quantities: tuple[Property, ...]) -> str:
    shown = [_titled(quantity) for quantity in quantities[:6]]
    return ", ".join(shown) + (" and others" if len(quantities) > 6 else "")


def _titled(quantity: Property) -> str:
    """Return the title of a property as it stands in a sentence, and the key that ``--property`` takes."""
    if quantity.key == quantity.title:
        return quantity.key
    title = quantity.title
    return f"{title[:1].lower()}{title[1:]} ({quantity.key})"


def _same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return False
