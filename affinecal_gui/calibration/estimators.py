"""The calibrators as scikit-learn estimators, for scripts, pipelines and grid searches.

scikit-learn is not needed to use them, and never imported unless it asks for their tags. The first column of ``X`` is the
MD value, the others are descriptors. Values are used on the scale they come in: take logarithms before, or wrap the
estimator in ``TransformedTargetRegressor``.
"""

import inspect
from collections.abc import Sequence
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from affinecal_gui.calibration.fitted import Fitted, fit_calibrator, training_part
from affinecal_gui.calibration.results import Convergence, FloatArray, ModelName, Penalties
from affinecal_gui.calibration.scale import DescriptorScale, learn_scale


class _Calibrator:
    """What the three calibrators share: parameters, validation, prediction."""

    _model: ModelName

    # What fit() learns.
    n_features_in_: int
    scale_: DescriptorScale
    fitted_: Fitted

    @classmethod
    def _parameter_names(cls) -> list[str]:
        return sorted(name for name in inspect.signature(cls).parameters if name != "self")

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the constructor's parameters."""
        return {name: getattr(self, name) for name in self._parameter_names()}

    def set_params(self, **params: Any) -> Self:
        """Set parameters of the constructor."""
        names = self._parameter_names()
        for name, value in params.items():
            if name not in names:
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {type(self).__name__}. Valid parameters are: {names}."
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        signature = inspect.signature(type(self)).parameters
        changed = [f"{k}={v!r}" for k, v in self.get_params().items() if repr(v) != repr(signature[k].default)]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, RegressorTags, Tags, TargetTags

        return Tags(
            estimator_type="regressor",
            target_tags=TargetTags(required=True),
            regressor_tags=RegressorTags(poor_score=True),
            input_tags=InputTags(),
        )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "fitted_")

    def _penalties(self) -> Penalties | None:
        return None

    def _sizes(self, d: int) -> tuple[int, ...]:
        return ()

    def _solver(self) -> tuple[Literal["direct", "block"], float]:
        return "direct", 1e-8

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the calibrator.

        Parameters
        ----------
        X
            (n, 1 + d) MD values, then descriptors (not scaled).
        y
            (n,) measured values on the scale of the MD values.
        sample_weight
            (n,) weight of each squared residual; doubling a weight equals repeating the row.
        """
        names = _feature_names(X)
        table = self._validated(X)
        target = _target(y, len(table))
        if len(table) < 2:
            raise ValueError(f"Found array with n_samples={len(table)} while a minimum of 2 is required.")
        weights = None if sample_weight is None else _weights(sample_weight, len(table))
        self.n_features_in_ = table.shape[1]
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        if weights is not None:
            table, target, weights = table[weights > 0.0], target[weights > 0.0], weights[weights > 0.0]
        f, descriptors = table[:, 0], np.ascontiguousarray(table[:, 1:])
        sizes = self._sizes(descriptors.shape[1])
        if not sizes:
            descriptors = descriptors[:, :0]
        self.scale_ = learn_scale(descriptors, sizes, weights)
        part = training_part(target, f, self.scale_.apply(descriptors), sizes, weights, log_scale=False)
        solver, tolerance = self._solver()
        self.fitted_ = fit_calibrator(self._model, part, self._penalties(), solver=solver, tolerance=tolerance)
        return self

    def predict(self, X: ArrayLike) -> FloatArray:
        """Return (k,) calibrated values of ``X`` (k, 1 + d)."""
        if not self.__sklearn_is_fitted__():
            raise _not_fitted(self)
        _same_names(self, X)
        table = self._validated(X)
        if table.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {table.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} features "
                f"as input"
            )
        descriptors = table[:, 1 : 1 + len(self.scale_.mean)]
        return self.fitted_.predict(table[:, 0], self.scale_.apply(descriptors))

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the coefficient of determination R2 of the predictions."""
        predicted = self.predict(X)
        target = _target(y, len(predicted))
        w = np.ones(len(target)) if sample_weight is None else _weights(sample_weight, len(target))
        total = float(w @ (target - np.average(target, weights=w)) ** 2)
        missed = float(w @ (target - predicted) ** 2)
        if total == 0.0:
            return 1.0 if missed == 0.0 else 0.0
        return 1.0 - missed / total

    @property
    def alpha_0_(self) -> float:
        """Offset on the natural scale of the MD value."""
        return self.fitted_.alpha_0

    @property
    def alpha_1_(self) -> float:
        """Weight of the MD value."""
        return self.fitted_.alpha_1

    def _validated(self, X: ArrayLike) -> FloatArray:
        if hasattr(X, "toarray"):
            raise TypeError(
                f"Sparse data was passed for X, but {type(self).__name__} needs a dense array. Use X.toarray()."
            )
        array = np.asarray(X)
        if array.dtype.kind == "c":
            raise ValueError("Complex data not supported")
        if array.ndim != 2:
            raise ValueError(
                f"Expected 2D array, got {array.ndim}D array instead. Reshape your data with array.reshape(-1, 1) if it has "
                f"a single feature or array.reshape(1, -1) if it contains a single sample."
            )
        if not len(array):
            raise ValueError(f"Found array with 0 sample(s) (shape={array.shape}) while a minimum of 1 is required.")
        if not array.shape[1]:
            raise ValueError(f"Found array with 0 feature(s) (shape={array.shape}) while a minimum of 1 is required.")
        table = np.array(array, dtype=np.float64)
        if not np.isfinite(table).all():
            raise ValueError("Input X contains NaN or infinity.")
        return table


class OrdinaryCalibrator(_Calibrator):
    """Ordinary linear regression on the MD value, ``y = alpha_0 + alpha_1 f``; descriptors are not looked at."""

    _model: ModelName = "ordinary"


