"""Which property a text names, as the heading of a column does."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from affinecal_gui.tables.units.properties import PROPERTIES, Property, find_property

LONGEST_NAME = 200  # letters; a longer text, as of a damaged file, is looked at no closer


@lru_cache(maxsize=8192)  # parts of headings are asked for again and again
def property_by_name(text: str) -> Property | None:
    """Return the property that a text names: by key, title or alias, whatever its case and word separators.

    >>> property_by_name("Refractive-Index").key
    'refractive_index'
    """
    if len(text) > LONGEST_NAME:
        return None
    if "." in text and simplified(text) == "n d":
        return None  # "n.d.": not determined, and no refractive index at the sodium D line
    if text.strip() == "e":
        return None  # a modulus where its unit says so; else an energy, an elongation, a charge
    name = simplified(text)
    found = _by_name().get(name) or _by_name().get(_without_accents(name))
    return found or (
        find_property("refractive_index")
        if _INDEX_AT_A_LINE.fullmatch(unicodedata.normalize("NFKC", name).casefold())
        else None
    )


def named_among(text: str, quantities: Iterable[Property]) -> Property | None:
    """Return the one of these properties that a text names: by key, title or any name by which a heading is understood."""
    known, wanted = property_by_name(text), simplified(text)
    for quantity in quantities:
        if (known is not None and known.key == quantity.key) or wanted in map(
            simplified, (quantity.key, quantity.title)
        ):
            return quantity
    return None


def property_by_symbol(text: str, fits: Callable[[Property], bool]) -> Property | None:
    """Return the property that a symbol shared by several stands for, where a unit decides which: κ in W/(m K) or 1/GPa.

    Parameters
    ----------
    text
        The symbol.
    fits
        Whether the unit that stands beside the symbol is one of a property.

    Returns
    -------
    None where the symbol is not one of these, or where its unit leaves several or none.
    """
    candidates = map(find_property, _SHARED_SYMBOLS.get(simplified(text), ()))
    fitting = [candidate for candidate in candidates if fits(candidate)]
    return fitting[0] if len(fitting) == 1 else None


_SHARED_SYMBOLS: Mapping[str, tuple[str, ...]] = {
    "k": ("thermal_conductivity", "bulk_modulus"),
    "tc": ("thermal_conductivity",),
    "lambda": ("thermal_conductivity",),
    **dict.fromkeys(("κ", "kappa"), ("thermal_conductivity", "compressibility")),
    **dict.fromkeys(("kt", "b"), ("bulk_modulus",)),
    **dict.fromkeys(("α", "alpha", "a"), ("thermal_diffusivity",)),
    "d": ("density",),  # a D in m²/s diffuses matter more often than heat
    "c": ("Cp",),
    **dict.fromkeys(("β", "beta"), ("compressibility", "volume_expansion")),
    **dict.fromkeys(("e", "y"), ("youngs_modulus",)),
    **dict.fromkeys(("δ", "delta"), ("solubility_parameter",)),
    "v": ("specific_volume",),
}
_INDEX_AT_A_LINE = re.compile(r"n[ ^{}]*(?:(?:20|25)[ ^{}]*d|d[ ^{}]*(?:20|25))[ ^{}]*(?:°c)?")
"""The refractive index at the sodium D line with its temperature: n_D^20, nD25, n^20_D."""


def _without_accents(text: str) -> str:
    """Take the accents off Latin letters, as those do who write "indice de refraction"."""
    return "".join(unicodedata.normalize("NFD", c)[0] if "\u00c0" <= c <= "\u024f" else c for c in text)


@lru_cache(maxsize=1)
def _by_name() -> dict[str, Property]:
    names: dict[str, Property] = {}
    for known in PROPERTIES:
        for name in (known.key, known.title, known.symbol, *known.aliases):
            names.setdefault(simplified(name), known)
    for name, known in tuple(names.items()):
        names.setdefault(_without_accents(name), known)
    return names


@lru_cache(maxsize=4096)
def simplified(text: str) -> str:
    """Reduce a heading to lower-case words with single spaces."""
    return re.sub(r"[\s_\-./]+", " ", text.casefold()).strip()
