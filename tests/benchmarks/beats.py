"""Measuring how long a window is deaf: a timer that beats in it, and what the main thread did while it did not.

A beat that is late can have three causes, which call for three different remedies, so each late beat is put down to one:

* *own*: the main thread itself computed most of that time;
* *workers*: it did not compute, but other threads of the program did, so that it waited for the interpreter;
* *computer*: neither did; the processor was given to other programs. A second process, which does nothing but beat as well,
  says how late such a process was in the same phase: what that one misses, no program could have avoided.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

BEAT = 0.005
LIMIT = 0.05
_MOSTLY = 0.5  # share of a late beat that its cause must account for

_BYSTANDER = """
import os, sys, time
parent = os.getppid()
last = time.perf_counter()
while os.getppid() == parent:  # never beyond the measurement, which may be killed
    time.sleep(0.005)
    now = time.perf_counter()
    if now - last > 0.010:
        print(f"{last} {now - last - 0.005}", flush=True)
    last = now
"""


@dataclass
class Phase:
    """What was seen in one phase, in seconds."""

    late: list[float] = field(default_factory=list)  # by how much each beat was late, by the clock
    turns: list[float] = field(default_factory=list)  # processor time of the main thread in each turn of the event loop
    causes: dict[str, int] = field(default_factory=dict)  # number of beats later than the limit by their cause
    bystander: float = 0.0  # the latest beat of the process that does nothing else

    def figures(self) -> dict[str, float]:
        """Return the distribution in milliseconds, and the counts above the limit."""
        beats, turns = sorted(self.late or [0.0]), sorted(self.turns or [0.0])
        return {
            "beats": len(beats),
            "p50": 1e3 * beats[len(beats) // 2],
            "p99": 1e3 * beats[min(len(beats) - 1, int(0.99 * len(beats)))],
            "worst": 1e3 * beats[-1],
            "late": sum(beat > LIMIT for beat in beats),
            "own": self.causes.get("own", 0),
            "workers": self.causes.get("workers", 0),
            "computer": self.causes.get("computer", 0),
            "turn": 1e3 * turns[-1],
            "long turns": sum(turn > LIMIT for turn in turns),
            "bystander": 1e3 * self.bystander,
        }


class Heartbeat:
    """Beats and turns by phase; ``stacks`` also notes where the main thread was in its long turns."""

    def __init__(self, stacks: bool = False) -> None:
        from PySide6.QtCore import QAbstractEventDispatcher, Qt, QTimer

        self.phase = ""
        self.phases: dict[str, Phase] = {}
        self.culprits: dict[str, list[tuple[float, int, list[tuple[str, int]]]]] = defaultdict(list)
        self._spans: list[tuple[float, str]] = []  # when each phase began
        self._bystander = subprocess.Popen([sys.executable, "-c", _BYSTANDER], stdout=subprocess.PIPE, text=True)
        self._last_beat = self._now()
        self._turn_began = time.thread_time()
        self._turn_began_at = time.perf_counter()
        self._samples: list[str] = []
        self.enter("")
        self._timer = QTimer(interval=round(1e3 * BEAT), timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start()
        dispatcher = QAbstractEventDispatcher.instance()
        assert dispatcher is not None
        # Depending on the dispatcher the work of a turn lies before the one or before the other; waiting costs nothing.
        dispatcher.awake.connect(self._end_turn)
        dispatcher.aboutToBlock.connect(self._end_turn)
        self._workers: dict[str, Counter[str]] | None = defaultdict(Counter) if stacks else None
        if stacks:
            # By a signal, not by a thread: a thread that looks at frames would end Qt objects that belong to this one.
            signal.signal(signal.SIGALRM, self._sample)
            signal.setitimer(signal.ITIMER_REAL, 0.003, 0.003)

    def enter(self, phase: str) -> None:
        """Count what follows for another phase."""
        if phase != self.phase or not self._spans:
            if self._spans:
                self._end_turn()
            self.phases.setdefault(phase, Phase())
            self.phase = phase
            self._spans.append((time.perf_counter(), phase))
            self._last_beat = self._now()

    @staticmethod
    def _now() -> tuple[float, float, float]:
        return time.perf_counter(), time.thread_time(), time.process_time()

    def _beat(self) -> None:
        now = self._now()
        clock, own, every = (after - before for after, before in zip(now, self._last_beat, strict=True))
        self._last_beat = now
        late, phase = max(0.0, clock - BEAT), self.phases[self.phase]
        phase.late.append(late)
        if late > LIMIT:
            cause = "computer"
            if own > _MOSTLY * clock:
                cause = "own"
            elif every - own > _MOSTLY * clock:
                cause = "workers"
            phase.causes[cause] = phase.causes.get(cause, 0) + 1
            if cause == "workers" and self._workers is not None:
                # A thread that has kept the interpreter has just given it away, and is near the place where it kept it.
                for thread, frame in sys._current_frames().items():
                    if thread != threading.get_ident():
                        self._workers[self.phase][_place(frame)] += 1

    def _end_turn(self) -> None:
        now = time.thread_time()
        spent = now - self._turn_began
        self.phases[self.phase].turns.append(spent)
        if spent > 0.03 and self._samples:
            self.culprits[self.phase].append((spent, len(self._samples), Counter(self._samples).most_common(4)))
        self._samples.clear()
        self._turn_began, self._turn_began_at = now, time.perf_counter()

    def _sample(self, _number: int, frame: FrameType | None) -> None:
        if time.perf_counter() - self._turn_began_at < 0.01:
            return
        self._samples.append(_place(frame))

    def stop(self) -> None:
        """Beat no more, and find out what the process beside this one missed."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        self._timer.stop()
        self._bystander.terminate()
        words, _ = self._bystander.communicate()
        for line in words.splitlines():
            began, late = (float(word) for word in line.split())
            names = [phase for start, phase in self._spans if start <= began]
            if names:
                phase = self.phases[names[-1]]
                phase.bystander = max(phase.bystander, late)

    def report(self) -> None:
        """Print the distributions, and with ``stacks`` the long turns."""
        print_figures({name: phase.figures() for name, phase in self.phases.items() if name and len(phase.late) > 1})
        for name, places in self.culprits.items():
            print(f"\n{name}")
            for spent, samples, counts in sorted(places, reverse=True)[:8]:
                print(f"  {1e3 * spent:.0f} ms")
                for place, count in counts:
                    print(f"      {count}/{samples} {place}")
        for name, counts in (self._workers or {}).items():
            print(f"\n{name}: where other threads were when they had kept the main thread from the interpreter")
            for place, count in counts.most_common(6):
                print(f"      {count} {place}")

    def write(self, path: Path) -> None:
        """Write the figures as JSON."""
        phases = {name: phase.figures() for name, phase in self.phases.items() if name and len(phase.late) > 1}
        path.write_text(json.dumps({"load": os.getloadavg()[0], "phases": phases}), encoding="utf-8")


