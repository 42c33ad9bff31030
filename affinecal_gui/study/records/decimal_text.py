"""Many numbers as text at once: the shortest decimals that bring back the very same numbers, as ``repr`` writes them.

``repr`` takes half a microsecond for each number and keeps every other thread waiting meanwhile. Most numbers of tables are
decimals of a few digits, which arrays of whole numbers find: where m / 10**d, with m below 10**15, is rounded to the number,
m and d are its shortest decimal but for zeros at the end, because no two decimals of up to 15 digits are rounded to the same
number (D. Goldberg, ACM Computing Surveys 23 (1991), 5). All others are left to ``repr``.
"""

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
Bytes = NDArray[np.uint8]

_DIGITS = 15  # of a decimal that certainly comes back
_MOST_DECIMALS = 18  # of a number of that many digits that repr writes without an exponent
_LEAST = 1e-4  # smaller numbers repr writes with an exponent
_POWERS = 10 ** np.arange(_MOST_DECIMALS + 1, dtype=np.int64)
_SCALES = _POWERS.astype(np.float64)  # exact: powers of ten are up to 10**22
_GROUP = 4  # digits that are looked up together
_GROUPS = np.array([f"{number:04d}".encode() for number in range(10**_GROUP)], dtype="S4").view(np.uint32)
_LONGEST = 24  # characters that repr writes: -1.2345678901234567e-308
_COMMA, _POINT, _MINUS = b",.-"


def joined_rows(values: FloatArray) -> list[bytes]:
    """Return the text of each row, a comma behind every number.

    Parameters
    ----------
    values
        (rows, columns); nan becomes an empty cell.

    Examples
    --------
    >>> joined_rows(np.array([[1.0, -0.25], [np.nan, 1e-7]]))
    [b'1,-0.25,', b',1e-07,']
    """
    flat = np.ascontiguousarray(values, dtype=np.float64).ravel()
    whole, decimals, is_short = _as_decimals(flat)
    if 2 * np.count_nonzero(is_short) < flat.size:
        return [_plainly(row) for row in values.tolist()]
    cells, used = _cells(flat, whole, decimals, is_short)
    ends = np.cumsum(np.count_nonzero(used.reshape(len(values), -1), axis=1)).tolist()
    text = np.compress(used.ravel(), cells.ravel()).tobytes()
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _plainly(row: list[float]) -> bytes:
    """Return the same text, made by ``repr`` alone."""
    return (",".join(map(repr, row)) + ",").replace(".0,", ",").replace("nan,", ",").encode()


def shortest(value: float) -> str:
    """Return one number as text, without a fraction that is nothing."""
    text = repr(value)
    return text[:-2] if text.endswith(".0") else text


def _cells(values: FloatArray, whole: IntArray, decimals: IntArray, is_short: BoolArray) -> tuple[Bytes, BoolArray]:
    """Return the characters of every number, (n, width), and which of them count; commas stand in the last column."""
    scale = _POWERS[decimals]
    left = whole // scale
    right = (whole - left * scale) * _POWERS[_MOST_DECIMALS - decimals]
    of_left = -(-len(str(int(left.max(initial=0)))) // _GROUP)  # groups of digits before the point
    of_right = -(-int(decimals.max(initial=0)) // _GROUP)  # and behind it
    others = np.flatnonzero(~is_short & (values == values))
    point = 1 + _GROUP * of_left
    width = max(point + 1 + _GROUP * of_right, _LONGEST if others.size else 0) + 1
    cells = np.zeros((len(values), width), dtype=np.uint8)
    used = np.zeros((len(values), width), dtype=np.bool_)
    cells[:, 0], cells[:, point], cells[:, -1] = _MINUS, _POINT, _COMMA
    used[:, 0], used[:, point], used[:, -1] = np.signbit(values) & is_short, decimals > 0, True
    for end in range(point, 1, -_GROUP):
        above = left // 10**_GROUP
        _put(cells, end - _GROUP, left - above * 10**_GROUP)
        for digit in range(_GROUP):
            used[:, end - 1 - digit] = left >= 10**digit
        left = above
    used[:, point - 1] = is_short  # also a zero before the point
    for group in range(of_right):
        start = point + 1 + _GROUP * group
        below = _MOST_DECIMALS - _GROUP * (group + 1)  # digits of the fraction behind this group
        part = right // 10**below if below >= 0 else right * 10**-below
        right = right - part * 10**below if below >= 0 else right
        _put(cells, start, part)
        for digit in range(_GROUP):
            used[:, start + digit] = decimals > _GROUP * group + digit
    if others.size:
        texts = np.array([shortest(value).encode() for value in values[others].tolist()], dtype=f"S{width - 1}")
        written = texts.view(np.uint8).reshape(len(others), width - 1)
        cells[others, :-1], used[others, :-1] = written, written != 0
    return cells, used


def _put(cells: Bytes, column: int, numbers: IntArray) -> None:
    """Write whole numbers below 10**4 as four digits each, all four bytes at once."""
    rows, width = cells.shape
    four = np.ndarray((rows,), np.uint32, cells.data, column, (width,))
    four[:] = _GROUPS[numbers]


def _as_decimals(values: FloatArray) -> tuple[IntArray, IntArray, BoolArray]:
    """Return m and d of numbers of the size m / 10**d, both as small as can be, and whether a number is such a decimal.

    Parameters
    ----------
    values
        (n,) numbers, which may be nan or infinite; m and d of those that are no such decimals are 0.
    """
    size = np.abs(values)
    fits = (size < 10.0**_DIGITS) & ((size >= _LEAST) | (size == 0.0))
    size = np.where(fits, size, 0.0)
    # Powers of two to powers of ten, upwards: now and then one digit less is tried than there could be.
    digits = np.ceil(np.frexp(size)[1] * np.log10(2.0)).astype(np.int64)
    decimals = np.clip(_DIGITS - digits, 0, _MOST_DECIMALS)
    whole = np.rint(size * _SCALES[decimals])
    fits &= whole / _SCALES[decimals] == size
    whole, decimals = np.where(fits, whole, 0.0).astype(np.int64), np.where(fits, decimals, 0)
    for zeros in (8, 4, 2, 1):
        shorter = whole // 10**zeros
        can = (shorter * 10**zeros == whole) & (decimals >= zeros)
        whole = np.where(can, shorter, whole)
        decimals = np.where(can, decimals - zeros, decimals)
    return whole, decimals, fits
