"""A figure that was taken apart leaves nothing behind for a collection of cycles, whatever was drawn and saved."""

import gc
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from affinecal_gui.errors import UserError
from affinecal_gui.figures.parity.parity import parity_figure
from affinecal_gui.figures.plots.coefficients import coefficient_figure
from affinecal_gui.figures.plots.comparison import comparison_figure
from affinecal_gui.figures.plots.surface import surface_figure
from affinecal_gui.figures.releasing import drawn
from affinecal_gui.figures.report.report_content import report_document
from affinecal_gui.figures.report.report_html import html_report
from affinecal_gui.figures.report.report_pdf import pdf_report
from affinecal_gui.figures.saving import render_figure
from tests.figures.invented import HEAT_CAPACITY, blocks, calibration
from tests.figures.test_report import small_report

FIGURES: dict[str, Callable[[], Figure]] = {
    "parity": lambda: parity_figure(calibration(), HEAT_CAPACITY),
    "coefficients": lambda: coefficient_figure(calibration(), blocks(), HEAT_CAPACITY),
    "comparison": lambda: comparison_figure(calibration(), HEAT_CAPACITY),
    "surface": lambda: surface_figure(calibration(), HEAT_CAPACITY),
}


@pytest.fixture
def no_collection() -> Iterator[None]:
    """Cycles stay for the length of a test."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def artists() -> list[Artist]:
    """The artists that hold anything; a last frame of the setting of formulas can hold an empty one for a while."""
    return [thing for thing in gc.get_objects() if isinstance(thing, Artist) and vars(thing)]


@pytest.mark.parametrize(
    ("name", "suffix"), [*((name, ".svg") for name in FIGURES), ("surface", ".png"), ("comparison", ".pdf")]
)
def test_nothing_is_left_of_a_figure(name: str, suffix: str, no_collection: None) -> None:
    before = set(map(id, artists()))
    with drawn(FIGURES[name]()) as figure:
        render_figure(figure, ".png", dpi=50)
        assert render_figure(figure, suffix, dpi=50)
        assert len(artists()) > len(before) + 20
    del figure
    assert [type(artist) for artist in artists() if id(artist) not in before] == []


def test_nothing_is_left_of_the_figures_of_a_report(no_collection: None) -> None:
    document = report_document(small_report(), most_rows=5)
    before = set(map(id, artists()))
    assert html_report(document)
    assert pdf_report(document)
    assert [type(artist) for artist in artists() if id(artist) not in before] == []


def test_a_figure_that_could_not_be_saved_ends_as_well(no_collection: None) -> None:
    before = set(map(id, artists()))
    with pytest.raises(UserError), drawn(FIGURES["surface"]()) as figure:
        render_figure(figure, ".xyz")
    assert [type(artist) for artist in artists() if id(artist) not in before] == []


def open_fonts() -> int:
    """How many font files this process holds open."""
    return sum(link.resolve().suffix == ".ttf" for link in Path("/proc/self/fd").iterdir())


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not list the files of a process")
@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_no_thread_keeps_the_fonts_of_its_figure(suffix: str) -> None:
    drawn_all, told = threading.Barrier(3), threading.Event()

    def draw() -> None:
        with drawn(FIGURES["surface"]()) as figure:
            render_figure(figure, suffix, dpi=50)
        drawn_all.wait(300)
        told.wait(300)  # a thread that ended could hand its number, and with it its fonts, to the next one

    before = open_fonts()
    threads = [threading.Thread(target=draw) for _ in range(2)]
    for thread in threads:
        thread.start()
    drawn_all.wait(300)
    gc.collect()
    try:
        assert open_fonts() <= before
    finally:
        told.set()
        for thread in threads:
            thread.join()
