"""How many examples a property is tried with."""

from hypothesis import settings


def tries(many: int) -> int:
    """So many where others are searched each time, and a quarter of them where they are always the same."""
    default = settings.default
    return max(10, many // 4) if default is not None and default.derandomize else many
