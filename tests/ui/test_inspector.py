"""The inspector: numbers and words of one polymer, and the way to its neighbours."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from affinecal_gui.study.shown.inspector_content import InspectorContent, IntervalShare, RangeLine, ValueLine
from affinecal_gui.ui.parts.theme.theme import DARK_THEME, LIGHT_THEME
from affinecal_gui.ui.parts.widgets.info_line import InfoLine
from affinecal_gui.ui.running.worker import await_late_jobs
from affinecal_gui.ui.views.polymers.inspector.effect_bars import LINE, EffectBars
from affinecal_gui.ui.views.polymers.inspector.inspector import HINT, Inspector
from affinecal_gui.ui.views.polymers.inspector.interval_section import IntervalSection
from affinecal_gui.ui.views.polymers.inspector.nearest_list import NearestButton
from affinecal_gui.ui.views.polymers.inspector.structure_view import ShareLegend, StructurePicture, StructureView
from tests.ui.sample_content import sample_content


@pytest.fixture
def inspector(qtbot: QtBot, light: QApplication) -> Iterator[Inspector]:
    made = Inspector()
    qtbot.addWidget(made)
    made.resize(660, 270)
    made.show()
    yield made
    made.close_thumbnails()
    assert await_late_jobs(60.0)  # the first picture waits for the chemistry to be imported


def shown_texts(inspector: QWidget) -> list[str]:
    return [label.text() for label in inspector.findChildren(QLabel) if label.isVisible() and label.text()]


def test_without_a_polymer_there_is_a_hint(inspector: Inspector) -> None:
    assert shown_texts(inspector) == [HINT]
    inspector.show_content(sample_content())
    assert HINT not in shown_texts(inspector)
    inspector.show_content(None)
    assert shown_texts(inspector) == [HINT]


def test_values_are_written_with_interval_or_note(inspector: Inspector) -> None:
    inspector.show_content(sample_content())
    texts = shown_texts(inspector)
    for text in ("1200", "9 values", "2953", "at 300 K", "1183", "932–1501", "−1.4 %", "out-of-fold", "J/(kg K)"):
        assert text in texts
    for text in ("716", "722", "614–819", "cm⁻¹", "sum −0.106"):
        assert text in texts


def test_the_reason_for_a_state_and_notes_stand_below_the_values(inspector: Inspector) -> None:
    inspector.show_content(replace(sample_content(), told="Note: check. md.csv has no <such> polymer."))
    assert any("no &lt;such&gt; polymer" in text for text in shown_texts(inspector))


def test_the_name_stands_in_the_title_bar_or_in_the_view(inspector: Inspector, qtbot: QtBot) -> None:
    titles: list[tuple[str, str]] = []
    inspector.titled.connect(lambda *title: titles.append(title))
    inspector.show_content(sample_content())
    assert titles[-1] == (sample_content().label, sample_content().id)
    inspector.resize(300, 600)
    assert titles[-1] == ("", "")
    assert any(sample_content().label in text for text in shown_texts(inspector))
    inspector.resize(660, 270)
    inspector.show_content(None)
    assert titles[-1] == ("", "")


def test_a_structure_fills_its_place_whatever_margins_its_drawing_has(qtbot: QtBot, light: QApplication) -> None:
    """A bar of 200 x 10 in the middle of 320 x 200; a small thing grows by no more than half."""
    for svg, widest in (
        ("<rect x='60' y='95' width='200' height='10' fill='black'/>", 300.0),
        ("<rect x='155' y='95' width='10' height='10' fill='black'/>", 15.0),
    ):
        picture = StructurePicture()
        qtbot.addWidget(picture)
        picture.resize(320, 200)
        text = "<svg xmlns='http://www.w3.org/2000/svg' width='320px' height='200px' viewBox='0 0 3200 2000'>{}</svg>"
        picture.show_svg(text.format(f"<g transform='scale(10)'>{svg}</g>"), "", "*CC*")
        image = picture.grab().toImage()
        ground = image.pixelColor(0, 0)
        dark = [x for x in range(320) if image.pixelColor(x, 100) != ground]
        assert len(dark) == pytest.approx(widest, rel=0.05, abs=3)


def test_a_small_structure_alone_in_a_large_view_does_not_become_a_poster(qtbot: QtBot, light: QApplication) -> None:
    """Drawn 60 pixels wide in 320 x 200; one that fills its picture was made smaller for it, and gets all the room."""
    for left, right, widest in ((130, 190, 1.7 * 60.0), (5, 315, 1000.0)):
        picture = StructurePicture()
        qtbot.addWidget(picture)
        picture.resize(1000, 800)
        head = "<svg xmlns='http://www.w3.org/2000/svg' width='320px' height='200px' viewBox='0 0 1280 800'>"
        drawing = f"<rect x='{4 * left}' y='380' width='{4 * (right - left)}' height='40' fill='black'/>"
        picture.show_svg(f"{head}{drawing}</svg>", "", "*CC*")
        image = picture.grab().toImage()
        ground = image.pixelColor(0, 0)
        dark = [x for x in range(1000) if image.pixelColor(x, 400) != ground]
        assert len(dark) == pytest.approx(widest, rel=0.05)


def test_effects_are_told_to_a_screen_reader(inspector: Inspector) -> None:
    inspector.show_content(sample_content())
    bars = inspector.findChild(EffectBars)
    assert bars.accessibleName() == (
        "Effect by kind of term: atoms −0.026, bonds −0.055, angles −0.010, dihedrals −0.016"
    )


def test_what_an_interval_is_made_of_is_a_bar_with_words(inspector: Inspector) -> None:
    inspector.show_content(sample_content())
    section = inspector.findChild(IntervalSection)
    assert not section.isVisible()
    shares = (IntervalShare("simulation", 0.301, "blue"), IntervalShare("model form", 0.696, "grey"))
    shares += (IntervalShare("too few polymers", 0.003, "green"),)
    inspector.show_content(replace(sample_content(), interval_shares=shares, interval_note="Five more help."))
    assert section.isVisible()
    assert section.bar.accessibleName() == (
        "Parts of the interval's variance: simulation 30 %, model form 70 %, too few polymers < 1 %"
    )
    assert "Five more help." in shown_texts(inspector)
    inspector.show_content(replace(sample_content(), interval_shares=shares))
    assert not section.words.isVisible()


def test_bars_of_both_signs_start_at_one_line(inspector: Inspector) -> None:
    effects = tuple(
        replace(effect, value=value)
        for effect, value in zip(sample_content().effects, (0.03, -0.03, 0.0, 0.01), strict=True)
    )
    inspector.show_content(replace(sample_content(), effects=effects))
    bars = inspector.findChild(EffectBars)
    picture = bars.grab().toImage()

    def filled(line: int, role: str) -> list[int]:
        colour = LIGHT_THEME.colour(role)
        return [x for x in range(picture.width()) if picture.pixelColor(x, line * LINE + LINE // 2) == colour]

    raised, lowered = filled(0, "atom_raises"), filled(1, "atom_lowers")
    assert min(raised) >= max(lowered) - 1
    assert abs(len(raised) - len(lowered)) <= 2  # equal sizes
    assert not filled(2, "atom_raises")
    assert not filled(2, "atom_lowers")
    assert len(filled(3, "atom_raises")) == pytest.approx(len(raised) / 3, abs=2)


def test_a_click_on_a_neighbour_goes_there(qtbot: QtBot, inspector: Inspector) -> None:
    inspector.show_content(sample_content())
    buttons = [button for button in inspector.findChildren(NearestButton) if button.isVisible()]
    assert [button.text() for button in buttons] == [near.label for near in sample_content().nearest]
    with qtbot.waitSignal(inspector.selected) as heard:
        qtbot.mouseClick(buttons[1], Qt.MouseButton.LeftButton)
    assert heard.args == ["m41"]
    with qtbot.waitSignal(inspector.selected) as heard:
        qtbot.keyClick(buttons[0], Qt.Key.Key_Return)
    assert heard.args == ["m40"]


def test_fewer_neighbours_leave_no_rest(inspector: Inspector) -> None:
    inspector.show_content(sample_content())
    inspector.show_content(replace(sample_content(), nearest=sample_content().nearest[:1]))
    assert len([button for button in inspector.findChildren(NearestButton) if button.isVisible()]) == 1


def test_outside_the_training_range_is_said_in_words(inspector: Inspector) -> None:
    content = replace(
        sample_content(),
        inside=False,
        ranges=(RangeLine("MD value in 1345–4699", False),),
        validity="Its MD value lies above all of the training data.",
    )
    inspector.show_content(content)
    texts = shown_texts(inspector)
    assert "Outside the training range" in texts
    assert "Its MD value lies above all of the training data." in texts
    line = next(line for line in inspector.findChildren(InfoLine) if line.text == "MD value in 1345–4699")
    assert line.accessibleName().startswith("Caution")


def test_parts_without_contents_are_not_there(inspector: Inspector) -> None:
    inspector.show_content(InspectorContent("k", "polymer", smiles="*CC*"))
    texts = shown_texts(inspector)
    assert texts == []
    assert not inspector.findChild(ShareLegend).isVisible()


def test_the_structure_is_drawn_for_the_theme(qtbot: QtBot, inspector: Inspector, light: QApplication) -> None:
    inspector.show_content(sample_content())
    picture = inspector.findChild(StructurePicture)

    def darkest_and_lightest() -> tuple[int, int]:
        image = picture.grab().toImage()
        values = [image.pixelColor(x, y).lightness() for x in range(image.width()) for y in range(image.height())]
        return min(values), max(values)

    darkest, lightest = darkest_and_lightest()
    assert darkest < 60
    assert lightest > 235
    DARK_THEME.apply_to(light)
    inspector.apply_theme(DARK_THEME)
    darkest, lightest = darkest_and_lightest()
    assert darkest < 60
    assert 200 < lightest < 250  # light strokes on a dark ground


def test_structure_and_smiles_can_be_copied(inspector: Inspector) -> None:
    inspector.show_content(sample_content())
    view = inspector.findChild(StructureView)
    view.copy_smiles()
    assert QGuiApplication.clipboard().text() == sample_content().smiles
    view.copy_picture()
    assert QGuiApplication.clipboard().pixmap().width() >= 3 * 120


def test_a_broken_drawing_shows_the_repeat_unit_as_text(inspector: Inspector) -> None:
    inspector.show_content(replace(sample_content(), svg="", svg_dark=""))
    picture = inspector.findChild(StructurePicture)
    image = picture.grab().toImage()
    assert min(image.pixelColor(x, y).lightness() for x in range(image.width()) for y in range(image.height())) < 160


def test_in_a_narrow_dock_the_parts_stand_below_each_other(qtbot: QtBot, inspector: Inspector) -> None:
    inspector.show_content(sample_content())
    inspector.resize(290, 600)
    qtbot.waitUntil(lambda: "bisphenol-A polycarbonate  PI793" in shown_texts(inspector), timeout=2000)
    structure = inspector.findChild(StructureView)
    bars = inspector.findChild(EffectBars)
    qtbot.waitUntil(lambda: max(structure.width(), bars.width()) <= 290, timeout=2000)
    top, bottom = QPoint(0, 0), structure.rect().bottomLeft()
    assert structure.mapTo(inspector, bottom).y() <= bars.mapTo(inspector, top).y()


def test_values_are_written_as_in_the_table(inspector: Inspector) -> None:
    values = (ValueLine("Measured", 0.9871), ValueLine("MD", 0.9512), ValueLine("Calibrated", 0.98765))
    inspector.show_content(replace(sample_content(), values=values, largest_value=1.8))
    assert {"0.987", "0.951", "0.988"} <= set(shown_texts(inspector))


def test_nothing_is_cut_at_the_right_whatever_the_words_need(qtbot: QtBot, inspector: Inspector) -> None:
    """The columns stand beside each other only where they have room with the words of this polymer."""
    long_value = replace(sample_content().values[0], note="out-of-fold, measured by a laboratory of another country")
    wordy = replace(sample_content(), values=(long_value, *sample_content().values[1:]))
    scroll = inspector.findChild(QScrollArea)
    for content in (sample_content(), wordy, sample_content()):
        inspector.show_content(content)
        qtbot.waitUntil(lambda: scroll.widget().width() <= scroll.viewport().width(), timeout=5000)
