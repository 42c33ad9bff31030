"""Which parameters behind a polymer's descriptors were taken from similar terms of the force field, in words."""

from functools import lru_cache

from affinecal_gui.errors import UserError

_MOST_NAMED = 6  # terms


def may_be_estimated(text: str) -> bool:
    """Whether a repeat unit can have such parameters at all: only terms with silicon are estimated."""
    return "Si" in text


@lru_cache(maxsize=4096)
def estimates_of(text: str) -> str:
    """Say which parameters of a repeat unit, or of those of a copolymer, are those of similar terms; "" if none are."""
    if not may_be_estimated(text):
        return ""
    from affinecal_gui.polymers.copolymers.composition import parse_composition
    from affinecal_gui.polymers.descriptors.described_terms import estimated_terms

    try:
        units = parse_composition(text).units
        terms = list(dict.fromkeys(term for unit in units for term in estimated_terms(unit)))
    except UserError:
        return ""
    if not terms:
        return ""
    more = f" and {len(terms) - _MOST_NAMED} more" if len(terms) > _MOST_NAMED else ""
    return f"Estimated from similar terms of the force field: {'; '.join(terms[:_MOST_NAMED])}{more}."
