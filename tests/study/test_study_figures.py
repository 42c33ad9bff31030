"""Every figure of a study: drawn from what the window shows, or refused in a sentence."""

import io
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from affinecal_gui.errors import UserError
from affinecal_gui.figures.presets import PRESETS, Preset
from affinecal_gui.figures.releasing import drawn
from affinecal_gui.figures.saving import render_figure
from affinecal_gui.study.derive import derive
from affinecal_gui.study.finished import finished
from affinecal_gui.study.results.study_figures import (
    FIGURES,
    NARROWEST,
    WIDEST,
    FigureOptions,
    arranged_coefficients,
    draw_figure,
    render,
    write_figure,
)
from affinecal_gui.study.shown.inspection import inspect_polymer
from affinecal_gui.study.snapshot import CorrectedValues, MeanModes, Snapshot
from tests.figures.layout_checks import assert_legible
from tests.study.invented_forecast import with_invented_forecast
from tests.study.small_study import small_result, small_state


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    """The study with all that figures can show, also what comes with the methods with kernels."""
    settings = replace(small_state().settings, methods=("direct",))
    compared = derive(replace(small_state(), settings=settings), small_result())
    return replace(with_invented_forecast(compared).snapshot, settings=settings)


@pytest.fixture(scope="module")
def used(snapshot: Snapshot) -> str:
    return next(row.key for row in snapshot.rows if row.state == "used")


def texts(figure) -> str:  # type: ignore[no-untyped-def]
    return " ".join(text.get_text() for text in figure.findobj(lambda artist: hasattr(artist, "get_text")))


@pytest.fixture(scope="module")
def both(snapshot: Snapshot) -> Snapshot:
    """The snapshot with MD values that are corrected beside its calibration, which no study has: for every figure."""
    count = len(snapshot.rows)
    values = np.array([0.5 * row.md for row in snapshot.rows])
    values[0] = np.nan
    at = np.arange(0.0, 3400.0, 10.0)
    modes = MeanModes(at, 3.0 * np.exp(-at / 900.0), 3.0 * np.exp(-at / 300.0), count - 1)
    corrected = CorrectedValues(
        values, 0.8 * values, 1.25 * values, ("No type.", *[""] * (count - 1)), (300.0,) * count, 0.9, ("Told.",), modes
    )
    return replace(snapshot, corrected=corrected)


def of_figure(name: str, snapshot: Snapshot, both: Snapshot) -> Snapshot:
    return both if name in ("corrected", "modes") else snapshot


@pytest.mark.parametrize("name", list(FIGURES))
def test_every_figure_is_legible_at_any_width_that_can_be_chosen(
    snapshot: Snapshot, both: Snapshot, used: str, name: str
) -> None:
    snapshot = of_figure(name, snapshot, both)
    for width in (NARROWEST, PRESETS[0].width_mm, WIDEST):  # others differ little from one of these
        with drawn(draw_figure(name, snapshot, FigureOptions(width_mm=width, row_key=used))) as figure:
            assert figure.get_size_inches()[0] * 25.4 == pytest.approx(width, abs=0.01)
            assert_legible(figure)


@pytest.mark.parametrize(
    ("name", "preset"),
    [*((name, PRESETS[0]) for name in FIGURES), ("coefficients", PRESETS[2])],
    ids=lambda value: getattr(value, "key", value),
)
def test_every_file_has_the_width_asked_for_and_its_fonts_inside(
    snapshot: Snapshot, both: Snapshot, used: str, name: str, preset: Preset
) -> None:
    """To 0.02 mm, and to half a pixel; by what the file says of itself."""
    snapshot = of_figure(name, snapshot, both)
    options = FigureOptions(width_mm=preset.width_mm, row_key=used)
    with drawn(draw_figure(name, snapshot, options)) as figure:
        svg, pdf, *pictures = (render_figure(figure, suffix, dpi=127) for suffix in (".svg", ".pdf", ".png", ".tiff"))
    width = re.search(rb'<svg[^>]* width="([\d.]+)pt"', svg)
    assert width is not None
    assert float(width[1]) * 25.4 / 72 == pytest.approx(preset.width_mm, abs=0.02)
    assert b"<text" not in svg  # letters are outlines: no font is needed
    box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ", pdf)
    assert box is not None
    assert float(box[1]) * 25.4 / 72 == pytest.approx(preset.width_mm, abs=0.02)
    assert pdf.count(b"/FontFile2") == pdf.count(b"/Type /FontDescriptor") > 0
    for content in pictures:
        with Image.open(io.BytesIO(content)) as picture:
            assert picture.width == round(preset.width_mm / 25.4 * 127)
            assert picture.info["dpi"][0] == pytest.approx(127, abs=0.01)


