"""What each action of the window leaves behind when it is done over and over: memory in use, Python objects, widgets, files.

Run by hand: ``python -m tests.benchmarks.memory_actions [--times 30] [--only NAME ...]``. Every action is done some times to
fill caches, then measured over the next ones. Memory in use is what the C library has handed out, whoever asked for it
(Qt, NumPy, fonts, Python's own pools), so that neither reserves nor gaps between blocks count. Linux with the GNU C library.
"""

import gc
import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tests.benchmarks.options import Options
from tests.benchmarks.window_driving import FOLDER, rest, small_tables, spin


def files() -> int:
    """Return how many files this process holds open."""
    return len(list(Path("/proc/self/fd").iterdir()))


def main() -> int:
    """Do every action and print what it leaves behind."""
    options = Options(__doc__)
    options.size("--times", 30, 2)
    options.size("--only", [], ["log panel"])
    chosen = options.read()

    from PySide6.QtCore import QPoint, QSettings, QTimer
    from PySide6.QtWidgets import QApplication

    from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
    from affinecal_gui.ui.running.memory import in_use
    from affinecal_gui.ui.session.dialogs import NoDialogs
    from affinecal_gui.ui.window.main_window import MainWindow
    from tests.benchmarks.window_driving import application

    class Dialogs(NoDialogs):
        def save_file(self, title: str, suggestion: str, filters: str) -> str:
            return str(FOLDER / suggestion)

        def show_dialog(self, dialog: object) -> bool:
            dialog.show()  # type: ignore[attr-defined]
            return True

    app = application(["memory_actions"])
    app.setQuitOnLastWindowClosed(False)
    settings = QSettings(str(FOLDER / "settings.ini"), QSettings.Format.IniFormat)
    themes = ThemeKeeper(app, "light")
    chance = random.Random(1)

    def new_window() -> MainWindow:
        window = MainWindow(themes, Dialogs(), settings, FOLDER / "user")
        window.show()
        rest(0.3)
        spin(lambda: window.is_at_rest, 120)
        return window

    window = new_window()
    paths = tuple(map(str, small_tables(30, 60)))

    def settle() -> None:
        rest(0.05)
        spin(lambda: window.is_at_rest, 300)

    def load() -> None:
        window.open_files(paths)
        spin(lambda: window.session.study.snapshot().calibration is not None, 300)
        settle()

    load()
    assert not [error for error in paths if not Path(error).exists()]

    def windows() -> None:
        other = new_window()
        other.close()
        other.deleteLater()
        rest(0.1)

    def select() -> None:
        rows = window.session.study.snapshot().rows
        window.select(chance.choice(rows).key)
        settle()

    def help_window() -> None:
        window.help_desk.open()
        rest(0.1)
        if window.help_desk.window is not None:
            window.help_desk.window.close()
        rest(0.05)

    def figure_dialog() -> None:
        window.export_desk.open_figures(chance.choice(("parity", "coefficients", "comparison")))
        settle()
        window.export_desk.figure_dialog.close()
        rest(0.02)

    def match_report() -> None:
        window.match_desk.open()
        settle()
        if window.match_desk.dialog is not None:
            window.match_desk.dialog.close()
        rest(0.05)

    def import_dialog() -> None:
        window.import_desk.adjust(window.session.study.state.tables[0].key)
        settle()
        if window.import_desk.dialog is not None:
            window.import_desk.dialog.reject()
        rest(0.05)
        settle()

    def theme() -> None:
        themes.set_choice("light" if themes.theme.dark else "dark")
        settle()

    def size() -> None:
        window.resize(chance.randrange(1100, 2400), chance.randrange(700, 1500))
        settle()

    def refit() -> None:
        window.session.calibrate()
        settle()

    def leave_out() -> None:
        window.session.toggle_left_out((chance.choice(window.session.study.snapshot().rows).key,))
        settle()

    def hover() -> None:
        from PySide6.QtTest import QTest

        area = window.study_views.parity_view
        for _ in range(20):
            handle = window.windowHandle()
            point = area.mapTo(window, QPoint(chance.randrange(area.width()), chance.randrange(area.height())))
            QTest.mouseMove(handle, point)
            rest(0.01)

    def tables() -> None:
        window.session.new_study()
        settle()
        load()

    def menus() -> None:
        """Open the menu of every view that has one, and close it."""
        from PySide6.QtWidgets import QMenu

        for view in (window.study_views.parity_view, window.study_views.coefficient_view):
            QTimer.singleShot(30, close_menu)
            view.canvas.customContextMenuRequested.emit(QPoint(60, 60))
            rest(0.05)
        for maker in (window.study_views.data_panel.table.row_menu, window.study_views.inspector.structure.menu):
            menu: QMenu = maker()
            menu.popup(QPoint(50, 50))
            rest(0.03)
            menu.close()
            rest(0.02)

    def close_menu() -> None:
        popup = QApplication.activePopupWidget()
        if popup is not None:
            popup.close()

    def enlarge() -> None:
        names = [block.name for block in window.session.study.snapshot().blocks.blocks]
        window.study_views.coefficient_view.enlarge(chance.choice(names))
        settle()
        window.study_views.coefficient_view.enlarge("")
        settle()

    def blocks() -> None:
        window.study_views.coefficient_view.block_toggled.emit("mass")
        settle()

    def calibrator() -> None:
        window.study_views.parity_view.model_chosen.emit(chance.choice(("ordinary", "log_difference", "affine")))
        settle()

    def scale() -> None:
        settings = window.session.study.state.settings
        window.session.change_settings(replace(settings, log_scale=not settings.log_scale))
        settle()

    def undo() -> None:
        leave_out()
        window.session.undo()
        settle()

    def methods() -> None:
        settings = window.session.study.state.settings
        window.session.change_settings(
            replace(settings, methods=() if settings.methods else ("direct",), model="affine")
        )
        settle()

    def log_panel() -> None:
        window.window_actions.log.trigger()
        rest(0.05)

    def floating() -> None:
        for dock in window.docks:
            dock.setFloating(not dock.isFloating())
        settle()

    actions: dict[str, Callable[[], object]] = {
        "menus": menus,
        "enlarging a block": enlarge,
        "switching a block": blocks,
        "another calibrator": calibrator,
        "another scale": scale,
        "undo": undo,
        "methods with kernels": methods,
        "log panel": log_panel,
        "docks afloat": floating,
        "a polymer is selected": select,
        "hovering over the plot": hover,
        "light and dark": theme,
        "another size": size,
        "calibrating again": refit,
        "leaving a row out": leave_out,
        "clearing and loading": tables,
        "figure dialog": figure_dialog,
        "copying a figure": lambda: (window.export_desk.copy("parity"), settle()),
        "report": lambda: (window.window_actions.report.trigger(), settle()),
        "workbook": lambda: (window.window_actions.workbook.trigger(), settle()),
        "saving": lambda: (window.keeper.save(str(FOLDER / "a.affinecal")), settle()),
        "opening": lambda: (window.keeper.open(str(FOLDER / "a.affinecal")), settle()),
        "help": help_window,
        "matching report": match_report,
        "import preview": import_dialog,
        "another window": windows,
    }

    def state() -> tuple[float, int, int, int]:
        gc.unfreeze()
        gc.collect()
        gc.collect()
        return in_use() / 1e6, len(gc.get_objects()), len(QApplication.allWidgets()), files()

    for name, act in actions.items():
        if chosen.only and not any(word in name for word in chosen.only):
            continue
        for _ in range(chosen.times // 3):
            act()
        points = [state()]
        for _ in range(2):
            for _ in range(chosen.times // 2):
                act()
            points.append(state())
        grown = [points[2][i] - points[0][i] for i in range(4)]
        late = points[2][0] - points[1][0]
        times = 2 * (chosen.times // 2)
        print(
            f"{name:26}{1e3 * grown[0] / times:9.1f} kB a time, {2e3 * late / times:9.1f} in the second half;"
            f"{grown[1] / times:8.1f} objects, {grown[2] / times:6.2f} widgets, {grown[3] / times:6.2f} files;"
            f" {points[2][0]:6.0f} MB in use",
            flush=True,
        )
    window.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
