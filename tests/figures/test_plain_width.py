"""Widths that are added up are those of matplotlib, which sets the whole text in type."""

import pytest
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from affinecal_gui.figures.plain_width import plain_width
from affinecal_gui.figures.style import journal_style

TEXTS = (
    "",
    "A",
    "AV",
    "AVATAR To WAVE, Ty. V.A. 11.7 fi ffi ffl offices affine",
    "poly(methyl methacrylate), 3.65 × 10⁻⁵ ± 0.2 µm²/(V s) – “quoted” …",
    "Wärmekapazität, ёлка, θεώρημα, № 7 → ≤ ½",
    "A\u0301V and e\u0308 with accents of their own",
    "שלום AV 12",
    "∮ ⟨AV⟩ of another typeface",
    "*C(*)CC(=O)OCCN1C=CN=C1 [*]CC[*]",
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("bold", [False, True])
def test_a_width_is_that_of_the_text_set_in_type(text: str, bold: bool) -> None:
    with journal_style():
        properties = FontProperties(size=7, weight="bold" if bold else "normal")
        whole, _, _ = text_to_path.get_text_width_height_descent(text, properties, False)
        assert plain_width(text, 7, bold=bold) == whole  # to the bit: figures are the same bytes whoever measures
