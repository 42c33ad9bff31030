"""One cell of a data frame -> the text that a table has in its place, which brings back the very same number."""

from decimal import Decimal
from numbers import Rational

import numpy as np
import pandas as pd

from affinecal_gui.tables.raw_table import CELL_SEPARATOR, DecimalMark


def cell_text(value: object, decimal: DecimalMark | None) -> str:
    """Return a cell as text.

    Parameters
    ----------
    value
        Anything that a data frame can hold. Something that is neither text nor number nor time is given by the name of its
        type, so that a sentence about it quotes that.
    decimal
        The decimal mark of the texts beside it; None where that is open: numbers get an exponent then, which tells theirs.
    """
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if value is None or value is pd.NA or value is pd.NaT:
        return ""
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    if isinstance(value, Rational):  # whole numbers and fractions; numpy's whole numbers are none for Python
        return str(value.numerator) if value.denominator == 1 else _number_text(float(value), decimal)
    if isinstance(value, np.integer):
        return str(int(value))
    if isinstance(value, float | Decimal):
        return _number_text(float(value), decimal)
    if isinstance(value, np.floating):  # a float32 is the number that it is written as: 0.1, not 0.10000000149011612
        return _number_text(float(str(value)), decimal)
    if isinstance(value, bytes):
        value = value.decode("utf-8", errors="replace")
    if not isinstance(value, str) and _is_written_as_an_address(value):
        return f"‹{type(value).__name__}›"
    return str(value).replace(CELL_SEPARATOR, " ").strip()


def _number_text(number: float, decimal: DecimalMark | None) -> str:
    if not np.isfinite(number):
        return "" if np.isnan(number) else "∞" if number > 0 else "−∞"  # "inf" in a file stands for no value
    text = repr(number)
    if decimal is None:
        return text if "e" in text or "." not in text else f"{text}e0"
    return text.replace(".", decimal)


def _is_written_as_an_address(value: object) -> bool:
    """Whether the text of something says no more than where it lies in memory, as that of a molecule of RDKit."""
    return str(value).startswith("<") and hex(id(value))[2:].lower() in str(value).lower()
