"""How long the real window is deaf to its user, in every phase of its work.

Run by hand: ``python tests/benchmarks/heartbeat.py [--stacks] [--only PHASE]``. A timer of 5 ms beats in the window; beside
it every turn of the event loop is timed. Two things are reported for each phase:

* the time between two beats by the clock, less the 5 ms: what a user would feel, and on a computer with other work also
  what that other work costs (the phase "doing nothing" is the control);
* the processor time of the main thread per turn of the event loop: what the program itself is to blame for.

``--stacks`` says for every turn above 30 ms where the main thread was most of that time.
"""

import argparse
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from window_driving import FOLDER, large_tables, rest, spin

BEAT = 0.005
LIMIT = 0.05


class Heartbeat:
    """Beats and turns by phase."""

    def __init__(self, stacks: bool) -> None:
        from PySide6.QtCore import QAbstractEventDispatcher, Qt, QTimer

        self.phase = ""
        self.beats: dict[str, list[float]] = defaultdict(list)
        self.turns: dict[str, list[float]] = defaultdict(list)
        self.culprits: dict[str, list[tuple[float, int, list[tuple[str, int]]]]] = defaultdict(list)
        self._last_beat = time.perf_counter()
        self._turn_began = (time.perf_counter(), time.thread_time())
        self._samples: list[str] = []
        self._timer = QTimer(interval=round(1e3 * BEAT), timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start()
        dispatcher = QAbstractEventDispatcher.instance()
        assert dispatcher is not None
        # Depending on the dispatcher the work of a turn lies before the one or before the other; waiting costs nothing.
        dispatcher.awake.connect(self._end_turn)
        dispatcher.aboutToBlock.connect(self._end_turn)
        if stacks:
            # By a signal, not by a thread: a thread that looks at frames would end Qt objects that belong to this one.
            signal.signal(signal.SIGALRM, self._sample)
            signal.setitimer(signal.ITIMER_REAL, 0.003, 0.003)

    def enter(self, phase: str) -> None:
        """Count what follows for another phase."""
        self._end_turn()
        self.phase = phase
        self._last_beat = time.perf_counter()

    def _beat(self) -> None:
        now = time.perf_counter()
        self.beats[self.phase].append(max(0.0, now - self._last_beat - BEAT))
        self._last_beat = now

    def _end_turn(self) -> None:
        now = time.perf_counter(), time.thread_time()
        spent = now[1] - self._turn_began[1]
        self.turns[self.phase].append(spent)
        if spent > 0.03 and self._samples:
            self.culprits[self.phase].append((spent, len(self._samples), Counter(self._samples).most_common(4)))
        self._samples.clear()
        self._turn_began = now

    def _sample(self, _number: int, frame: FrameType | None) -> None:
        if time.perf_counter() - self._turn_began[0] < 0.01:
            return
        names: list[str] = []
        while frame is not None and len(names) < 7:
            code = frame.f_code
            if not code.co_filename.endswith(("heartbeat.py", "window_driving.py")):
                names.append(f"{Path(code.co_filename).stem}.{code.co_name}:{frame.f_lineno}")
            frame = frame.f_back
        self._samples.append(" < ".join(names))

    def report(self) -> None:
        """Print the distributions."""
        print(f"{'':44}{'wait for a beat, ms (clock)':>34}   {'per turn, ms (processor, main thread)':>42}")
        heads = ("50 %", "95 %", "99 %", "max")
        print(f"{'phase':44}" + "".join(f"{head:>8}" for head in heads) + "  n   " + "".join(f"{h:>8}" for h in heads)
              + "   >50  of")  # fmt: skip
        for phase in self.turns:
            beats, turns = self.beats[phase] or [0.0], self.turns[phase]
            cells = [f"{1e3 * value:8.1f}" for value in _spread(beats)], [f"{1e3 * v:8.1f}" for v in _spread(turns)]
            over = sum(turn > LIMIT for turn in turns)
            print(f"{phase[:43]:44}{''.join(cells[0])}{len(beats):6}{''.join(cells[1])}{over:6}{len(turns):6}")
        for phase, places in self.culprits.items():
            print(f"\n{phase}")
            for spent, samples, counts in sorted(places, reverse=True)[:8]:
                print(f"  {1e3 * spent:.0f} ms")
                for place, count in counts:
                    print(f"      {count}/{samples} {place}")


def _spread(values: list[float]) -> tuple[float, float, float, float]:
    values = sorted(values)
    at = [values[min(len(values) - 1, int(share * len(values)))] for share in (0.5, 0.95, 0.99)]
    return at[0], at[1], at[2], values[-1]


class Files:
    """The file dialogs of this script: every file is written to a fresh place."""

    path = ""

    def open_tables(self) -> list[str]:
        """Nothing is chosen."""
        return []

    def save_file(self, title: str, suggestion: str, filters: str) -> str:
        """The place prepared."""
        return self.path

    def choose_folder(self, title: str) -> str:
        """Nothing is chosen."""
        return ""

    def confirm(self, title: str, question: str, action: str) -> bool:
        """Always."""
        return True

    def inform(self, title: str, text: str) -> None:
        """Read."""

    def __getattr__(self, name: str) -> object:
        """Questions added later: decline."""
        return lambda *_, **__: ""


PHASE_WORDS = (
    ("Reading", "reading files"),
    ("Opening", "reading files"),
    ("Checking the repeat", "reading files"),
    ("Understanding", "reading files"),
    ("Comparing", "matching"),
    ("Described", "describing polymers"),
    ("Refitting", "bootstrapping"),
    ("Calibrating", "predicting the library"),
    ("Judging", "predicting the library"),
)


def main() -> None:
    """Go through the phases and report."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--stacks", action="store_true", help="say where long turns spend their time")
    chosen = options.parse_args()

    from PySide6.QtCore import QSettings, QTimer

    from affinecal_gui.ui.application import make_application

    app = make_application(["heartbeat"])
    heart = Heartbeat(chosen.stacks)
    from affinecal_gui.ui.collector import MainThreadCollector

    MainThreadCollector(app)

    heart.enter("start: until the first window")
    from affinecal_gui.ui.main_window import MainWindow
    from affinecal_gui.ui.theme import ThemeKeeper

    files = Files()
    themes = ThemeKeeper(app, "light")
    window = MainWindow(themes, files, QSettings(str(FOLDER / "s.ini"), QSettings.Format.IniFormat))  # type: ignore[arg-type]
    window.show()
    app.processEvents()
    heart.enter("start: behind the first window")
    rest(0.5)
    spin(lambda: window.is_at_rest)
    rest(1.0)

    prefix = ""

    def follow(_fraction: float, sentence: str) -> None:
        words = next((phase for start, phase in PHASE_WORDS if sentence.startswith(start)), "fitting")
        if heart.phase != f"{prefix}: {words}":
            heart.enter(f"{prefix}: {words}")

    @contextmanager
    def phases(name: str) -> Iterator[None]:
        nonlocal prefix
        prefix = name
        heart.enter(name)
        window.session.jobs.progressed.connect(follow)
        yield
        rest(0.1)
        spin(lambda: window.is_at_rest)
        window.session.jobs.progressed.disconnect(follow)
        heart.enter("between")

    heart.enter("doing nothing (control)")
    rest(3.0)

    with phases("example"):
        window.session.open_example("heat_capacity")
    _use(window, app, heart, files, "example")

    tables = large_tables()
    if tables is not None:
        window.session.new_study()
        spin(lambda: window.is_at_rest)
        with phases("1,077 polymers"):
            window.open_files(tuple(map(str, tables)))
        _use(window, app, heart, files, "1,077 polymers")
    heart.enter("closing")
    QTimer.singleShot(0, window.close)
    rest(0.2)
    heart.enter("end")
    heart.report()


def _use(window: object, app: object, heart: Heartbeat, files: Files, name: str) -> None:
    """Do with a finished calibration what a user does."""
    from dataclasses import replace

    from affinecal_gui.ui.main_window import MainWindow

    assert isinstance(window, MainWindow)
    if window.session.study.snapshot().calibration is None:
        print(f"{name}: no calibration; {window.message_bar.texts()}")
        return

    heart.enter(f"{name}: exporting")
    for action in (
        window.predictions_action,
        window.coefficients_action,
        window.figure_action,
        window.coefficient_figure_action,
    ):
        suffixes = (
            ("csv",) if action in (window.predictions_action, window.coefficients_action) else ("svg", "pdf", "png")
        )
        for suffix in suffixes:
            files.path = str(FOLDER / f"{name[0]} {id(action)}.{suffix}")
            action.trigger()
            rest(0.05)
            spin(lambda: window.is_at_rest)

    heart.enter(f"{name}: switching calibrators")
    for model in ("md", "ordinary", "log_difference", "affine", "md", "affine"):
        settings = window.session.study.state.settings
        window.session.change_settings(replace(settings, model=model))
        rest(0.3)
        spin(lambda: window.is_at_rest)

    heart.enter(f"{name}: going through the table")
    rows = window.session.study.snapshot().rows
    for row in (*rows[:10], *rows[-5:]):
        window.select(row.key)
        rest(0.1)
    spin(lambda: window.is_at_rest)
    for tab in (1, 0):
        window.data_panel.tabs.setCurrentIndex(tab)
        rest(0.3)
    window.data_panel.filter.setText("1")
    rest(0.2)
    window.data_panel.filter.setText("")
    rest(0.2)
    for column in (2, 1, 4):
        window.data_panel.table.sortByColumn(column, window.data_panel.table.horizontalHeader().sortIndicatorOrder())
        rest(0.1)

    heart.enter(f"{name}: dragging a penalty slider")
    slider = window.model_panel.penalties.rows["lambda_1"].slider
    slider.setSliderDown(True)
    middle = slider.value()
    for step in range(40):
        slider.setValue(middle + (step if step < 20 else 40 - step))
        rest(0.03)
    slider.setSliderDown(False)
    spin(lambda: window.is_at_rest)

    heart.enter(f"{name}: leaving a row out, undo")
    used = next(row for row in window.session.study.snapshot().rows if row.state == "used")
    window.session.toggle_left_out((used.key,))
    rest(0.1)
    spin(lambda: window.is_at_rest)
    window.undo_action.trigger()
    rest(0.1)
    spin(lambda: window.is_at_rest)

    heart.enter(f"{name}: resizing")
    for width, height in ((1100, 700), (1900, 1100), (1300, 800), (1500, 950)):
        window.resize(width, height)
        rest(0.2)

    heart.enter(f"{name}: dark and light")
    for choice in ("dark", "light"):
        window.appearance_actions[choice].trigger()
        rest(0.5)
        spin(lambda: window.is_at_rest)


if __name__ == "__main__":
    main()