class LogDifferenceCalibrator(_Calibrator):
    """Fused ridge on the difference, ``y = f + intercept + z' gamma``; a log-difference when y and f are logarithms.

    Parameters
    ----------
    lambda_1
        Penalty on the size of gamma; it enters squared.
    lambda_2
        Penalty on the differences of neighbouring coefficients within a block; it enters squared.
    sizes
        Number of descriptors of each block; None: all descriptors are one block.
    """

    _model: ModelName = "log_difference"

    def __init__(self, lambda_1: float = 1.0, lambda_2: float = 1.0, sizes: Sequence[int] | None = None) -> None:
        self.lambda_1 = lambda_1
        self.lambda_2 = lambda_2
        self.sizes = sizes

    def _penalties(self) -> Penalties | None:
        return Penalties(self.lambda_1, self.lambda_2)

    def _sizes(self, d: int) -> tuple[int, ...]:
        return _block_sizes(self.sizes, d)

    @property
    def intercept_(self) -> float:
        """Mean difference, at average descriptors."""
        return self.fitted_.alpha_0

    @property
    def gamma_(self) -> FloatArray:
        """(d,) coefficients per standard unit of the descriptors (``scale_``)."""
        return self.fitted_.gamma


class AffineCalibrator(_Calibrator):
    """The affine calibrator, ``y = alpha_0 + alpha_1 f - (beta f + 1) z' gamma`` (Minami et al. 2023, section 3).

    Parameters
    ----------
    lambda_1, lambda_2, sizes
        As in :class:`LogDifferenceCalibrator`.
    lambda_beta
        Penalty of beta; multiplied by n.
    solver
        "direct" finds the optimum; "block" is the paper's block relaxation.
    tol
        Tolerance of the solver.
    """

    _model: ModelName = "affine"

    def __init__(
        self,
        lambda_1: float = 1.0,
        lambda_2: float = 1.0,
        lambda_beta: float = 1.0,
        sizes: Sequence[int] | None = None,
        solver: Literal["direct", "block"] = "direct",
        tol: float = 1e-8,
    ) -> None:
        self.lambda_1 = lambda_1
        self.lambda_2 = lambda_2
        self.lambda_beta = lambda_beta
        self.sizes = sizes
        self.solver = solver
        self.tol = tol

    def _penalties(self) -> Penalties | None:
        return Penalties(self.lambda_1, self.lambda_2, self.lambda_beta)

    def _sizes(self, d: int) -> tuple[int, ...]:
        return _block_sizes(self.sizes, d)

    def _solver(self) -> tuple[Literal["direct", "block"], float]:
        return self.solver, self.tol

    @property
    def beta_(self) -> float:
        """Coupling of the correction to the MD value, natural scale."""
        return self.fitted_.beta

    @property
    def gamma_(self) -> FloatArray:
        """(d,) coefficients per standard unit of the descriptors (``scale_``)."""
        return self.fitted_.gamma

    @property
    def convergence_(self) -> Convergence | None:
        """How the solver ended."""
        return self.fitted_.convergence


def _block_sizes(sizes: Sequence[int] | None, d: int) -> tuple[int, ...]:
    if sizes is None:
        return (d,) if d else ()
    found = tuple(int(size) for size in sizes)
    if sum(found) != d:
        raise ValueError(f"sizes add up to {sum(found)}, but X has {d} descriptors after the MD value")
    return found


def _target(y: ArrayLike, n: int) -> FloatArray:
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    array = np.asarray(y)
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported")
    if array.ndim == 2 and array.shape[1] == 1:
        import warnings

        warnings.warn(
            "A column-vector y was passed when a 1d array was expected.", category=_conversion_warning(), stacklevel=3
        )
        array = array[:, 0]
    if array.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {array.shape} instead.")
    target = np.array(array, dtype=np.float64)
    if len(target) != n:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {[n, len(target)]}")
    if not np.isfinite(target).all():
        raise ValueError("Input y contains NaN or infinity.")
    return target


def _weights(sample_weight: ArrayLike, n: int) -> FloatArray:
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(n, float(weights))
    if weights.shape != (n,):
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(n,)}!")
    if not np.isfinite(weights).all() or (weights < 0.0).any() or not weights.any():
        raise ValueError("sample_weight must be finite, not negative, and not all zero")
    return weights


def _feature_names(X: ArrayLike) -> "np.ndarray[Any, np.dtype[Any]] | None":
    columns = getattr(X, "columns", None)
    if columns is None or not all(isinstance(name, str) for name in columns):
        return None
    return np.array(list(columns), dtype=object)


def _same_names(calibrator: _Calibrator, X: ArrayLike) -> None:
    """Refuse a table whose columns have other names, or another order, than those of the fit."""
    names, known = _feature_names(X), getattr(calibrator, "feature_names_in_", None)
    if names is not None and known is not None and list(names) != list(known):
        raise ValueError("The feature names should match those that were passed during fit.")


def _conversion_warning() -> type[Warning]:
    """Return scikit-learn's own class when it is loaded, else UserWarning."""
    import sys

    module = sys.modules.get("sklearn.exceptions")
    return module.DataConversionWarning if module is not None else UserWarning


def _not_fitted(calibrator: _Calibrator) -> Exception:
    """Return scikit-learn's own error when it is loaded, else the classes that it derives from."""
    import sys

    message = f"This {type(calibrator).__name__} instance is not fitted yet. Call 'fit' first."
    module = sys.modules.get("sklearn.exceptions")
    return module.NotFittedError(message) if module is not None else ValueError(message)
