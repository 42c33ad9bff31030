"""What a report says: data, method, parameters, figures, tables, and how to do it again."""

from functools import partial

import numpy as np

from affinecal_gui.calibration.calibrators.linear.log_difference import LOG_DIFFERENCE
from affinecal_gui.calibration.calibrators.parameters import parameters_found
from affinecal_gui.calibration.calibrators.registry import RAW, calibrator, linear_keys, source_keys
from affinecal_gui.calibration.names import calibrator_name, calibrator_title
from affinecal_gui.calibration.results import FloatArray, ModelName, ModelResult
from affinecal_gui.figures.parity.parity import draw_parity
from affinecal_gui.figures.plots.coefficients import draw_coefficients
from affinecal_gui.figures.plots.comparison import RECOMMENDED, draw_comparison, role_of
from affinecal_gui.figures.plots.surface import draw_surface
from affinecal_gui.figures.quantity import Quantity
from affinecal_gui.figures.report.report_data import ReportData
from affinecal_gui.figures.report.report_document import (
    Align,
    Command,
    Document,
    Element,
    Formula,
    Heading,
    Paragraph,
    Picture,
    Table,
    figures_among,
)  # fmt: skip
from affinecal_gui.figures.report.report_polymers import left_out_section, polymers_section, unit_after
from affinecal_gui.figures.report.report_settings import settings_rows
from affinecal_gui.figures.sheet import OpenSheet, Sheet
from affinecal_gui.numbers import (
    estimate,
    p_value,
    r_squared,
    significant,
    with_interval,
)
from affinecal_gui.polymers.descriptors.blocks import DescriptorBlocks

WIDTH_MM = 170.0  # of figures and text on a page
_FIRST_IS_TEXT: tuple[Align, ...] = ("left", "right", "right", "right", "right", "right", "right")

_OBJECTIVE = Formula(
    r"$J = \Vert r \Vert^2 + n\,\lambda_\beta\,\beta^2 + \lambda_1^2\,\Vert\gamma\Vert^2"
    r" + \lambda_2^2\,\Vert M\gamma\Vert^2$",
    "<i>J</i> = ‖<i>r</i>‖<sup>2</sup> + <i>n</i> <i>λ</i><sub>β</sub> <i>β</i><sup>2</sup> "
    "+ <i>λ</i><sub>1</sub><sup>2</sup> ‖<i>γ</i>‖<sup>2</sup> + <i>λ</i><sub>2</sub><sup>2</sup> "
    "‖<i>M</i><i>γ</i>‖<sup>2</sup>",
)


def report_document(data: ReportData, *, most_rows: int) -> Document:
    """Write the report; tables of polymers end after ``most_rows`` rows and say so."""
    calibration, quantity = data.calibration, data.quantity
    elements: list[Element] = [Paragraph(calibration.recommendation.sentence)]
    if data.advice:
        elements.append(Paragraph(f"{data.advice} This report shows the one that was chosen."))
    elements += _results(data)
    elements += _parameters(data)
    for part in (_coefficients, _data, _method):
        elements += part(data, figures_among(elements))
    elements += polymers_section(data, figures_among(elements), most_rows)
    elements += _comparisons(data)
    elements += _again(data)
    sizes = f"{calibration.measured.size} measured polymers, {calibration.library_md.size} with an MD value"
    subtitle = " · ".join(part for part in (data.date, sizes, calibration.protocol) if part)
    return Document(f"Calibration of {_lower(quantity.title)}", subtitle, tuple(elements))


def _lower(title: str) -> str:
    """Start a title small, unless it is an abbreviation."""
    return title[:1].lower() + title[1:] if title[1:2].islower() else title


def _unit(quantity: Quantity) -> str:
    return quantity.unit or "dimensionless"


