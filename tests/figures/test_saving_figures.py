"""Figures as files: whole or not at all, the same bytes each time, and one sentence when it does not work."""

import errno
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from matplotlib.figure import Figure
from PIL import Image

from affinecal_gui import files
from affinecal_gui.errors import UserError
from affinecal_gui.figures.parity.parity import parity_figure
from affinecal_gui.figures.saving import SUFFIXES, render_figure, save_figure
from tests.figures.invented import HEAT_CAPACITY, calibration


@pytest.fixture(scope="module")
def figure() -> Figure:
    return parity_figure(calibration(20, 5), HEAT_CAPACITY, width_mm=85, models=("affine",))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_same_figure_gives_the_same_bytes(suffix: str, figure: Figure) -> None:
    again = parity_figure(calibration(20, 5), HEAT_CAPACITY, width_mm=85, models=("affine",))
    first = render_figure(figure, suffix, dpi=100)
    assert first == render_figure(again, suffix, dpi=100)
    assert first == render_figure(figure, suffix, dpi=100)


@pytest.mark.parametrize(("suffix", "kind"), [(".png", "PNG"), (".tiff", "TIFF"), (".tif", "TIFF")])
def test_pictures_have_the_size_and_resolution_asked_for(suffix: str, kind: str, figure: Figure) -> None:
    picture = Image.open(io.BytesIO(render_figure(figure, suffix, dpi=300)))
    assert picture.format == kind
    assert picture.size[0] == pytest.approx(85 / 25.4 * 300, abs=1)
    assert float(picture.info["dpi"][0]) == pytest.approx(300, abs=0.1)


def test_a_png_is_opaque_and_says_who_made_it(figure: Figure) -> None:
    picture = Image.open(io.BytesIO(render_figure(figure, ".png", dpi=100)))
    assert picture.mode == "RGB"
    assert picture.info["Software"] == "AffineCal"
    assert picture.getpixel((0, 0)) == (255, 255, 255)


def test_pdf_embeds_truetype_fonts_and_no_date(figure: Figure) -> None:
    content = render_figure(figure, ".pdf")
    assert b"/FontFile2" in content
    assert b"/Type3" not in content
    assert b"Arimo" in content
    assert b"CreationDate" not in content


def test_svg_needs_no_font_and_has_no_date(figure: Figure) -> None:
    content = render_figure(figure, ".svg").decode()
    assert "<text" not in content
    assert "dc:date" not in content
    assert re.search(r'width="240\.9\d*pt"', content)  # 85 mm


def test_writes_every_format_and_leaves_nothing_else(tmp_path: Path, figure: Figure) -> None:
    for suffix in SUFFIXES:
        path = save_figure(figure, tmp_path / f"parity{suffix.upper()}", dpi=50)
        assert path.read_bytes() == render_figure(figure, suffix, dpi=50)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(f"parity{s.upper()}" for s in SUFFIXES)


def test_never_replaces_a_file_unasked(tmp_path: Path, figure: Figure) -> None:
    path = tmp_path / "parity.png"
    path.write_text("precious")
    with pytest.raises(UserError, match="exists already"):
        save_figure(figure, path)
    assert path.read_text() == "precious"
    save_figure(figure, path, overwrite=True, dpi=50)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_does_not_replace_a_file_that_appears_while_writing(
    tmp_path: Path, figure: Figure, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "parity.png"
    real = os.fsync

    def somebody_else_is_faster(handle: int) -> None:
        path.write_text("precious")
        real(handle)

    monkeypatch.setattr(files.os, "fsync", somebody_else_is_faster)
    with pytest.raises(UserError, match="exists already"):
        save_figure(figure, path, dpi=50)
    assert path.read_text() == "precious"
    assert [p.name for p in tmp_path.iterdir()] == ["parity.png"]


def test_works_where_the_file_system_has_no_links(
    tmp_path: Path, figure: Figure, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(files.os, "link", no_links)
    save_figure(figure, tmp_path / "parity.png", dpi=50)
    assert [p.name for p in tmp_path.iterdir()] == ["parity.png"]


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "No space left"),
        (errno.EDQUOT, "Disk quota exceeded"),
        (errno.EROFS, "no permission in"),
        (errno.EACCES, "no permission in"),
        (errno.EIO, "Input/output error"),
    ],
)
def test_says_why_a_file_was_not_written_and_keeps_the_old_one(
    number: int, words: str, tmp_path: Path, figure: Figure, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "parity.pdf"
    path.write_text("precious")

    def fails(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(files.os, "fsync", fails)
    with pytest.raises(UserError, match=words) as caught:
        save_figure(figure, path, overwrite=True)
    assert path.name in str(caught.value)
    assert path.read_text() == "precious"
    assert [p.name for p in tmp_path.iterdir()] == ["parity.pdf"]


def test_names_a_missing_folder_a_folder_and_a_long_name(tmp_path: Path, figure: Figure) -> None:
    with pytest.raises(UserError, match=r"the folder .* does not exist"):
        save_figure(figure, tmp_path / "nowhere" / "parity.svg")
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(UserError, match="is a folder"):
        save_figure(figure, tmp_path / "folder.svg", overwrite=True)
    with pytest.raises(UserError, match="too long"):
        save_figure(figure, tmp_path / ("x" * 300 + ".svg"), overwrite=True)
    with pytest.raises(UserError, match="cannot be the name"):
        save_figure(figure, tmp_path / "a\0b.svg")
    assert [p.name for p in tmp_path.iterdir()] == ["folder.svg"]


@pytest.mark.parametrize("name", ["parity.jpg", "parity", "parity.docx"])
def test_names_the_formats_for_an_unknown_ending(name: str, tmp_path: Path, figure: Figure) -> None:
    with pytest.raises(UserError, match=r"\.svg, \.pdf, \.png or \.tiff"):
        save_figure(figure, tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("dpi", [0, -1, 1e9, float("nan")])
def test_refuses_resolutions_that_make_no_picture(dpi: float, figure: Figure) -> None:
    with pytest.raises(UserError, match="dpi"):
        render_figure(figure, ".png", dpi=dpi)


def test_refuses_a_picture_that_would_not_fit_into_memory(figure: Figure) -> None:
    large = Figure(figsize=(20, 20))
    with pytest.raises(UserError, match="million pixels"):
        render_figure(large, ".png", dpi=1200)


def test_names_that_are_long_and_not_ascii(tmp_path: Path, figure: Figure) -> None:
    name = "比熱" * 40 + ".png"  # 244 bytes: a temporary name longer than it would not be allowed
    assert save_figure(figure, tmp_path / name, dpi=50).exists()


def test_importing_figures_loads_neither_pyplot_nor_a_window_system() -> None:
    program = (
        "import sys, pkgutil, importlib, affinecal_gui.figures as package\n"
        "for module in pkgutil.iter_modules(package.__path__, package.__name__ + '.'):\n"
        "    importlib.import_module(module.name)\n"
        "unwanted = ('matplotlib.pyplot', 'PySide6', 'tkinter', 'pandas', 'affinecal_gui.tables')\n"
        "loaded = [module for module in unwanted if module in sys.modules]\n"
        "assert not loaded, loaded\n"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
