"""Linear calibrators of several source features, fitted through those of one.

With K sources in the columns of F and f̄ their mean, the affine calibrator minimises (docs/calibration.md, section 9)

    J = sum_i w_i r_i^2 + w_+ lambda_beta beta^2 + w_+ lambda_alpha s^2 sum_k (alpha_k - mean alpha)^2 + gamma' Lambda gamma,
    r = y - alpha_0 - F alpha + (1 + beta f̄) o X gamma,

s the standard deviation of f̄. Write ``F alpha = alpha_+ f̄ + E d`` with E the contrasts of the sources (orthonormal
combinations of their columns that vanish where all agree). For given d that is the calibrator of one source f̄ for
``y - E d``, which its own solver finds; for a given beta everything else is linear, and d has a closed form. The two steps
alternate until d stands still, which takes few rounds, since beta and d hardly pull at each other. Ordinary regression and
the log-difference know no beta: one round is exact. With one source there is no d, and nothing else than its own fit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from affinecal_gui.calibration.calibrators.fitted import fit_parts, posterior
from affinecal_gui.calibration.calibrators.posterior import Directions, Posterior
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.calibrators.training import Fitted, TrainingPart
from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.data.scale import learn_scale
from affinecal_gui.calibration.results import FloatArray, ModelName, Penalties
from affinecal_gui.calibration.solvers.fused_ridge import to_modes
from affinecal_gui.task import UNWATCHED, Task

LAMBDA_ALPHA = 1.0
"""Penalty of weights that differ: they are drawn towards equal ones, the more the fewer polymers tell them apart.

