"""Figures to files and to the clipboard: SVG, PDF, PNG and TIFF, the same bytes for the same figure."""

import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from affinecal_gui.errors import UserError
from affinecal_gui.figures.style import journal_style
from affinecal_gui.files import write_atomically
from affinecal_gui.task import UNWATCHED, Task

_CREATOR = "AffineCal"
_PNG_LEVEL = 3  # of nine; the sixth, which is usual, takes a quarter longer for a tenth less
_MOST_PIXELS = 250_000_000  # a 600 dpi poster; beyond, memory runs out before the file is of use to anybody


def _svg(figure: Figure, stream: io.BytesIO, dpi: float) -> None:
    # Pixels inside an SVG (very many points) get the resolution too. Without a date the file is always the same.
    FigureCanvasSVG(figure).print_figure(stream, format="svg", dpi=dpi, metadata={"Date": None, "Creator": _CREATOR})


def _pdf(figure: Figure, stream: io.BytesIO, dpi: float) -> None:
    from matplotlib.backends.backend_pdf import FigureCanvasPdf  # brings a library that takes typefaces apart

    FigureCanvasPdf(figure).print_figure(
        stream, format="pdf", dpi=dpi, metadata={"CreationDate": None, "Creator": _CREATOR}
    )


def _png(figure: Figure, stream: io.BytesIO, dpi: float) -> None:
    pixels = io.BytesIO()
    with _of_whole_pixels(figure, dpi):
        FigureCanvasAgg(figure).print_figure(pixels, format="rgba", dpi=dpi)
        width, height = (int(side * dpi) for side in figure.get_size_inches())
    # Figures lie on white: without the fourth channel, which is the same everywhere, the file is as small with half the work.
    picture = Image.frombytes("RGBA", (width, height), pixels.getvalue()).convert("RGB")
    said = PngInfo()
    said.add_text("Software", _CREATOR)
    picture.save(stream, format="png", dpi=(dpi, dpi), pnginfo=said, compress_level=_PNG_LEVEL)


def _tiff(figure: Figure, stream: io.BytesIO, dpi: float) -> None:
    with _of_whole_pixels(figure, dpi):
        FigureCanvasAgg(figure).print_figure(stream, format="tiff", dpi=dpi, pil_kwargs={"compression": "tiff_lzw"})


@contextmanager
def _of_whole_pixels(figure: Figure, dpi: float) -> Iterator[None]:
    """Give ``figure`` the nearest whole number of pixels: matplotlib drops what is over, and the figure gets smaller."""
    width, height = figure.get_size_inches()
    a_little = 0.01  # pixels, against rounding to the pixel below
    figure.set_size_inches(*((round(side * dpi) + a_little) / dpi for side in (width, height)))
    try:
        yield
    finally:
        figure.set_size_inches(width, height)


_WRITERS: Mapping[str, Callable[[Figure, io.BytesIO, float], None]] = {
    ".svg": _svg,
    ".pdf": _pdf,
    ".png": _png,
    ".tif": _tiff,
    ".tiff": _tiff,
}

SUFFIXES: tuple[str, ...] = tuple(_WRITERS)
"""File endings that figures can be saved with."""


def render_figure(figure: Figure, suffix: str, *, dpi: float = 300) -> bytes:
    """Return ``figure`` as the content of a file with this ending: for the clipboard, or inside a report.

    Raises
    ------
    UserError
        The ending is not one of :data:`SUFFIXES`, or the picture would be too large.
    """
    writer = _WRITERS.get(suffix.lower())
    if writer is None:
        named = f'the ending "{suffix}"' if suffix else "a file name without an ending"
        raise UserError(f"Figures cannot be saved with {named}. Use .svg, .pdf, .png or .tiff.")
    if not 10 <= dpi <= 4800:
        raise UserError(f"A resolution of {dpi:g} dpi cannot be used. Choose 10 to 4800; journals ask for 300 to 1200.")
    width, height = figure.get_size_inches()
    if width * height * dpi**2 > _MOST_PIXELS and writer in (_png, _tiff):
        raise UserError(
            f"At {dpi:g} dpi the picture would have {width * height * dpi**2 / 1e6:.0f} million pixels. "
            "Choose a lower resolution, or save it as .pdf or .svg."
        )
    stream = io.BytesIO()
    with journal_style():
        writer(figure, stream, dpi)
    return stream.getvalue()


def save_figure(
    figure: Figure, path: str | Path, *, dpi: float = 300, overwrite: bool = False, task: Task = UNWATCHED
) -> Path:
    """Write ``figure`` to ``path`` in the format of its ending; the file is there whole or not at all.

    Parameters
    ----------
    figure
        As made by this package.
    path
        Ending in .svg, .pdf, .png, .tif or .tiff. The folder must exist.
    dpi
        Pixels per inch of PNG and TIFF, and of what is stored as pixels inside SVG and PDF.
    overwrite
        Replace a file of that name.
    task
        Asked before the file takes its place.

    Raises
    ------
    UserError
        The ending is unknown, the file exists, the folder is missing or may not be written to, the disk is full.
    """
    path = Path(path)
    content = render_figure(figure, path.suffix, dpi=dpi)
    write_atomically(path, content, overwrite=overwrite, task=task)
    return path
