"""One argument of a function for Python -> the value it stands for, or a ValueError that names it and quotes it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np


def one_of(value: Any, allowed: Sequence[Any], what: str) -> Any:
    """Return a value that is None or one of those allowed; raise ValueError for any other."""
    if value is not None and not (isinstance(value, str) and value in allowed):
        raise ValueError(f"{what} must be one of {', '.join(map(repr, allowed))}, not {value!r}")
    return value


def true_or_false(value: object, what: str) -> bool | None:
    """Return None, True or False; raise ValueError for anything else, since every text, "no" too, counts as true."""
    if value is None or isinstance(value, bool | np.bool_):
        return None if value is None else bool(value)
    raise ValueError(f"{what} must be True or False, not {value!r}")


def number(value: object, what: str) -> float | None:
    """Return None or a number, which may be nan; raise ValueError for what is none."""
    if value is None:
        return None
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        raise ValueError(f"{what} must be a number, not {value!r}")
    return float(value)


def whole_number(value: object, what: str) -> int | None:
    """Return None or a whole number that is not negative; raise ValueError for anything else."""
    if value is None:
        return None
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer) or value < 0:
        raise ValueError(f"{what} must be a whole number that is not negative, not {value!r}")
    return int(value)


def text(value: object, what: str) -> str | None:
    """Return None or a text; raise ValueError for anything else."""
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{what} must be a text, not {value!r}")
    return value


def texts(value: object, what: str) -> tuple[str, ...] | None:
    """Return None or texts, of which one may stand alone; raise ValueError for anything else."""
    if value is None:
        return None
    listed = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, Iterable) else (value,)
    for one in listed:
        text(one, f"each of {what}")
    return listed


def numbers(value: object, what: str) -> tuple[float, ...] | None:
    """Return None or numbers; raise ValueError for anything else."""
    if value is None:
        return None
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ValueError(f"{what} must be numbers, not {value!r}")
    found = []
    for one in value:
        read = number(one, f"each of {what}")
        if read is None:
            raise ValueError(f"each of {what} must be a number, not None")
        found.append(read)
    return tuple(found)


def numbers_by_name(value: object, what: str) -> dict[str, float] | None:
    """Return None or numbers by their names; raise ValueError for anything else."""
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise ValueError(f"{what} must be a mapping of names to numbers, not {value!r}")
    found = {}
    for name, one in value.items():
        read = number(one, f"{what} of {name!r}")
        if text(name, f"each name in {what}") is None or read is None:
            raise ValueError(f"{what} must be a mapping of names to numbers, not {value!r}")
        found[name] = read
    return found
