"""Make the pictures of the documentation, and pictures of every view to look at, from the real window.

It is shown on a screen in memory (Xvfb); where there is none it is drawn without a display, which is told.

    .venv/bin/python packaging/screenshots.py            # those that the documents show, compact, to docs/pictures
    .venv/bin/python packaging/screenshots.py FOLDER     # every scene, light and dark, at scale factor 1 and 2
    .venv/bin/python packaging/screenshots.py FOLDER parity import    # only these scenes

A scene of the report needs pdftoppm (poppler-utils); without it, that scene is left out with a message.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from display_in_memory import MISSING, SIZE, display_in_memory, is_there

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
PICTURES = ROOT / "docs" / "pictures"
WIDE, NARROW = (1500, 950), (1100, 700)
SETTLE_MILLISECONDS = 400
LONGEST_WAIT = 180  # seconds for one scene to come to rest
EXACT, MIXED = 96, 160  # colours of a compact picture: the commonest as they are, and those that stand for the rest
SHOWN_POLYMER = "polystyrene"
ASKED_POLYMER = "*CC(*)(C)C(=O)OCC(F)CC#N"  # in no table
OWN_TABLE = ROOT / "docs" / "practice" / "series_12.csv"


def main() -> None:
    """Take the pictures, one process for each scale factor."""
    parser = argparse.ArgumentParser(description="Pictures of the real window.")
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("scenes", nargs="*")
    parser.add_argument("--scale", type=int, help=argparse.SUPPRESS)  # inside a process of its own
    options = parser.parse_args()
    if options.scale is not None:
        take_all(options.folder, tuple(options.scenes), "" if options.scale == 1 else f"@{options.scale}x")
        return
    if options.folder is not None:
        for scale in (1, 2):
            run_scaled(scale, options.folder, options.scenes)
        return
    wanted = shown_in_documents()
    with tempfile.TemporaryDirectory() as folder:
        run_scaled(1, Path(folder), sorted({name.rpartition("-")[0] for name in wanted}))
        for name in sorted(wanted):
            taken = Path(folder) / f"{name}.png"
            if taken.is_file():  # one that was left out, which is told, stays as it was
                compact(taken, PICTURES / f"{name}.png")
    for path in PICTURES.glob("*.png"):
        if path.stem not in wanted:
            path.unlink()
    total = sum(path.stat().st_size for path in PICTURES.glob("*.png"))
    print(f"{len(wanted)} pictures, {total / 1e6:.2f} MB, in {PICTURES}")


def shown_in_documents() -> set[str]:
    """Return the pictures that a document shows, and their dark twins, which the help window shows at night."""
    texts = "\n".join(path.read_text(encoding="utf-8") for path in DOCUMENTS)
    scenes = set(re.findall(r"pictures/([\w-]+)-light\.png", texts))
    return {f"{scene}-{appearance}" for scene in scenes for appearance in ("light", "dark")}


def run_scaled(scale: int, folder: Path, scenes: list[str]) -> None:
    """Take the pictures at a scale factor, which Qt reads once when it starts."""
    command = [sys.executable, __file__, "--scale", str(scale), str(folder), *scenes]
    if is_there():
        with display_in_memory((scale * SIZE[0], scale * SIZE[1])) as environment:
            subprocess.run(command, env={**environment, "QT_SCALE_FACTOR": str(scale)}, check=True)
        return
    print(f"{MISSING} The pictures are drawn without a display.", flush=True)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": str(scale)}
    subprocess.run(command, env=environment, check=True)


def compact(source: Path, target: Path) -> None:
    """Write a picture with few colours, a third as large and to the eye the same.

    The mixed colours are chosen as if each were as frequent as the square root of its area: by area alone, the greys of
    the window would leave nothing for the marks, which are small and carry the meaning.
    """
    import numpy as np
    from PIL import Image

    with Image.open(source) as picture:
        pixels = np.asarray(picture.convert("RGB"))
    colours, places, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    sample = Image.fromarray(np.repeat(colours, np.ceil(np.sqrt(counts)).astype(int), axis=0)[np.newaxis])
    mixed = sample.quantize(MIXED, method=Image.Quantize.MEDIANCUT, kmeans=3).getpalette()
    exact = colours[np.argsort(-counts)[:EXACT]]
    palette = np.concatenate([exact, np.array(mixed[: 3 * MIXED]).reshape(-1, 3)]).astype(np.int64)
    nearest = np.array([np.argmin(((palette - colour) ** 2).sum(axis=1)) for colour in colours.astype(np.int64)])
    compacted = Image.fromarray(nearest[places].reshape(pixels.shape[:2]).astype(np.uint8), mode="P")
    compacted.putpalette(palette.astype(np.uint8).ravel().tolist())
    compacted.save(target, optimize=True)


def take_all(folder: Path, wanted: tuple[str, ...], ending: str) -> None:
    """Walk through the scenes in light and dark."""
    from affinecal_gui.ui.application import make_application
    from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper

    folder.mkdir(parents=True, exist_ok=True)
    app = make_application()
    for appearance in ("light", "dark"):
        with tempfile.TemporaryDirectory() as own:
            themes = ThemeKeeper(app, appearance)
            stage = Stage(themes, Path(own), folder, f"-{appearance}{ending}.png", wanted)
            stage.play()


class Stage:
    """One window on its way through all scenes; scenes follow one another as they do for a user."""

    def __init__(self, themes, own: Path, folder: Path, ending: str, wanted: tuple[str, ...]) -> None:
        from PySide6.QtCore import QSettings

        from affinecal_gui.ui.window.main_window import MainWindow

        self.own, self.folder, self.ending, self.wanted = own, folder, ending, wanted
        settings = QSettings(str(own / "settings.ini"), QSettings.Format.IniFormat)
        self.window = MainWindow(themes, settings=settings, study_folder=own)
        self.window.resize(*WIDE)
        self.window.show()

    def play(self) -> None:
        """Take every scene that is wanted."""
        window = self.window
        self.wait()
        self.scene("welcome", self._welcome)
        window.session.open_example("heat_capacity")
        self.wait()
        rows = window.session.study.snapshot().rows
        self.shown_key = next(row.key for row in rows if row.name == SHOWN_POLYMER)
        self.start = window.window_actions.undo.text()
        for name, take in (
            ("main", lambda: self.window),
            ("narrow", self._narrow),
            ("data", lambda: self.window.docks.data),
            ("parity", lambda: self.window.study_views.parity_view),
            ("parity-overlaid", self._overlaid),
            ("coefficients", lambda: self.window.study_views.coefficient_view),
            ("coefficients-large", self._enlarged),
            ("inspector", lambda: self.window.docks.inspector),
            ("model", lambda: self.window.docks.model),
            ("surface", self._surface),
            ("comparison", lambda: self._section("comparison")),
            ("left-out", self._left_out),
            ("penalties", self._by_hand),
            ("measure-next", self._measure_next),
            ("match", self._match),
            ("figure", self._figure),
            ("export-menu", self._export_menu),
            ("import", self._import_preview),
            ("any-polymer", self._any_polymer),
            ("help", self._help),
            ("report", self._report),
        ):
            self.scene(name, take)
        window.session.study.clear()
        window.close()

    def scene(self, name: str, take: Callable[[], object]) -> None:
        """Prepare a scene, save what it returns, and tidy up after it."""
        if self.wanted and name not in self.wanted:
            return
        if self.window.session.study.state.tables:
            self.window.select(self.shown_key)
        self.wait()
        shown = take()
        path = self.folder / f"{name}{self.ending}"
        if shown is None:
            return
        if isinstance(shown, Path):
            shutil.copyfile(shown, path)
        else:
            from affinecal_gui.ui.running.paint_turns import paint_turns

            self.wait()
            with paint_turns().unhurried():
                shown.grab().save(str(path))
        print(path.name, flush=True)
        self.tidy()

    def tidy(self) -> None:
        """Return to the arrangement that the scenes start from."""
        window = self.window
        for dialog in (window.match_desk.dialog, window.import_desk.dialog, window.ask_desk.dialog):
            if dialog is not None:
                dialog.reject()
        if window.help_desk.window is not None:
            window.help_desk.window.close()
        if window.session.study.state.tables:
            window.export_desk.figure_dialog.close()
            window.study_views.parity_view.layout_buttons.button("panels").click()
            window.study_views.coefficient_view.enlarge("")
            window.study_views.data_panel.tabs.setCurrentIndex(0)
            for key, heading in window.study_views.model_panel.headings.items():
                heading.set_folded(key == "comparison")
            while window.window_actions.undo.text() != self.start:
                window.session.undo()
                self.wait()
        window.resize(*WIDE)
        self.wait()

    def wait(self) -> None:
        """Run the event loop until nothing has happened for a while."""
        from PySide6.QtCore import QEventLoop, QTimer
        from PySide6.QtWidgets import QApplication

        window = self.window
        end = time.monotonic() + LONGEST_WAIT
        loop = QEventLoop()
        timer = QTimer(interval=SETTLE_MILLISECONDS)

        def look() -> None:
            if window.is_at_rest or time.monotonic() > end:
                loop.quit()

        timer.timeout.connect(look)
        timer.start()
        loop.exec()
        timer.stop()
        QApplication.processEvents()
        if time.monotonic() > end:
            sys.exit("screenshots: the window did not come to rest; see the messages above.")

    # -- scenes ---------------------------------------------------------------------------------------------------

    def _welcome(self) -> object:
        self.window.resize(*NARROW)
        return self.window

    def _overlaid(self) -> object:
        self.window.study_views.parity_view.layout_buttons.button("overlaid").click()
        return self.window.study_views.parity_view

    def _enlarged(self) -> object:
        self.window.study_views.coefficient_view.enlarge("k_bond")
        return self.window.study_views.coefficient_view

    def _section(self, wanted: str) -> object:
        for key, heading in self.window.study_views.model_panel.headings.items():
            heading.set_folded(key not in (wanted, "calibrator"))
        return self.window.docks.model

    def _surface(self) -> object:
        self.window.study_views.model_panel.calibrators.chosen.emit("affine")  # the recommended one has no surface
        self.wait()
        return self._section("surface")

    def _left_out(self) -> object:
        session = self.window.session
        row = next(row for row in session.study.snapshot().rows if row.name == "nylon 11")
        self.window.select(row.key)
        session.toggle_left_out((row.key,))
        return self.window.docks.data

    def _by_hand(self) -> object:
        row = self.window.study_views.model_panel.penalties.rows["lambda_2"]
        row.number.setValue(100.0)
        return self._section("penalties")

    def _measure_next(self) -> object:
        from affinecal_gui.ui.views.polymers.data_panel import GROUPS

        self.window.study_views.data_panel.tabs.setCurrentIndex(GROUPS.index("next"))
        return self.window.docks.data

    def _match(self) -> object:
        self.window.match_desk.open(only_without_partner=True)
        self.wait()
        return self.window.match_desk.dialog

    def _figure(self) -> object:
        self.window.export_desk.open_figures("parity")
        return self.window.export_desk.figure_dialog

    def _export_menu(self) -> object:
        from PySide6.QtWidgets import QMenu

        window = self.window
        menu = window.window_actions.figure.associatedObjects()
        export = next(found for found in menu if isinstance(found, QMenu))
        export.ensurePolished()
        export.adjustSize()
        return export

    def _import_preview(self) -> object:
        self.window.open_files((str(OWN_TABLE),))
        self.wait()
        self.wait()
        return self.window.import_desk.dialog

    def _any_polymer(self) -> object:
        self.window.ask_desk.open()
        self.wait()
        dialog = self.window.ask_desk.dialog
        dialog.box.field.setPlainText(ASKED_POLYMER)
        end = time.monotonic() + LONGEST_WAIT
        while (dialog.box.answer is None or not dialog.box.value.text()) and time.monotonic() < end:
            self.wait()
        return dialog

    def _report(self) -> object:
        from affinecal_gui.ui.dialogs.exporting.exports import ExportReport

        if shutil.which("pdftoppm") is None:
            print("report: left out, because there is no pdftoppm")
            return None
        session = self.window.session
        pdf = self.own / "report.pdf"
        session.export(ExportReport(session.study.state, "heat capacity.affinecal", session.study.snapshot(), pdf))
        self.wait()
        subprocess.run(["pdftoppm", "-r", "72", "-png", str(pdf), str(self.own / "page")], check=True)
        pages = sorted(self.own.glob("page*.png"))
        for number, page in enumerate(pages, start=1):
            shutil.copyfile(page, self.folder / f"report-page{number}{self.ending}")
        return side_by_side(pages[:2], self.own / "pages.png")

    def _help(self) -> object:
        self.window.help_desk.open("guide.md", "parity")
        return self.window.help_desk.window

    def _narrow(self) -> object:
        self.window.resize(*NARROW)
        self.wait()
        table = self.window.study_views.data_panel.table
        table.scrollTo(table.currentIndex())
        return self.window


def side_by_side(pages: list[Path], target: Path) -> Path:
    """Put pages beside each other on grey, as a reader lays them out."""
    from PIL import Image

    pictures = [Image.open(page).convert("RGB") for page in pages]
    gap = 14
    width = sum(picture.width for picture in pictures) + gap * (len(pictures) + 1)
    sheet = Image.new("RGB", (width, max(picture.height for picture in pictures) + 2 * gap), "#9AA1A8")
    left = gap
    for picture in pictures:
        sheet.paste(picture, (left, gap))
        left += picture.width + gap
    sheet.save(target)
    return target


if __name__ == "__main__":
    main()
