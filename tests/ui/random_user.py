"""A user without a plan: acts on the real window at random, as a hand at the mouse and the keyboard would.

Every action goes the way of the system's own events, through the window under the pointer, so that what a dialog blocks is
blocked here as well. The questions of the program are really asked, and answered by further actions; only the system's
file dialogs, which belong to the system, are replaced by a random choice of files.
"""

import contextlib
import gc
import logging
import random
import sys
import threading
import time
import traceback
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import shiboken6
from PySide6.QtCore import (
    QEvent,
    QMimeData,
    QObject,
    QPoint,
    QPointF,
    QSettings,
    Qt,
    QThread,
    QTimer,
    QtMsgType,
    QUrl,
    Signal,
    Slot,
    qInstallMessageHandler,
)
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QDesktopServices,
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QMouseEvent,
    QWindow,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QDockWidget,
    QFileDialog,
    QGraphicsView,
    QHeaderView,
    QMenu,
    QMenuBar,
    QTabBar,
    QWidget,
)

from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
from affinecal_gui.ui.session.dialogs import NativeDialogs
from affinecal_gui.ui.window.main_window import MainWindow
from tests.ui.shown_picture import stale_pixels

Key, Modifier, Button = Qt.Key, Qt.KeyboardModifier, Qt.MouseButton

KEYS = (
    Key.Key_Tab, Key.Key_Backtab, Key.Key_Return, Key.Key_Enter, Key.Key_Space, Key.Key_Escape, Key.Key_Up, Key.Key_Down,
    Key.Key_Left, Key.Key_Right, Key.Key_PageUp, Key.Key_PageDown, Key.Key_Home, Key.Key_End, Key.Key_Delete,
    Key.Key_Backspace, Key.Key_F2, Key.Key_F4, Key.Key_F5, Key.Key_F10, Key.Key_Menu, Key.Key_Alt, Key.Key_A, Key.Key_E,
    Key.Key_P, Key.Key_0, Key.Key_1, Key.Key_9, Key.Key_Minus, Key.Key_Plus, Key.Key_Period, Key.Key_Comma, Key.Key_Asterisk,
)  # fmt: skip
SHORTCUTS = "azyxcvfenosmp+-0"
TEXTS = (
    "",
    "0",
    "1e400",
    "-1",
    "nan",
    "0.5",
    "1,5",
    "poly",
    "ナイロン",
    "*CC*",
    "*",
    "\\",
    "[",
    "µ²–’",
    "a" * 300,
    "  ",
)
PASTED = (
    "",
    "   \n\t",
    "just some words",
    "name\tsmiles\tCp [J/(kg K)]\npolyethylene\t*CC*\t2300\npolypropylene\t*CC(*)C\t1930\n",
    "name,smiles\nx,y\n",
    "smiles;cp\n*CC*;1,5\n*CC(*)C;2,5\n",
    "\x00\x01\x02",
    "SMILES\n" + "*CC*\n" * 500,
    "1\t2\t3\n4\t5\t6\n",
)


_LONGEST_WAIT = 60.0  # seconds that the hand waits for a window at rest to compare it
_LAST_WAIT = 30.0  # seconds, the last of them, in which it does not let a job go on
_CALM = 300  # ms between two looks: a window that was at rest in both has painted what it had to paint
_OF_NO_SCREEN = "This plugin does not support "  # said by Qt's platform without a screen, of floating docks


