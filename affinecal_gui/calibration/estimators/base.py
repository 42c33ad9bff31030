"""What all calibrators have in common as scikit-learn estimators: how tables come in, and which column is what."""

from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from affinecal_gui.calibration.estimators.columns import Blocks, Column, FoundColumns, find_columns
from affinecal_gui.calibration.estimators.refusals import refuse_times
from affinecal_gui.calibration.results import FloatArray


class Estimator(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A regressor of MD values and descriptors; a subclass adds ``fit`` and ``predict`` and sets ``fitted_``.

    Attributes
    ----------
    columns_
        Where MD values, descriptors and their blocks are in the columns of X.
    n_features_in_, feature_names_in_
        Number of columns of X, and their names where it was a data frame.
    """

    md_column: Column | Sequence[Column] | None
    _most_sources: float = inf

    # What fit() learns.
    columns_: FoundColumns
    n_features_in_: int

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # The first column alone is the MD value: on columns without a meaning a good score is not to be expected.
        tags.regressor_tags.poor_score = True
        return tags

    def _blocks(self) -> Blocks | None:
        """Return the blocks that were asked for."""
        return None

    def _training(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> tuple[FloatArray, FloatArray, FloatArray | None]:
        """Return the table (n, columns), target (n,) and weights (n,) of the rows that count, and find the columns."""
        refuse_times(X, y)
        table, target = validate_data(self, X, y, dtype=np.float64, y_numeric=True, ensure_min_samples=2)
        target = np.asarray(target, dtype=np.float64)
        names = getattr(self, "feature_names_in_", None)
        self.columns_ = find_columns(
            table.shape[1],
            None if names is None else list(map(str, names)),
            self.md_column,
            self._blocks(),
            most_sources=self._most_sources,
        )
        if sample_weight is None:
            return table, target, None
        weights = _check_sample_weight(sample_weight, table, dtype=np.float64, ensure_non_negative=True)
        counts = weights > 0.0
        if not counts.any():
            raise ValueError("sample_weight must not be zero for all rows")
        return table[counts], target[counts], weights[counts]

    def _known_table(self, X: ArrayLike) -> FloatArray:
        """Return ``X`` (k, columns) as an array, if the estimator is fitted and knows such columns."""
        check_is_fitted(self)
        refuse_times(X)
        table: FloatArray = validate_data(self, X, dtype=np.float64, reset=False)
        return table
