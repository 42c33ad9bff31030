"""The model panel: what it shows of a calibration, and the settings it wishes for."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from affinecal_gui.calibration.calibrators.registry import linear_keys
from affinecal_gui.calibration.results import Convergence, ModelName, PairedComparison, Penalties
from affinecal_gui.study.snapshot import Settings, Snapshot
from affinecal_gui.tables.units.properties import find_property
from affinecal_gui.ui.parts.theme.theme import DARK_THEME
from affinecal_gui.ui.parts.widgets.info_line import InfoLine
from affinecal_gui.ui.views.model.model_panel import ModelPanel
from tests.ui.sample_snapshot import sample_snapshot, uncalibrated_snapshot


@pytest.fixture
def panel(model_panel: ModelPanel) -> ModelPanel:
    return model_panel


def with_settings(**changes: object) -> Snapshot:
    snapshot = sample_snapshot()
    return replace(snapshot, settings=replace(snapshot.settings, **changes))


def wish(qtbot: QtBot, panel: ModelPanel, act) -> Settings:
    with qtbot.waitSignal(panel.settings_changed, timeout=2000) as heard:
        act()
    return heard.args[0]


def test_the_target_is_shown(panel: ModelPanel) -> None:
    assert panel.target.properties.currentText() == "Specific heat capacity Cp"
    assert panel.target.scale.current == "log"
    assert panel.target.protocol.currentText() == "Leak-free, 5 × 10-fold"


def test_another_property_is_wished_for(qtbot: QtBot, panel: ModelPanel) -> None:
    box = panel.target.properties
    settings = wish(qtbot, panel, lambda: qtbot.keyClick(box, Qt.Key.Key_Down))
    assert settings == replace(sample_snapshot().settings, property_key="density")


def test_the_only_property_cannot_be_changed(panel: ModelPanel) -> None:
    panel.show_snapshot(replace(sample_snapshot(), quantities=sample_snapshot().quantities[:1]))
    assert not panel.target.properties.isEnabled()
    assert panel.target.properties.toolTip()


def test_scale_and_protocol_are_wished_for(qtbot: QtBot, panel: ModelPanel) -> None:
    settings = wish(
        qtbot, panel, lambda: qtbot.mouseClick(panel.target.scale.button("linear"), Qt.MouseButton.LeftButton)
    )
    assert not settings.log_scale
    settings = wish(qtbot, panel, lambda: qtbot.keyClick(panel.target.protocol, Qt.Key.Key_Down))
    assert settings.protocol == "paper"


def test_the_level_of_the_intervals_is_wished_for(qtbot: QtBot, panel: ModelPanel) -> None:
    level = panel.target.level
    assert level.accessibleName() == "Level of the intervals"
    assert level.currentText() == "90 %"
    settings = wish(qtbot, panel, lambda: qtbot.keyClick(level, Qt.Key.Key_Down))
    assert settings == replace(sample_snapshot().settings, interval_level=0.95)
    panel.show_snapshot(with_settings(interval_level=0.75))  # of a study that a command made
    assert [level.itemText(row) for row in range(level.count())] == ["50 %", "68 %", "75 %", "80 %", "90 %", "95 %"]
    assert level.currentText() == "75 %"


def test_values_far_from_the_fit_may_count_less(qtbot: QtBot, panel: ModelPanel) -> None:
    far = panel.target.far_values
    assert far.accessibleName() == "Measured values that lie far from the fit"
    assert far.currentText() == "Keep their weight"
    settings = wish(qtbot, panel, lambda: qtbot.keyClick(far, Qt.Key.Key_Down))
    assert settings == replace(sample_snapshot().settings, robust=True)
    panel.show_snapshot(with_settings(robust=True))
    assert far.currentText() == "Count less (robust fit)"
    assert panel.target.summary().endswith(", robust")


def test_what_the_simulation_holds_rigid_is_chosen_where_it_matters(qtbot: QtBot, panel: ModelPanel) -> None:
    moved = panel.target.rigid_bonds
    assert moved.accessibleName() == "Vibrations that the simulation moves"
    heat = with_settings(property_key="Cp")
    panel.show_snapshot(replace(heat, quantity=find_property("Cp")))
    assert moved.currentText() == "All but X–H stretching"
    assert moved.isVisibleTo(panel)
    settings = wish(qtbot, panel, lambda: qtbot.keyClick(moved, Qt.Key.Key_Down))
    assert settings == replace(heat.settings, rigid_bonds="all")
    panel.show_snapshot(replace(with_settings(property_key="Cp", rigid_bonds="none"), quantity=find_property("Cp")))
    assert moved.currentText() == "All vibrations"
    assert panel.target.summary().endswith(", all vibrations")
    panel.show_snapshot(replace(with_settings(property_key="density"), quantity=find_property("density")))
    assert not moved.isVisibleTo(panel)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("affine_sources", "Its penalties are those of affine: choose that one to set them."),
        ("ordinary_sources", "This calibrator has no penalties."),
        ("quantum_corrected", "This calibrator has no penalties."),
    ],
)
def test_a_calibrator_without_penalties_to_set_says_where_its_own_come_from(
    panel: ModelPanel, model: str, words: str
) -> None:
    panel.show_snapshot(with_settings(model=model))
    assert words in [
        label.text() for label in panel.penalties.findChildren(QLabel) if label.isVisibleTo(panel.penalties)
    ]


def test_weights_are_offered_where_the_tables_give_them(qtbot: QtBot, panel: ModelPanel) -> None:
    weights = panel.target.weights
    assert weights.accessibleName() == "Weights of the measured values"
    panel.show_snapshot(replace(sample_snapshot(), weightings=()))
    assert not weights.isVisible()
    assert not any(text.text() == "Weights" and text.isVisible() for text in panel.target.findChildren(QLabel))
    panel.show_snapshot(replace(sample_snapshot(), weightings=("repeats",)))
    assert weights.isVisible()
    assert [weights.itemData(row) for row in range(weights.count())] == ["none", "repeats"]
    assert weights.currentText() == "All values count the same"
    panel.show_snapshot(replace(sample_snapshot(), weightings=("uncertainty", "repeats")))
    settings = wish(qtbot, panel, lambda: qtbot.keyClick(weights, Qt.Key.Key_Down))
    assert settings == replace(sample_snapshot().settings, weighting="uncertainty")
    panel.show_snapshot(
        with_settings(weighting="uncertainty")
    )  # chosen before, and of no table now: it can be taken back
    assert weights.currentText() == "By uncertainty"
    assert panel.target.summary().endswith(", weighted")
    settings = wish(qtbot, panel, lambda: qtbot.keyClick(weights, Qt.Key.Key_Up))
    assert settings.weighting == "none"


def test_errors_stand_on_both_scales(panel: ModelPanel) -> None:
    models = sample_snapshot().calibration.models
    for model in models:
        told = panel.calibrators.line(model).accessibleDescription()
        metrics = models[model].metrics
        assert f"{metrics.rmse_target_scale:.3f} ln Cp" in told
        assert f"{metrics.rmse:.0f} J/(kg K)" in told
        assert told.endswith(", best") == (model == "log_difference")


def test_on_a_linear_scale_there_is_one_error(panel: ModelPanel) -> None:
    snapshot = with_settings(log_scale=False)
    panel.show_snapshot(replace(snapshot, calibration=replace(snapshot.calibration, log_scale=False)))
    assert "ln" not in panel.calibrators.line("affine").accessibleDescription()
    assert panel.calibrators.line("log_difference").text() == "Difference"


@pytest.mark.parametrize("model", ["md", "ordinary", "log_difference"])
def test_a_click_on_a_line_chooses_the_calibrator(qtbot: QtBot, panel: ModelPanel, model: ModelName) -> None:
    line = panel.calibrators.line(model)
    assert panel.calibrators.line("affine").isChecked()
    settings = wish(qtbot, panel, lambda: qtbot.mouseClick(line, Qt.MouseButton.LeftButton))
    assert settings == replace(sample_snapshot().settings, model=model, follows_advice=False)


def test_the_arrow_keys_choose_the_calibrator(qtbot: QtBot, panel: ModelPanel) -> None:
    panel.calibrators.line("affine").setFocus()
    settings = wish(qtbot, panel, lambda: qtbot.keyClick(panel.calibrators.line("affine"), Qt.Key.Key_Up))
    assert settings.model == "log_difference"


def test_the_recommendation_is_shown(panel: ModelPanel) -> None:
    assert panel.advice.text == sample_snapshot().calibration.recommendation.sentence


def test_penalties_of_the_cross_validation_are_shown(panel: ModelPanel) -> None:
    assert panel.penalties.choice.currentText() == "By cross-validation"
    values = {name: row.value for name, row in panel.penalties.rows.items()}
    assert values == pytest.approx({"lambda_1": 6.81, "lambda_2": 31.6, "lambda_beta": 1.0})


def test_moving_a_slider_is_choosing_by_hand(qtbot: QtBot, panel: ModelPanel) -> None:
    row = panel.penalties.rows["lambda_1"]
    settings = wish(qtbot, panel, lambda: row.slider.setValue(row.slider.maximum()))
    assert settings.penalties.lambda_1 == pytest.approx(100.0)
    assert (settings.penalties.lambda_2, settings.penalties.lambda_beta) == (
        31.6,
        1.0,
    )  # exact, though sliders have steps
    assert panel.penalties.choice.currentText() == "By hand"


def test_choosing_by_hand_starts_from_what_was_chosen_and_goes_back(qtbot: QtBot, panel: ModelPanel) -> None:
    by_hand = wish(qtbot, panel, lambda: qtbot.keyClick(panel.penalties.choice, Qt.Key.Key_Down))
    assert by_hand.penalties == Penalties(6.81, 31.6, 1.0)
    panel.show_snapshot(replace(sample_snapshot(), settings=by_hand))
    back = wish(qtbot, panel, lambda: qtbot.keyClick(panel.penalties.choice, Qt.Key.Key_Up))
    assert back.penalties is None


def test_a_number_that_cannot_be_a_penalty_is_told_until_the_next_one(qtbot: QtBot, panel: ModelPanel) -> None:
    row = panel.penalties.rows["lambda_2"]
    note = panel.penalties.findChild(InfoLine, "penaltyRefused")
    assert not note.isVisible()
    row.number.setFocus()
    row.number.selectAll()
    qtbot.keyClicks(row.number, "-5")
    with qtbot.assertNotEmitted(panel.settings_changed):
        qtbot.keyClick(row.number, Qt.Key.Key_Return)
    assert note.isVisible()
    assert "“-5” was not taken" in note.text
    assert "from 1.00 to 1000" in note.text
    assert row.value == 31.6
    assert panel.penalties.choice.currentText() == "By cross-validation"
    wish(qtbot, panel, lambda: qtbot.keyClick(row.number, Qt.Key.Key_Up))
    assert not note.isVisible()


def test_a_cell_of_the_surface_sets_both_penalties(qtbot: QtBot, panel: ModelPanel) -> None:
    settings = wish(qtbot, panel, lambda: panel.surface.penalties_chosen.emit(0.5, 300.0))
    assert settings.penalties == Penalties(0.5, 300.0, 1.0)


def test_penalties_beyond_the_sliders_are_reached(panel: ModelPanel) -> None:
    panel.show_snapshot(with_settings(penalties=Penalties(1e-4, 1e5, 1.0)))
    rows = panel.penalties.rows
    assert (rows["lambda_1"].value, rows["lambda_2"].value) == pytest.approx((1e-4, 1e5))


def test_a_slider_in_the_hand_is_not_moved_by_results(panel: ModelPanel) -> None:
    row = panel.penalties.rows["lambda_1"]
    row.slider.setSliderDown(True)
    row.slider.setSliderPosition(0)
    panel.show_snapshot(sample_snapshot())
    assert row.slider.sliderPosition() == 0
    row.slider.setSliderDown(False)


@pytest.mark.parametrize(("model", "shown"), [("md", 0), ("ordinary", 0), ("log_difference", 2), ("affine", 3)])
def test_only_the_penalties_a_calibrator_has_are_there(panel: ModelPanel, model: ModelName, shown: int) -> None:
    panel.show_snapshot(with_settings(model=model))
    assert sum(row.isVisible() for row in panel.penalties.rows.values()) == shown
    assert panel.penalties.choice.isVisible() == bool(shown)
    assert panel.surface.isVisible() == bool(shown)
    assert panel.headings["surface"].isVisible() == bool(shown)


def test_a_grid_that_was_too_small_is_said(panel: ModelPanel) -> None:
    snapshot = sample_snapshot()
    result = snapshot.calibration.models["affine"]
    surface = replace(result.surface, on_edge=("lambda_2",))
    models = {**snapshot.calibration.models, "affine": replace(result, surface=surface)}
    panel.show_snapshot(replace(snapshot, calibration=replace(snapshot.calibration, models=models)))
    texts = [found.text() for found in panel.penalties.findChildren(QLabel) if found.isVisible()]
    assert "λ₂ ended on the edge of the grid; a better value may lie beyond it." in texts


def test_parameters_have_intervals_with_sensible_digits(panel: ModelPanel) -> None:
    assert panel.parameters.table.texts() == (
        ("α₀", "offset", "0.48", "−1.46 to 2.68"),
        ("α₁", "weight of MD", "0.84", "0.57 to 1.08"),
        ("β", "coupling to MD", "−0.016", "−0.028 to −0.002"),
    )
    panel.show_snapshot(with_settings(model="log_difference"))
    assert panel.parameters.table.texts() == (("c", "mean difference", "−0.820", "−0.860 to −0.780"),)
    panel.show_snapshot(with_settings(model="md"))
    assert not panel.parameters.table.isVisible()


def test_failed_convergence_is_a_caution(panel: ModelPanel) -> None:
    snapshot = sample_snapshot()
    result = replace(snapshot.calibration.models["affine"], convergence=Convergence("block", 200, False))
    models = {**snapshot.calibration.models, "affine": result}
    panel.show_snapshot(replace(snapshot, calibration=replace(snapshot.calibration, models=models)))
    line = panel.findChild(object, "convergence")
    assert line.accessibleName().startswith("Caution: Not converged after 200 sweeps")


def test_notes_of_the_calibration_are_written_out(panel: ModelPanel) -> None:
    texts = [found.text() for found in panel.findChildren(QLabel) if found.isVisible()]
    assert sample_snapshot().calibration.notes[0] in texts
    panel.show_snapshot(replace(sample_snapshot(), calibration=replace(sample_snapshot().calibration, notes=())))
    assert not panel.headings["notes"].isVisible()


def test_a_flagged_polymer_is_left_out_by_one_click(qtbot: QtBot, panel: ModelPanel) -> None:
    snapshot = sample_snapshot()
    calibration = snapshot.calibration
    off = np.exp(np.random.default_rng(0).normal(0.0, 0.03, len(calibration.measured)))
    off[5] = 3.0
    model = calibration.recommendation.recommended
    result = replace(calibration.models[model], out_of_fold=calibration.measured / off)
    models = {**calibration.models, model: result}
    panel.show_snapshot(
        replace(
            snapshot,
            settings=replace(snapshot.settings, model=model),
            calibration=replace(calibration, models=models),
        )
    )
    wrong = next(row for row in snapshot.rows if row.training_index == 5)
    (line,) = [found for found in panel.findChildren(InfoLine) if "3.0 times the calibrated one" in found.text]
    assert wrong.label in line.text
    with qtbot.waitSignal(panel.leave_out_requested, timeout=2000) as heard:
        line.link_activated.emit(wrong.key)
    assert f'href="{wrong.key}"' in line.text
    assert heard.args[0] == (wrong.key,)


def test_before_the_first_calibration_nothing_is_claimed(qtbot: QtBot, panel: ModelPanel) -> None:
    panel.show_snapshot(uncalibrated_snapshot())
    assert "–" in panel.calibrators.line("affine").accessibleDescription()
    assert not any(panel.calibrators.line(model).isChecked() for model in linear_keys())
    assert "recommended" in panel.advice.text
    assert not panel.surface.isVisible()
    settings = wish(
        qtbot,
        panel,
        lambda: qtbot.mouseClick(panel.calibrators.line("ordinary"), Qt.MouseButton.LeftButton),
    )
    assert settings.model == "ordinary"


def test_without_data_nothing_can_be_chosen(panel: ModelPanel) -> None:
    panel.show_snapshot(Snapshot())
    assert not panel.target.scale.button("linear").isEnabled()
    assert not panel.calibrators.line("md").isEnabled()
    panel.show_snapshot(sample_snapshot())
    assert panel.calibrators.line("md").isEnabled()


def test_showing_a_snapshot_wishes_nothing(qtbot: QtBot, panel: ModelPanel) -> None:
    with qtbot.assertNotEmitted(panel.settings_changed, wait=150):
        for model in linear_keys():
            panel.show_snapshot(with_settings(model=model, log_scale=False, penalties=Penalties(2.0, 3.0, 4.0)))
        panel.show_snapshot(Snapshot())
        panel.show_snapshot(sample_snapshot())


def test_sections_fold_to_a_summary_and_a_low_panel_folds_two_of_them(qtbot: QtBot, panel: ModelPanel) -> None:
    heading = panel.headings["parameters"]
    heading.set_folded(True)
    assert not panel.parameters.isVisible()
    panel.resize(300, 500)
    assert not panel.target.isVisible()
    assert not panel.surface.isVisible()
    assert any(found.text() == "<i>C</i><sub>p</sub>, log, 5 × 10-fold" for found in panel.findChildren(QLabel))
    panel.show_snapshot(sample_snapshot())  # a new result does not unfold what is folded
    assert not panel.surface.isVisible()
    panel.resize(300, 950)
    assert panel.target.isVisible()
    assert panel.surface.isVisible()
    assert not panel.parameters.isVisible()


def test_a_section_that_is_not_there_stays_away_when_it_is_unfolded(panel: ModelPanel) -> None:
    heading = panel.headings["surface"]
    heading.set_folded(True)
    panel.show_snapshot(with_settings(model="ordinary"))  # which has no penalties, so no errors over them
    heading.set_folded(False)
    assert not heading.isVisible()
    assert not panel.surface.isVisible()
    panel.show_snapshot(with_settings(model="affine"))
    assert heading.isVisible()
    assert panel.surface.isVisible()


@pytest.mark.parametrize("model", linear_keys())
def test_three_hundred_pixels_are_wide_enough(qtbot: QtBot, panel: ModelPanel, model: ModelName) -> None:
    panel.show_snapshot(with_settings(model=model))
    panel.resize(300, 600)

    def fits() -> bool:  # once the sections and the scroll bar have settled
        contents = panel.widget()
        return max(contents.width(), contents.minimumSizeHint().width()) <= panel.viewport().width()

    for folded in (True, False):
        panel.headings["comparison"].set_folded(folded)
        qtbot.waitUntil(fits, timeout=2000)


def test_the_panel_follows_the_theme(panel: ModelPanel, light: QApplication) -> None:
    bright = panel.calibrators.grab().toImage().pixelColor(60, 12).lightness()
    DARK_THEME.apply_to(light)
    panel.apply_theme(DARK_THEME)
    assert panel.calibrators.grab().toImage().pixelColor(60, 12).lightness() < bright - 100


def test_every_control_has_a_name(panel: ModelPanel) -> None:
    controls = [panel.target.properties, panel.target.scale, panel.target.protocol, panel.penalties.choice]
    controls += [panel.calibrators.line(model) for model in linear_keys()]
    controls += [row.slider for row in panel.penalties.rows.values()]
    for control in controls:
        assert control.accessibleName()


def test_sentences_can_be_marked_and_copied(panel: ModelPanel) -> None:
    for name in ("recommendation", "parameterMeaning", "convergence"):
        (sentence,) = (found for found in panel.findChild(QWidget, name).findChildren(QLabel) if found.text())
        assert sentence.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse


def test_the_comparison_of_calibrators_unfolds_to_a_table(qtbot: QtBot, panel: ModelPanel) -> None:
    assert not panel.comparison.isVisible()
    heading = panel.headings["comparison"]
    assert any(found.text() == "no clear difference" for found in heading.findChildren(QLabel))
    heading.set_folded(False)
    assert panel.comparison.isVisible()
    assert panel.comparison.lines() == [("Log-difference over Affine", "0.0060", "0.40", "0.20")]
    pairs = (
        PairedComparison("ordinary", "md", 0.64, 1e-9, 1e-12),
        PairedComparison("affine", "ordinary", 0.02, 0.002, 0.3),
        PairedComparison("affine", "log_difference", 0.0003, np.nan, np.nan),
    )
    snapshot = sample_snapshot()
    advice = replace(snapshot.calibration.recommendation, comparisons=pairs)
    panel.show_snapshot(replace(snapshot, calibration=replace(snapshot.calibration, recommendation=advice)))
    assert panel.comparison.lines() == [
        ("Ordinary over MD", "0.64", "< 0.001", "< 0.001"),
        ("Affine over Ordinary", "0.020", "0.30", "0.0020"),
        ("Affine over Log-difference", "3.0\u00a0×\u00a010⁻⁴", "–", "–"),
    ]
    tips = [
        found.toolTip() for found in panel.comparison.findChildren(QLabel) if found.text() == "Affine over Ordinary"
    ]
    assert tips == ["Affine predicts better than Ordinary by 0.0200, which is possibly chance."]
    many = [
        PairedComparison(better, worse, 0.01, 0.1, 0.1)
        for number, better in enumerate(("affine", "ordinary", "log_difference", "combined"))
        for worse in ("md", "quantum_corrected", "only_source")[: 3 - number // 2]
    ]
    advice = replace(advice, best="affine", comparisons=tuple(many + many[3:]))
    panel.show_snapshot(replace(snapshot, calibration=replace(snapshot.calibration, recommendation=advice)))
    assert [line[0] for line in panel.comparison.lines()] == ["MD", "MD, quantum-corrected", "Only source"]
    assert any(found.text() == "Affine<br>better than" for found in panel.comparison.findChildren(QLabel))
    panel.show_snapshot(uncalibrated_snapshot())
    assert not heading.isVisible()
    assert not panel.comparison.isVisible()


def test_figures_of_sections_are_wished_for(qtbot: QtBot, panel: ModelPanel) -> None:
    panel.headings["comparison"].set_folded(False)
    for key in ("comparison", "surface"):
        for action, signal in (("Copy", panel.copy_requested), ("Export", panel.export_requested)):
            button = panel.findChild(QToolButton, f"{key}{action}Button")
            assert button.isVisible()
            with qtbot.waitSignal(signal) as told:
                button.click()
            assert told.args == [key]
    texts = {action.text(): action for action in panel.surface.menu().actions()}
    with qtbot.waitSignal(panel.export_requested) as told:
        texts["Save figure as…"].trigger()
    assert told.args == ["surface"]


def test_the_recommended_calibrator_is_told_from_the_one_with_the_lowest_error(panel: ModelPanel) -> None:
    snapshot = sample_snapshot()
    advice = replace(snapshot.calibration.recommendation, best="affine", recommended="ordinary")
    panel.show_snapshot(replace(snapshot, calibration=replace(snapshot.calibration, recommendation=advice)))
    told = {model: panel.calibrators.line(model).accessibleDescription() for model in linear_keys()}
    assert told["ordinary"].endswith(", recommended")
    assert told["affine"].endswith(", lowest error")
    assert told["md"].endswith(" ln Cp")


def test_the_recommended_calibrator_can_be_gone_back_to(qtbot: QtBot, panel: ModelPanel) -> None:
    snapshot = sample_snapshot()
    following = replace(snapshot, settings=replace(snapshot.settings, follows_advice=True))
    panel.show_snapshot(following)
    link = panel.page.follow_advice
    assert not link.isVisible()
    chosen = replace(snapshot.settings, model="ordinary", follows_advice=False)
    panel.show_snapshot(replace(snapshot, settings=chosen))
    assert link.isVisible()
    assert "recommended" in link.accessibleName()
    assert link.text() == "Show the recommended one"
    assert snapshot.calibration is not None
    recommended = replace(chosen, model=snapshot.calibration.recommendation.recommended)
    panel.show_snapshot(replace(snapshot, settings=recommended))
    assert link.text() == "Follow the recommendation from now on"  # it is shown already
    settings = wish(qtbot, panel, lambda: qtbot.mouseClick(link, Qt.MouseButton.LeftButton))
    assert settings.follows_advice
