"""How long the real window is deaf to its user, in every phase of its work.

Run by hand: ``python -m tests.benchmarks.heartbeat [--part NAME ...] [--rounds N] [--stacks]``. A timer of 5 ms beats in the
window; ``beats.py`` says what is measured and how a late beat is put down to its cause. With ``--rounds`` the script is run
several times, and for every figure the median and the best run are printed: on a computer with other work to do, the best run
says most about the program.

``--stacks`` says for every turn of the event loop above 30 ms of processor time where the main thread was most of it, and
where other threads were when they had kept the interpreter for too long.
"""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.beats import Heartbeat, print_figures
from tests.benchmarks.large_tables import peak
from tests.benchmarks.large_tables import write as write_large
from tests.benchmarks.options import Options
from tests.benchmarks.polyomics_like import ROWS as RUNS
from tests.benchmarks.polyomics_like import write as write_runs
from tests.benchmarks.polyomics_like import write_measured
from tests.benchmarks.window_driving import FOLDER, large_tables, rest, spin

if TYPE_CHECKING:
    from affinecal_gui.ui.window.main_window import MainWindow

ROWS, COLUMNS = 200_000, 150
LONGEST = 3600.0  # seconds that one step may take, as describing 78,000 polymers on a busy computer does


class Files:
    """The file dialogs of this script: every file is written to a fresh place."""

    path = ""

    def open_tables(self) -> list[str]:
        """Nothing is chosen."""
        return []

    def save_file(self, title: str, suggestion: str, filters: str) -> str:
        """The place prepared."""
        return self.path

    def save_changes(self, name: str) -> str:
        """Nothing is kept."""
        return "discard"

    def choose_folder(self, title: str) -> str:
        """Nothing is chosen."""
        return ""

    def confirm(self, title: str, question: str, action: str) -> bool:
        """Always."""
        return True

    def inform(self, title: str, text: str) -> None:
        """Read."""

    def show_dialog(self, dialog: object) -> bool:
        """Open it, as the window does."""
        dialog.open()  # type: ignore[attr-defined]
        return True

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
"""What a job says it does, and the phase that is."""