@pytest.mark.parametrize("name", list(FIGURES))
def test_every_figure_can_do_without_its_notes(snapshot: Snapshot, both: Snapshot, used: str, name: str) -> None:
    """Its key stays, and it is lower by what the notes took."""
    snapshot = of_figure(name, snapshot, both)
    options = FigureOptions(row_key=used, calibrators="with_md")
    heights = []
    for notes in (True, False):
        with drawn(draw_figure(name, snapshot, replace(options, notes=notes))) as figure:
            heights.append(figure.get_size_inches()[1])
            assert_legible(figure)
    assert heights[1] < heights[0] - 0.05


def test_panels_have_letters_where_that_is_wished(snapshot: Snapshot) -> None:
    for name, count in (("parity", 2), ("coefficients", 10)):
        options = FigureOptions(letters=True, calibrators="with_md")
        with drawn(draw_figure(name, snapshot, options)) as figure:
            assert_legible(figure)
            found = sorted(re.findall(r"\([a-z]\)", texts(figure)))
            assert found == [f"({letter})" for letter in "abcdefghij"[:count]]
    with drawn(draw_figure("parity", snapshot, FigureOptions(letters=True, calibrators="one"))) as figure:
        assert "(a)" not in texts(figure)  # there is one panel


def test_parity_of_some_of_the_calibrators(snapshot: Snapshot) -> None:
    shown = snapshot.settings.model
    for calibrators, panels in (("all", len(snapshot.calibration.models)), ("with_md", 2), ("one", 1)):
        with drawn(draw_figure("parity", snapshot, FigureOptions(calibrators=calibrators))) as figure:
            assert len(figure.axes) == panels
    raw = replace(snapshot, settings=replace(snapshot.settings, model="md"))
    assert shown != "md"
    with drawn(draw_figure("parity", raw, FigureOptions(calibrators="with_md"))) as figure:
        assert len(figure.axes) == 1


def test_figures_are_written_in_every_format(snapshot: Snapshot, tmp_path: Path) -> None:
    for suffix, start in ((".svg", b"<?xml"), (".pdf", b"%PDF"), (".png", b"\x89PNG"), (".tiff", b"II*\0")):
        path = write_figure("comparison", snapshot, tmp_path / f"comparison{suffix}", FigureOptions(width_mm=85.0))
        assert path.read_bytes().startswith(start)
    with pytest.raises(UserError, match="exists already"):
        write_figure("comparison", snapshot, tmp_path / "comparison.svg")
    content = render("comparison", snapshot, ".svg", FigureOptions(width_mm=85.0))
    assert content == (tmp_path / "comparison.svg").read_bytes()


def test_parity_as_the_view_shows_it(snapshot: Snapshot) -> None:
    panels = draw_figure("parity", snapshot)
    overlaid = draw_figure("parity", snapshot, FigureOptions(arrangement="overlaid", predictions="fitted"))
    assert len(panels.axes) == len(snapshot.calibration.models)
    assert len(overlaid.axes) == 1
    assert "Fitted" in texts(overlaid)
    assert "prediction interval" in texts(panels)
    assert "prediction interval" not in texts(draw_figure("parity", snapshot, FigureOptions(intervals=False)))


def test_the_attribution_is_that_of_the_inspector(snapshot: Snapshot, used: str) -> None:
    content = inspect_polymer(snapshot, used)
    assert content is not None
    shown = texts(draw_figure("attribution", snapshot, FigureOptions(width_mm=85.0, row_key=used)))
    assert content.label in shown
    places = 3 if abs(content.effects_sum) >= 0.01 else 4
    for effect in content.effects:
        assert f"{abs(effect.value):.{places}f}" in shown


def test_blocks_stand_in_the_order_of_the_view_without_those_switched_off(snapshot: Snapshot) -> None:
    calibration = finished(snapshot)
    off = replace(snapshot, settings=replace(snapshot.settings, blocks_off=frozenset({"charge"})))
    arranged, blocks = arranged_coefficients(off, "affine", ("theta0", "mass", "no such block"))
    names = [block.name for block in blocks.blocks]
    assert names[:2] == ["theta0", "mass"]
    assert "charge" not in names
    assert len(names) == 9
    whole, part = calibration.models["affine"].coefficients, arranged.models["affine"].coefficients
    assert whole is not None
    assert part is not None
    where = snapshot.blocks.slices  # type: ignore[union-attr]
    assert np.array_equal(part.gamma[:20], whole.gamma[where["theta0"]])
    assert np.array_equal(part.lower[20:30], whole.lower[where["mass"]])
    assert len(draw_figure("coefficients", off).axes) == 9


