"""Methods with kernels in the window: chosen from a menu, listed, drawn, and what they tell of MD value and descriptors."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu
from pytestqt.qtbot import QtBot

from affinecal_gui.calibration.calibrators.registry import kernel_keys
from affinecal_gui.calibration.results import Calibration, Decay, Overlap
from affinecal_gui.study.snapshot import Settings, Snapshot
from affinecal_gui.tables.units.properties import find_property
from affinecal_gui.ui.parts.theme.theme import DARK_THEME
from affinecal_gui.ui.views.model.model_panel import ModelPanel
from affinecal_gui.ui.views.plots.parity.parity_view import ParityView
from tests.ui.sample_snapshot import sample_snapshot


@pytest.fixture
def panel(model_panel: ModelPanel) -> ModelPanel:
    return model_panel


def decay(*eigenvalues: float) -> Decay:
    values = np.array(eigenvalues)
    return Decay(values, float(np.linalg.norm(values)), 0.4)


def compared(*methods: str, model: str = "affine") -> Snapshot:
    """The sample with methods whose numbers are those of the affine calibrator, a little worse each."""
    snapshot = sample_snapshot()
    calibration = snapshot.calibration
    assert isinstance(calibration, Calibration)
    affine = calibration.models["affine"]
    models = dict(calibration.models)
    for number, name in enumerate(methods, 1):
        metrics = replace(affine.metrics, rmse_target_scale=affine.metrics.rmse_target_scale * (1 + number / 10))
        models[name] = replace(  # type: ignore[index]
            affine, model=name, coefficients=None, penalties=None, surface=None, parameters={}, metrics=metrics
        )
    overlap = Overlap(decay(9.0, 2.0, 0.5), decay(7.0, 3.0, 1.0), decay(8.0, 2.0, 1e-9), np.array([0.5, 0.6]))
    settings = replace(snapshot.settings, methods=methods, model=model)  # type: ignore[arg-type]
    return replace(snapshot, settings=settings, calibration=replace(calibration, models=models, overlap=overlap))


def action(panel: ModelPanel, text: str) -> QAction:
    return next(
        found for found in panel.methods.menu().findChildren(QAction) if found.text().partition("\t")[0] == text
    )


def wish(qtbot: QtBot, panel: ModelPanel, text: str) -> Settings:
    with qtbot.waitSignal(panel.settings_changed, timeout=2000) as heard:
        action(panel, text).trigger()
    return heard.args[0]


def test_methods_are_wished_for_one_by_one_or_all_together(qtbot: QtBot, panel: ModelPanel) -> None:
    assert panel.methods.button.text() == "Compare more methods…"
    assert wish(qtbot, panel, "Direct").methods == ("direct",)
    assert wish(qtbot, panel, "All methods with kernels").methods == kernel_keys()
    panel.show_snapshot(compared("only_source", "direct"))
    assert panel.methods.button.text() == "2 of 8 further methods…"
    assert wish(qtbot, panel, "Only source").methods == ("direct",)
    # In the order of the list, whatever was ticked first.
    assert wish(qtbot, panel, "AffineTL-full").methods == ("only_source", "direct", "affine_tl_full")


def test_the_menu_says_in_a_line_what_each_method_does(panel: ModelPanel) -> None:
    texts = [found.text() for found in panel.methods.menu().findChildren(QAction)]
    lines = {title: line for title, _, line in (text.partition("\t") for text in texts) if line}
    assert len(lines) == len(kernel_keys())
    assert lines["Direct"] == "a smooth function of the structure; MD is not looked at"
    assert all(line[0].islower() for line in lines.values())


def test_kernels_are_wished_for(qtbot: QtBot, panel: ModelPanel) -> None:
    settings = wish(qtbot, panel, "Matérn 3/2")
    assert (settings.kernel_source, settings.kernel_factor, settings.kernel_target) == ("matern32", None, "rbf")


def test_each_function_may_have_a_kernel_of_its_own(qtbot: QtBot, panel: ModelPanel) -> None:
    menus = {menu.title(): menu for menu in panel.methods.menu().findChildren(QMenu)}
    linear = {
        title: [action for action in menu.actions() if action.text() == "Linear"] for title, menu in menus.items()
    }
    wishes = []
    for title in ("Kernel of the MD value", "Kernel of the MD value in g₂", "Kernel of the descriptors"):
        with qtbot.waitSignal(panel.settings_changed, timeout=2000) as heard:
            linear[title][0].trigger()
        wishes.append(heard.args[0])
    assert [(one.kernel_source, one.kernel_factor, one.kernel_target) for one in wishes] == [
        ("linear", None, "rbf"),
        ("rbf", "linear", "rbf"),
        ("rbf", None, "linear"),
    ]


def test_further_md_properties_are_wished_for(qtbot: QtBot, panel: ModelPanel) -> None:
    density = find_property("density")
    panel.show_snapshot(replace(compared("direct"), further_md=(density,)))
    assert wish(qtbot, panel, density.title).sources == ("density",)


def test_a_method_that_is_taken_away_is_no_longer_shown_large(qtbot: QtBot, panel: ModelPanel) -> None:
    panel.show_snapshot(compared("direct", model="direct"))
    settings = wish(qtbot, panel, "Direct")
    assert (settings.methods, settings.model) == ((), "affine")


def test_methods_stand_in_the_list_of_calibrators(qtbot: QtBot, panel: ModelPanel) -> None:
    panel.show_snapshot(compared("direct", "only_source", model="direct"))
    assert panel.calibrators.line("direct").isChecked()
    lines = [panel.calibrators.line(name) for name in ("affine", "only_source", "direct")]
    assert [line.isVisible() for line in lines] == [True, True, True]
    assert [line.y() for line in lines] == sorted(line.y() for line in lines)
    assert "Out-of-fold RMSE" in lines[2].accessibleDescription()
    panel.show_snapshot(sample_snapshot())
    assert not lines[2].isVisible()
    assert not panel.overlap.isVisible()


def test_the_overlap_is_drawn_and_told(panel: ModelPanel) -> None:
    snapshot = compared("direct")
    panel.show_snapshot(snapshot)
    panel.headings["overlap"].set_folded(False)
    view = panel.overlap
    assert view.isVisible()
    assert snapshot.calibration is not None
    assert snapshot.calibration.overlap is not None
    assert view.canvas.accessibleDescription() == snapshot.calibration.overlap.sentence
    x, y = view.marks[2].getData()
    # The last eigenvalue is too small to matter and would squeeze the rest.
    assert 10.0**x == pytest.approx([1.0, 2.0])
    assert 10.0**y == pytest.approx([8.0, 2.0])
    panel.apply_theme(DARK_THEME)
    assert "0.40" in view.key.text()


def test_the_overlap_is_saved_and_copied_like_every_other_figure(qtbot: QtBot, panel: ModelPanel) -> None:
    panel.show_snapshot(compared("direct"))
    offered = {action.text(): action for action in panel.overlap.menu().actions()}
    for word, signal in (("Save figure as…", panel.export_requested), ("Copy figure", panel.copy_requested)):
        with qtbot.waitSignal(signal, timeout=2000) as heard:
            offered[word].trigger()
        assert heard.args == ["overlap"]
    for name, signal in (("overlapExportButton", panel.export_requested), ("overlapCopyButton", panel.copy_requested)):
        with qtbot.waitSignal(signal, timeout=2000) as heard:
            panel.findChild(QAbstractButton, name).click()
        assert heard.args == ["overlap"]


def test_all_of_it_has_room_in_the_narrow_panel(panel: ModelPanel) -> None:
    panel.show_snapshot(compared(*kernel_keys()))
    assert panel.page.minimumSizeHint().width() <= panel.minimumSizeHint().width()


def test_the_small_plots_show_md_and_the_best_others(qtbot: QtBot, light: QApplication) -> None:
    view = ParityView()
    qtbot.addWidget(view)
    view.resize(700, 700)
    view.show_snapshot(compared(*kernel_keys(), model="htl_scale"))
    view.show()
    assert view.panels.small_models[0] == "md"
    assert len(view.panels.small_models) == 3
    assert "affine" in view.panels.small_models
    assert "htl_scale" not in view.panels.small_models