class Faults:
    """Collects what must never happen: exceptions nobody caught, words of Qt, faults told to the user, frozen turns."""

    def __init__(self, *, aloud: bool = False) -> None:
        """With ``aloud`` the first of each kind is printed at once."""
        self.found: list[str] = []
        self._aloud = aloud
        self._kinds: set[str] = set()
        self.where: Callable[[], str] = lambda: ""

    def add(self, kind: str, text: str) -> None:
        """Write down one of them, with what was done before."""
        self.found.append(f"{kind}: {text}\n    after {self.where()}")
        alike = f"{kind} {text.strip().splitlines()[-1] if kind in ('exception', 'log') else text.splitlines()[0]}"
        if self._aloud and alike not in self._kinds:
            print(f"-- {self.found[-1]}\n", flush=True)
        self._kinds.add(alike)

    @property
    def kinds(self) -> int:
        """How many different faults there were."""
        return len(self._kinds)

    @contextlib.contextmanager
    def watching(self) -> Iterator["Faults"]:
        """Listen everywhere until the block ends."""
        hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
        sys.excepthook = self._exception
        threading.excepthook = lambda seen: self._exception(seen.exc_type, seen.exc_value, seen.exc_traceback)
        sys.unraisablehook = lambda seen: self.add(
            "unraisable", f"{seen.err_msg} {seen.object!r} " + "".join(traceback.format_exception(seen.exc_value))
        )
        handler = _LogHandler(self)
        logging.getLogger().addHandler(handler)
        before = qInstallMessageHandler(self._qt)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("always")
                warnings.showwarning = self._warning
                yield self
        finally:
            qInstallMessageHandler(before)
            logging.getLogger().removeHandler(handler)
            sys.excepthook, threading.excepthook, sys.unraisablehook = hooks

    def _exception(self, kind: type[BaseException], error: BaseException | None, trace: TracebackType | None) -> None:
        self.add("exception", "".join(traceback.format_exception(kind, error, trace)))

    def _qt(self, kind: QtMsgType, _context: object, text: str | None) -> None:
        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg) and not (text or "").startswith(_OF_NO_SCREEN):
            self.add("Qt", f"{text}\n" + "".join(traceback.format_stack(limit=8)))

    def _warning(self, message: object, category: type[Warning], filename: str, lineno: int, *_: object) -> None:
        self.add("warning", f"{category.__name__} at {filename}:{lineno}: {message}")


class _LogHandler(logging.Handler):
    def __init__(self, faults: Faults) -> None:
        super().__init__(logging.ERROR)
        self._faults = faults

    def emit(self, record: logging.LogRecord) -> None:
        trace = "".join(traceback.format_exception(*record.exc_info)) if record.exc_info else ""
        self._faults.add("log", f"{record.name}: {record.getMessage()}\n{trace}")


class _Links(QObject):
    """Receives what would be opened by the system's browser or file manager."""

    @Slot(QUrl)
    def open(self, _url: QUrl) -> None:
        """Nothing happens."""


def is_there(window: QWindow) -> bool:
    """Whether a window still exists. Python does not hear of the end of windows that Qt makes for its widgets."""
    address = shiboken6.getCppPointer(window) if shiboken6.isValid(window) else None
    return any(shiboken6.getCppPointer(other) == address for other in QGuiApplication.allWindows())


def _inside(handle: QWindow, point: QPoint) -> QPoint:
    """Return the place of a window that is nearest to a point: it may have become smaller under the hand."""
    return QPoint(min(max(point.x(), 0), handle.width() - 1), min(max(point.y(), 0), handle.height() - 1))


