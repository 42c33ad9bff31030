"""The typeface of all figures: bundled, with fallbacks for scripts it does not cover."""

from functools import cache

from matplotlib import font_manager
from matplotlib.ft2font import FT2Font

from affinecal_gui.bundled import resources

FAMILY = "Arimo"  # has the widths of Arial and Helvetica, which journals ask for

_STYLES = ("Regular", "Bold", "Italic", "BoldItalic")

# Present on one system or another; each is used only for characters that the families before it lack.
_OTHER_SCRIPTS = (
    "Noto Sans CJK JP", "Noto Sans CJK SC", "Source Han Sans", "Yu Gothic", "Meiryo", "MS Gothic", "Hiragino Sans",
    "Microsoft YaHei", "SimHei", "PingFang SC", "PingFang HK", "Malgun Gothic", "Apple SD Gothic Neo", "IPAexGothic",
    "WenQuanYi Zen Hei", "Noto Sans Arabic", "Noto Sans Devanagari", "Noto Sans Thai", "Arial Unicode MS",
    "Segoe UI Symbol",
)  # fmt: skip


@cache
def families() -> tuple[str, ...]:
    """Register the bundled typeface and return the families to draw with, first choice first."""
    manager = font_manager.fontManager
    folder = resources() / "fonts"
    known = len(manager.ttflist)
    for style in _STYLES:
        manager.addfont(folder / f"{FAMILY}-{style}.ttf")
    # Of equal matches the first listed wins: ours must, or another version on this machine would change the figures.
    manager.ttflist[:] = manager.ttflist[known:] + manager.ttflist[:known]
    present = {entry.name for entry in manager.ttflist}
    return (FAMILY, "DejaVu Sans", *(name for name in _OTHER_SCRIPTS if name in present))


@cache
def _characters() -> tuple[frozenset[int], ...]:
    """Return the characters of each family; a system font that cannot be opened has none."""
    found = []
    for family in families():
        try:
            found.append(frozenset(FT2Font(font_manager.findfont(family)).get_charmap()))
        except (OSError, RuntimeError, ValueError):
            found.append(frozenset())
    return tuple(found)


@cache
def can_draw(character: str) -> bool:
    """Whether some family has a glyph for ``character``."""
    return any(ord(character) in family for family in _characters())


@cache
def in_typeface(character: str) -> bool:
    """Whether the bundled typeface itself has a glyph for ``character``: mathematics is set in nothing else."""
    return character == " " or ord(character) in _characters()[0]
