"""Affine transfer with networks as scikit-learn estimators: a regressor, and a classifier of two classes.

Some columns of ``X`` are source features (what a source network says, or an embedding of a text), the others descriptors or
counts. Source features and descriptors are standardised inside, from the training rows alone; sparse counts are not.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, Self
from warnings import warn

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from affinecal_gui.calibration.estimators.columns import Column, FoundColumns, find_columns
from affinecal_gui.calibration.estimators.refusals import refuse_times, user_errors_as_value_errors
from affinecal_gui.calibration.networks.fitting import AffineNetwork, Loss, NetworkOptions, fit_affine_network
from affinecal_gui.calibration.networks.models import sigmoid
from affinecal_gui.calibration.results import FloatArray


class _NeuralAffine(BaseEstimator):  # type: ignore[misc]
    """What the regressor and the classifier share.

    Attributes
    ----------
    network_
        What was fitted.
    coef_
        (d,) coefficients of a linear g3, in the order of its columns and per unit of each; None of a network.
    held_out_losses_
        (starts,) lowest held-out loss of each start; their spread tells of local optima.
    n_iter_
        Epochs of the start that was kept.
    """

    _loss: ClassVar[Loss]

    # What fit() learns.
    network_: AffineNetwork
    columns_: FoundColumns
    coef_: FloatArray | None
    held_out_losses_: FloatArray
    n_iter_: int
    n_features_in_: int

    def __init__(
        self,
        *,
        md_column: Column | Sequence[Column] | None = None,
        factor: Literal["free", "positive"] = "free",
        hidden_source: int = 16,
        hidden_target: int = 0,
        l1: float = 0.0,
        l2: float = 0.01,
        dropout: float = 0.0,
        learning_rate: float = 0.003,
        batch_size: int = 32,
        max_epochs: int = 500,
        patience: int = 30,
        held_out: float = 0.2,
        starts: int = 5,
        random_state: int = 0,
    ) -> None:
        self.md_column = md_column
        self.factor = factor
        self.hidden_source = hidden_source
        self.hidden_target = hidden_target
        self.l1 = l1
        self.l2 = l2
        self.dropout = dropout
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_epochs = max_epochs
        self.patience = patience
        self.held_out = held_out
        self.starts = starts
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @user_errors_as_value_errors()
    def _fit(self, X: Any, y: FloatArray) -> None:
        names = getattr(self, "feature_names_in_", None)
        found = find_columns(X.shape[1], None if names is None else list(map(str, names)), self.md_column, None)
        self.columns_ = found
        source, target = self._parts(X)
        options = NetworkOptions(
            self._loss,
            self.factor,
            int(self.hidden_source),
            int(self.hidden_target),
            float(self.l1),
            float(self.l2),
            float(self.dropout),
            float(self.learning_rate),
            int(self.batch_size),
            int(self.max_epochs),
            int(self.patience),
            float(self.held_out),
            int(self.starts),
            int(self.random_state),
        )
        self.network_ = fit_affine_network(source, target, y, options)
        self.coef_ = self.network_.coefficients
        self.held_out_losses_ = self.network_.losses
        self.n_iter_ = int(self.network_.epochs[int(np.argmin(self.network_.losses))])
        if not self.network_.converged:
            warn(
                f"The held-out loss was still falling after {self.max_epochs} epochs; raise max_epochs or learning_rate.",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _parts(self, X: Any) -> tuple[FloatArray, Any]:
        """Return source features (n, p), and descriptors (n, d) or sparse counts in the order of their columns."""
        sources, others = list(self.columns_.sources), sorted(self.columns_.descriptors)
        first = X[:, sources]
        return (first if isinstance(first, np.ndarray) else first.toarray()), X[:, others]

    def _said(self, X: Any) -> FloatArray:
        check_is_fitted(self)
        refuse_times(X)
        table = validate_data(self, X, dtype=np.float64, accept_sparse="csr", reset=False)
        return self.network_.predict(*self._parts(table))

    def terms(self, X: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
        """(k,) each: g1, g2 and g3 of the rows of ``X``; predictions are g1 + g2 g3."""
        check_is_fitted(self)
        refuse_times(X)
        table = validate_data(self, X, dtype=np.float64, accept_sparse="csr", reset=False)
        return self.network_.terms(*self._parts(table))

    def coefficients(self, names: Sequence[str] | None = None) -> list[tuple[str, float]]:
        """Return name and coefficient of the columns of a linear g3 that are not zero, the largest first.

        Parameters
        ----------
        names
            (d,) names of these columns, such as the phrases that were counted; None for those of a data frame, or positions.

        Raises
        ------
        ValueError
            g3 is a network, or there are more or fewer names than columns.
        """
        check_is_fitted(self)
        if self.coef_ is None:
            raise ValueError("g3 is a network and has no coefficients; set hidden_target=0")
        if names is None:
            known = getattr(self, "feature_names_in_", [f"column {number}" for number in range(self.n_features_in_)])
            names = [str(known[number]) for number in sorted(self.columns_.descriptors)]
        if len(names) != len(self.coef_):
            raise ValueError(f"{len(names)} names for {len(self.coef_)} coefficients")
        found = [(name, float(value)) for name, value in zip(names, self.coef_, strict=True) if value != 0.0]
        return sorted(found, key=lambda one: -abs(one[1]))


class NeuralAffineRegressor(RegressorMixin, _NeuralAffine):  # type: ignore[misc]
    """``y = g1(f) + g2(f) g3(x)``, g1 and g2 small networks, g3 linear or a network, learned together.

    Trained by Adam on small batches; a share of the rows is held out, and each of several starts ends where their loss was
    lowest. The start with the lowest one is kept.

    Parameters
    ----------
    md_column
        Name or position of the source features, one or several; None for the first column.
    factor
        "free" lets g2 have any sign; "positive" is 1 / (1 + exp(-u)), so that the signs of g3 can be read.
    hidden_source, hidden_target
        Width of the hidden layer of g1 and g2, and of g3; 0 for a linear function.
    l1
        Penalty on the absolute weights of the first layer of g3: those of no use become exactly zero.
    l2
        Penalty on the squares of all weights, in units of the variance of y.
    dropout
        Share of the hidden units that each step leaves out.
    learning_rate, batch_size, max_epochs
        Of Adam.
    patience, held_out
        Epochs without a lower held-out loss after which a start ends, and the share of the rows that is held out.
    starts, random_state
        Number of starts, and the seed of all that chance decides.
    """

    _loss = "squared"

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit to ``X`` (n, p + d), array, data frame or sparse matrix, and measured values ``y`` (n,)."""
        refuse_times(X, y)
        table, target = validate_data(
            self, X, y, dtype=np.float64, y_numeric=True, ensure_min_samples=2, accept_sparse="csr"
        )
        self._fit(table, np.asarray(target, dtype=np.float64))
        return self

    def predict(self, X: ArrayLike) -> FloatArray:
        """Return (k,) predictions of ``X`` (k, p + d)."""
        return self._said(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # The first column alone is the source: on columns without a meaning a good score is not to be expected.
        tags.regressor_tags.poor_score = True
        return tags


class NeuralAffineClassifier(ClassifierMixin, _NeuralAffine):  # type: ignore[misc]
    """Two classes told apart by ``g1(f) + g2(f) g3(x)``, the logarithm of the odds; logistic loss.

    With embeddings of texts as source features f, counts of phrases as x, ``factor="positive"`` and ``l1``, the coefficients
    of g3 say which phrases speak for a class beyond what the embedding knows. Parameters: :class:`NeuralAffineRegressor`.

    Attributes
    ----------
    classes_
        The two classes; positive coefficients speak for the second.
    """

    _loss = "logistic"

    classes_: Any

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit to ``X`` (n, p + d), array, data frame or sparse matrix, and classes ``y`` (n,)."""
        refuse_times(X)
        table, labels = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2, accept_sparse="csr")
        check_classification_targets(labels)
        if type_of_target(labels, input_name="y") != "binary" and len(np.unique(labels)) > 2:
            raise ValueError("Only binary classification is supported. The type of the target is multiclass.")
        self.classes_, classes = np.unique(labels, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y has one class, {self.classes_[0]!r}; a classifier needs two")
        self._fit(table, classes.astype(np.float64))
        return self

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """(k,) logarithm of the odds of the second class."""
        return self._said(X)

    def predict_proba(self, X: ArrayLike) -> FloatArray:
        """(k, 2) probabilities of the classes."""
        second = sigmoid(self._said(X))
        return np.column_stack([1.0 - second, second])

    def predict(self, X: ArrayLike) -> Any:
        """(k,) classes."""
        second = self._said(X) > 0.0
        return self.classes_[second.astype(np.int64)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = True
        return tags