class RandomUser(QObject):
    """Acts until ``limit`` actions are done, then emits ``ended``.

    Parameters
    ----------
    folder
        Where it may write; ``folder/in`` holds the files it opens.
    seed
        Of its choices. What happens at the same time in other threads is not repeated by it, unless the user is steady.
    pause
        Longest time between two actions, milliseconds.
    closes
        Whether the window itself is closed now and then.
    steady
        Wait before each action until nothing is under way: a seed gives the same course each time, on any machine.
    compare
        Actions between two comparisons of what the screen shows with a fresh picture; 0: none. Needs a real display.
    kept
        Where both pictures are saved if they differ; None: nowhere.
    """

    ended = Signal()

    def __init__(
        self,
        folder: Path,
        faults: Faults,
        seed: int,
        limit: int,
        *,
        pause: int = 12,
        closes: bool = True,
        steady: bool = False,
        compare: int = 0,
        kept: Path | None = None,
    ) -> None:
        super().__init__()
        self.chance = random.Random(seed)
        self.folder = folder
        self.inputs = sorted(path for path in (folder / "in").iterdir())
        self.faults = faults
        faults.where = self.recent
        self.limit = limit
        self.count = 0
        self.pause = pause
        self.closes = closes
        self.steady = steady
        self.compare = compare
        self.compared = 0
        self.kept = kept
        self._was_at_rest = False
        self._comparing_until = 0.0  # until then the hand waits for a window at rest; 0: there is nothing to compare
        self.kinds: Counter[str] = Counter()
        self.notices: Counter[str] = Counter()
        self.slow: list[tuple[float, str]] = []
        self.windows = 0
        self.with_result = 0  # actions while there was a result
        self.done: deque[str] = deque(maxlen=12)
        self._outermost = 0
        self._level = 0  # of the event loop in which the present action was begun; 0: there is none
        self._patience_until = 0.0
        self._resting_until = 0.0
        self.on_thousand: Callable[[], object] = lambda: None
        self.on_turn: Callable[[], object] = lambda: None  # whenever the event loop lets the hand do something, or wait
        self.themes = ThemeKeeper(QApplication.instance(), "light")  # type: ignore[arg-type]
        self.settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        self.window = self._new_window()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._turn)

    # -- the course of things -------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def with_file_dialogs(self) -> Iterator[None]:
        """Answer the system's file dialogs at random for a while; links lead nowhere."""
        links = _Links(self)
        for scheme in ("file", "http", "https"):
            QDesktopServices.setUrlHandler(scheme, links, "open")
        names = ("getOpenFileNames", "getOpenFileName", "getSaveFileName", "getExistingDirectory")
        before = {name: getattr(QFileDialog, name) for name in names}
        dialogs: Any = QFileDialog
        dialogs.getOpenFileNames = lambda *_: (self._some_files(), "")
        dialogs.getOpenFileName = lambda *_: (next(iter(self._some_files()), ""), "")
        dialogs.getSaveFileName = lambda *words: self._some_name(*words)
        dialogs.getExistingDirectory = lambda *_: str(self.folder)
        try:
            yield
        finally:
            for name, function in before.items():
                setattr(QFileDialog, name, function)
            for scheme in ("file", "http", "https"):
                QDesktopServices.unsetUrlHandler(scheme)

    def start(self) -> None:
        """Begin; the event loop has to run."""
        self._outermost = QThread.currentThread().loopLevel() + 1
        self._timer.start(0)

    def rest(self, seconds: float) -> None:
        """Leave mouse and keyboard alone for a while."""
        self._resting_until = time.monotonic() + seconds

    def finish(self) -> None:
        """Close the window for good, whatever it would like to ask."""
        window = self.window
        window.is_leaving = True
        for widget in (QApplication.activePopupWidget(), QApplication.activeModalWidget()):
            if widget is not None:
                widget.close()
        window.close()

    def recent(self) -> str:
        """The last actions, the newest last."""
        return f"event {self.count}: " + " | ".join(self.done)

    def _new_window(self) -> MainWindow:
        self.windows += 1
        window = MainWindow(self.themes, None, self.settings, self.folder / "user")
        window.dialogs = NativeDialogs(window)
        window.session.noticed.connect(self._hear)
        window.show()
        return window

    def _hear(self, notice: Any) -> None:
        self.notices[notice.kind] += 1
        if "Traceback" in notice.details or "went wrong" in notice.text:
            self.faults.add("notice", f"{notice.text}\n{notice.details}")

    @Slot()
    def _turn(self) -> None:
        self.on_turn()
        level = QThread.currentThread().loopLevel()
        if self._level and QGuiApplication.platformName() != "offscreen":
            QDrag.cancel()  # of a selected text: the display knows no button that is pressed, and would wait for ever
        is_hidden = not self.window.isVisible()  # closed, while the action that closed it is not over yet
        if self.count >= self.limit and (is_hidden or not self._comparing_until):
            QApplication.exit(0)
            return
        now = time.monotonic()
        is_waiting = now < self._resting_until or (now < self._patience_until and not self._is_at_rest())
        is_waiting |= self.steady and not self.window.is_at_rest and QApplication.activeModalWidget() is None
        if (self._level and level <= self._level) or is_waiting:
            self._timer.start(5)  # an action is still under way, or the user waits for a result
            return
        if self._comparing_until and is_hidden:
            self._comparing_until = now + _LONGEST_WAIT  # of the next window
        elif self._comparing_until:
            self._compare_when_at_rest()
            return
        before, self._level = self._level, level
        self._timer.start(self.chance.randrange(self.pause + 1))  # also rings in the event loop of a question
        self.count += 1
        if self.count % 1000 == 0:
            self.on_thousand()
        if self.compare and self.count % self.compare == 0:
            self._comparing_until = time.monotonic() + _LONGEST_WAIT
        began = time.perf_counter()
        try:
            self._act()
        finally:
            self._level = before
            spent = time.perf_counter() - began
            if spent > 0.5 and self.done:
                self.slow.append((spent, self.done[-1]))
        if not self.window.isVisible() and not before:
            self._end_window()
            self.window = self._new_window()

    def _compare_when_at_rest(self) -> None:
        """Compare what is shown with a fresh picture, as soon as nothing is under way and nothing hides the window.

        The hand closes what lies above it, one after the other; docks that float stay, and what they cover is not
        compared. A job that takes long is cancelled. Only a window that does not come to rest then is not compared.
        """
        self._timer.start(_CALM)
        now, window = time.monotonic(), self.window
        above = [w for w in QApplication.topLevelWidgets() if w.isVisible() and w.windowHandle() and w is not window]
        in_the_way = [w for w in above if not isinstance(w, QDockWidget)]
        if now > self._comparing_until:
            self._comparing_until = 0.0
            self.faults.add("rest", f"the window did not come to rest; above it: {in_the_way}")
        elif in_the_way:
            front = QApplication.activePopupWidget() or QApplication.activeModalWidget() or in_the_way[0]
            front.close()
            self._was_at_rest = False
        elif window.isMinimized():
            window.showNormal()
        elif not self._was_at_rest:
            # What lies under the mouse may look different: the hand goes where nothing does.
            QTest.mouseMove(window.windowHandle(), QPoint(1, 1))
            self._was_at_rest = window.is_at_rest
            if now > self._comparing_until - _LAST_WAIT:
                window.session.cancel()
        elif window.is_at_rest:
            self._comparing_until = 0.0
            self._was_at_rest = False
            self.compared += 1
            unlike = stale_pixels(window, above, self.kept)
            if unlike:
                self.faults.add("picture", unlike)
        else:
            self._was_at_rest = False

    def _end_window(self) -> None:
        """Leave nothing of the window: the program, which has one, ends with it."""
        self.window.deleteLater()
        del self.window
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()  # now, as the next window sets everything aside that is there when it begins

    def _leave(self) -> None:
        """Close the questions that are open, one by one, then say that the end is reached."""
        question = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if question is not None and QThread.currentThread().loopLevel() > self._outermost:
            question.close()
            self._timer.start(5)
        else:
            self.ended.emit()

    def _is_at_rest(self) -> bool:
        return self.window.is_at_rest and QApplication.activeModalWidget() is None

    def _act(self) -> None:
        kind, action = self.chance.choices(self._ACTIONS, self._WEIGHTS)[0]
        self.kinds[kind] += 1
        self.done.append(kind)
        self.with_result += self.window.session.study.snapshot().calibration is not None
        try:
            action(self)
        except RuntimeError as error:
            # What was chosen may be gone before the hand is there. Of the program itself nothing is caught here: what is
            # raised in a slot goes to the excepthook.
            if "already deleted" not in str(error):
                raise

    def _note(self, words: str) -> None:
        self.done[-1] = f"{self.done[-1]} {words}"

    # -- where ----------------------------------------------------------------------------------------------------

    def _top(self) -> QWidget:
        """The window that hears the user now."""
        for widget in (QApplication.activePopupWidget(), QApplication.activeModalWidget()):
            if widget is not None and widget.isVisible():
                return widget
        tops = [w for w in QApplication.topLevelWidgets() if w.isVisible() and w.windowHandle() is not None]
        others = [w for w in tops if w is not self.window]
        if others and self.chance.random() < 0.4:
            return self.chance.choice(others)
        return self.window

    def _place(self) -> tuple[QWidget, QWidget, QPoint]:
        """A window, a part of it that can be seen, and a point in it, in the window's coordinates."""
        top = self._top()
        parts = [w for w in top.findChildren(QWidget) if w.isVisible() and w.isEnabled() and w.window() is top]
        part = self.chance.choice(parts) if parts else top
        rect = part.visibleRegion().boundingRect()
        if rect.isEmpty():
            part, rect = top, top.rect()
        point = self._point_in(part, rect)
        self._note(f"{type(part).__name__} {part.objectName()} in {type(top).__name__} {point.x()},{point.y()}")
        point = part.mapTo(top, point) if part is not top else point
        handle = top.windowHandle()
        if handle is not None:  # without a window manager it can be smaller than what is in it
            point = _inside(handle, point)
        return top, part, point

    def _point_in(self, part: QWidget, rect: Any) -> QPoint:
        spots: list[QPoint] = []
        if isinstance(part, (QMenu, QMenuBar)):
            spots = [part.actionGeometry(action).center() for action in part.actions() if action.isVisible()]
        elif isinstance(part, QTabBar):
            spots = [part.tabRect(index).center() for index in range(part.count())]
        elif isinstance(part, QGraphicsView) and self.chance.random() < 0.5:
            items = [item for item in part.items(rect) if item.isVisible()]
            spots = [
                part.mapFromScene(item.sceneBoundingRect().center())
                for item in self.chance.sample(items, min(3, len(items)))
            ]
        elif isinstance(part.parent(), QAbstractItemView) and not isinstance(part.parent(), QHeaderView):
            view = part.parent()
            model = view.model()
            if model is not None:
                index = view.indexAt(QPoint(self.chance.randrange(rect.width()), self.chance.randrange(rect.height())))
                if index.isValid():
                    spots = [view.visualRect(index).center()]
        spots = [spot for spot in spots if rect.contains(spot)]
        if spots:
            return self.chance.choice(spots)
        return rect.topLeft() + QPoint(self.chance.randrange(rect.width()), self.chance.randrange(rect.height()))

    def _some_files(self) -> list[str]:
        files = self.chance.sample(self.inputs, self.chance.choice((0, 1, 1, 1, 2, 2, 3)))
        if self.chance.random() < 0.5:
            files = [path for path in self.inputs if path.stem in ("small measured", "small md")]
        saved = sorted(self.folder.glob("out/*"))
        if saved and self.chance.random() < 0.2:
            files.append(self.chance.choice(saved))
        if self.chance.random() < 0.1:
            files.append(self.folder / "in" / "missing.csv")
        return [str(path) for path in files]

    def _some_name(self, _parent: object, title: str, suggestion: str, filters: str, *_: object) -> tuple[str, str]:
        out = self.folder / "out"
        out.mkdir(exist_ok=True)
        chosen = self.chance.choice(filters.split(";;"))
        name = Path(suggestion)
        stem = self.chance.choice((name.stem, "a", "b", "ü name with spaces", "x.y"))
        suffix = self.chance.choice((name.suffix, name.suffix, "", ".xyz", ".csv", ".png"))
        place = self.chance.choice((out, out, out, out, self.folder / "no such folder", self.folder / "read only"))
        answer = self.chance.choice(("", *(str(place / f"{stem}{suffix}"),) * 5))
        self._note(f"[{title}: {answer}]")
        return answer, chosen

    # -- actions --------------------------------------------------------------------------------------------------

    def _click(self, button: Qt.MouseButton = Button.LeftButton) -> None:
        top, _, point = self._place()
        handle = top.windowHandle()
        if handle is not None:
            self._press_and_release(handle, button, self._modifier(), point)

    def _right_click(self) -> None:
        top, part, point = self._place()
        handle = top.windowHandle()
        if handle is None:
            return
        self._press_and_release(handle, Button.RightButton, Modifier.NoModifier, point)
        # The platform makes this event of the click, and the one without a screen does not.
        with contextlib.suppress(RuntimeError):  # the click may have closed it
            local = part.mapFrom(top, point) if part is not top else point
            event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, local, part.mapToGlobal(local))
            QApplication.sendEvent(part, event)

    def _other_click(self) -> None:
        self._click(self.chance.choice((Button.MiddleButton, Button.BackButton)))

    def _double_click(self) -> None:
        top, _, point = self._place()
        handle = top.windowHandle()
        if handle is None:
            return
        self._press_and_release(handle, Button.LeftButton, Modifier.NoModifier, point)
        if not is_there(handle):
            return
        where = QPointF(point), QPointF(handle.mapToGlobal(point))
        kind = QEvent.Type.MouseButtonDblClick
        QApplication.sendEvent(
            handle, QMouseEvent(kind, *where, Button.LeftButton, Button.LeftButton, Modifier.NoModifier)
        )
        if is_there(handle) and handle.isVisible():
            QTest.mouseRelease(handle, Button.LeftButton, Modifier.NoModifier, _inside(handle, point))

    @staticmethod
    def _press_and_release(handle: Any, button: Qt.MouseButton, modifier: Qt.KeyboardModifier, point: QPoint) -> None:
        """Click; QTest's own click releases the button also where there is no window any more."""
        QTest.mousePress(handle, button, modifier, point)
        if is_there(handle) and handle.isVisible():
            QTest.mouseRelease(handle, button, modifier, _inside(handle, point))

    def _drag(self) -> None:
        top, _, point = self._place()
        handle = top.windowHandle()
        if handle is None:
            return
        button = self.chance.choice((Button.LeftButton, Button.LeftButton, Button.RightButton, Button.MiddleButton))
        reach = self.chance.choice((5, 40, 400))
        QTest.mousePress(handle, button, Modifier.NoModifier, point)
        for _ in range(self.chance.randrange(1, 6)):
            point = point + QPoint(self.chance.randrange(-reach, reach + 1), self.chance.randrange(-reach, reach + 1))
            if not top.isVisible() or top.windowHandle() is None:
                return
            point = _inside(handle, point)
            self._move(handle, point, button)
        # It may have closed, or become smaller, under the hand.
        if is_there(handle) and top.isVisible() and handle.geometry().contains(point + handle.position()):
            QTest.mouseRelease(handle, button, Modifier.NoModifier, point)

    def _move(self, handle: Any, point: QPoint, button: Qt.MouseButton) -> None:
        # QTest.mouseMove tells of no pressed button.
        event = QMouseEvent(
            QEvent.Type.MouseMove,
            QPointF(point),
            QPointF(handle.mapToGlobal(point)),
            Button.NoButton,
            button,
            Modifier.NoModifier,
        )
        QApplication.sendEvent(handle, event)
        QApplication.processEvents()

    def _hover(self) -> None:
        top, _, point = self._place()
        handle = top.windowHandle()
        if handle is not None:
            QTest.mouseMove(handle, point)

    def _wheel(self) -> None:
        top, _, point = self._place()
        handle = top.windowHandle()
        if handle is not None:
            turn = QPoint(0, self.chance.choice((-960, -120, -15, 15, 120, 960)))
            QTest.wheelEvent(handle, QPointF(point), turn, QPoint(), self._modifier())

    def _modifier(self) -> Qt.KeyboardModifier:
        some = (Modifier.ControlModifier, Modifier.ShiftModifier, Modifier.AltModifier)
        return self.chance.choice((*(Modifier.NoModifier,) * 9, *some))

    def _key(self) -> None:
        key = self.chance.choice(KEYS)
        self._press(key, self._modifier())

    def _press(self, key: Qt.Key, modifier: Qt.KeyboardModifier) -> None:
        self._note(f"{modifier.name} {key.name}")
        if not self.closes and (key, modifier) == (Key.Key_F4, Modifier.AltModifier):
            return
        focus = QApplication.focusWindow() or self._top().windowHandle()
        if focus is not None and focus.isVisible():
            if focus.type() in (Qt.WindowType.Popup, Qt.WindowType.ToolTip, Qt.WindowType.Tool):
                modifier = Modifier.NoModifier  # QTest presses its key first, which may be the end of the window
            QTest.keyPress(focus, key, modifier)
            if is_there(focus) and focus.isVisible():
                QTest.keyRelease(focus, key, modifier)

    def _shortcut(self) -> None:
        key = Key(ord(self.chance.choice(SHORTCUTS).upper()))
        some = (Modifier.ControlModifier, Modifier.ControlModifier, Modifier.ControlModifier | Modifier.ShiftModifier)
        self._press(key, self.chance.choice(some))

    def _type(self) -> None:
        text = self.chance.choice(TEXTS)
        self._note(repr(text[:10]))
        widget = QApplication.focusWidget()
        if widget is not None:
            for letter in text[:40]:
                if ord(letter) < 128 and shiboken6.isValid(widget):
                    QTest.keyPress(widget, letter)
            if (
                text
                and shiboken6.isValid(widget)
                and hasattr(widget, "setText")
                and self.chance.random() < 0.3
                and hasattr(widget, "textEdited")
            ):
                widget.setText(text)  # as an input method does
                widget.textEdited.emit(text)

    def _trigger(self) -> None:
        top = self._top()
        if top is not self.window:
            return
        actions = [
            action
            for action in self.window.findChildren(QAction)
            if action.isEnabled() and action.associatedObjects() and not action.menu()
        ]
        action = self.chance.choice(actions)
        if action is self.window.window_actions.quit and (not self.closes or self.chance.random() < 0.7):
            return
        self._note(action.text())
        action.trigger()

    def _drop(self) -> None:
        top = self._top()
        takers = [w for w in (top, *top.findChildren(QWidget)) if w.isVisible() and w.acceptDrops()]
        if not takers:
            return
        target = self.chance.choice(takers)
        data = QMimeData()
        files = self._some_files()
        self._note(f"{type(target).__name__} {[Path(f).name for f in files]}")
        urls = [QUrl.fromLocalFile(path) for path in files]
        if self.chance.random() < 0.1:
            urls.append(QUrl("https://example.org/table.csv"))
        data.setUrls(urls)
        if self.chance.random() < 0.1:
            data.setText("text")
        point = QPoint(self.chance.randrange(max(target.width(), 1)), self.chance.randrange(max(target.height(), 1)))
        rest = Qt.DropAction.CopyAction, data, Button.LeftButton, Modifier.NoModifier
        enter = QDragEnterEvent(point, *rest)
        QApplication.sendEvent(target, enter)
        if not enter.isAccepted():
            return
        QApplication.sendEvent(target, QDragMoveEvent(point, *rest))
        if self.chance.random() < 0.15:
            QApplication.sendEvent(target, QDragLeaveEvent())
        else:
            QApplication.sendEvent(target, QDropEvent(QPointF(point), *rest))

    def _copy_text(self) -> None:
        QApplication.clipboard().setText(self.chance.choice(PASTED))
        if self._top() is self.window and self.chance.random() < 0.5:
            self.window.window_actions.paste.trigger()

    def _resize(self) -> None:
        top = self._top()
        if self.chance.random() < 0.1 and top is self.window:
            states = Qt.WindowState.WindowMaximized, Qt.WindowState.WindowMinimized, Qt.WindowState.WindowNoState
            top.setWindowState(self.chance.choice(states))
        else:
            top.resize(self.chance.randrange(60, 2600), self.chance.randrange(60, 1700))

    def _change_theme(self) -> None:
        """As the system does in the evening, or the user in the menu."""
        self.themes.set_choice(self.chance.choice(("light", "dark", "system")))

    def _wait(self) -> None:
        self._patience_until = time.monotonic() + self.chance.choice((0.2, 1.0, 4.0))

    def _close_other(self) -> None:
        top = self._top()
        if top is not self.window or (self.closes and self.chance.random() < 0.1):
            self._note(type(top).__name__)
            top.close()

    def _use(self) -> None:
        """Come back to a study with a result, from which most of the window can be reached."""
        if self._top() is self.window and self.window.session.study.snapshot().calibration is None:
            self.window.open_files(tuple(str(p) for p in self.inputs if p.stem in ("small measured", "small md")))
            self._patience_until = time.monotonic() + 6.0

    _CHOICES: tuple[tuple[str, Callable[["RandomUser"], None], float], ...] = (
        ("click", _click, 30),
        ("right click", _right_click, 5),
        ("other click", _other_click, 1),
        ("double click", _double_click, 6),
        ("drag", _drag, 8),
        ("hover", _hover, 5),
        ("wheel", _wheel, 5),
        ("key", _key, 14),
        ("shortcut", _shortcut, 6),
        ("type", _type, 3),
        ("trigger", _trigger, 4),
        ("drop", _drop, 2),
        ("copy text", _copy_text, 1),
        ("resize", _resize, 2),
        ("theme", _change_theme, 0.3),
        ("wait", _wait, 1.5),
        ("close", _close_other, 2),
        ("use", _use, 1.5),
    )
    _ACTIONS = tuple((name, function) for name, function, _ in _CHOICES)
    _WEIGHTS = tuple(weight for _, _, weight in _CHOICES)


