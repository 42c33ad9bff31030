"""AffineCal: corrects molecular-dynamics values of polymer properties with the few measurements there are.

The names below are the face of the package for Python, ``import affinecal_gui as ac``. Each is imported when it is first
asked for, so that neither the window nor a command waits for pandas or scikit-learn, and Python users need no Qt.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_LINEAR = "affinecal_gui.calibration.estimators.linear"
_KERNELS = "affinecal_gui.calibration.estimators.kernel"

_NETWORKS = "affinecal_gui.calibration.estimators.neural"

_HOMES = {
    "read_table": "affinecal_gui.python.frames",
    "describe": "affinecal_gui.python.describing",
    "match": "affinecal_gui.python.matching",
    "Study": "affinecal_gui.python.study",
    "Calibrator": "affinecal_gui.python.calibrator",
    "OrdinaryRegressor": _LINEAR,
    "LogDifferenceRegressor": _LINEAR,
    "AffineRegressor": _LINEAR,
    "OnlySourceRegressor": _KERNELS,
    "DirectRegressor": _KERNELS,
    "AugmentedRegressor": _KERNELS,
    "HtlOffsetRegressor": _KERNELS,
    "HtlScaleRegressor": _KERNELS,
    "CokrigingRegressor": _KERNELS,
    "KernelAffineConstRegressor": _KERNELS,
    "KernelAffineRegressor": _KERNELS,
    "NeuralAffineRegressor": _NETWORKS,
    "NeuralAffineClassifier": _NETWORKS,
    "text_features": "affinecal_gui.python.texts",
}
"""Every public name and the module that defines it; ``__init__.pyi`` says the same to type checkers."""

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