def _data(data: ReportData, figures: int) -> list[Element]:
    calibration, quantity = data.calibration, data.quantity
    rows: list[tuple[str, ...]]
    found: list[Element] = [Heading("Data")]
    if data.files:
        rows = [(f.name, f.gives, str(f.rows), str(f.rejected)) for f in data.files]
        head = ("Table", "Gives", "Rows read", "Rows not readable")
        found.append(Table(head, rows, ("left", "left", "right", "right")))
    with np.errstate(all="ignore"):
        ratio = calibration.md / calibration.measured
    ratio = ratio[np.isfinite(ratio)]
    summary = (
        f"Measured values of the {calibration.measured.size} polymers in the fit run from {_range(calibration.measured)}, "
        f"their MD values from {_range(calibration.md)} ({_unit(quantity)}). "
        f"The median ratio of MD to measured value is {significant(float(np.median(ratio)) if ratio.size else np.nan)}."
    )
    found.append(Paragraph(f"{data.match_summary} {summary}".strip()))
    found += left_out_section(data, figures)
    return found


def _range(values: FloatArray) -> str:
    finite = values[np.isfinite(values)]
    if not finite.size:
        return "– to –"
    return f"{significant(float(finite.min()), 4)} to {significant(float(finite.max()), 4)}"


def _method(data: ReportData, figures: int) -> list[Element]:
    calibration, quantity = data.calibration, data.quantity
    scale = "the natural logarithm of the measured value" if calibration.log_scale else "the measured value"
    source = "of the MD value" if calibration.log_scale else "the MD value"
    result = calibration.models[data.model]
    found: list[Element] = [
        Heading("Method"),
        Paragraph(
            f"y is {scale} ({quantity.symbol}), f {'that ' if calibration.log_scale else ''}{source}. x holds the "
            "force-field descriptors of the repeat unit, each shifted and scaled as learned from the training "
            "polymers: kernel means of the parameters of its atoms, bonds, angles and dihedrals."
        ),
    ]
    for one in map(calibrator, (*linear_keys(), *source_keys())):
        if one.key in calibration.models and one.report_equation is not None:
            equation = one.report_equation
            title = equation.title or calibrator_title(one.key, log_scale=calibration.log_scale)
            found.append(Formula(equation.mathematics, equation.markup, title))
    if any(calibration.models[m].coefficients is not None for m in calibration.models):
        difference = calibrator_name(LOG_DIFFERENCE.key, log_scale=calibration.log_scale)
        found += [
            Paragraph(
                "The affine calibrator minimises the objective below, r being the n residuals and M the differences of "
                f"neighbouring coefficients within a descriptor block; for {difference} the term in β is absent.",
                introduces=True,
            ),
            _OBJECTIVE,
        ]
    if result.penalties is not None:
        p = result.penalties
        found.append(
            Paragraph(
                f"Penalties of the {data.title_of(data.model).lower()} calibrator: λ₁ = {significant(p.lambda_1)}, "
                f"λ₂ = {significant(p.lambda_2)}, and {significant(p.lambda_beta)} for β. {_edges(result)}".strip()
            )
        )
    found.append(
        Paragraph(
            f"Protocol: {calibration.protocol}. Random numbers start from seed {calibration.seed}. Intervals are meant to "
            f"hold the measured value of {100 * calibration.interval_level:g} % of new polymers. The method is that of "
            "Minami, Fukumizu, Hayashi and Yoshida, Transfer Learning with Affine Model Transformation, NeurIPS 2023."
        )
    )
    found += [Paragraph(note) for note in calibration.notes]
    return found


def _edges(result: ModelResult) -> str:
    names = {"lambda_1": "λ₁", "lambda_2": "λ₂"}
    edges = result.surface.on_edge if result.surface is not None else ()
    if not edges:
        return "They were chosen by cross-validation inside the grid." if result.surface is not None else ""
    return f"The best {' and '.join(names[e] for e in edges)} lies on an edge of the grid: the optimum may lie beyond."


