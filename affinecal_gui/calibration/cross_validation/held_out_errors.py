"""Held-out errors of both penalised calibrators at every penalty of a grid: the engine of every cross-validation here."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np

from affinecal_gui.calibration.cross_validation.dual_search import (
    ExpandedPart,
    SearchPart,
    affine_part,
    errors_at_zero,
    expand_part,
    log_difference_part,
    split_in_parts,
)
from affinecal_gui.calibration.cross_validation.primal_search import affine_set, log_difference_set
from affinecal_gui.calibration.cross_validation.resampling import ResampledStart, Resampling
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.solvers.block_relaxation import Start
from affinecal_gui.calibration.solvers.dual_problems import MOST_TERMS
from affinecal_gui.calibration.solvers.solver_choice import AffineSolver, SolverName
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.threads import LARGE, one_thread_each, worker_count

KEPT_BYTES = 3e8
"""Power series kept from the log-difference to the affine model; larger problems expand them twice."""

WORTH_THREADS = 100
"""Polymers; for fewer, threads take the interpreter from each other for as long as they save, and twice the processor."""

_LOG_DIFFERENCE = "Cross-validating the log-difference model"
_AFFINE = "Cross-validating the affine model"

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def _map(
    work: Callable[[Item], Answer],
    items: Iterable[Item],
    size: Callable[[Item], int],
    task: Task,
    words: str,
    workers: int,
) -> list[Answer]:
    """Work on all items, on at most so many threads; the first error (or wish to stop) ends it."""
    items = list(items)
    total = sum(size(item) for item in items)
    answers: list[Answer] = []
    done = 0

    def report(item: Item) -> None:
        nonlocal done
        done += size(item)
        task.report(done / total, words)

    workers = min(workers, len(items))
    if workers < 2:
        for item in items:
            answers.append(work(item))
            report(item)
        return answers
    with ThreadPoolExecutor(workers) as pool:
        futures = [pool.submit(work, item) for item in items]
        try:
            for item, future in zip(items, futures, strict=True):
                answers.append(future.result())
                report(item)
        except BaseException:
            for future in futures:
                future.cancel()
            raise
    return answers


def _workers(data: Resampling) -> int:
    """Count the threads that a search in the space of polymers is worth."""
    return worker_count() if data.X.shape[0] >= WORTH_THREADS else 1


def log_difference_errors(
    data: Resampling,
    f: FloatArray,
    y: FloatArray,
    *,
    task: Task = UNWATCHED,
) -> FloatArray:
    """Mean squared error of the log-difference model in each test set: (penalties, sets); f is not scaled."""
    centred = _centred_difference(data, f, y)
    if data.dual:
        errors = np.empty((data.n_penalties, data.n_sets))
        with one_thread_each(data.X.shape[0]):
            parts = split_in_parts(data, _workers(data))
            found = _map(
                lambda part: log_difference_part(data, part, centred, task),
                parts,
                _size,
                task,
                _LOG_DIFFERENCE,
                _workers(data),
            )
        for part, values in zip(parts, found, strict=True):
            errors[part.penalties, part.members] = values
        return errors
    return _primal_errors(
        data,
        f,
        1,
        lambda s, moments: log_difference_set(data, s, moments, centred[s], task),
        task,
        _LOG_DIFFERENCE,
    )


def affine_errors(
    data: Resampling,
    f: FloatArray,
    y: FloatArray,
    lambda_beta: float,
    *,
    solver: SolverName,
    tolerance: float,
    max_iterations: int,
    start: ResampledStart | None = None,
    task: Task = UNWATCHED,
) -> FloatArray:
    """Mean squared error of the affine model in each test set: (penalties, sets)."""
    how = _solver(data, f, y, lambda_beta, solver, tolerance, max_iterations, start)
    if data.dual:
        errors = np.empty((data.n_penalties, data.n_sets))
        with one_thread_each(data.X.shape[0]):
            parts = split_in_parts(data, _workers(data))
            found = _map(
                lambda part: affine_part(data, expand_part(data, part, how, task), how),
                parts,
                _size,
                task,
                _AFFINE,
                _workers(data),
            )
        for part, values in zip(parts, found, strict=True):
            errors[part.penalties, part.members] = values
        return errors
    return _primal_errors(data, f, 3, lambda s, moments: affine_set(data, s, moments, how, task), task, _AFFINE)


def _primal_errors(
    data: Resampling,
    f: FloatArray,
    powers: int,
    work: Callable[[int, FloatArray], FloatArray],
    task: Task,
    words: str,
) -> FloatArray:
    """Errors of every training set from its moments; a few sets at a time, so that few moments are kept."""
    errors = np.empty((data.n_penalties, data.n_sets))
    d = data.X.shape[1]
    together = worker_count() if d < LARGE else 1
    moments = data.all_moments(f, powers)
    for begin in range(0, data.n_sets, together):
        sets = list(range(begin, min(begin + together, data.n_sets)))
        items = [(s, next(moments)) for s in sets]
        with one_thread_each(d):
            found = _map(
                lambda item: work(*item),
                items,
                lambda item: 1,
                task.part(begin / data.n_sets, (sets[-1] + 1) / data.n_sets),
                words,
                together,
            )
        for s, values in zip(sets, found, strict=True):
            errors[:, s] = values
    return errors


def both_errors(
    data: Resampling,
    f: FloatArray,
    scale: float,
    y: FloatArray,
    lambda_beta: float,
    start_from: Callable[[FloatArray], ResampledStart],
    *,
    solver: SolverName,
    tolerance: float,
    max_iterations: int,
    task: Task = UNWATCHED,
) -> tuple[FloatArray, FloatArray]:
    """Errors of the log-difference and of the affine model, which starts from what the former found.

    The log-difference model is the affine one with beta = 0 and alpha_1 = 1 on the unscaled MD values, so that the
    expansions about beta = 0 serve both.

    Parameters
    ----------
    data : Resampling
    f : (n,) array
        MD values, scaled.
    scale : float
        By which they were divided: the unscaled ones are ``scale * f`` plus a constant.
    y : (n,) array
    lambda_beta : float
    start_from : callable
        From the log-difference errors to the start of every training set.
    solver, tolerance, max_iterations, task
        As in :func:`affine_errors`.
    """
    n, S = data.X.shape[0], data.n_sets
    if not data.dual or 8.0 * MOST_TERMS * data.n_penalties * S * n > KEPT_BYTES:
        first = log_difference_errors(data, scale * f, y, task=task.part(0.0, 0.2))
        second = affine_errors(
            data,
            f,
            y,
            lambda_beta,
            solver=solver,
            tolerance=tolerance,
            max_iterations=max_iterations,
            start=start_from(first),
            task=task.part(0.2, 1.0),
        )
        return first, second
    first, second = np.empty((data.n_penalties, S)), np.empty((data.n_penalties, S))
    how = _solver(data, f, y, lambda_beta, solver, tolerance, max_iterations, None)
    with one_thread_each(n):
        parts = split_in_parts(data, _workers(data))
        expanded = _map(
            lambda part: expand_part(data, part, how, task),
            parts,
            _size,
            task.part(0.0, 0.6),
            _LOG_DIFFERENCE,
            _workers(data),
        )
        for part in expanded:
            # alpha_1 = scale on the scaled MD values is alpha_1' = scale - slope in the centred basis.
            first[part.part.penalties, part.part.members] = errors_at_zero(data, part, scale - how.regression.slope)
        how = _solver(data, f, y, lambda_beta, solver, tolerance, max_iterations, start_from(first))

        def solve(part: ExpandedPart) -> FloatArray:
            return affine_part(data, part, how)

        found = _map(solve, expanded, lambda part: part.part.size, task.part(0.6, 1.0), _AFFINE, _workers(data))
    for part, values in zip(expanded, found, strict=True):
        second[part.part.penalties, part.part.members] = values
    return first, second


def _size(part: SearchPart) -> int:
    return part.size


def _centred_difference(data: Resampling, f: FloatArray, y: FloatArray) -> FloatArray:
    """(S, n) y - f minus its mean over each training set."""
    w = data.inside * data.weights
    difference = y - f
    return np.asarray(difference - (w @ difference / w.sum(axis=1))[:, np.newaxis])


def _solver(
    data: Resampling,
    f: FloatArray,
    y: FloatArray,
    lambda_beta: float,
    solver: SolverName,
    tolerance: float,
    max_iterations: int,
    start: ResampledStart | None,
) -> AffineSolver:
    begin = None
    if start is not None and solver == "block":
        begin = Start(start.alpha_1, start.alpha_0, start.beta, start.gamma, start.gamma @ data.X.T)
    return AffineSolver(
        solver,
        f,
        data.inside * data.weights,
        data.regression(f, y),
        lambda_beta,
        tolerance,
        max_iterations,
        begin,
    )