def _place(frame: FrameType | None) -> str:
    """Say where a thread is, the innermost function first."""
    names: list[str] = []
    while frame is not None and len(names) < 9:
        code = frame.f_code
        if not code.co_filename.endswith(("heartbeat.py", "beats.py", "window_driving.py")):
            # Not by pathlib: the time that looking takes is part of the turn that is looked at.
            file = code.co_filename.replace("\\", "/").rpartition("/")[2].removesuffix(".py")
            names.append(f"{file}.{code.co_name}:{frame.f_lineno}")
        frame = frame.f_back
    return " < ".join(names)


HEAD = (
    f"{'phase':46}{'beats':>7}{'p50':>7}{'p99':>7}{'worst':>8}{'>50':>5}{'own':>5}{'work.':>6}{'comp.':>6}"
    f"{'bystander':>10}{'longest turn':>14}{'>50':>5}"
)


def print_figures(phases: dict[str, dict[str, float]]) -> None:
    """Print a line for each phase."""
    print("Beats late by the clock, ms; those later than 50 ms by their cause; processor time of the longest turn, ms")
    print(HEAD)
    for name, f in phases.items():
        print(f"{name[:45]:46}{f['beats']:7.0f}{f['p50']:7.1f}{f['p99']:7.1f}{f['worst']:8.1f}{f['late']:5.0f}"
              f"{f['own']:5.0f}{f['workers']:6.0f}{f['computer']:6.0f}{f['bystander']:10.1f}{f['turn']:14.1f}"
              f"{f['long turns']:5.0f}")  # fmt: skip
