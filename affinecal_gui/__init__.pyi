"""The public names of the package for type checkers; ``__init__.py`` imports each when it is first asked for."""

from affinecal_gui.calibration.estimators.kernel import AugmentedRegressor as AugmentedRegressor
from affinecal_gui.calibration.estimators.kernel import CokrigingRegressor as CokrigingRegressor
from affinecal_gui.calibration.estimators.kernel import DirectRegressor as DirectRegressor
from affinecal_gui.calibration.estimators.kernel import HtlOffsetRegressor as HtlOffsetRegressor
from affinecal_gui.calibration.estimators.kernel import HtlScaleRegressor as HtlScaleRegressor
from affinecal_gui.calibration.estimators.kernel import KernelAffineConstRegressor as KernelAffineConstRegressor
from affinecal_gui.calibration.estimators.kernel import KernelAffineRegressor as KernelAffineRegressor
from affinecal_gui.calibration.estimators.kernel import OnlySourceRegressor as OnlySourceRegressor
from affinecal_gui.calibration.estimators.linear import AffineRegressor as AffineRegressor
from affinecal_gui.calibration.estimators.linear import LogDifferenceRegressor as LogDifferenceRegressor
from affinecal_gui.calibration.estimators.linear import OrdinaryRegressor as OrdinaryRegressor
from affinecal_gui.calibration.estimators.neural import NeuralAffineClassifier as NeuralAffineClassifier
from affinecal_gui.calibration.estimators.neural import NeuralAffineRegressor as NeuralAffineRegressor
from affinecal_gui.python.calibrator import Calibrator as Calibrator
from affinecal_gui.python.describing import describe as describe
from affinecal_gui.python.frames import read_table as read_table
from affinecal_gui.python.matching import match as match
from affinecal_gui.python.study import Study as Study
from affinecal_gui.python.texts import text_features as text_features

__version__: str
