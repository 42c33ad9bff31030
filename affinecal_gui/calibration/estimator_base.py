"""What all calibrators have in common as scikit-learn estimators: parameters, validation of arrays, score.

scikit-learn is not needed to use them, and never imported unless it asks for their tags.
"""

import inspect
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from affinecal_gui.calibration.results import FloatArray


class Estimator:
    """Parameters, checks and score; a subclass adds ``fit`` and ``predict`` and sets ``fitted_``."""

    n_features_in_: int

    def predict(self, X: ArrayLike) -> FloatArray:
        """Return (k,) predictions of ``X``."""
        raise NotImplementedError

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

    def _learn_names(self, X: ArrayLike, columns: int) -> None:
        """Remember the number and the names of the columns."""
        self.n_features_in_ = columns
        names = feature_names(X)
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _known_table(self, X: ArrayLike) -> FloatArray:
        """Return ``X`` (k, columns) as an array, if the estimator is fitted and knows such columns."""
        if not self.__sklearn_is_fitted__():
            raise not_fitted(self)
        same_names(self, X)
        table = self._validated(X)
        if table.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {table.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} features "
                f"as input"
            )
        return table

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the coefficient of determination R2 of the predictions."""
        predicted = self.predict(X)
        target = target_array(y, len(predicted))
        w = np.ones(len(target)) if sample_weight is None else weight_array(sample_weight, len(target))
        total = float(w @ (target - np.average(target, weights=w)) ** 2)
        missed = float(w @ (target - predicted) ** 2)
        if total == 0.0:
            return 1.0 if missed == 0.0 else 0.0
        return 1.0 - missed / total

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


def target_array(y: ArrayLike, n: int) -> FloatArray:
    """Return (n,) finite targets; raise ValueError as scikit-learn does."""
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


def weight_array(sample_weight: ArrayLike, n: int) -> FloatArray:
    """Return (n,) weights, not negative and not all zero."""
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(n, float(weights))
    if weights.shape != (n,):
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(n,)}!")
    if not np.isfinite(weights).all() or (weights < 0.0).any() or not weights.any():
        raise ValueError("sample_weight must be finite, not negative, and not all zero")
    return weights


def feature_names(X: ArrayLike) -> "np.ndarray[Any, np.dtype[Any]] | None":
    """Return the names of the columns of a data frame, if all are texts."""
    columns = getattr(X, "columns", None)
    if columns is None or not all(isinstance(name, str) for name in columns):
        return None
    return np.array(list(columns), dtype=object)


def same_names(calibrator: Estimator, X: ArrayLike) -> None:
    """Refuse a table whose columns have other names, or another order, than those of the fit."""
    names, known = feature_names(X), getattr(calibrator, "feature_names_in_", None)
    if names is not None and known is not None and list(names) != list(known):
        raise ValueError("The feature names should match those that were passed during fit.")


def _conversion_warning() -> type[Warning]:
    """Return scikit-learn's own class when it is loaded, else UserWarning."""
    import sys

    module = sys.modules.get("sklearn.exceptions")
    return module.DataConversionWarning if module is not None else UserWarning


def not_fitted(calibrator: Estimator) -> Exception:
    """Return scikit-learn's own error when it is loaded, else the classes that it derives from."""
    import sys

    message = f"This {type(calibrator).__name__} instance is not fitted yet. Call 'fit' first."
    module = sys.modules.get("sklearn.exceptions")
    return module.NotFittedError(message) if module is not None else ValueError(message)