def _results(data: ReportData) -> list[Element]:
    calibration, quantity = data.calibration, data.quantity
    level = f"{100 * calibration.interval_level:g} %"
    errors = ", ".join(
        f"{data.title_of(r.model)} {significant(r.metrics.rmse_target_scale)}" for r in calibration.models.values()
    )
    unit = unit_after(quantity)
    rows: list[tuple[str, ...]]
    target = f"RMSE (95 % interval), ln {quantity.symbol}" if calibration.log_scale else f"RMSE (95 % interval){unit}"
    roles = {name: role_of(calibration, name) for name in calibration.models}
    rows = [
        (
            data.title_of(result.model) + (f" ({roles[result.model]})" if roles[result.model] else ""),
            with_interval(result.metrics.rmse_target_scale, *result.metrics.rmse_target_scale_interval),
            significant(result.metrics.rmse),
            significant(result.metrics.mae),
            r_squared(result.metrics.r2),
            f"{result.metrics.within_ten_percent} of {result.metrics.n}",
            significant(result.fitted_metrics.rmse_target_scale),
        )
        for result in calibration.models.values()
    ]
    head: tuple[str, ...] = (
        "Calibrator, out of fold",
        target,
        f"RMSE{unit}",
        f"MAE{unit}",
        "R²",
        "within ±10 %",
        "RMSE of the fit",
    )
    return [
        Heading("How well the calibrators predict"),
        Paragraph(
            "Errors of predictions for polymers whose measurement a calibrator has not seen. Figure 1 shows the predictions "
            f"for {_first_names(data)}, Figure 2 for each calibrator, and Figure 3 compares their errors.",
            introduces=True,
        ),
        Picture(
            partial(_draw_parity, data, _first_shown(data)),
            f"Figure 1. Out-of-fold predictions of {_first_names(data)} against measured values, with {level} intervals.",
            f"Parity plots. Out-of-fold RMSE on the target scale: {errors}.",
        ),
        Table(head, rows, _FIRST_IS_TEXT[:7]),
        Picture(
            partial(_draw_parity, data, tuple(calibration.models)),
            f"Figure 2. Out-of-fold predictions of each calibrator against measured values, with {level} intervals.",
            f"Parity plots of {len(calibration.models)} calibrators. Out-of-fold RMSE on the target scale: {errors}.",
        ),
        Picture(
            partial(_draw_comparison, data),
            f"Figure 3. Out-of-fold errors of the calibrators. {RECOMMENDED} Bars: 95 % interval over "
            "polymers; an arrow points to an error beyond the end of the axis.",
            f"Out-of-fold RMSE on the target scale: {errors}.",
        ),
    ]


def _first_shown(data: ReportData) -> tuple[ModelName, ...]:
    """Return what the first page shows: MD as it is beside the calibrator that the report is about."""
    return tuple(model for model in dict.fromkeys((RAW, data.model)) if model in data.calibration.models)


def _first_names(data: ReportData) -> str:
    log = data.calibration.log_scale
    return " and ".join(calibrator_name(model, log_scale=log) for model in _first_shown(data))


def _comparisons(data: ReportData) -> list[Element]:
    pairs = data.calibration.recommendation.comparisons
    if not pairs:
        return []
    rows = [
        (
            f"{data.title_of(pair.worse)} against {data.title_of(pair.better)}",
            with_interval(pair.difference, pair.lower, pair.upper),
            p_value(pair.paired_p_value),
            p_value(pair.welch_p_value),
        )
        for pair in pairs
    ]
    head = ("Calibrators, same polymers", "Difference of RMSE (95 % interval)", "Paired test", "Welch’s test")
    return [Heading("Each calibrator against each other"), Table(head, rows, ("left", "right", "right", "right"))]


def _parameters(data: ReportData) -> list[Element]:
    result = data.calibration.models[data.model]
    if not result.parameters:
        return []
    title = data.title_of(data.model)
    rows: list[tuple[str, ...]] = [
        (one.symbol, one.meaning, *estimate(its.value, its.lower, its.upper))
        for one in parameters_found(
            calibrator(data.model).parameters, result.parameters, log_scale=data.calibration.log_scale
        )
        if (its := result.parameters.get(one.name)) is not None
    ]
    level = f"{100 * data.calibration.interval_level:g} % interval"
    found: list[Element] = [
        Heading(f"Parameters of the {title.lower()} calibrator"),
        Table(("Parameter", "What it is", "Value", level), rows, ("left", "left", "right", "right")),
    ]
    if data.explanation:
        found.append(Paragraph(data.explanation))
    if result.convergence is not None and not result.convergence.converged:
        found.append(Paragraph("The solver did not converge; the parameters may still move."))
    return found


