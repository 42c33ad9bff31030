"""Which windows an X11 screen shows, asked of the screen itself: for programs that cannot be asked."""

import ctypes
import ctypes.util
import time
from collections.abc import Callable
from types import TracebackType

SMALLEST = 200  # pixels of either side; what is smaller is a splash, a tooltip or a helper
_VIEWABLE = 2
_POLL_SECONDS = 0.004


class _Attributes(ctypes.Structure):
    """The beginning of XWindowAttributes, and room for the rest."""

    _fields_ = (
        ("x", ctypes.c_int),
        ("y", ctypes.c_int),
        ("width", ctypes.c_int),
        ("height", ctypes.c_int),
        ("border_width", ctypes.c_int),
        ("depth", ctypes.c_int),
        ("visual", ctypes.c_void_p),
        ("root", ctypes.c_ulong),
        ("class_", ctypes.c_int),
        ("bit_gravity", ctypes.c_int),
        ("win_gravity", ctypes.c_int),
        ("backing_store", ctypes.c_int),
        ("backing_planes", ctypes.c_ulong),
        ("backing_pixel", ctypes.c_ulong),
        ("save_under", ctypes.c_int),
        ("colormap", ctypes.c_ulong),
        ("map_installed", ctypes.c_int),
        ("map_state", ctypes.c_int),
        ("rest", ctypes.c_byte * 256),
    )


class ShownWindows:
    """A connection to a screen.

    Parameters
    ----------
    display
        Its name, ``:1``.

    Raises
    ------
    OSError
        Without the library for it, or without this screen.
    """

    def __init__(self, display: str) -> None:
        self._library = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
        self._library.XOpenDisplay.restype = ctypes.c_void_p
        self._library.XDefaultRootWindow.restype = ctypes.c_ulong
        self._screen = ctypes.c_void_p(self._library.XOpenDisplay(display.encode()))
        if not self._screen:
            raise OSError(f"There is no screen {display}.")
        # A window may go between two questions about it: that is no reason to end, as the library would.
        self._ignore = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda _screen, _event: 0)
        self._library.XSetErrorHandler(self._ignore)

    def __enter__(self) -> "ShownWindows":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._library.XCloseDisplay(self._screen)

    def sizes(self) -> list[tuple[int, int]]:
        """Return width and height of each window at the top that is shown and no helper."""
        root, parent = ctypes.c_ulong(), ctypes.c_ulong()
        children, count = ctypes.POINTER(ctypes.c_ulong)(), ctypes.c_uint()
        top = ctypes.c_ulong(self._library.XDefaultRootWindow(self._screen))
        answers = (ctypes.byref(value) for value in (root, parent, children, count))
        if not self._library.XQueryTree(self._screen, top, *answers):
            return []
        shown = []
        for number in range(count.value):
            found = _Attributes()
            window = ctypes.c_ulong(children[number])
            if self._library.XGetWindowAttributes(self._screen, window, ctypes.byref(found)):
                size = found.width, found.height
                if found.map_state == _VIEWABLE and min(size) >= SMALLEST:
                    shown.append(size)
        if children:
            self._library.XFree(children)
        return shown

    def wait(self, seconds: float, is_going: Callable[[], bool]) -> bool:
        """Return whether a window was shown within these seconds, and while the program was going."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and is_going():
            if self.sizes():
                return True
            time.sleep(_POLL_SECONDS)
        return False
