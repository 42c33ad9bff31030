"""How long the window is deaf while a table of 200,000 x 150 is loaded and looked at in the import preview.

Run by hand: ``python -m tests.benchmarks.large_import [rows [columns]] [--table TABLE.csv] [--stacks]``; ``heartbeat.py``
says what is measured.
"""

import os
import tempfile
import time
from pathlib import Path

from tests.benchmarks.beats import Heartbeat
from tests.benchmarks.heartbeat import Files
from tests.benchmarks.large_tables import peak, write
from tests.benchmarks.options import Options
from tests.benchmarks.window_driving import rest, spin


class OpenFiles(Files):
    """Shows the dialogs of the window's own."""

    def show_dialog(self, dialog: object) -> bool:
        """Open it."""
        dialog.open()  # type: ignore[attr-defined]
        return True


def main() -> None:
    """Load, preview, scroll, choose; print the times and the turns of the event loop."""
    options = Options(__doc__)
    options.size("rows", 200_000, 30)
    options.size("--settle", 3.0, 0.1, help="seconds of rest before the table is loaded")
    options.size("columns", 150, 5)
    options.size("--steps", 60, 3, help="of scrolling through the preview")
    options.size("--watch", 600.0, 30.0, help="seconds to watch it describe the polymers before the preview is opened")
    options.add_argument("--table", type=Path, help="a table instead, such as the one that polyomics_like keeps")
    options.add_argument("--stacks", action="store_true", help="say where long turns spend their time")
    chosen = options.read()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

    from PySide6.QtCore import QSettings

    from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
    from affinecal_gui.ui.window.main_window import MainWindow
    from tests.benchmarks.window_driving import application

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = chosen.table or folder / "simulated.csv"
        if chosen.table is None:
            write(path, chosen.rows, chosen.columns)
        app = application(["large_import"])
        heart = Heartbeat(chosen.stacks)
        settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        window = MainWindow(ThemeKeeper(app, "light"), OpenFiles(), settings, folder / "user")  # type: ignore[arg-type]
        window.show()
        heart.enter("start")
        rest(chosen.settle)
        heart.enter("loading")
        start = time.perf_counter()
        window.open_files((str(path),))
        spin(lambda: bool(window.session.study.state.tables))
        print(f"in the study after {time.perf_counter() - start:.1f} s, peak so far {peak():.2f} GB")
        heart.enter("showing in the polymer table")
        rest(0.2)
        begun = time.perf_counter()
        spin(lambda: window.is_at_rest or time.perf_counter() - begun > chosen.watch)
        print(f"shown, peak so far {peak():.2f} GB")
        heart.enter("preview: opening")
        start = time.perf_counter()
        window.import_desk.adjust(window.session.study.state.tables[0].key)
        dialog = window.import_desk.dialog
        assert dialog is not None
        spin(lambda: not window.import_desk.is_busy)
        print(f"preview complete after {time.perf_counter() - start:.1f} s: {dialog.summary.text()}")
        print(f"peak so far {peak():.2f} GB")
        heart.enter("preview: scrolling")
        bar = dialog.table.body.horizontalScrollBar()
        for step in range(chosen.steps):
            bar.setValue(bar.maximum() * step // chosen.steps)
            rest(0.02)
        heart.enter("preview: another unit")
        start = time.perf_counter()
        number = next(column.column for column in dialog.examined.value_columns)
        box = dialog.table.heads.boxes_of(number)[1]
        box.activated.emit(1)
        rest(0.1)
        spin(lambda: not window.import_desk.is_busy)
        print(f"another unit after {time.perf_counter() - start:.1f} s")
        heart.enter("closing")
        dialog.reject()
        rest(0.3)
        heart.enter("end")
        heart.stop()
        heart.report()
        print(f"peak {peak():.2f} GB")
        window.close()


if __name__ == "__main__":
    main()
