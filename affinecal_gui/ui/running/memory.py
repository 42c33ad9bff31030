"""Memory that nobody needs, given back to the system.

Python and its packages end what they make, but the C library keeps what was freed: the more threads have worked, and the
larger the arrays were, the more of it lies between what is still used and cannot be used by others.
"""

import contextlib
import ctypes
import linecache
import sys

# Parameters of mallopt in the header malloc.h of the GNU C library.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_ARENA_MAX = -1, -3, -8
LARGE_BLOCK = 1_000_000  # bytes; a block from this size on goes back to the system when it is freed
RESERVE = 16_000_000  # bytes at the end of the first pool; at the usual 128 kB a calibration takes half as long again
POOLS = 2  # that threads share; without a word of ours every thread gets its own, up to eight for every processor


def keep_little_in_reserve() -> None:
    """Have the C library give large blocks back and let threads share the pools of small ones, where it can be told."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # another C library than GNU's
            library = ctypes.CDLL(None)
            library.mallopt(_M_MMAP_THRESHOLD, LARGE_BLOCK)
            library.mallopt(_M_TRIM_THRESHOLD, RESERVE)
            library.mallopt(_M_ARENA_MAX, POOLS)


def give_back() -> None:
    """Return what is held in reserve. Takes some hundredths of a second.

    PySide looks into the text of every module for its own name when it is imported, and the text of all packages, some
    50 MB, stays in the cache of the standard library.
    """
    linecache.clearcache()
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


class _HeapState(ctypes.Structure):
    """``struct mallinfo2`` of the header malloc.h."""

    _names = ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")
    _fields_ = [(name, ctypes.c_size_t) for name in _names]


def in_use() -> int:
    """Return the bytes that the C library has handed out, to whomever; 0 where it cannot be told."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # another C library, or one before 2.33
            ask = ctypes.CDLL(None).mallinfo2
            ask.restype = _HeapState
            state = ask()
            return int(state.uordblks + state.hblkhd)
    return 0