class Scenario:
    """The window and its user."""

    def __init__(self, heart: Heartbeat, window: "MainWindow", files: Files) -> None:
        self.heart, self.window, self.files = heart, window, files
        self._prefix = ""

    @staticmethod
    def do(act: Callable[[], object]) -> None:
        """Let something happen inside the event loop, as it does when a user clicks."""
        from PySide6.QtCore import QTimer

        done: list[bool] = []
        QTimer.singleShot(0, lambda: (act(), done.append(True)))
        spin(lambda: bool(done))

    def settle(self) -> None:
        """Wait until the window has nothing more to do."""
        rest(0.1)
        spin(lambda: self.window.is_at_rest, LONGEST)

    @contextmanager
    def phases(self, prefix: str) -> Iterator[None]:
        """Let the sentences of the progress bar name the phases of a job."""
        self._prefix = prefix
        self.heart.enter(f"{prefix}: reading files")
        self.window.session.jobs.progressed.connect(self._follow)
        yield
        self.settle()
        rest(0.3)
        self.window.session.jobs.progressed.disconnect(self._follow)
        self.heart.enter("")

    def _follow(self, _fraction: float, sentence: str) -> None:
        words = next((phase for start, phase in PHASE_WORDS if sentence.startswith(start)), "fitting")
        self.heart.enter(f"{self._prefix}: {words}")

    def start_anew(self) -> None:
        """Forget the study, unseen by the statistics."""
        self.heart.enter("")
        self.window.session.new_study()
        self.settle()

    def idle(self) -> None:
        """Nothing: the control."""
        self.heart.enter("doing nothing (control)")
        rest(3.0)

    def example(self) -> None:
        """From the bundled example to its first result, and what can be done with that."""
        with self.phases("example"):
            self.window.session.open_example("heat_capacity")
        self.use("example")
        self.save("example")

    def polymers(self) -> None:
        """The largest table of real polymers at hand."""
        tables = large_tables()
        if tables is None:
            return
        with self.phases("1,077 polymers"):
            self.window.open_files(tuple(map(str, tables)))
        self.use("1,077 polymers")
        self.save("1,077 polymers")

    def large(self) -> None:
        """A table of 200,000 rows, alone and beside measured values."""
        path, measured = FOLDER / "large.csv", FOLDER / "large measured.csv"
        self.heart.enter("")
        write_large(path, ROWS, COLUMNS)
        lines = ["name,smiles,measured Cp [J/(kg K)]"]
        lines += [
            f"polymer {i},*CC(*){'C' * (i + 1)}O{'N' * (i % 7)}C,{1500 + 10 * i + 37 * (i % 5)}" for i in range(40)
        ]
        measured.write_text("\n".join(lines) + "\n", encoding="utf-8")
        name = f"{ROWS:,} rows"
        with self.phases(name):
            self.window.open_files((str(path),))
        self.browse(name)
        with self.phases(f"{name}, 40 measured"):
            self.window.open_files((str(measured),))
        self.use(f"{name}, 40 measured")
        self.save(f"{name}, 40 measured")

    def runs(self) -> None:
        """A table in the shape of PolyOmics, beside measured densities; used, saved, and opened again."""
        path, measured = FOLDER / "runs.csv", FOLDER / "densities.csv"
        self.heart.enter("")
        write_runs(path, RUNS)
        write_measured(measured)
        window, name = self.window, f"{RUNS:,} runs"
        self.heart.enter(f"{name}: reading files")
        begun = time.perf_counter()
        self.do(lambda: window.open_files((str(path),)))
        spin(lambda: bool(window.session.study.state.tables))
        self._tell(name, "in the study", begun)
        self.heart.enter(f"{name}: showing")
        spin(lambda: bool(window.session.study.snapshot().rows))
        self._tell(name, "matched", begun)
        spin(lambda: window.study_views.data_panel.table.model().rowCount() > 0)
        rest(0.1)
        self._tell(name, "shown", begun)
        rest(2.0)
        begun = time.perf_counter()
        with self.phases(f"{name}, 57 measured"):
            self.do(lambda: window.open_files((str(measured),)))
            spin(lambda: len(window.session.study.state.tables) > 1)
        self._tell(name, "calibrated", begun)
        self.use(f"{name}, 57 measured")
        self._tell(name, "used", begun)
        begun = time.perf_counter()
        self.save(f"{name}, 57 measured")
        self._tell(name, "saved", begun)
        self.start_anew()
        self.heart.enter(f"{name}: opening the study")
        begun = time.perf_counter()
        self.do(lambda: window.open_files((self.files.path,)))
        spin(lambda: bool(window.session.study.state.tables))
        self.settle()
        self._tell(name, "opened", begun)

    @staticmethod
    def _tell(name: str, what: str, begun: float) -> None:
        print(f"{name}: {what} after {time.perf_counter() - begun:.1f} s, peak so far {peak():.2f} GB", flush=True)

    def save(self, name: str) -> None:
        """Save the study, and let it be autosaved after a change."""
        self.heart.enter(f"{name}: saving the study")
        self.files.path = str(FOLDER / f"{name[0]}{len(name)}.affinecal")
        self.do(self.window.window_actions.save_as.trigger)
        self.settle()
        rest(0.3)

    def use(self, name: str) -> None:
        """Do with a finished calibration what a user does."""
        if self.window.session.study.snapshot().calibration is None:
            print(f"{name}: no calibration; {self.window.message_bar.texts()}", file=sys.stderr)
            return
        for what, step in (
            ("switching calibrators", self.switch),
            ("moving a penalty slider", self.drag),
            ("exporting everything", self.export),
            ("leaving a row out, undo", self.leave_out),
            ("resizing", self.resize),
            ("dark and light", self.change_theme),
        ):
            self.heart.enter(f"{name}: {what}")
            step()
            self.settle()
        self.browse(name)

    def switch(self) -> None:
        """Show one calibrator after the other large."""
        from dataclasses import replace

        for model in ("md", "ordinary", "log_difference", "affine", "md", "affine"):
            settings = self.window.session.study.state.settings
            self.do(
                lambda model=model, settings=settings: self.window.session.change_settings(
                    replace(settings, model=model)
                )
            )
            rest(0.3)
            spin(lambda: self.window.is_at_rest)

    def drag(self) -> None:
        """Move a slider back and forth; the calibration follows."""
        slider = self.window.study_views.model_panel.penalties.rows["lambda_1"].slider
        slider.setSliderDown(True)
        start = slider.value()
        towards = 1 if 2 * start < slider.minimum() + slider.maximum() else -1  # where there is room
        for step in range(40):
            self.do(lambda step=step: slider.setValue(start + towards * (step if step < 20 else 40 - step)))
            rest(0.03)
        slider.setSliderDown(False)

    def export(self) -> None:
        """Write every table, every figure in every format, and the report in both."""
        window = self.window
        todo: list[tuple[str, Callable[[], object]]] = [
            ("a.csv", window.window_actions.predictions.trigger),
            ("b.csv", window.window_actions.coefficients.trigger),
            ("c.csv", window.window_actions.measure_next.trigger),
            ("d.xlsx", window.window_actions.workbook.trigger),
        ]
        from affinecal_gui.study.results.study_figures import FIGURES
        from affinecal_gui.ui.dialogs.exporting.figure_controls import FigureChoice

        window.export_desk.open_figures("parity")
        self.settle()
        dialog = window.export_desk.figure_dialog
        for figure in FIGURES:
            for suffix in (".svg", ".pdf", ".png", ".tiff"):
                choice = FigureChoice(figure, dialog.options_for(figure), suffix, 300)
                todo.append((f"{figure}{suffix}", lambda choice=choice: dialog.save_wished.emit(choice)))
        todo += [("e.pdf", window.window_actions.report.trigger), ("f.html", window.window_actions.report.trigger)]
        for file, act in todo:
            self.files.path = str(FOLDER / file)
            self.do(act)
            self.settle()
        dialog.close()

    def leave_out(self) -> None:
        """Leave a polymer out of the fit, and take that back."""
        used = next(row for row in self.window.session.study.snapshot().rows if row.state == "used")
        self.do(lambda: self.window.session.toggle_left_out((used.key,)))
        self.settle()
        self.do(self.window.window_actions.undo.trigger)

    def resize(self) -> None:
        """Make the window small and large."""
        for width, height in ((1100, 700), (1900, 1100), (1300, 800), (1500, 950)):
            self.do(lambda width=width, height=height: self.window.resize(width, height))
            rest(0.3)

    def change_theme(self) -> None:
        """Make the window dark, and light again."""
        for choice in ("dark", "light"):
            self.do(self.window.menus.appearances[choice].trigger)
            rest(0.6)
            spin(lambda: self.window.is_at_rest)

    def browse(self, name: str) -> None:
        """Go through the table of polymers."""
        window, heart = self.window, self.heart
        heart.enter(f"{name}: selecting rows")
        rows = window.session.study.snapshot().rows
        heart.enter(f"{name}: selecting rows")
        for row in (*rows[:10], *rows[-5:]):
            self.do(lambda row=row: window.select(row.key))
            rest(0.1)
        self.settle()
        table, panel = window.study_views.data_panel.table, window.study_views.data_panel
        heart.enter(f"{name}: changing lists")
        for tab in (1, 0, 1):
            if panel.tabs.isTabEnabled(tab):
                self.do(lambda tab=tab: panel.tabs.setCurrentIndex(tab))
                rest(0.3)
        heart.enter(f"{name}: filtering")
        for text in ("1", "12", "123", "co", ""):
            self.do(lambda text=text: panel.filter.setText(text))
            rest(0.2)
        self.settle()
        heart.enter(f"{name}: sorting")
        for column in (2, 1, 4, 5, 9, 2):
            order = table.horizontalHeader().sortIndicatorOrder()
            self.do(lambda column=column, order=order: table.sortByColumn(column, order))
            rest(0.3)
            spin(lambda: window.is_at_rest)
        heart.enter(f"{name}: scrolling")
        bar = table.verticalScrollBar()
        for step in range(30):
            self.do(lambda step=step: bar.setValue(bar.maximum() * step // 30))
            rest(0.03)
        self.settle()
        heart.enter(f"{name}: selecting all, copying")
        self.do(table.selectAll)
        self.do(table.copy_selection)
        rest(0.3)
        self.do(table.clearSelection)
        rest(0.1)
        heart.enter(f"{name}: finding")
        for text in ("1", "19", "199"):
            window.tool_bar.search.setText(text)
            self.do(lambda text=text: window.tool_bar.search.textEdited.emit(text))
            rest(0.2)
        heart.enter("")


PARTS: dict[str, Callable[[Scenario], None]] = {
    "idle": Scenario.idle,
    "example": Scenario.example,
    "polymers": Scenario.polymers,
    "large": Scenario.large,
    "runs": Scenario.runs,
}


def play(parts: list[str], stacks: bool, output: Path | None) -> None:
    """Go through the phases and report."""
    from PySide6.QtCore import QSettings, QTimer

    from tests.benchmarks.window_driving import application

    app = application(["heartbeat"])
    heart = Heartbeat(stacks)
    heart.enter("start: until the first window")
    from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
    from affinecal_gui.ui.window.main_window import MainWindow

    files = Files()
    themes = ThemeKeeper(app, "light")
    settings = QSettings(str(FOLDER / "s.ini"), QSettings.Format.IniFormat)
    window = MainWindow(themes, files, settings, FOLDER / "user")  # type: ignore[arg-type]
    window.show()
    app.processEvents()
    heart.enter("start: behind the first window")
    rest(0.5)
    spin(lambda: window.is_at_rest)
    rest(1.0)
    scenario = Scenario(heart, window, files)
    for number, part in enumerate(parts):
        if number:
            scenario.start_anew()
        PARTS[part](scenario)
    heart.enter("closing")
    QTimer.singleShot(0, window.close)
    rest(0.2)
    heart.enter("")
    heart.stop()
    if output is not None:
        heart.write(output)
    else:
        heart.report()


def play_rounds(parts: list[str], rounds: int) -> None:
    """Play in several processes, and print the median and the best of every figure."""
    runs = []
    for _ in range(rounds):
        output = FOLDER / "run.json"
        command = [sys.executable, "-m", __spec__.name, "--output", str(output), *(f"--part={part}" for part in parts)]
        subprocess.run(command, check=True)
        runs.append(json.loads(output.read_text(encoding="utf-8")))
    loads = ", ".join(f"{run['load']:.1f}" for run in runs)
    for title, choose in (("Median", statistics.median), ("Best", min)):
        print(f"\n{title} of {rounds} runs; load of the computer at their ends {loads}")
        phases = {
            name: {
                key: choose([run["phases"][name][key] for run in runs if name in run["phases"]]) for key in first
            }
            for name, first in runs[0]["phases"].items()
        }  # fmt: skip
        print_figures(phases)


def main() -> None:
    """Read the options."""
    options = Options(__doc__)
    options.add_argument("--part", action="append", choices=tuple(PARTS), help="play only this; may be repeated")
    options.add_argument("--rounds", type=int, default=1, help="play several times")
    options.add_argument("--stacks", action="store_true", help="say where long turns spend their time")
    options.add_argument("--output", type=Path, help="write the figures to this file instead")
    chosen = options.read()
    parts = chosen.part or (["idle"] if chosen.smoke else [part for part in PARTS if part != "runs"])
    if chosen.rounds > 1:
        play_rounds(parts, chosen.rounds)
    else:
        play(parts, chosen.stacks, chosen.output)


if __name__ == "__main__":
    main()
