"""The service that computes the vibrations of many polymers, beside the one that describes them: in worker processes too.

A spectrum is kept as one row of numbers, so that the cache of descriptors keeps it as well.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.vibrations.normal_modes import Spectrum
from affinecal_gui.study.describing.describing import (
    FORCE_FIELD,
    Description,
    engine_of,
    numbers_or_reason,
    results_of,
)
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.task import UNWATCHED, Task

TEXTS_REMEMBERED = 2048  # about 5 kB each
_KINDS = 4  # of numbers of a mode: wavenumber, weight, whether it stretches bonds to hydrogen, whether bonds


@dataclass(frozen=True, slots=True, eq=False)
class SpectrumTable:
    """Spectra of m polymers, in the order asked for."""

    spectra: tuple[Spectrum | None, ...]
    problems: tuple[str, ...]  # (m,) "" or the reason
    known: Mapping[str, Description] = field(default_factory=dict, repr=False)


def spectra_of(
    smiles: Sequence[str],
    *,
    force_field: str = FORCE_FIELD,
    processes: int = 0,
    known: Mapping[str, Description] | None = None,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> SpectrumTable:
    """Compute the vibrations of each polymer; arguments as of :func:`describe_polymers`."""
    results = results_of(
        smiles,
        partial(spectrum_of_text, force_field=force_field),
        f"{engine_of(force_field)}, vibrations",
        done="Computed the vibrations of",
        processes=processes,
        known=known,
        cache=cache,
        task=task,
    )
    found = [results[text] for text in smiles]
    spectra = tuple(None if numbers is None else _unpacked(numbers) for numbers, _ in found)
    return SpectrumTable(spectra, tuple(reason for _, reason in found), results)


@lru_cache(maxsize=TEXTS_REMEMBERED)
def spectrum_of_text(text: str, force_field: str = FORCE_FIELD) -> Description:
    """Compute the vibrations of one homopolymer or copolymer; whatever is wrong with it becomes a reason."""
    from affinecal_gui.polymers.copolymers.composition_spectrum import spectrum_of

    return numbers_or_reason(lambda: _packed(spectrum_of(text, force_field)), "given its vibrations")


def _packed(spectrum: Spectrum) -> NDArray[np.float64]:
    modes = (spectrum.wavenumbers, spectrum.weights, spectrum.to_hydrogen, spectrum.stretching)
    packed = np.concatenate([[spectrum.molar_mass], *modes])
    packed.flags.writeable = False
    return packed


def _unpacked(numbers: NDArray[np.float64]) -> Spectrum:
    wavenumbers, weights, to_hydrogen, stretching = numbers[1:].reshape(_KINDS, -1)
    return Spectrum(wavenumbers, weights, to_hydrogen > 0.0, stretching > 0.0, float(numbers[0]))
