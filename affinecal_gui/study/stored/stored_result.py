"""The result of a study <-> its members in a study file.

The result is stored and not only the way to it: an opened study shows the very numbers that were saved, at once and
whatever version of the program, of RDKit or of the linear algebra library opens it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.calibrators.parameters import weight_name
from affinecal_gui.calibration.calibrators.registry import calibrator, calibrator_keys, fitted_keys
from affinecal_gui.calibration.results import (
    Calibration,
    CoefficientEstimates,
    ErrorForecast,
    ModelName,
    ModelResult,
    Validity,
)
from affinecal_gui.study.records.archive import Archive, LargeMember, Member
from affinecal_gui.study.records.stored_csv import (
    LARGE_TABLE,
    FloatArray,
    StoredRows,
    csv_parts,
    integer_column,
    integers_of,
    number_column,
    numbers_of,
    text_column,
    texts_of,
    to_csv,
)
from affinecal_gui.study.records.stored_errors import DamagedContent
from affinecal_gui.study.records.stored_records import from_plain, to_json, to_plain, without_markup
from affinecal_gui.study.snapshot import PolymerRow
from affinecal_gui.study.stored.manifest import RESULT
from affinecal_gui.task import UNWATCHED, Task

TRAINING = "result/training.csv"
LIBRARY = "result/library.csv"
COEFFICIENTS = "result/coefficients.csv"
DESCRIPTORS = "result/descriptors.csv"

MOST_POLYMERS = 2_000_000
MOST_DESCRIPTORS = 100_000
MOST_NUMBERS = 5_000_000
"""Descriptors of a library beyond this are not stored, nor is the result then; both are worked out again on opening."""
MOST_NEAREST = 100

_OF_TRAINING = ("fitted", "out_of_fold", "out_of_fold_lower", "out_of_fold_upper")
_OF_LIBRARY = ("library", "library_lower", "library_upper")
_OF_COEFFICIENTS = ("gamma", "lower", "upper", "mean", "scale")
_OF_VALIDITY = ("inside", "md_inside", "descriptors_inside", "distance")
_OF_NEAREST = ("nearest", "nearest_distance")
_IN_TABLES: Mapping[type, Sequence[str]] = {
    Calibration: ("measured", "md", "library_md", "kept_fit", "made_with"),
    ModelResult: (*_OF_TRAINING, *_OF_LIBRARY),
    CoefficientEstimates: _OF_COEFFICIENTS,
    Validity: (*_OF_VALIDITY, *_OF_NEAREST),
}
"""Arrays that stand in the CSV members, beside others of the same length."""


@dataclass(frozen=True, slots=True, eq=False)
class StoredResult:
    """A calibration with the descriptors that it was made from, and what it belongs to."""

    calibration: Calibration
    descriptors: FloatArray  # (m, d) nan in the rows of polymers that could not be described
    problems: tuple[str, ...]  # (m,) "" or the reason
    descriptor_names: tuple[str, ...]  # (d,)
    engine: str  # what computed the descriptors
    program: Mapping[str, str]  # names and versions of the programs that made the result
    inputs: Mapping[str, int] = field(default_factory=dict)  # checksums of the members that it follows from


@dataclass(frozen=True, slots=True)
class _Sizes:
    """What ``result.json`` says beside the calibration itself."""

    polymers: int  # n of the fit
    library: int  # m
    nearest: int  # k
    descriptor_names: tuple[str, ...]
    engine: str
    program: Mapping[str, str]
    inputs: Mapping[str, int]


def is_storable(calibration: Calibration, descriptors: FloatArray) -> bool:
    """Whether the result is small enough to be stored beside the tables."""
    return descriptors.size <= MOST_NUMBERS and len(calibration.library_md) <= MOST_POLYMERS


def result_members(result: StoredResult, rows: Sequence[PolymerRow], *, task: Task = UNWATCHED) -> tuple[Member, ...]:
    """Return the members that hold a result, without the descriptors.

    ``rows`` of the study name the polymers for people who read the CSV files.
    """
    calibration = result.calibration
    n, m, d = len(calibration.measured), len(calibration.library_md), len(result.descriptor_names)
    of_training = {row.training_index: row.label for row in rows}
    of_library = {row.library_index: row.label for row in rows}
    training = [
        text_column("polymer", [of_training.get(index, "") for index in range(n)]),
        number_column("measured", calibration.measured),
        number_column("md", calibration.md),
    ]
    library = [
        text_column("polymer", [of_library.get(index, "") for index in range(m)]),
        number_column("md", calibration.library_md),
    ]
    coefficients = [text_column("descriptor", result.descriptor_names)]
    for model in _in_order(calibration.models):
        found = calibration.models[model]
        training += [number_column(f"{model} {name}", getattr(found, name)) for name in _OF_TRAINING]
        library += [number_column(f"{model} {name}", getattr(found, name)) for name in _OF_LIBRARY]
        if found.coefficients is not None:
            estimates = found.coefficients
            coefficients += [number_column(f"{model} {name}", getattr(estimates, name)) for name in _OF_COEFFICIENTS]
    validity = calibration.validity
    library += [
        integer_column("inside", validity.inside),
        integer_column("md_inside", validity.md_inside),
        integer_column("descriptors_inside", validity.descriptors_inside),
        number_column("distance", validity.distance),
    ]
    k = validity.nearest.shape[1]
    library += [integer_column(f"nearest {i + 1}", validity.nearest[:, i]) for i in range(k)]
    library += [number_column(f"nearest_distance {i + 1}", validity.nearest_distance[:, i]) for i in range(k)]
    sizes = _Sizes(n, m, k, result.descriptor_names, result.engine, result.program, result.inputs)
    plain = {**to_plain(sizes), "calibration": to_plain(calibration, _IN_TABLES)}
    return (
        Member(RESULT, to_json(plain)),
        *(
            Member(name, to_csv(columns, count, task=task.silent))
            for name, columns, count in (
                (TRAINING, training, n),
                (LIBRARY, library, m),
                (COEFFICIENTS, coefficients, d),
            )
        ),
    )


def descriptor_member(descriptors: FloatArray, names: Sequence[str], problems: Sequence[str]) -> LargeMember:
    """Return the member that holds the descriptors of the library: (m, d), named, and why a polymer has none."""
    columns = [number_column(name, descriptors[:, j]) for j, name in enumerate(names)]
    columns.append(text_column("problem", problems))

    def parts(task: Task) -> Iterator[bytes]:
        return csv_parts(columns, len(descriptors), task=task)

    return LargeMember(DESCRIPTORS, parts, is_large=descriptors.size > LARGE_TABLE)


# -- and back -----------------------------------------------------------------------------------------------------------


def read_result(archive: Archive, description: Any, *, task: Task = UNWATCHED) -> StoredResult | None:
    """Return the stored result; None when this version of the program has other calibrators.

    Parameters
    ----------
    archive
        The study file.
    description
        What ``result.json`` holds, in the present format.

    Raises
    ------
    DamagedContent
        A member is missing or is not what it should be.
    """
    sizes = from_plain(_Sizes, description, RESULT)
    plain = _group(description, "calibration", RESULT)
    of_models = _group(plain, "models", RESULT)
    if not set(fitted_keys()) <= set(of_models) <= set(calibrator_keys()):
        return None
    names = _in_order(of_models)
    n, m, d, k = sizes.polymers, sizes.library, len(sizes.descriptor_names), sizes.nearest
    if not (1 <= n <= MOST_POLYMERS and 1 <= m <= MOST_POLYMERS and d <= MOST_DESCRIPTORS and 0 <= k <= MOST_NEAREST):
        raise DamagedContent(f"{RESULT}: the numbers of polymers and descriptors cannot be right")
    if m * d > MOST_NUMBERS:
        raise DamagedContent(f"{RESULT}: there are more descriptors than can be stored")
    with_coefficients = [name for name in names if _group(of_models, name, RESULT).get("coefficients")]
    models = len(names)
    training = _Table(archive, TRAINING, n, "t" + "f" * (2 + len(_OF_TRAINING) * models), task)
    library = _Table(
        archive, LIBRARY, m, "t" + "f" * (1 + len(_OF_LIBRARY) * models) + "bbif" + "i" * k + "f" * k, task
    )
    coefficients = _Table(archive, COEFFICIENTS, d, "t" + "f" * len(_OF_COEFFICIENTS) * len(with_coefficients), task)
    described = _Table(archive, DESCRIPTORS, m, "f" * d + "t", task)
    training.text()
    measured, md = training.number(), training.number()
    library.text()
    library_md = library.number()
    coefficients.text()
    results: dict[ModelName, ModelResult] = {}
    for name in names:
        given: dict[str, Any] = {field: training.number() for field in _OF_TRAINING}
        given |= {field: library.number() for field in _OF_LIBRARY}
        given["coefficients"] = None
        where = f"{RESULT}: {name}"
        if name in with_coefficients:
            estimates = {field: coefficients.number() for field in _OF_COEFFICIENTS}
            given["coefficients"] = from_plain(
                CoefficientEstimates, of_models[name]["coefficients"], where, given=estimates
            )
        results[name] = from_plain(ModelResult, of_models[name], where, given=given)
    validity_arrays: dict[str, Any] = {
        "inside": library.truth(),
        "md_inside": library.truth(),
        "descriptors_inside": library.integer(0, d),
        "distance": library.number(),
        "nearest": _beside([library.integer(0, n - 1) for _ in range(k)], m, np.int64),
        "nearest_distance": _beside([library.number() for _ in range(k)], m, np.float64),
    }
    calibration = from_plain(
        Calibration,
        plain,
        RESULT,
        given={
            "measured": measured,
            "md": md,
            "library_md": library_md,
            "models": results,
            "validity": from_plain(Validity, _group(plain, "validity", RESULT), RESULT, given=validity_arrays),
            "kept_fit": None,
            "made_with": {},
        },
        names={"KeptFit": object},
    )
    check_calibration(calibration)
    calibration = _plain_words(calibration)
    descriptors = _beside([described.number() for _ in range(d)], m, np.float64)
    return StoredResult(
        calibration,
        descriptors,
        tuple(map(without_markup, described.text())),
        sizes.descriptor_names,
        sizes.engine,
        sizes.program,
        sizes.inputs,
    )


def _in_order(models: Collection[str]) -> tuple[ModelName, ...]:
    """Return the calibrators in the order of their columns."""
    return tuple(name for name in calibrator_keys() if name in models)


def _group(plain: Any, name: str, where: str) -> dict[str, Any]:
    found = plain.get(name) if isinstance(plain, dict) else None
    if not isinstance(found, dict):
        raise DamagedContent(f"{where}: {name} is no group of fields")
    return found


def _plain_words(calibration: Calibration) -> Calibration:
    """Return the calibration with its sentences as plain text."""
    recommendation = calibration.recommendation
    return replace(
        calibration,
        protocol=without_markup(calibration.protocol),
        notes=tuple(map(without_markup, calibration.notes)),
        recommendation=replace(recommendation, sentence=without_markup(recommendation.sentence)),
    )


def check_calibration(calibration: Calibration) -> None:
    """Refuse positions outside of what they point into, and numbers that views rely on."""
    m = len(calibration.library_md)
    for suggestion in calibration.measure_next:
        if not 0 <= suggestion.library_index < m:
            raise DamagedContent(f"{RESULT}: measure_next names a polymer that is not there")
    if not 0.0 < calibration.interval_level < 1.0:
        raise DamagedContent(f"{RESULT}: interval_level is not between 0 and 1")
    overlap = calibration.overlap
    if overlap is not None:
        arrays = (overlap.shuffled, *(kind.eigenvalues for kind in (overlap.source, overlap.target, overlap.product)))
        if any(array.ndim != 1 or not array.size for array in arrays):
            raise DamagedContent(f"{RESULT}: overlap is no set of eigenvalues")
    if calibration.forecast is not None:
        _check_forecast(calibration.forecast)
    for name, model in calibration.models.items():
        where = f"{RESULT}: {name}"
        if model.model != name:
            raise DamagedContent(f"{where} is the result of another calibrator")
        missing = [member for member in calibrator(name).combines if weight_name(member) not in model.parameters]
        if missing:
            raise DamagedContent(f"{where} does not say how much {missing[0]} weighs")
        if model.coefficients is not None and model.coefficients.sign not in (-1, 1):
            raise DamagedContent(f"{where}: sign is neither -1 nor 1")
        if model.coefficients is not None and model.coefficients.average != calibrator(name).needs_kernels:
            raise DamagedContent(f"{where} has coefficients of another kind of calibrator")
        surface = model.surface
        if surface is None:
            continue
        shape = (len(np.atleast_1d(surface.lambda_1)), len(np.atleast_1d(surface.lambda_2)))
        if surface.lambda_1.ndim != 1 or surface.lambda_2.ndim != 1 or surface.rmse.shape != shape:
            raise DamagedContent(f"{where}: the surface does not have the shape of its penalties")
        if not all(0 <= chosen < length for chosen, length in zip(surface.chosen, shape, strict=True)):
            raise DamagedContent(f"{where}: the chosen penalties are not on the surface")


def _check_forecast(forecast: ErrorForecast) -> None:
    """Refuse what cannot be drawn: curves of different lengths, numbers of polymers that do not ascend."""
    curves = (forecast.numbers, forecast.error, forecast.lower, forecast.upper)
    if any(one.shape != forecast.numbers.shape or one.ndim != 1 for one in curves):
        raise DamagedContent(f"{RESULT}: the curves of the forecast are not of one length")
    if forecast.sizes.ndim != 1 or forecast.sizes.shape != forecast.found.shape:
        raise DamagedContent(f"{RESULT}: the errors of the forecast do not belong to its numbers of polymers")
    for numbers in (forecast.numbers, forecast.sizes):
        if not (numbers.size and np.isfinite(numbers).all() and numbers[0] > 0.0 and (np.diff(numbers) > 0.0).all()):
            raise DamagedContent(f"{RESULT}: the numbers of polymers of the forecast do not ascend")
    if not (forecast.polymers > 0 and 0.0 < forecast.level < 1.0):
        raise DamagedContent(f"{RESULT}: the forecast has no number of polymers, or no level")


def _beside(columns: Sequence[NDArray[Any]], rows: int, kind: type[Any]) -> NDArray[Any]:
    array = np.column_stack(columns) if columns else np.zeros((rows, 0), dtype=kind)
    array.setflags(write=False)
    return array


class _Table:
    """A CSV member, handed out column by column; kinds: t text, f number, i whole number, b truth value."""

    def __init__(self, archive: Archive, name: str, rows: int, kinds: str, task: Task) -> None:
        self._name, self._rows, self._kinds = name, rows, kinds
        self._columns: list[list[Any]] = [[] for _ in kinds]
        self._next = 0
        if archive.size(name) < rows * len(kinds):
            raise DamagedContent(f"{name} is shorter than {rows} rows")
        with archive.stream(name) as stream:
            stored = StoredRows(stream, name, len(kinds), rows, task=task)
            stored.headings()
            for _, part in stored.parts():
                for number, (kind, cells) in enumerate(zip(kinds, part, strict=True)):
                    self._columns[number].append(self._read(kind, cells, number))

    def _read(self, kind: str, cells: Sequence[str], number: int) -> Any:
        where = f"{self._name}, column {number}"
        if kind == "t":
            return texts_of(cells)
        if kind == "f":
            return numbers_of(cells, where, infinite=True)  # the distance of a polymer without descriptors
        return np.array(integers_of(cells, where, 0, 2**53), dtype=np.int64)

    def _take(self, kind: Literal["t", "f", "i", "b"]) -> list[Any]:
        assert self._kinds[self._next] == kind
        parts, self._columns[self._next] = self._columns[self._next], []
        self._next += 1
        return parts

    def text(self) -> list[str]:
        return [text for part in self._take("t") for text in part]

    def number(self) -> FloatArray:
        return _joined(self._take("f"), np.float64)

    def integer(self, least: int, most: int) -> NDArray[np.int64]:
        array = _joined(self._take("i"), np.int64)
        self._bound(array, least, most)
        return array

    def truth(self) -> NDArray[np.bool_]:
        array = _joined(self._take("b"), np.int64)
        self._bound(array, 0, 1)
        return np.asarray(_joined([array], np.bool_))

    def _bound(self, array: NDArray[np.int64], least: int, most: int) -> None:
        if array.size and not (least <= array.min() and array.max() <= most):
            raise DamagedContent(f"{self._name} holds a number that is not between {least} and {most}")


def _joined(parts: Sequence[Any], kind: type[Any]) -> NDArray[Any]:
    array = np.concatenate(parts).astype(kind) if parts else np.zeros(0, dtype=kind)
    array.setflags(write=False)
    return array
