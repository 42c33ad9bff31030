"""The data of one calibration, checked once and brought to the target scale."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.data.array_checks import all_equal, read_only
from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.data.md_by_parts import MDByParts
from affinecal_gui.calibration.data.md_noise import MDNoise, known_or_typical
from affinecal_gui.calibration.data.row_order import RowOrder, as_given, by_content, codes_by_place
from affinecal_gui.calibration.input_errors import CalibrationInputError
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.magnitudes import LARGEST, SMALLEST, within_reach
from affinecal_gui.notes import detail
from affinecal_gui.numbers import significant

FEWEST_POLYMERS = 8
"""Below this neither cross-validation nor an interval at 90 % means anything."""

NEGLIGIBLE = 1e-30
"""Descriptors smaller than this share of the largest of their block count as zero."""


@dataclass(frozen=True, slots=True)
class CalibrationProblem:
    """n measured polymers and m library polymers, ready for the models; arrays are read-only.

    ``y``, ``f``, ``library_f`` are on the target scale. ``X`` and ``library_X`` hold the d' descriptors of the blocks that
    are switched on, ``kept`` says which of the d those are, ``sizes`` are their block sizes.

    Rows are in an order of their own, which does not depend on that in which they were given (the paper's protocol keeps
    the order of the measured rows, by which it deals them): ``order`` and ``library_order`` lead back.
    """

    measured: FloatArray  # (n,) property unit
    md: FloatArray  # (n,)
    library_md: FloatArray  # (m,)
    y: FloatArray  # (n,)
    f: FloatArray  # (n,)
    library_f: FloatArray  # (m,) nan where a library polymer has no usable MD value
    X: FloatArray  # (n, d')
    library_X: FloatArray  # noqa: N815 - (m, d') nan where a library polymer has no descriptors
    sizes: tuple[int, ...]
    block_factors: tuple[float, ...]  # by which the penalties of each block are multiplied; empty for 1
    kept: NDArray[np.bool_]  # (d,)
    weights: FloatArray | None  # (n,) mean 1
    groups: IntArray  # (n,) equal for rows of the same polymer
    candidates: NDArray[np.bool_]  # (m,) may be suggested for measuring next
    options: CalibrationOptions
    order: RowOrder  # of the n rows
    library_order: RowOrder  # of the m rows
    notes: tuple[str, ...] = ()
    predicted: MDByParts | None = None  # where the MD values are predicted ones; speaks of the given order
    noise: FloatArray | None = None  # (n,) standard errors of f; None where they are taken as exact, or are predicted
    library_noise: FloatArray | None = None  # (m,)
    library_runs: FloatArray | None = None  # (m,) of which the MD values are means
    measurement_error: float = 0.0  # of a measured value, root mean square, target scale; 0 where none is stated

    @property
    def polymers(self) -> int:
        """Number of different measured polymers."""
        return len(np.unique(self.groups))


def pose_problem(
    measured: FloatArray,
    md: FloatArray,
    descriptors: FloatArray,
    library_md: FloatArray,
    library_descriptors: FloatArray,
    sizes: tuple[int, ...],
    options: CalibrationOptions,
    weights: FloatArray | None = None,
    groups: IntArray | None = None,
    candidates: NDArray[np.bool_] | None = None,
    remarks: tuple[str, ...] = (),
    predicted: MDByParts | None = None,
    noise: MDNoise | None = None,
    measurement_error: float = 0.0,
) -> CalibrationProblem:
    """Check the data of a calibration; see :func:`affinecal_gui.calibration.calibrate.calibrate` for the arguments.

    Raises
    ------
    CalibrationInputError
        Values that are missing, infinite, or not positive under a logarithm, with their rows; fewer than eight polymers;
        weights that are not positive. Library polymers without a usable MD value or descriptors do not stop a
        calibration: they have no calibrated value, and a note counts them.
    """
    options.check()
    y_raw, f_raw, library_raw = (_vector(values) for values in (measured, md, library_md))
    n, m, d = len(y_raw), len(library_raw), int(sum(sizes))
    X, library_X = _matrix(descriptors, n, d), _matrix(library_descriptors, m, d)
    if len(f_raw) != n:
        raise ValueError(f"{n} measured values but {len(f_raw)} MD values")
    for values, word in ((y_raw, "measured value"), (f_raw, "MD value")):
        _refuse(~np.isfinite(values), values, f"This {word} is missing or infinite", "measured")
        _refuse(
            ~within_reach(values),
            values,
            f"This {word} is too large or too small to be one; correct it or leave it out",
            "measured",
        )
        if options.log_scale:
            _refuse(
                values <= 0.0,
                values,
                f"This {word} is not positive and has no logarithm; correct it, leave it out or use the linear scale",
                "measured",
            )
    _refuse(
        np.asarray(~(np.abs(X) <= LARGEST).all(axis=1)),
        y_raw,
        "The descriptors of this polymer are missing, infinite or far too large",
        "measured",
    )
    if n >= FEWEST_POLYMERS and all_equal(y_raw):
        raise CalibrationInputError(
            f"All measured values are equal ({significant(float(y_raw[0]), 4)}); there is nothing to calibrate. Check the "
            f"column of measured values, or add measurements of polymers that differ."
        )
    codes = np.arange(n) if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1]
    if len(codes) != n:
        raise ValueError(f"{n} measured values but {len(codes)} groups")
    if len(np.unique(codes)) < FEWEST_POLYMERS:
        raise CalibrationInputError(
            f"A calibration needs at least {FEWEST_POLYMERS} different polymers with a measured and an MD value; there "
            f"are {len(np.unique(codes))}. Add measurements, or MD values for the polymers that lack one."
        )
    w = None
    if weights is not None:
        w = _vector(weights)
        if len(w) != n:
            raise ValueError(f"{n} measured values but {len(w)} weights")
        _refuse(~(np.isfinite(w) & (w > 0.0)), w, "This weight is not a positive number", "measured")
        w = w / w.max()
        w = w / w.mean()

    notes = list(remarks)
    usable = _usable_md(library_raw, options.log_scale)
    if not usable.all():
        notes.append(f"{_polymers(int((~usable).sum()))} of the library without a usable MD value: not calibrated.")
    described = np.asarray(np.abs(library_X) <= LARGEST).all(axis=1)
    if not described.all():
        notes.append(
            f"{_polymers(int((~described).sum()))} of the library without descriptors: calibrated by ordinary regression "
            f"only."
        )
    library_X[~described] = np.nan

    for position in (*options.blocks_off, *options.block_factors):
        if not 0 <= position < len(sizes):
            raise ValueError(f"no descriptor block at position {position}; there are {len(sizes)} blocks")
    blocks = [position for position in range(len(sizes)) if position not in options.blocks_off]
    kept = np.repeat([position not in options.blocks_off for position in range(len(sizes))], sizes).astype(bool)
    _drop_tails(X, library_X, sizes)
    if not kept.all():
        X, library_X = np.ascontiguousarray(X[:, kept]), np.ascontiguousarray(library_X[:, kept])
    if X.size:
        constant = int((np.ptp(X, axis=0) == 0.0).sum())
        if constant:
            columns = "1 descriptor does" if constant == 1 else f"{constant} descriptors do"
            notes.append(detail(f"{columns} not vary among the measured polymers and say nothing about them."))
    with np.errstate(all="ignore"):
        y, f, library_f = (
            (np.log(v) if options.log_scale else v.copy())
            for v in (y_raw, f_raw, np.where(usable, library_raw, np.nan))
        )
    if all_equal(f_raw):
        notes.append(
            "All MD values are equal: how strongly the measured values follow MD (α₁), and how the correction depends on MD "
            "(β), cannot be told."
        )
    if options.protocol == "paper" or predicted is not None:
        noise = None  # the paper takes MD values as exact; what is predicted has deviations of its own
    if noise is not None and (len(noise.measured), len(noise.library)) != (n, m):
        raise ValueError(
            f"standard errors of {len(noise.measured)} and {len(noise.library)} MD values, not {n} and {m}"
        )
    if candidates is None:
        candidates = ~_is_measured(f, X, library_f, library_X)
    may_be_measured = np.asarray(candidates, dtype=bool) & usable & described
    beside = () if w is None else (w,)
    # Predicted MD values depend on the MD values of others, which must not decide how polymers are dealt to folds.
    key, library_key = (f, library_f) if predicted is None else (y, library_X.sum(axis=1))
    order = as_given(n) if options.protocol == "paper" else by_content(key, X, y, *beside)
    library_order = by_content(library_key, library_X, may_be_measured.astype(np.float64))
    here, there = order.given, library_order.given
    problem = CalibrationProblem(
        y_raw[here],
        f_raw[here],
        library_raw[there],
        y[here],
        f[here],
        library_f[there],
        X[here],
        library_X[there],
        tuple(sizes[position] for position in blocks),
        tuple(options.block_factors.get(position, 1.0) for position in blocks) if options.block_factors else (),
        kept,
        None if w is None else w[here],
        codes_by_place(codes[here]),
        may_be_measured[there],
        options,
        order,
        library_order,
        tuple(notes),
        predicted,
        None if noise is None else known_or_typical(noise.measured, noise.measured)[here],
        None if noise is None else known_or_typical(noise.library, noise.measured)[there],
        None if noise is None or noise.runs is None else noise.runs[there],
        measurement_error,
    )
    for name in (
        "measured",
        "md",
        "library_md",
        "y",
        "f",
        "library_f",
        "X",
        "library_X",
        "kept",
        "weights",
        "groups",
        "candidates",
        "noise",
        "library_noise",
        "library_runs",
    ):
        array = getattr(problem, name)
        if array is not None:
            array.setflags(write=False)
    return problem


def with_library(
    problem: CalibrationProblem, library_md: FloatArray, library_descriptors: FloatArray
) -> CalibrationProblem:
    """Return the problem with other polymers (q,), (q, d) in the place of its library; none of them is a candidate.

    Its measured polymers, and the order in which they are computed, stay as they are.
    """
    log_scale = problem.options.log_scale
    library_raw = _vector(library_md)
    library_X = _matrix(library_descriptors, len(library_raw), len(problem.kept))
    library_X[~np.asarray((np.abs(library_X) <= LARGEST).all(axis=1))] = np.nan
    library_X = np.ascontiguousarray(library_X[:, problem.kept])
    _drop_tails(problem.X.copy(), library_X, problem.sizes)
    library_f = np.where(_usable_md(library_raw, log_scale), library_raw, np.nan)
    library_f = np.log(library_f) if log_scale else library_f
    order = by_content(library_f, library_X)
    there = order.given
    return replace(
        problem,
        library_md=read_only(library_raw[there]),
        library_f=read_only(library_f[there]),
        library_X=read_only(library_X[there]),
        candidates=np.zeros(len(there), dtype=bool),
        library_order=order,
        library_noise=None if problem.noise is None else known_or_typical(np.full(len(there), np.nan), problem.noise),
        library_runs=None,
    )


def _usable_md(values: FloatArray, log_scale: bool) -> NDArray[np.bool_]:
    return np.asarray(np.isfinite(values) & within_reach(values) & ((values > 0.0) | (not log_scale)))


def _vector(values: FloatArray) -> FloatArray:
    array = np.array(values, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"expected one number per polymer, got an array of shape {array.shape}")
    return array


def _matrix(values: FloatArray, rows: int, columns: int) -> FloatArray:
    array = np.array(values, dtype=np.float64, order="C")
    if array.shape != (rows, columns):
        raise ValueError(f"expected descriptors of shape {(rows, columns)}, got {array.shape}")
    return array


def _polymers(count: int) -> str:
    return "1 polymer" if count == 1 else f"{count} polymers"


def _refuse(bad: NDArray[np.bool_], values: FloatArray, complaint: str, table: Literal["measured", "library"]) -> None:
    rows = tuple(int(row) for row in np.flatnonzero(bad))
    if not rows:
        return
    more = f" {len(rows) - 1} more like it." if len(rows) > 1 else ""
    value = significant(float(values[rows[0]]))
    raise CalibrationInputError(f"{complaint} (polymer {rows[0] + 1}, value {value}).{more}", rows, table)


def _drop_tails(X: FloatArray, library_X: FloatArray, sizes: tuple[int, ...]) -> None:
    """Set descriptors to zero that are below 1e-30 of the largest of their block, in place.

    Far kernel tails reach down to numbers (1e-310) on which processors compute a hundred times slower, and mean nothing.
    """
    start = 0
    for size in sizes:
        block = slice(start, start + size)
        smallest = max(NEGLIGIBLE * float(np.abs(X[:, block]).max(initial=0.0)), SMALLEST)
        for table in (X, library_X):
            part = table[:, block]
            part[np.abs(part) < smallest] = 0.0
        start += size


def _is_measured(f: FloatArray, X: FloatArray, library_f: FloatArray, library_X: FloatArray) -> NDArray[np.bool_]:
    """Return (m,) whether a library polymer is one of the measured: same MD value, same descriptors, to the last bit."""
    known = {np.append(row, value).tobytes() for row, value in zip(X + 0.0, f, strict=True)}
    return np.array(
        [np.append(row, value).tobytes() in known for row, value in zip(library_X + 0.0, library_f, strict=True)],
        dtype=bool,
    )
