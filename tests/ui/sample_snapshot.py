"""A finished study made of invented numbers: 81 measured polymers, 61 of them in the fit, 333 with an MD value.

Names and repeat units are those of the bundled heat-capacity example, every number is drawn with a fixed seed; nothing
here is a golden value. Views are tested on it without running chemistry or mathematics.
"""

import csv
from dataclasses import replace
from functools import cache
from importlib import resources

import numpy as np

from affinecal_gui.calibration.calibrators.registry import calibrator, fitted_keys
from affinecal_gui.calibration.results import (
    Calibration,
    CoefficientEstimates,
    Convergence,
    Estimate,
    FloatArray,
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
from affinecal_gui.polymers.descriptors.blocks import DescriptorBlock, DescriptorBlocks, TermKind
from affinecal_gui.study.snapshot import PolymerRow, Settings, Snapshot, TableSummary
from affinecal_gui.tables.units.properties import find_property

ELEMENTS = ("H", "C", "N", "O", "F", "P", "S", "Cl", "Br", "I")
MASSES = (1.008, 12.011, 14.007, 15.999, 18.998, 30.974, 32.06, 35.45, 79.904, 126.904)

MEASURED, LIBRARY, MATCHED, LEFT_OUT = 81, 333, 62, "nylon 11"
WITHOUT_MD = ("nylon 612", "poly(1,3-dioxepane)", "poly(1,3-dioxolane)", "poly(1,4-phenylene oxide)")


def _frozen(values: FloatArray) -> FloatArray:
    values = np.ascontiguousarray(values)
    values.flags.writeable = False
    return values


def _example(file: str) -> list[dict[str, str]]:
    text = (resources.files("affinecal_gui.resources") / "examples" / file).read_text(encoding="utf-8-sig")
    return list(csv.DictReader(text.splitlines()))


@cache
def sample_blocks() -> DescriptorBlocks:
    """Ten blocks with 190 columns, in plausible units."""
    spread = tuple((2 * j + 1) / 40 for j in range(20))
    masses = tuple((mass - MASSES[0]) / (MASSES[-1] - MASSES[0]) for mass in MASSES)
    plain: tuple[tuple[str, str, str, str, TermKind, float, float], ...] = (
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
    mass = DescriptorBlock(
        "mass",
        "Atomic mass",
        "m",
        "",
        "atom",
        tuple(f"mass_{element}" for element in ELEMENTS),
        MASSES[0],
        MASSES[-1],
        masses,
        0.05,
        ELEMENTS,
    )
    others = tuple(
        DescriptorBlock(
            name, title, symbol, unit, over, tuple(f"{name}_{j}" for j in range(20)), low, high, spread, 0.025
        )
        for name, title, symbol, unit, over, low, high in plain
    )
    return DescriptorBlocks((mass, *others))


def _metrics(measured: FloatArray, predicted: FloatArray) -> Metrics:
    residual = predicted - measured
    logs = np.log(predicted / measured)
    return Metrics(
        n=measured.size,
        rmse=float(np.sqrt(np.mean(residual**2))),
        mae=float(np.mean(np.abs(residual))),
        r2=float(1 - np.sum(residual**2) / np.sum((measured - measured.mean()) ** 2)),
        rmse_target_scale=float(np.sqrt(np.mean(logs**2))),
        rmse_standard_error=0.007,
        within_ten_percent=int(np.sum(np.abs(predicted / measured - 1) <= 0.1)),
    )


def _coefficients(sign: int) -> CoefficientEstimates:
    gamma = np.concatenate(
        [
            (0.008 * np.linspace(1.0, -1.0, block.size))
            if block.name == "mass"
            # low values of every other parameter pull the correction down, the rest fades away
            else -0.012 * (number % 3 + 0.3) / 2 * np.exp(-(((np.arange(block.size) - 4) / 4.0) ** 2))
            for number, block in enumerate(sample_blocks().blocks)
        ]
    )
    half = 0.004 + 0.3 * np.abs(gamma)
    d = gamma.size
    return CoefficientEstimates(
        gamma=_frozen(sign * gamma),
        lower=_frozen(sign * gamma - half),
        upper=_frozen(sign * gamma + half),
        mean=_frozen(np.full(d, 0.1)),
        scale=_frozen(np.full(d, 0.05)),
        sign=sign,
    )


def _surface() -> PenaltySurface:
    lambda_1 = np.logspace(-2, 2, 25)
    lambda_2 = np.logspace(0, 3, 13)
    first, second = np.log10(lambda_1)[:, None], np.log10(lambda_2)[None, :]
    rmse = 0.165 + 0.012 * (first - 0.83) ** 2 + 0.006 * (second - 1.5) ** 2 + 0.01 * np.maximum(0, -first - second + 1)
    lowest = np.unravel_index(int(np.argmin(rmse)), rmse.shape)
    return PenaltySurface(_frozen(lambda_1), _frozen(lambda_2), _frozen(rmse), (int(lowest[0]), int(lowest[1])))


def _rows(random: np.random.Generator) -> tuple[PolymerRow, ...]:
    measured, library = _example("heat_capacity_measured.csv"), _example("md_radonpy.csv")
    measured.sort(key=lambda line: line["name"].lower())
    names = [line["name"] for line in measured]
    others = [name for name in names[::4] if name not in (*WITHOUT_MD, LEFT_OUT, *names[:3])]
    without = {*WITHOUT_MD, *others[: MEASURED - MATCHED - len(WITHOUT_MD)]}
    rows: list[PolymerRow] = []
    training = matched = 0
    for number, line in enumerate(measured):
        value = float(line["Cp [J/(kg K)]"])
        details = tuple((name, text) for name, text in line.items() if name not in ("name", "smiles", "Cp [J/(kg K)]"))
        common = {"key": f"m{number}", "name": line["name"], "smiles": line["smiles"], "measured": value}
        if line["name"] in without:
            rows.append(PolymerRow(**common, id="", md=np.nan, state="no MD value", details=details))
            continue
        left_out = line["name"] == LEFT_OUT
        rows.append(
            PolymerRow(
                **common,
                id=library[matched]["monomer_ID"],
                md=value * float(np.exp(0.82 + 0.12 * random.standard_normal())),
                state="left out" if left_out else "used",
                training_index=-1 if left_out else training,
                library_index=matched,
                details=details,
            )
        )
        matched += 1
        training += not left_out
    for number, line in enumerate(library[matched:], start=matched):
        rows.append(
            PolymerRow(
                f"p{number}",
                "",
                line["monomer_ID"],
                line["smiles"],
                np.nan,
                float(line["Cp"]),
                "predicted",
                library_index=number,
            )
        )
    return tuple(rows)


@cache
def sample_snapshot() -> Snapshot:
    """The whole study, calibrated: four models, 61 polymers in the fit."""
    random = np.random.default_rng(20)
    rows = _rows(random)
    blocks = sample_blocks()
    used = [row for row in rows if row.training_index >= 0]
    library = sorted((row for row in rows if row.library_index >= 0), key=lambda row: row.library_index)
    measured = _frozen(np.array([row.measured for row in used]))
    md = _frozen(np.array([row.md for row in used]))
    library_md = _frozen(np.array([row.md for row in library]))
    n, m, d = len(used), len(library), len(blocks.columns)
    spread = {"md": 0.0, "ordinary": 0.186, "log_difference": 0.165, "affine": 0.171}
    models: dict[ModelName, ModelResult] = {}
    for model in fitted_keys():
        one = calibrator(model)
        own = random if model in spread else np.random.default_rng(list(model.encode()))  # others stay as they are
        noise = spread.get(model, 0.18)
        out = md if model == "md" else _frozen(measured * np.exp(noise * own.standard_normal(n)))
        fitted = md if model == "md" else _frozen(np.sqrt(measured * out))
        values = (
            library_md if model == "md" else _frozen(library_md * np.exp(-0.82 + 0.5 * noise * own.standard_normal(m)))
        )
        penalised = one.has_coefficients
        known = {
            "ordinary": {"alpha_0": Estimate(0.31, -1.2, 1.8), "alpha_1": Estimate(0.86, 0.67, 1.05)},
            "log_difference": {"intercept": Estimate(-0.82, -0.86, -0.78)},
            "affine": {
                "alpha_0": Estimate(0.48, -1.46, 2.68),
                "alpha_1": Estimate(0.84, 0.57, 1.08),
                "beta": Estimate(-0.016, -0.028, -0.002),
            },
        }.get(model, {})
        parameters = {named.name: known.get(named.name, Estimate(0.9, 0.8, 1.0)) for named in one.parameters}
        factor = np.exp(1.4 * noise)
        models[model] = ModelResult(
            model=model,
            parameters=parameters,
            coefficients=_coefficients(one.sign) if penalised else None,
            penalties=Penalties(6.81, 31.6, 1.0) if penalised else None,
            surface=_surface() if penalised else None,
            convergence=Convergence("direct", 7, True, 4e-13) if model == "affine" else None,
            fitted=fitted,
            out_of_fold=out,
            out_of_fold_lower=_frozen(out / factor),
            out_of_fold_upper=_frozen(out * factor),
            library=values,
            library_lower=_frozen(values / factor),
            library_upper=_frozen(values * factor),
            metrics=_metrics(measured, out),
            fitted_metrics=_metrics(measured, fitted),
        )
    nearest = random.integers(0, n, size=(m, 3))
    inside = random.random(m) > 0.2
    inside.flags.writeable = False
    calibration = Calibration(
        measured=measured,
        md=md,
        library_md=library_md,
        log_scale=True,
        interval_level=0.9,
        protocol="leak-free, 5 × 10-fold",
        models=models,
        recommendation=Recommendation(
            best="log_difference",
            recommended="log_difference",
            sentence="Log-difference predicts best, but only by 0.006, less than the 0.007 by which repetitions vary. "
            "Either will do for predicting; affine also shows α₁ and β.",
            comparisons=(PairedComparison("log_difference", "affine", 0.006, 0.2, 0.4),),
        ),
        validity=Validity(
            inside=inside,
            md_inside=inside,
            descriptors_inside=np.where(inside, 190, 183),
            distance=_frozen(random.uniform(0.3, 0.8, m)),
            distance_limit=0.7,
            nearest=nearest,
            nearest_distance=_frozen(np.sort(random.uniform(0.3, 0.8, (m, 3)), axis=1)),
        ),
        measure_next=(Suggestion(100, 0.41, 0.40), Suggestion(200, 0.41, 0.405)),
        seed=0,
        seconds=4.2,
        notes=("55 of 61 measured values lie inside their 90 % interval.",),
    )
    return Snapshot(
        tables=(
            TableSummary(
                "measured",
                "heat_capacity_measured.csv",
                "/data/heat_capacity_measured.csv",
                MEASURED,
                0,
                "measured Cp, J/(kg K)",
            ),
            TableSummary("md", "md_radonpy.csv", "/data/md_radonpy.csv", LIBRARY, 0, "MD Cp, J/(kg K), at 300 K"),
        ),
        quantity=find_property("Cp"),
        quantities=(find_property("Cp"), find_property("density")),
        rows=rows,
        match_summary="62 of 81 measured polymers have an MD value.",
        compared=True,
        blocks=blocks,
        descriptors=_frozen(random.random((m, d))),
        calibration=calibration,
        settings=Settings(left_out=frozenset(row.key for row in rows if row.state == "left out")),
        can_undo="leave out nylon 11",
    )


def uncalibrated_snapshot() -> Snapshot:
    """The same study before its first calibration: tables are loaded, everything still waits."""
    whole = sample_snapshot()
    rows = tuple(
        replace(row, state="waiting", training_index=-1) if row.state in ("used", "predicted") else row
        for row in whole.rows
    )
    return replace(whole, rows=rows, calibration=None, descriptors=None, can_undo="")