Chosen on the heat-capacity example (out-of-fold RMSE of ln Cp, MD and quantum-corrected MD both taken; ordinary /
log-difference / affine): 0.01: 0.182 / 0.175 / 0.177; 0.1: 0.180 / 0.174 / 0.176; 1: 0.179 / 0.174 / 0.175; 10: the same.
"""

MOST_CHOSEN_BY = 400
"""Polymers by which sources are chosen; of more, so many that are evenly spaced."""

_MOST_ROUNDS = 100
STILL = 1e-9
STILL_IN_PARTS = 1e-6
"""For training parts, whose fits are only looked at by their errors."""


@dataclass(frozen=True, slots=True, eq=False)
class SourceFit:
    """A fitted calibrator: that of the mean of its sources, and what their differences add."""

    of_mean: Fitted  # y - E d as a function of the mean source
    sources: tuple[int, ...]  # which columns it takes, ascending
    centre: FloatArray  # (K,) subtracted from them
    apart: FloatArray  # (K,) adds up to zero: what each weighs beyond its share of the mean, target scale

    def mean_source(self, F: FloatArray) -> FloatArray:
        """(k,) the mean of its sources; nan where one is missing. F (k, p) holds all sources, target scale."""
        return np.asarray(F[:, self.sources].mean(axis=1)) if len(self.sources) > 1 else F[:, self.sources[0]]

    def added(self, F: FloatArray) -> FloatArray:
        """(k,) what the differences of its sources add, target scale."""
        return np.asarray((F[:, self.sources] - self.centre) @ self.apart)

    def predict(self, F: FloatArray, Z: FloatArray) -> FloatArray:
        """(k,) calibrated values, target scale, of polymers with sources F (k, p); nan where one that it takes is missing."""
        of_mean = self.of_mean.predict(self.mean_source(F), Z)
        return of_mean + self.added(F) if len(self.sources) > 1 else of_mean

    @property
    def alpha_0(self) -> float:
        """Offset, target scale."""
        return self.of_mean.alpha_0 - float(self.centre @ self.apart)

    @property
    def alpha(self) -> FloatArray:
        """(K,) weights of its sources."""
        return self.of_mean.alpha_1 / len(self.sources) + self.apart


def contrasts(count: int) -> FloatArray:
    """(count, count - 1) orthonormal columns that add up to zero (Helmert's)."""
    found = np.zeros((count, count - 1))
    for k in range(1, count):
        found[:k, k - 1], found[k, k - 1] = 1.0, -float(k)
        found[:, k - 1] /= np.sqrt(k * (k + 1.0))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _PartOfSources:
    """A training part with the mean of its sources in the place of f, and their contrasts beside it."""

    part: TrainingPart
    E: FloatArray  # (n, K - 1) in units of the standard deviation of the mean; weighted means zero
    basis: FloatArray  # (K, K - 1)
    centre: FloatArray  # (K,)


def _with_sources(part: TrainingPart, F: FloatArray) -> _PartOfSources:
    """Put sources F (n, K) into a part; a part whose f is the one source stays as it is."""
    count = F.shape[1]
    centre = np.average(F, axis=0, weights=part.weights)
    if count == 1 and np.array_equal(F[:, 0], part.f):
        return _PartOfSources(part, np.zeros((len(F), 0)), np.zeros((1, 0)), centre)
    f = F.mean(axis=1) if count > 1 else F[:, 0]
    scale = learn_scale(f[:, None], (1,), part.weights)
    own = replace(part, f=f, f_mean=float(scale.mean[0]), f_sd=float(scale.scale[0]), noise=None)
    basis = contrasts(count)
    return _PartOfSources(own, (F - centre) @ basis / own.f_sd, basis, centre)


def _unit(one_source: ModelName, part: TrainingPart) -> float:
    """Return what the residuals of a calibrator are divided by where it is fitted."""
    return part.unit if calibrator(one_source).has_slope else 1.0


def _without_penalty(one_source: ModelName, part: TrainingPart) -> tuple[FloatArray, FloatArray]:
    """(n,) what is fitted, and (n, 1 or 2) the directions without a penalty.

    The log-difference takes the mean of the differences for its offset, whatever the rest.
    """
    if calibrator(one_source).has_slope:
        return part.y / part.unit, np.column_stack([np.ones(len(part.y)), part.t])
    difference = part.y - part.f
    return difference - np.average(difference, weights=part.weights), np.zeros((len(part.y), 0))


def _ridge_of_contrasts(part: TrainingPart) -> float:
    return LAMBDA_ALPHA * float(part.weights.sum())


def _scaled_modes(part: TrainingPart, penalties: Penalties | None) -> FloatArray:
    """(n, d) descriptors in coordinates in which Lambda is the unit matrix; (n, 0) where they are not looked at."""
    if penalties is None or not part.Z.shape[1]:
        return np.zeros((len(part.y), 0))
    eigenvalues = part.ridge(penalties.lambda_1, penalties.lambda_2).eigenvalues
    return np.asarray(to_modes(np.ascontiguousarray(part.Z), part.sizes) / np.sqrt(eigenvalues))


def _applied(part: TrainingPart, modes: FloatArray, b: float, columns: FloatArray) -> FloatArray:
    """Return P columns, P = (S K S + W^-1)^-1 with S = diag(1 + b t), solved as n or d equations, whichever is fewer."""
    root = np.sqrt(part.weights)[:, None]
    scaled = root * columns
    n, d = modes.shape
    if not d:
        return np.asarray(root * scaled)
    own = root * (1.0 + b * part.t)[:, None] * modes
    if n < d:
        solved = np.linalg.solve(own @ own.T + np.eye(n), scaled)
    else:
        solved = scaled - own @ np.linalg.solve(own.T @ own + np.eye(d), own.T @ scaled)
    return np.asarray(root * solved)


def _differences(one_source: ModelName, own: _PartOfSources, modes: FloatArray, b: float) -> FloatArray:
    """(K - 1,) the best d for a given coupling b, with all other parameters at their best."""
    target, free = _without_penalty(one_source, own.part)
    applied = _applied(own.part, modes, b, np.column_stack([target, own.E, free]))
    end = 1 + own.E.shape[1]
    of_columns, of_free = applied[:, :end], applied[:, end:]
    gram, right = own.E.T @ of_columns[:, 1:], own.E.T @ of_columns[:, 0]
    if free.shape[1]:
        cross = free.T @ of_columns
        solved = np.linalg.lstsq(free.T @ of_free, cross, rcond=None)[0]
        gram, right = gram - cross[:, 1:].T @ solved[:, 1:], right - cross[:, 1:].T @ solved[:, 0]
    return np.asarray(np.linalg.solve(gram + _ridge_of_contrasts(own.part) * np.eye(len(right)), right))


def fit_sources(
    one_source: ModelName,
    parts: Sequence[TrainingPart],
    sources: Sequence[FloatArray],
    penalties: Sequence[Penalties | None],
    chosen: Sequence[tuple[int, ...]],
    *,
    still: float = STILL,
    task: Task = UNWATCHED,
) -> list[SourceFit]:
    """Fit a calibrator of several sources to many training parts.

    Parameters
    ----------
    one_source
        Key of the linear calibrator of which it is the form: with a slope, offset, coupling or not.
    parts
        The training parts; their f is not looked at.
    sources
        (n, p) each: all sources of the polymers of a part, target scale.
    penalties
        Of each part.
    chosen
        Which columns each part takes.
    still
        Change of d, in units of its size or 1, below which it stands still.

    Returns
    -------
    list of SourceFit
        At the minimum of J; with one source the fit of its own calibrator to the last bit.
    """
    own = [_with_sources(part, F[:, list(some)]) for part, F, some in zip(parts, sources, chosen, strict=True)]
    couples = calibrator(one_source).has_coupling
    modes = [_scaled_modes(one.part, its if one.E.shape[1] else None) for one, its in zip(own, penalties, strict=True)]
    d = [
        _differences(one_source, one, its, 0.0) if one.E.shape[1] else np.zeros(0)
        for one, its in zip(own, modes, strict=True)
    ]
    fits: list[Fitted | None] = [None] * len(own)
    active = list(range(len(own)))
    for _ in range(_MOST_ROUNDS):
        adjusted = [_adjusted(one_source, own[at], d[at]) for at in active]
        for at, one in zip(
            active, fit_parts(one_source, adjusted, [penalties[at] for at in active], task=task.silent), strict=True
        ):
            fits[at] = one
        moving = []
        for at in active:
            fit = fits[at]
            if fit is None or not couples or not len(d[at]) or fit.b == 0.0:
                continue
            task.check()
            better = _differences(one_source, own[at], modes[at], fit.b)
            if np.abs(better - d[at]).max() > still * (1.0 + np.abs(better).max()):
                moving.append(at)
                d[at] = better
        active = moving
        if not active:
            break
    return [
        SourceFit(fit, some, one.centre, one.basis @ its * _unit(one_source, one.part) / one.part.f_sd)
        for fit, some, one, its in zip(fits, chosen, own, d, strict=True)
        if fit is not None
    ]


def _adjusted(one_source: ModelName, own: _PartOfSources, d: FloatArray) -> TrainingPart:
    """Return the part as the calibrator of the mean source sees it."""
    if not len(d):
        return own.part
    return replace(own.part, y=own.part.y - _unit(one_source, own.part) * (own.E @ d))


def errors_alone(
    one_source: ModelName,
    part: TrainingPart,
    F: FloatArray,
    penalties: Penalties | None,
    groups: IntArray,
    tried: Sequence[tuple[int, ...]],
) -> list[FloatArray]:
    """Return the weighted squared errors of polymers each of which is held out alone, in closed form, without any coupling.

    Without coupling a fit is linear in y, and the residuals of held-out polymers follow from one matrix: with
    ``Q = P - P G (G' P G)^-1 G' P``, G the directions without a penalty, they are ``Q_gg^-1 (Q y)_g``. Descriptors enter
    it in the same way whichever sources are taken, so that all sets of these are solved together.

    Parameters
    ----------
    F
        (n, p) all sources.
    groups
        (n,) equal for rows of the same polymer.
    tried
        t sets of sources, by their columns.

    Returns
    -------
    t arrays (q,)
        Of each polymer, added up over its rows; of more than :data:`MOST_CHOSEN_BY` rows those that are looked at.
    """
    step = -(-len(part.y) // MOST_CHOSEN_BY)
    if step > 1:
        some = np.arange(0, len(part.y), step)
        part, F, groups = part.rows(some), F[some], groups[some]
    n = len(part.y)
    modes = _scaled_modes(part, penalties)
    of_descriptors = np.diag(1.0 / part.weights) + modes @ modes.T
    own = [_with_sources(part, F[:, list(columns)]) for columns in tried]
    by_set = [_without_penalty(one_source, one.part) for one in own]
    target, free = np.stack([one for one, _ in by_set])[:, :, None], np.stack([one for _, one in by_set])
    if not free.shape[2]:
        free = np.ones((len(own), n, 1))  # an offset counts as fitted
    Q = np.linalg.inv(np.stack([of_descriptors + one.E @ one.E.T / _ridge_of_contrasts(part) for one in own]))
    of_free = Q @ free
    gram = free.transpose(0, 2, 1) @ of_free
    Q -= of_free @ np.linalg.pinv(gram, rcond=1e-12, hermitian=True) @ of_free.transpose(0, 2, 1)
    solved = (Q @ target)[:, :, 0]
    codes = np.unique(groups, return_inverse=True)[1]
    polymers = int(codes.max()) + 1
    if polymers == n:
        missed = solved / np.diagonal(Q, axis1=1, axis2=2)
    else:
        missed = np.empty((len(own), n))
        for rows in (np.flatnonzero(codes == code) for code in range(polymers)):
            for one, form, right in zip(missed, Q, solved, strict=True):
                one[rows] = np.linalg.lstsq(form[np.ix_(rows, rows)], right[rows], rcond=None)[0]
    squared = part.weights * (_unit(one_source, part) * missed) ** 2
    return [np.bincount(codes, weights=one).astype(np.float64) for one in squared]


def posterior_of_sources(fit: SourceFit, part: TrainingPart, F: FloatArray) -> tuple[TrainingPart, Posterior]:
    """Return what a training part leaves uncertain about a fit, differences of sources included, and the part it saw.

    The directions of the differences are the last penalised ones but for beta.
    """
    own = _with_sources(part, F[:, fit.sources])
    seen = replace(own.part, y=own.part.y - fit.added(F)) if len(fit.sources) > 1 else own.part
    known = posterior(fit.of_mean, seen)
    place = known.training.penalised.shape[1] - int(_has_coupling_column(fit.of_mean))
    penalised = np.insert(known.training.penalised, [place] * own.E.shape[1], own.E, axis=1)
    precision = np.insert(known.precision, [place] * own.E.shape[1], _ridge_of_contrasts(part))
    return seen, replace(known, training=Directions(known.training.flat, penalised), precision=precision)


def weight_directions(fit: SourceFit, part: TrainingPart, known: Posterior) -> Directions:
    """Return the derivatives of alpha_0 and of the K weights, in units of the residuals, by the parameters of a posterior."""
    record = calibrator(fit.of_mean.model)
    count = len(fit.sources)
    basis = contrasts(count) / part.f_sd
    flat = np.zeros((1 + count, known.training.flat.shape[1]))
    penalised = np.zeros((1 + count, known.training.penalised.shape[1]))
    if record.has_offset:
        flat[0, 0] = 1.0
    if record.has_slope:
        flat[0, -1] = -part.f_mean / part.f_sd
        flat[1:, -1] = 1.0 / (part.f_sd * count)
    if count > 1:
        end = penalised.shape[1] - int(_has_coupling_column(fit.of_mean))
        penalised[1:, end - count + 1 : end] = basis
        penalised[0, end - count + 1 : end] = -fit.centre @ basis
    return Directions(flat, penalised)


def _has_coupling_column(one: Fitted) -> bool:
    return bool(len(one.c)) and calibrator(one.model).has_coupling
