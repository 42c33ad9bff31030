"""How long it takes from Cancel to rest, for each kind of job, at random instants of it, in the real window.

Run by hand: ``python -m tests.benchmarks.cancel_times [--times 20] [--only NAME ...]``. The aim is
200 ms on a machine that has nothing else to do. Two times are told: until the window is free again, with the result of
before, and until the thread of the job has ended, which nobody waits for.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from affinecal_gui.calibration.calibrators.registry import kernel_keys
from tests.benchmarks.options import Options
from tests.benchmarks.window_driving import EXAMPLES, FOLDER, large_tables, rest, spin

LIMIT = 0.2
LONGEST = 10.0  # seconds of a job in which it is cancelled


def write_rows(path: Path, rows: int) -> None:
    """Write a long table of measured values."""
    with path.open("w", encoding="utf-8") as file:
        file.write("id,smiles,Cp [J/(kg K)],note\n")
        for row in range(rows):
            file.write(f"P{row},*CC(*){'C' * (row % 40)}O,{2000 + row % 100},a note of some length\n")


class Measurement:
    """Starts jobs in one window and cancels them."""

    def __init__(self, times: int) -> None:
        from PySide6.QtCore import QSettings

        from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
        from affinecal_gui.ui.session.dialogs import NoDialogs
        from affinecal_gui.ui.window.main_window import MainWindow
        from tests.benchmarks.window_driving import application

        class Dialogs(NoDialogs):
            def save_file(self, title: str, suggestion: str, filters: str) -> str:
                return str(FOLDER / suggestion)

        self.times = times
        self.chance = random.Random(1)
        self.sentence = ""
        app = application(["cancel_times"])
        settings = QSettings(str(FOLDER / "settings.ini"), QSettings.Format.IniFormat)
        self.window = MainWindow(ThemeKeeper(app, "light"), Dialogs(), settings, FOLDER / "user")
        self.window.session.jobs.progressed.connect(self._hear)
        self.window.show()
        rest(0.5)
        spin(lambda: self.window.is_at_rest)

    def _hear(self, _share: float, sentence: str) -> None:
        self.sentence = sentence

    def measure(
        self,
        name: str,
        start: Callable[[], object],
        words: tuple[str, ...] = (),
        before: Callable[[], object] = lambda: None,
    ) -> bool:
        """Cancel a job some times, after one of these words if there are any; returns whether it was quick enough."""
        jobs = self.window.session.jobs

        def begin() -> None:
            before()
            spin(lambda: self.window.is_at_rest, 120)
            self.sentence = ""
            start()
            spin(lambda: not jobs.is_busy or not words or self.sentence.startswith(words), 300)

        begin()
        began = time.perf_counter()
        while jobs.is_busy and (not words or self.sentence.startswith(words)) and time.perf_counter() - began < LONGEST:
            rest(0.005)
        length = time.perf_counter() - began
        self.window.session.cancel()
        spin(lambda: not jobs.is_busy, 60)
        waits: list[float] = []
        ends: list[float] = []
        missed = 0
        while len(waits) < self.times and missed < 2 * self.times:
            begin()
            rest(self.chance.uniform(0.0, 0.9 * length))
            if not jobs.is_busy:
                missed += 1
                continue
            asked = time.perf_counter()
            self.window.window_actions.cancel.trigger()
            while jobs.is_busy:
                rest(0.001)
            waits.append(time.perf_counter() - asked)
            while not jobs.has_ended:
                rest(0.001)
            ends.append(time.perf_counter() - asked)
        if not waits:
            print(f"{name:34} over before it could be cancelled ({1e3 * length:.0f} ms)", flush=True)
            return True
        median, worst = statistics.median(waits), max(waits)
        print(
            f"{name:34}{1e3 * median:9.0f}{1e3 * worst:9.0f}{1e3 * statistics.median(ends):9.0f}{1e3 * max(ends):9.0f}"
            f"{len(waits):5}   of {length:6.2f} s"
            f"{'   too slow' if worst > LIMIT else ''}",
            flush=True,
        )
        return worst <= LIMIT


def main() -> int:
    """Measure every kind; returns the exit status."""
    options = Options(__doc__)
    options.size("--times", 20, 1)
    options.size("--rows", 200_000, 100)
    options.size("--only", [], ["load"])
    chosen = options.read()
    m = Measurement(chosen.times)
    from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
    from affinecal_gui.study.snapshot import Settings, Snapshot
    from affinecal_gui.ui.dialogs.exporting.exports import ExportReport
    from affinecal_gui.ui.session.study_jobs import Export

    window, session = m.window, m.window.session
    long = FOLDER / "long.csv"
    write_rows(long, chosen.rows)
    tables = large_tables()
    fine = True
    print(f"{'ms from Cancel to':34}{'rest':>9}{'worst':>9}{'end':>9}{'worst':>9}    n", flush=True)

    def wanted(name: str) -> bool:
        return not chosen.only or any(word in name for word in chosen.only)

    def open_example() -> None:
        session.open_example("heat_capacity")

    def forget_descriptors() -> None:
        session.new_study()
        DescriptorCache().path.unlink(missing_ok=True)

    def with_result() -> None:
        if session.study.snapshot().calibration is None:
            open_example()
            spin(lambda: session.study.snapshot().calibration is not None and window.is_at_rest)

    def with_rows() -> None:
        if not any(loaded.table.name == long.name for loaded in session.study.state.tables):
            session.new_study()
            window.open_files((str(long),))
            spin(lambda: bool(session.study.state.tables) and window.is_at_rest)

    def with_methods(settings: Settings) -> Settings:
        return replace(settings, methods=kernel_keys(), seed=settings.seed + 1)

    def without_methods() -> None:
        with_result()
        if session.study.state.settings.methods:
            session.change_settings(replace(session.study.state.settings, methods=(), model="affine"))

    def html_report(snapshot: Snapshot, path: Path) -> Export:
        return ExportReport(session.study.state, "", snapshot, path)

    def with_unmatched() -> None:
        if not any(loaded.table.name == unknown.name for loaded in session.study.state.tables):
            session.new_study()
            window.open_files((str(unknown), str(EXAMPLES / "md_radonpy.csv")))
            spin(lambda: len(session.study.state.tables) == 2 and window.is_at_rest)

    unknown = FOLDER / "unknown.csv"
    write_rows(unknown, 2000)

    cases: list[tuple[str, Callable[[], object], tuple[str, ...], Callable[[], object]]] = [
        (f"load {chosen.rows:,} rows", lambda: window.open_files((str(long),)), (), session.new_study),
        (
            "describe 1,077 polymers",
            lambda: window.open_files(tuple(map(str, tables or ()))),
            ("Described",),
            forget_descriptors,
        ),
        ("fit: held-out checks", session.calibrate, ("Checking on",), with_result),
        ("fit: bootstrap and after", session.calibrate, ("Choosing", "Refitting", "Predicting"), with_result),
        ("fit, whole", session.calibrate, (), with_result),
        (
            "fit, methods with kernels",
            lambda: session.change_settings(with_methods(session.study.state.settings)),
            (),
            without_methods,
        ),
        ("report as PDF", window.window_actions.report.trigger, (), with_result),
        (
            "report as HTML",
            lambda: session.export(html_report(session.study.snapshot(), FOLDER / "report.html")),
            (),
            with_result,
        ),
        ("matching report", session.report_matching, (), with_unmatched),
        ("workbook", window.window_actions.workbook.trigger, (), with_result),
        ("predictions", window.window_actions.predictions.trigger, (), with_result),
        ("figure", lambda: window.export_desk.copy("parity"), (), with_result),
        (f"put together {chosen.rows:,} rows", lambda: session.replace_study(session.study.state, None), (), with_rows),
        (f"save {chosen.rows:,} rows", lambda: window.keeper.save(str(FOLDER / "large.affinecal")), (), with_rows),
        (f"open {chosen.rows:,} rows", lambda: window.keeper.open(str(FOLDER / "large.affinecal")), (), lambda: None),
    ]
    for name, start, words, before in cases:
        if wanted(name) and (tables or "1,077" not in name):
            if name.startswith("open"):
                with_rows()
                window.keeper.save(str(FOLDER / "large.affinecal"))
                spin(lambda: not session.is_busy)
            fine = m.measure(name, start, words, before) and fine
    window.close()
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
