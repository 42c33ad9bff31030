"""All calibrators. Adding one is a module with its record and a line here; everything else asks this registry."""

from affinecal_gui.calibration.calibrators.calibrator import Calibrator
from affinecal_gui.calibration.calibrators.linear.affine import AFFINE
from affinecal_gui.calibration.calibrators.linear.combined import COMBINED
from affinecal_gui.calibration.calibrators.linear.log_difference import LOG_DIFFERENCE
from affinecal_gui.calibration.calibrators.linear.ordinary import ORDINARY
from affinecal_gui.calibration.calibrators.linear.raw_md import RAW_MD
from affinecal_gui.calibration.calibrators.quantum_corrected import QUANTUM_CORRECTED
from affinecal_gui.calibration.calibrators.several_sources import SEVERAL_SOURCES
from affinecal_gui.calibration.kernels.calibrators.affine_tl_const import AFFINE_TL_CONST
from affinecal_gui.calibration.kernels.calibrators.affine_tl_full import AFFINE_TL_FULL
from affinecal_gui.calibration.kernels.calibrators.augmented import AUGMENTED
from affinecal_gui.calibration.kernels.calibrators.cokriging import COKRIGING
from affinecal_gui.calibration.kernels.calibrators.direct import DIRECT
from affinecal_gui.calibration.kernels.calibrators.htl_offset import HTL_OFFSET
from affinecal_gui.calibration.kernels.calibrators.htl_scale import HTL_SCALE
from affinecal_gui.calibration.kernels.calibrators.only_source import ONLY_SOURCE

CALIBRATORS: tuple[Calibrator, ...] = (
    RAW_MD,
    QUANTUM_CORRECTED,
    ORDINARY,
    LOG_DIFFERENCE,
    AFFINE,
    COMBINED,
    *SEVERAL_SOURCES,
    ONLY_SOURCE,
    DIRECT,
    AUGMENTED,
    HTL_OFFSET,
    HTL_SCALE,
    AFFINE_TL_CONST,
    AFFINE_TL_FULL,
    COKRIGING,
)
"""In the order in which they are fitted, listed and drawn: simplest first, and those that explain themselves by coefficients
before those made of kernels."""

RAW = RAW_MD.key
"""What every calibrator has to beat: the MD value as it is."""

DEFAULT = AFFINE.key
"""The calibrator shown large, exported and inspected unless another is chosen."""


RECOMMENDED = "recommended"
"""What stands for a calibrator where the recommended one is wished for, whichever it turns out to be."""


def find(key: str) -> Calibrator | None:
    """Return the calibrator with this key, or None."""
    return next((one for one in CALIBRATORS if one.key == key), None)


def calibrator(key: str) -> Calibrator:
    """Return the calibrator with this key.

    Raises
    ------
    ValueError
        There is none.
    """
    found = find(key)
    if found is None:
        raise ValueError(f"there is no calibrator {key!r}; there are {', '.join(calibrator_keys())}")
    return found


def calibrator_keys() -> tuple[str, ...]:
    """Return the keys of all calibrators, simplest first."""
    return tuple(one.key for one in CALIBRATORS)


def linear_keys() -> tuple[str, ...]:
    """Return the keys of the calibrators of every calibration, those that combine others among them.

    The paper's protocol knows none of the latter: see :func:`fitted_keys`.
    """
    return tuple(one.key for one in CALIBRATORS if one.linear is not None or one.combines)


def given_keys() -> tuple[str, ...]:
    """Return the keys of the calibrators whose values come with the data, where they can be had."""
    return tuple(one.key for one in CALIBRATORS if one.is_given)


def source_keys() -> tuple[str, ...]:
    """Return the keys of the calibrators of several sources."""
    return tuple(one.key for one in CALIBRATORS if one.one_source)


def further_keys() -> tuple[str, ...]:
    """Return the keys of the calibrators that rest on further data, which another property or table may not have."""
    return tuple(one.key for one in CALIBRATORS if one.needs_further_data)


def fitted_keys() -> tuple[str, ...]:
    """Return the keys of the linear calibrators that are fitted to measured values themselves, MD as it is first."""
    return tuple(one.key for one in CALIBRATORS if one.linear is not None)


def combined_keys() -> tuple[str, ...]:
    """Return the keys of the calibrators that combine others."""
    return tuple(one.key for one in CALIBRATORS if one.combines)


def kernel_keys() -> tuple[str, ...]:
    """Return the keys of the methods with kernels, which are compared with the others on request."""
    return tuple(one.key for one in CALIBRATORS if one.needs_kernels)


def penalised_keys() -> tuple[str, ...]:
    """Return the keys of the linear calibrators whose penalties are chosen by cross-validation or set by hand."""
    return tuple(one.key for one in CALIBRATORS if one.penalties and not one.needs_kernels)
