"""The vibrations of homopolymers and copolymers."""

from affinecal_gui.polymers.copolymers.composition import Composition, parse_composition
from affinecal_gui.polymers.vibrations.normal_modes import Spectrum, chains_of, mixed, vibrations_of_chain


def spectrum_of(composition: Composition | str, force_field: str = "GAFF2_mod") -> Spectrum:
    """Return the normal modes per mean repeat unit; the units of a copolymer vibrate as in their own homopolymers.

    Raises
    ------
    InvalidRepeatUnit, DescriptorError
        As :func:`affinecal_gui.polymers.copolymers.composition.parse_composition` and
        :func:`affinecal_gui.polymers.vibrations.normal_modes.vibrations`.
    """
    read = parse_composition(composition) if isinstance(composition, str) else composition
    spectra = [vibrations_of_chain(chain, force_field).spectrum for chain in chains_of(read.units, force_field)]
    return spectra[0] if not read.is_copolymer else mixed(spectra, read.fractions)