def _coefficients(data: ReportData, figures: int) -> list[Element]:
    result = data.calibration.models[data.model]
    name = data.title_of(data.model).lower()
    title, sentences = "Penalties", list[str]()
    pictures: list[Element] = []
    if result.coefficients is not None and data.blocks is not None:
        title = "Coefficients"
        figure = figures + 1
        shown, what = f"Coefficients γ of the {name} calibrator", "coefficients"
        if result.coefficients.average:
            title = "Average effects"
            shown, what = f"Average effects of the descriptors in {data.title_of(data.model)}", "average effects"
            sentences.append(
                f"{data.title_of(data.model)} is made of kernels and has no coefficients. Figure {figure} shows its average "
                "effects instead: the mean over the polymers of the fit of how the calibrated value changes with each "
                "descriptor, at the same MD value. Single polymers may differ from that mean."
            )
        else:
            sentences.append(
                f"Figure {figure} shows the coefficients γ of the {name} calibrator: where they lie away from zero, the "
                "force field carries an error that the descriptors can correct."
            )
        pictures.append(
            Picture(
                partial(_draw_coefficients, data, data.blocks),
                f"Figure {figure}. {shown} over the physical value of each force-field parameter.",
                f"Bars of {len(result.coefficients.gamma)} {what} in {len(data.blocks.blocks)} descriptor blocks.",
            )
        )
    if result.surface is not None:
        figure = figures + len(pictures) + 1
        first, second = result.surface.chosen
        chosen = (
            f"λ₁ = {significant(float(result.surface.lambda_1[first]))}, "
            f"λ₂ = {significant(float(result.surface.lambda_2[second]))}"
        )
        sentences.append(f"Figure {figure} shows how the two penalties were chosen.")
        pictures.append(
            Picture(
                partial(_draw_surface, data),
                f"Figure {figure}. Cross-validated error over the two penalties.",
                f"Heat map of the cross-validated error; lowest at {chosen}.",
            )
        )
    if not pictures:
        return []
    return [
        Heading(title),
        Paragraph(" ".join(sentences)),
        *pictures,
    ]


def _again(data: ReportData) -> list[Element]:
    found: list[Element] = []
    if data.command:
        found += [Paragraph("In a terminal, in the folder of the tables:", introduces=True), Command(data.command)]
    for way in data.ways:
        found += [Paragraph(way.sentence, introduces=True), Command(way.command)]
    settings = settings_rows(data.calibration.settings)
    if settings:
        found.append(Table(("Setting", "Value"), settings, ("left", "left")))
    if data.versions:
        found.append(Table(("Program or library", "Version"), list(data.versions.items()), ("left", "left")))
    return [Heading("How to do it again"), *found] if found else []


def _draw_parity(data: ReportData, models: tuple[ModelName, ...], open_sheet: OpenSheet) -> Sheet:
    return draw_parity(open_sheet, data.calibration, data.quantity, models=models, width_mm=WIDTH_MM)


def _draw_comparison(data: ReportData, open_sheet: OpenSheet) -> Sheet:
    # The sentences of the figure stand in the report already, and its comparisons in a table.
    return draw_comparison(open_sheet, data.calibration, data.quantity, sentences=False, width_mm=WIDTH_MM)


def _draw_coefficients(data: ReportData, blocks: DescriptorBlocks, open_sheet: OpenSheet) -> Sheet:
    return draw_coefficients(open_sheet, data.calibration, blocks, data.quantity, model=data.model, width_mm=WIDTH_MM)


def _draw_surface(data: ReportData, open_sheet: OpenSheet) -> Sheet:
    return draw_surface(open_sheet, data.calibration, data.quantity, model=data.model, width_mm=110.0)
