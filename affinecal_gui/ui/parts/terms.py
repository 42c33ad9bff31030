"""The terms of statistics and MD that a chemist need not know: a plain line for each, the same wherever the term stands."""

from affinecal_gui.calibration.calibrators import quantum_corrected

OUT_OF_FOLD = "Each polymer is predicted by a fit that has not seen its measurement, like a new polymer."
FITTED = "Each polymer is predicted by the fit to all of them, its own measurement included."

LEAK_FREE = (
    "Every scaling constant and every penalty is learned inside the training part only: nothing of the polymers that are "
    "predicted leaks into the fit, and the errors are not better than they will be for new polymers."
)
AS_PUBLISHED = "The protocol of Minami et al. (NeurIPS 2023): descriptors scaled over all polymers, 20 random splits."

CLEAR_OF_ZERO = (
    "The whole band lies on one side of zero: the data say whether this value raises or lowers the correction."
)
NOT_CLEAR_OF_ZERO = "The band holds zero: the data do not say whether this value raises or lowers the correction."
STANDARD_UNIT = (
    "A standard unit (s.d.) is one standard deviation of the descriptor over the polymers of the fit: as much as two of "
    "them usually differ in it."
)

SIZE_PENALTY = "The larger it is, the less the structure may change the MD value."
ROUGHNESS_PENALTY = (
    "The larger it is, the more alike are the coefficients of neighbouring bars, as of bonds nearly as stiff."
)
COUPLING_PENALTY = (
    "β lets the correction by the structure grow or fade with the MD value; the larger the penalty, the less it may."
)

QUANTUM_CORRECTED = quantum_corrected.QUANTUM_CORRECTED.explanation