def test_what_cannot_be_drawn_is_said_in_a_sentence(snapshot: Snapshot, used: str) -> None:
    chosen = {model: replace(snapshot, settings=replace(snapshot.settings, model=model)) for model in ("md", "affine")}  # type: ignore[arg-type]
    with pytest.raises(UserError, match="No polymer is selected"):
        draw_figure("attribution", snapshot)
    with pytest.raises(UserError, match="does not look at descriptors"):
        draw_figure("attribution", chosen["md"], FigureOptions(row_key=used))
    without = next(row.key for row in snapshot.rows if row.state == "no MD value")
    with pytest.raises(UserError, match="no MD value"):
        draw_figure("attribution", chosen["affine"], FigureOptions(row_key=without))
    models = dict(finished(snapshot).models)
    models["affine"] = replace(models["affine"], surface=None)
    with pytest.raises(UserError, match="no cross-validation surface"):
        draw_figure("surface", replace(snapshot, calibration=replace(finished(snapshot), models=models)))
    with pytest.raises(UserError, match="Compare more methods"):
        draw_figure("overlap", replace(snapshot, calibration=replace(finished(snapshot), overlap=None)))
    with pytest.raises(UserError, match="60 to 1000 mm"):
        draw_figure("parity", snapshot, FigureOptions(width_mm=3.0))
    for name in FIGURES:
        with pytest.raises(UserError, match=r"no calibration yet|No polymer is selected|no property yet"):
            draw_figure(name, Snapshot())


def test_figures_of_corrected_values_say_what_they_need(snapshot: Snapshot, both: Snapshot) -> None:
    with pytest.raises(UserError, match="load MD values of a heat capacity without measured ones"):
        draw_figure("corrected", snapshot)
    assert both.corrected is not None
    drawn_ones = int(np.isfinite(both.corrected.values).sum())
    assert f"n = {drawn_ones}; bars: 90 % intervals." in texts(draw_figure("corrected", both))
    assert f"Vibrations of {len(snapshot.rows) - 1} polymers, mean" in texts(draw_figure("modes", both))


def test_vibrations_are_drawn_of_the_selected_polymer_where_values_are_measured(snapshot: Snapshot, used: str) -> None:
    with pytest.raises(UserError, match="No polymer is selected"):
        draw_figure("modes", snapshot)
    row = snapshot.row(used)
    assert row is not None
    assert f"Vibrations of {row.label}" in texts(draw_figure("modes", snapshot, FigureOptions(row_key=used)))


def test_without_coefficients_of_its_own_the_choice_shows_those_of_the_affine_calibrator(snapshot: Snapshot) -> None:
    md = replace(snapshot, settings=replace(snapshot.settings, model="md"))
    assert len(draw_figure("coefficients", md).axes) == 10
    assert "Affine" in texts(draw_figure("surface", md, FigureOptions(width_mm=85.0)))


def test_residuals_are_drawn_over_what_was_asked_for(snapshot: Snapshot) -> None:
    words = {"measured": "Measured value", "md": "MD value", "normal": "Normal quantiles"}
    for against, title in words.items():
        with drawn(draw_figure("residuals", snapshot, FigureOptions(against=against))) as figure:
            said = " ".join(texts(figure).split())
            assert title in said
            assert "standard deviation" in said
            assert ("through the quartiles" in said) == (against == "normal")
            (points,) = [line for line in figure.axes[0].lines if line.get_zorder() == 3]
            assert len(points.get_xdata()) == finished(snapshot).measured.size


def points_by_colour(axes) -> dict[str, int]:  # type: ignore[no-untyped-def]
    """How many points a panel has in each colour."""
    marks = [line for line in axes.lines if line.get_zorder() == 3 and line.get_markerfacecolor() != "C0"]
    return {str(line.get_markerfacecolor()): len(line.get_xdata()) for line in marks}


@pytest.mark.parametrize("name", ["parity", "residuals"])
def test_points_have_the_colours_of_their_groups_and_a_key(snapshot: Snapshot, name: str) -> None:
    with drawn(draw_figure(name, snapshot, FigureOptions(colour_by="md"))) as figure:
        found = points_by_colour(figure.axes[0])
        shown = texts(figure)
    # Orange, over grey, to blue: ranges of a number, as many polymers in each.
    assert found.keys() >= {"#D55E00", "#6B747C", "#0072B2"}
    assert sum(found.values()) == finished(snapshot).measured.size
    assert "Colours and marks: MD value" in shown.replace("\n", " ")
    assert shown.count(" to below ") == len(found) - 1


def test_overlaid_colours_are_those_of_the_calibrators_as_in_the_window(snapshot: Snapshot) -> None:
    options = FigureOptions(arrangement="overlaid", colour_by="md")
    with drawn(draw_figure("parity", snapshot, options)) as figure:
        assert "Colours and marks" not in texts(figure)


@pytest.mark.parametrize("name", ["parity", "residuals"])
def test_a_colour_that_these_polymers_cannot_have_is_refused_by_name(snapshot: Snapshot, name: str) -> None:
    with pytest.raises(UserError, match="cannot be coloured by “tacticity”"):
        draw_figure(name, snapshot, FigureOptions(colour_by="column:tacticity"))