AWKWARD = (
    "binary.csv", "bad_repeat_units.csv", "empty.csv", "english_thousands.csv", "german_utf8.csv", "locked.xlsx",
    "merged_headings.xlsx", "no_polymer_column.csv", "several_properties.csv", "plain.xlsx", "records.json",
    "structures.sdf", "units_by_row.csv", "prose.txt", "zero_and_negative.csv", "second_sheet.xlsx",
)  # fmt: skip


def make_inputs(folder: Path, repository: Path) -> None:
    """Fill ``folder/in`` with good tables, awkward ones and files that are none."""
    inputs = folder / "in"
    inputs.mkdir(parents=True)
    examples = repository / "resources" / "examples"
    measured = (examples / "heat_capacity_measured.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    simulated = (examples / "md_radonpy.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (inputs / "small measured.csv").write_text("".join(measured[:31]), encoding="utf-8")
    (inputs / "small md.csv").write_text("".join(simulated[:61]), encoding="utf-8")
    tables = repository / "tests" / "data" / "tables"
    studies = (repository / "tests" / "data" / "studies").glob("*.affinecal")
    for path in (*examples.glob("*.csv"), *studies, *(tables / name for name in AWKWARD)):
        (inputs / path.name).write_bytes(path.read_bytes())
    (inputs / "damaged.affinecal").write_bytes(
        (repository / "tests/data/studies/format_1.affinecal").read_bytes()[:9000]
    )
    (inputs / "a folder.csv").mkdir()
    (folder / "read only").mkdir(mode=0o500)
