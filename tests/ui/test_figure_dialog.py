"""The figure dialog: a live preview, choices that follow one another and are remembered, and wishes that say it all."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from affinecal_gui.calibration.kernels.eigenvalues.overlap import judge_overlap
from affinecal_gui.figures.presets import PRESETS
from affinecal_gui.study.describing.describing import FORCE_FIELD, blocks_of
from affinecal_gui.study.results.study_figures import FIGURES, FigureOptions
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.dialogs.exporting.figure_dialog import FigureDialog
from affinecal_gui.ui.running.worker import await_late_jobs
from affinecal_gui.ui.session.dialogs import NativeDialogs
from tests.ui.sample_snapshot import sample_snapshot, uncalibrated_snapshot

DRAWN = 20_000  # milliseconds


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def make(qtbot: QtBot, light: QApplication, settings: QSettings) -> Iterator[Callable[[], FigureDialog]]:
    made: list[FigureDialog] = []

    def make() -> FigureDialog:
        dialog = FigureDialog(settings)
        qtbot.addWidget(dialog)
        dialog.show_study(study())
        made.append(dialog)
        return dialog

    yield make
    for dialog in made:
        dialog.shut_down()
    assert await_late_jobs(60.0)


def study() -> Snapshot:
    """The sample with the blocks of the force field, whose coefficients can be split among atoms."""
    return replace(sample_snapshot(), blocks=blocks_of(FORCE_FIELD))


def used_key() -> str:
    return next(row.key for row in sample_snapshot().rows if row.state == "used")


def wait_for_preview(qtbot: QtBot, dialog: FigureDialog) -> None:
    qtbot.waitUntil(lambda: dialog.paper.has_image and not dialog.is_drawing, timeout=DRAWN)


def test_the_preview_follows_the_choices(qtbot: QtBot, make: Callable[[], FigureDialog]) -> None:
    dialog = make()
    dialog.show()
    wait_for_preview(qtbot, dialog)
    assert dialog.about.text().startswith("180 × ")
    before = dialog.paper.grab().toImage()
    dialog.controls.arrangement.button("overlaid").click()
    assert dialog.is_drawing
    wait_for_preview(qtbot, dialog)
    assert dialog.paper.grab().toImage() != before
    dialog.controls.width_box.setValue(120.0)
    wait_for_preview(qtbot, dialog)
    assert dialog.about.text().startswith("120 × ")
    dialog.controls.formats.setCurrentIndex(dialog.controls.formats.findData(".png"))
    dialog.controls.resolution.setValue(600)
    wait_for_preview(qtbot, dialog)
    assert "2835 × " in dialog.about.text()  # 120 mm at 600 dpi


def test_until_another_figure_is_drawn_the_former_one_is_faded_and_has_no_caption(
    qtbot: QtBot, make: Callable[[], FigureDialog]
) -> None:
    dialog = make()
    dialog.show()
    wait_for_preview(qtbot, dialog)
    drawn = dialog.paper.grab().toImage()
    dialog.controls.choose("surface")
    assert dialog.paper.text == "Drawing…"
    assert not dialog.paper.has_image
    assert dialog.about.text() == ""
    assert dialog.save_button.isEnabled()  # what is saved is what is chosen
    faded = dialog.paper.grab().toImage()
    places = [(x, y) for x in range(drawn.width() // 3) for y in range(0, drawn.height(), 5)]  # beside the words
    dark = [(x, y) for x, y in places if drawn.pixelColor(x, y).lightness() < 100]
    assert dark
    assert all(100 < faded.pixelColor(x, y).lightness() < 255 for x, y in dark)  # still there, and paler
    wait_for_preview(qtbot, dialog)
    assert dialog.paper.text == ""
    assert dialog.about.text().startswith("85 × ")


def test_a_figure_under_way_is_not_shown_once_another_is_chosen(qtbot: QtBot, make: Callable[[], FigureDialog]) -> None:
    dialog = make()
    dialog.show()
    qtbot.waitUntil(lambda: dialog.previews.is_busy, timeout=5000)
    captions: list[str] = []
    dialog.previews.ended.connect(lambda *_: captions.append(dialog.about.text()))
    dialog.controls.choose("surface")
    assert not dialog.previews.is_busy
    wait_for_preview(qtbot, dialog)
    assert [caption[:5] for caption in captions] == ["85 × "]


def test_every_figure_can_be_chosen_and_offers_what_concerns_it(qtbot: QtBot, make: Callable[[], FigureDialog]) -> None:
    dialog = make()
    dialog.show_selection(used_key())
    dialog.show()
    assert [dialog.controls.figures.itemData(number) for number in range(dialog.controls.figures.count())] == list(
        FIGURES
    )
    for name in FIGURES:
        dialog.controls.choose(name)
        assert dialog.choice.name == name
        assert dialog.controls.arrangement.isVisible() == (name == "parity")
        assert dialog.controls.predictions.isVisible() == (name in ("parity", "residuals"))
        assert dialog.controls.against.isVisible() == (name == "residuals")
        assert dialog.controls.calibrators.isVisible() == (name == "parity")
        assert dialog.controls.letters.isVisible() == (name in ("parity", "coefficients"))
        assert dialog.controls.notes.isVisible()
        missing = {
            "overlap": "Compare more methods",
            "forecast": "press “Forecast",
            "corrected": "without measured ones",
        }.get(name)
        if missing is not None:  # what is drawn was not asked for yet
            qtbot.waitUntil(lambda words=missing: words in dialog.paper.text, timeout=DRAWN)  # type: ignore[misc]
            assert not dialog.save_button.isEnabled()
        else:
            wait_for_preview(qtbot, dialog)


def test_the_overlap_can_be_chosen_once_methods_with_kernels_were_compared(
    qtbot: QtBot, make: Callable[[], FigureDialog]
) -> None:
    dialog = make()
    dialog.show()
    dialog.controls.choose("overlap")
    qtbot.waitUntil(lambda: not dialog.save_button.isEnabled(), timeout=DRAWN)
    rows = np.random.default_rng(0).normal(size=(20, 3))
    calibration = study().calibration
    assert calibration is not None
    dialog.show_study(replace(study(), calibration=replace(calibration, overlap=judge_overlap(rows[:, :1], rows))))
    wait_for_preview(qtbot, dialog)
    assert dialog.about.text().startswith("85 × ")
    assert dialog.save_button.isEnabled()
    assert dialog.copy_button.isEnabled()


def test_a_preset_sets_width_and_resolution_and_an_own_width_is_none_of_them(
    make: Callable[[], FigureDialog],
) -> None:
    dialog = make()
    for preset in PRESETS:
        dialog.controls.sizes.setCurrentIndex(dialog.controls.sizes.findData(preset.key))
        assert (dialog.controls.width_box.value(), dialog.controls.resolution.value()) == (preset.width_mm, preset.dpi)
    dialog.controls.width_box.setValue(111.0)
    assert dialog.controls.sizes.currentData() == ""
    dialog.controls.width_box.setValue(85.0)
    assert dialog.controls.sizes.currentData() == "single"


def test_resolution_matters_for_pixels_and_intervals_for_out_of_fold_predictions(
    make: Callable[[], FigureDialog],
) -> None:
    dialog = make()
    enabled = {}
    for number in range(dialog.controls.formats.count()):
        dialog.controls.formats.setCurrentIndex(number)
        enabled[dialog.controls.formats.itemData(number)] = dialog.controls.resolution.isEnabled()
    assert enabled == {".svg": False, ".pdf": False, ".png": True, ".tiff": True}
    dialog.controls.predictions.setCurrentIndex(1)
    assert not dialog.controls.intervals.isEnabled()


def test_choices_are_remembered_and_every_figure_keeps_its_width(
    make: Callable[[], FigureDialog], settings: QSettings
) -> None:
    dialog = make()
    assert dialog.choice.options.width_mm == 180.0
    dialog.controls.choose("surface")
    assert dialog.choice.options.width_mm == 85.0  # what it usually has
    dialog.controls.width_box.setValue(70.0)
    dialog.controls.choose("parity", FigureOptions(arrangement="overlaid", predictions="fitted", intervals=False))
    assert dialog.choice.options.width_mm == 180.0
    dialog.controls.formats.setCurrentIndex(dialog.controls.formats.findData(".tiff"))
    dialog.controls.resolution.setValue(450)
    settings.sync()
    again = make()
    expected = FigureOptions(width_mm=180.0, arrangement="overlaid", predictions="fitted", intervals=False)
    assert again.choice == replace(dialog.choice, options=expected)
    assert (again.choice.suffix, again.choice.dpi) == (".tiff", 450)
    again.controls.choose("surface")
    assert again.choice.options.width_mm == 70.0
    assert again.options_for("surface").width_mm == 70.0


@pytest.mark.parametrize(
    ("key", "value"),
    [("format", ".exe"), ("dpi", "many"), ("name", "holiday"), ("width/parity", "-3"), ("intervals", "perhaps")],
)
def test_settings_of_another_version_do_no_harm(
    make: Callable[[], FigureDialog], settings: QSettings, key: str, value: str
) -> None:
    settings.setValue(f"figure/{key}", value)
    choice = make().choice
    assert choice.name in FIGURES
    assert choice.suffix in {".svg", ".pdf", ".png", ".tiff"}
    assert 72 <= choice.dpi <= 2400
    assert choice.options.width_mm == 180.0


def test_wishes_carry_every_choice(qtbot: QtBot, make: Callable[[], FigureDialog]) -> None:
    dialog = make()
    dialog.show_selection(used_key())
    dialog.show_block_order(("theta0", "mass"))
    dialog.show()
    wait_for_preview(qtbot, dialog)
    for button, signal in (
        (dialog.save_button, dialog.save_wished),
        (dialog.copy_button, dialog.copy_wished),
    ):
        with qtbot.waitSignal(signal) as told:
            button.click()
        assert told.args == [dialog.choice]
    assert dialog.choice.options.row_key == used_key()
    assert dialog.choice.options.block_order == ("theta0", "mass")


def test_the_dialog_says_what_was_saved_and_where_until_another_figure_is_drawn(
    make: Callable[[], FigureDialog],
) -> None:
    dialog = make()
    dialog.show()
    assert dialog.folder_button.isHidden()
    dialog.tell_outcome("Saved parity.svg.", "/somewhere")
    assert dialog.outcome.text() == "Saved parity.svg."
    assert not dialog.folder_button.isHidden()
    QApplication.processEvents()
    assert dialog.outcome.shown_text == "Saved parity.svg."
    assert dialog.outcome.geometry().right() < dialog.folder_button.geometry().left()  # beside it, and not upon it
    dialog.controls.choose("coefficients")
    assert dialog.outcome.text() == ""
    assert dialog.folder_button.isHidden()


def test_a_figure_copied_from_a_view_has_the_choices_that_no_view_offers(make: Callable[[], FigureDialog]) -> None:
    dialog = make()
    dialog.controls.notes.setChecked(False)
    dialog.controls.letters.setChecked(True)
    options = dialog.options_for("parity", FigureOptions(predictions="fitted"))
    assert (options.predictions, options.notes, options.letters) == ("fitted", False, True)


def test_what_cannot_be_drawn_is_said_and_cannot_be_saved(qtbot: QtBot, make: Callable[[], FigureDialog]) -> None:
    dialog = make()
    dialog.controls.choose("attribution")
    dialog.show()
    qtbot.waitUntil(lambda: "No polymer is selected" in dialog.paper.text, timeout=DRAWN)
    assert not dialog.save_button.isEnabled()
    assert not dialog.copy_button.isEnabled()
    dialog.show_selection(used_key())
    wait_for_preview(qtbot, dialog)
    assert dialog.save_button.isEnabled()
    dialog.show_study(sample_snapshot())
    qtbot.waitUntil(lambda: "cannot be split among atoms" in dialog.paper.text, timeout=DRAWN)
    dialog.show_study(uncalibrated_snapshot())
    qtbot.waitUntil(lambda: "no calibration yet" in dialog.paper.text, timeout=DRAWN)


def test_closing_stops_drawing(qtbot: QtBot, make: Callable[[], FigureDialog]) -> None:
    dialog = make()
    dialog.show()
    qtbot.waitUntil(lambda: dialog.previews.is_busy, timeout=5000)
    dialog.close()
    assert not dialog.is_drawing
    dialog.controls.width_box.setValue(100.0)
    assert not dialog.is_drawing  # nobody would see it
    dialog.show()
    wait_for_preview(qtbot, dialog)


def test_the_window_stays_usable_while_the_dialog_is_open(qtbot: QtBot, make: Callable[[], FigureDialog]) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    dialog = make()
    assert NativeDialogs(window).show_dialog(dialog)
    assert dialog.isVisible()
    assert dialog.windowModality() == Qt.WindowModality.NonModal
    wait_for_preview(qtbot, dialog)
    dialog.reject()  # as the Escape key does
    assert not dialog.is_drawing


def test_every_control_has_a_name(make: Callable[[], FigureDialog]) -> None:
    dialog = make()
    for control in (
        dialog.controls.figures,
        dialog.controls.sizes,
        dialog.controls.width_box,
        dialog.controls.formats,
        dialog.controls.resolution,
        dialog.controls.arrangement,
        dialog.controls.predictions,
        dialog.controls.intervals,
        dialog.save_button,
        dialog.copy_button,
        dialog.close_button,
        dialog.paper,
    ):
        assert control.accessibleName()


def test_residuals_are_drawn_over_what_the_view_showed(make: Callable[[], FigureDialog]) -> None:
    dialog = make()
    dialog.controls.choose("residuals", FigureOptions(predictions="fitted", against="descriptor:mass_C"))
    assert (dialog.choice.options.against, dialog.choice.options.predictions) == ("descriptor:mass_C", "fitted")
    dialog.controls.against.setCurrentIndex(dialog.controls.against.findData("normal"))
    assert dialog.choice.options.against == "normal"
    dialog.controls.choose("residuals", FigureOptions(colour_by="column:tacticity"))
    assert dialog.choice.options.colour_by == "column:tacticity"
    assert dialog.controls.colours.currentText() == "tacticity"
    dialog.controls.choose("parity", FigureOptions(colour_by="measured_temperature"))
    assert dialog.controls.colours.currentText() == "Measured temperature"
