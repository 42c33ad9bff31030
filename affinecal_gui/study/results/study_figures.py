"""The figures that a study can be drawn as, each under its name; the window, the command line and files share them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from affinecal_gui.calibration.calibrators.registry import RAW
from affinecal_gui.calibration.results import Calibration, CoefficientEstimates, ModelName
from affinecal_gui.errors import UserError
from affinecal_gui.polymers.descriptors.blocks import DescriptorBlocks
from affinecal_gui.study.data.row_columns import columns_of
from affinecal_gui.study.finished import finished, model_with_coefficients, quantity_alone, quantity_of
from affinecal_gui.study.results.figure_colours import coloured, coloured_training
from affinecal_gui.study.shown.parity_points import Stage, parity_points
from affinecal_gui.study.shown.traits import MEASURED, NO_TRAIT
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.task import UNWATCHED, Task

if TYPE_CHECKING:  # matplotlib is imported when a figure is drawn
    from matplotlib.figure import Figure

    from affinecal_gui.figures.plots.corrected import CorrectedPlot, ModePlot

Arrangement = Literal["panels", "overlaid"]
Predictions = Literal["out-of-fold", "fitted"]
Shown = Literal["all", "with_md", "one"]

NARROWEST, WIDEST = 60.0, 1000.0
"""Widths in mm that a figure can have."""

NO_POLYMER = "No polymer is selected. Select one in the table or in a plot."
CORRECTED_ALONE = (
    "This figure shows MD values that are corrected for quantum effects without a calibration: load MD values of a heat "
    "capacity without measured ones."
)

_KINDS = (("atom", "atoms"), ("bond", "bonds"), ("angle", "angles"), ("dihedral", "dihedrals"))


@dataclass(frozen=True, slots=True)
class FigureOptions:
    """What can be chosen about a figure; each figure heeds what concerns it."""

    width_mm: float = 180.0
    arrangement: Arrangement = "panels"  # parity: one panel per calibrator, or all in one
    predictions: Predictions = "out-of-fold"  # parity
    intervals: bool = True  # parity, out-of-fold
    row_key: str = ""  # attribution: of which polymer
    block_order: tuple[str, ...] = ()  # coefficients: blocks named here come first, in this order
    against: str = MEASURED  # residuals: key of the trait at the lower axis, see study.shown.traits
    colour_by: str = NO_TRAIT  # parity in panels, residuals: key of the trait that points are coloured by
    calibrators: Shown = "all"  # parity: all, the one of the study beside MD as it is, or that one alone
    letters: bool = False  # parity in panels, coefficients: (a), (b) ... at the panels
    notes: bool = True  # sentences below the figure, which journals want in the caption


@dataclass(frozen=True, slots=True)
class FigureKind:
    """One figure: what it is called, and how it is drawn from a study.

    ``draw`` raises UserError, with the reason in a sentence, where a study does not have what the figure shows.
    """

    name: str  # stable short name, and what its file is called
    title: str
    draw: Callable[[Snapshot, FigureOptions], "Figure"]
    heeds: frozenset[str] = frozenset({"width_mm", "notes"})  # names of the options that change it
    preset: str = "full"  # key of the size it usually has, see figures.presets


def draw_figure(name: str, snapshot: Snapshot, options: FigureOptions | None = None) -> "Figure":
    """Draw one of :data:`FIGURES`.

    Raises
    ------
    UserError
        The study does not have what the figure shows, or the width cannot be used.
    """
    options = FigureOptions() if options is None else options
    if not NARROWEST <= options.width_mm <= WIDEST:
        raise UserError(f"A figure cannot be {options.width_mm:g} mm wide. Choose {NARROWEST:g} to {WIDEST:g} mm.")
    return FIGURES[name].draw(snapshot, options)


def render(
    name: str, snapshot: Snapshot, suffix: str, options: FigureOptions | None = None, *, dpi: float = 300
) -> bytes:
    """Return one of :data:`FIGURES` as the content of a file with this ending; raise UserError as the others do."""
    from affinecal_gui.figures.releasing import drawn
    from affinecal_gui.figures.saving import render_figure

    with drawn(draw_figure(name, snapshot, options)) as figure:
        return render_figure(figure, suffix, dpi=dpi)


def write_figure(
    name: str,
    snapshot: Snapshot,
    path: Path,
    options: FigureOptions | None = None,
    *,
    overwrite: bool = False,
    dpi: float = 300,
    task: Task = UNWATCHED,
) -> Path:
    """Draw one of :data:`FIGURES` into a file; the suffix says in which format.

    Raises
    ------
    UserError
        As :func:`draw_figure`; unknown format, existing file, or a folder that cannot be written to.
    Cancelled
        When the task was cancelled; nothing was written.
    """
    write_figures(name, snapshot, (path,), options, overwrite=overwrite, dpi=dpi, task=task)
    return path


def write_figures(
    name: str,
    snapshot: Snapshot,
    paths: Iterable[Path],
    options: FigureOptions | None = None,
    *,
    overwrite: bool = False,
    dpi: float = 300,
    task: Task = UNWATCHED,
) -> None:
    """Draw one of :data:`FIGURES` once, into a file for each format; raise as :func:`write_figure` does."""
    from affinecal_gui.figures.releasing import drawn
    from affinecal_gui.figures.saving import save_figure

    with drawn(draw_figure(name, snapshot, options)) as figure:
        for path in paths:
            task.check()
            save_figure(figure, path, dpi=dpi, overwrite=overwrite, task=task)


# ---------------------------------------------------------------- the figures


def _parity(snapshot: Snapshot, options: FigureOptions) -> "Figure":
    from affinecal_gui.figures.parity.parity import parity_figure

    calibration, groups = finished(snapshot), None
    if options.arrangement == "panels":
        points = parity_points(columns_of(snapshot), calibration, _stage(options))
        groups = coloured_training(snapshot, points, options.colour_by, calibration.measured.size)
    return parity_figure(
        calibration,
        quantity_of(snapshot),
        predictions=options.predictions,
        intervals=options.intervals,
        arrangement=options.arrangement,
        models=_models(snapshot, options),
        width_mm=options.width_mm,
        groups=groups,
        notes=options.notes,
        letters=options.letters,
    )


def _models(snapshot: Snapshot, options: FigureOptions) -> tuple[ModelName, ...] | None:
    """Return the calibrators that a figure of parity shows; None for all."""
    calibration, shown = finished(snapshot), snapshot.settings.model
    if options.calibrators == "all" or shown not in calibration.models:
        return None
    first = (RAW,) if options.calibrators == "with_md" and shown != RAW and RAW in calibration.models else ()
    return (*first, shown)


def _stage(options: FigureOptions) -> Stage:
    return "fitted" if options.predictions == "fitted" else "out_of_fold"


def _residuals(snapshot: Snapshot, options: FigureOptions) -> "Figure":
    from affinecal_gui.figures.plots.residuals import ResidualPlot, residual_figure, residual_note
    from affinecal_gui.study.shown.residuals import residuals

    quantity = quantity_of(snapshot)
    found = residuals(snapshot, _stage(options), options.against)
    used = ~found.points.left_out
    trait = found.against
    note = residual_note(
        found.mean, found.spread, found.rank_correlation, trait.title, int(np.isfinite(found.y[used]).sum())
    )
    groups = coloured(snapshot, found.points, options.colour_by)
    plot = ResidualPlot(
        found.model, found.x[used], found.y[used], trait.title, trait.unit, found.log_x, found.line,
        f"{'Fitted' if options.predictions == 'fitted' else 'Out-of-fold'} predictions; {note}",
        groups.taken(used) if groups is not None else None,
    )  # fmt: skip
    if not (np.isfinite(plot.x) & np.isfinite(plot.y)).any():
        raise UserError(f"No polymer of the fit has both a residual and “{trait.title}”.")
    return residual_figure(plot, quantity, width_mm=options.width_mm, notes=options.notes)


def _coefficients(snapshot: Snapshot, options: FigureOptions) -> "Figure":
    from affinecal_gui.figures.plots.coefficients import coefficient_figure

    model = model_with_coefficients(snapshot)
    calibration, blocks = arranged_coefficients(snapshot, model, options.block_order)
    return coefficient_figure(
        calibration,
        blocks,
        quantity_of(snapshot),
        model=model,
        width_mm=options.width_mm,
        notes=options.notes,
        letters=options.letters,
    )


def _surface(snapshot: Snapshot, options: FigureOptions) -> "Figure":
    from affinecal_gui.figures.plots.surface import surface_figure

    calibration = finished(snapshot)
    model = model_with_coefficients(snapshot)
    if calibration.models[model].surface is None:
        raise UserError("The penalties were not chosen over a grid, so there is no cross-validation surface.")
    return surface_figure(
        calibration, quantity_of(snapshot), model=model, width_mm=options.width_mm, notes=options.notes
    )


def _comparison(snapshot: Snapshot, options: FigureOptions) -> "Figure":
    from affinecal_gui.figures.plots.comparison import comparison_figure

    return comparison_figure(finished(snapshot), quantity_of(snapshot), width_mm=options.width_mm, notes=options.notes)


def _overlap(snapshot: Snapshot, options: FigureOptions) -> "Figure":
    from affinecal_gui.figures.plots.overlap import overlap_figure

    overlap = finished(snapshot).overlap
    if overlap is None:
        raise UserError(
            "Whether MD value and descriptors overlap comes with a comparison of the methods with kernels: choose one or "
            "more of them under “Compare more methods…” in the model panel."
        )
    return overlap_figure(overlap, width_mm=options.width_mm, notes=options.notes)


def _forecast(snapshot: Snapshot, options: FigureOptions) -> "Figure":
    from affinecal_gui.figures.plots.forecast import forecast_figure
    from affinecal_gui.study.words.forecast_words import forecast_sentences

    calibration = finished(snapshot)
    if calibration.forecast is None:
        raise UserError(
            "How the error falls with more measurements has not been forecast yet: press “Forecast the error with more "
            "measurements” in the list “Measure next”, or give --forecast on the command line."
        )
    sentences = forecast_sentences(calibration, snapshot.quantity) if options.notes else ()
    return forecast_figure(calibration.forecast, quantity_of(snapshot), sentences, width_mm=options.width_mm)


def corrected_plot(snapshot: Snapshot) -> "CorrectedPlot":
    """Return what is drawn of corrected against MD values; raise UserError where there are none."""
    from affinecal_gui.figures.plots.corrected import CorrectedPlot

    corrected = snapshot.corrected
    if corrected is None or not np.isfinite(corrected.values).any():
        raise UserError(CORRECTED_ALONE)
    count = int(np.isfinite(corrected.values).sum())
    level = f"; bars: {100 * corrected.interval_level:g} % intervals" if np.isfinite(corrected.lower).any() else ""
    return CorrectedPlot(
        np.array([row.md for row in snapshot.rows]),
        corrected.values,
        corrected.lower,
        corrected.upper,
        (f"n = {count}{level}. On the line nothing is taken off.",),
    )


def mode_plot(snapshot: Snapshot, row_key: str = "") -> "ModePlot":
    """Return what is drawn of the vibrations by which MD values are corrected.

    Parameters
    ----------
    row_key
        Of the polymer whose vibrations are drawn where values are measured; MD values alone have their mean.

    Raises
    ------
    UserError
        No vibrations are known.
    """
    from affinecal_gui.figures.plots.corrected import ModePlot

    modes = snapshot.corrected.modes if snapshot.corrected is not None else None
    if modes is None:
        return _modes_of(snapshot, row_key)
    which = "of one polymer" if modes.polymers == 1 else f"of {modes.polymers} polymers, mean"
    return ModePlot(modes.wavenumbers, modes.moved, modes.quantum, (f"Vibrations {which}; GAFF2, infinite chains.",))


def _modes_of(snapshot: Snapshot, row_key: str) -> "ModePlot":
    """Return what is drawn of the vibrations of one polymer."""
    from affinecal_gui.figures.plots.corrected import ModePlot
    from affinecal_gui.polymers.copolymers.composition import parse_composition
    from affinecal_gui.study.shown.vibration_content import vibration_content

    if snapshot.calibration is None:
        raise UserError(CORRECTED_ALONE)
    row = snapshot.row(row_key)
    if row is None:
        raise UserError(NO_POLYMER)
    found = vibration_content(snapshot, row, parse_composition(row.smiles))
    if found is None:
        raise UserError("The vibrations of this polymer are not known, or the property does not depend on them.")
    note = f"Vibrations of {row.label}; GAFF2, infinite chain."
    return ModePlot(found.wavenumbers, found.moved, found.quantum, (note,))


def _corrected(snapshot: Snapshot, options: FigureOptions) -> "Figure":
    from affinecal_gui.figures.plots.corrected import corrected_figure

    quantity = quantity_alone(snapshot)
    plot = corrected_plot(snapshot)
    plot = plot if options.notes else replace(plot, sentences=())
    return corrected_figure(plot, quantity, width_mm=options.width_mm)


def _modes(snapshot: Snapshot, options: FigureOptions) -> "Figure":
    from affinecal_gui.figures.plots.corrected import mode_figure

    quantity_alone(snapshot)  # or there is nothing yet
    plot = mode_plot(snapshot, options.row_key)
    return mode_figure(plot if options.notes else replace(plot, sentences=()), width_mm=options.width_mm)


def _attribution(snapshot: Snapshot, options: FigureOptions) -> "Figure":
    from affinecal_gui.figures.plots.attribution import Share, attribution_figure
    from affinecal_gui.figures.plots.structure import ColouredStructure
    from affinecal_gui.study.shown.correction import correction_of

    row = snapshot.row(options.row_key)
    if row is None:
        raise UserError(NO_POLYMER)
    quantity = quantity_of(snapshot)
    correction = correction_of(snapshot, row)
    totals = correction.attribution.kind_totals
    return attribution_figure(
        [Share(words, totals[kind]) for kind, words in _KINDS],  # type: ignore[index]
        quantity,
        polymer=row.label if row.id in ("", row.label) else f"{row.label} ({row.id})",
        total=correction.attribution.total,
        structure=ColouredStructure(correction.unit, correction.shares),
        width_mm=options.width_mm,
        notes=options.notes,
    )


_ALWAYS = frozenset({"width_mm", "notes"})
_POINTS = _ALWAYS | {"predictions", "colour_by"}

FIGURES: Mapping[str, FigureKind] = {
    kind.name: kind
    for kind in (
        FigureKind("parity", "Parity", _parity, _POINTS | {"arrangement", "intervals", "calibrators", "letters"}),
        FigureKind(
            "residuals",
            "Residuals",
            _residuals,
            _POINTS | {"against"},
            "one-and-half",
        ),
        FigureKind("coefficients", "Coefficients", _coefficients, _ALWAYS | {"block_order", "letters"}),
        FigureKind("comparison", "Comparison of the calibrators", _comparison),
        FigureKind("surface", "Cross-validation surface", _surface, preset="single"),
        FigureKind("overlap", "Overlap of MD value and descriptors", _overlap, preset="single"),
        FigureKind("forecast", "Error with more measurements", _forecast, preset="single"),
        FigureKind("attribution", "Effect of the selected polymer", _attribution, _ALWAYS | {"row_key"}, "single"),
        FigureKind("corrected", "MD against corrected values", _corrected, preset="single"),
        FigureKind("modes", "Vibrations", _modes, _ALWAYS | {"row_key"}, "single"),
    )
}
"""What can be drawn, by name. A new figure is one more line."""


def arranged_coefficients(
    snapshot: Snapshot, model: ModelName, order: Sequence[str] = ()
) -> tuple[Calibration, DescriptorBlocks]:
    """Return the calibration and the blocks with the coefficients of ``model`` as the window shows them.

    Blocks named in ``order`` come first, the others follow in their own order; blocks that are switched off in the model
    have no coefficients and are left out.

    Raises
    ------
    UserError
        There are no coefficients.
    """
    calibration, blocks = finished(snapshot), snapshot.blocks
    result = calibration.models[model]
    estimates = result.coefficients
    if estimates is None or blocks is None or estimates.gamma.size != len(blocks.columns):
        raise UserError("This calibration has no coefficients.")
    named = [block for name in order for block in blocks.blocks if block.name == name]
    shown = [
        block
        for block in (*named, *(block for block in blocks.blocks if block not in named))
        if block.name not in snapshot.settings.blocks_off
    ]
    if not shown:
        raise UserError("All descriptor blocks are switched off: there are no coefficients.")
    where = blocks.slices
    columns = np.concatenate([np.arange(where[block.name].start, where[block.name].stop) for block in shown])
    part = CoefficientEstimates(
        estimates.gamma[columns],
        estimates.lower[columns],
        estimates.upper[columns],
        estimates.mean[columns],
        estimates.scale[columns],
        estimates.sign,
        estimates.average,
    )
    models = {**calibration.models, model: replace(result, coefficients=part)}
    return replace(calibration, models=models), DescriptorBlocks(tuple(shown))
