"""Write the typeface of the window into resources/fonts/interface, from the files of Debian's package fonts-inter.

Run by hand when the typeface changes: ``python packaging/make_interface_fonts.py FOLDER_OF_INTER``. Three things are done to
each file:

* only Latin, Greek, Cyrillic, punctuation, arrows and mathematical signs are kept, without hinting, for a small package;
* the family gets a name of its own: where the system has another version of Inter, Qt takes that, with other widths;
* the semi-bold files state weight 700 in the place of 600. ``<b>`` asks for 700, and a toolkit that finds no such weight
  draws 600 bolder a second time, smeared.

The files that this has written may be given as well, to do it again.
"""

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter, parse_unicodes
from fontTools.ttLib import TTFont

TARGET = Path(__file__).parent.parent / "resources" / "fonts" / "interface"

FAMILY = "AffineCal Inter"
STYLES = {
    "Regular": 400,
    "Italic": 400,
    "SemiBold": 700,
    "SemiBoldItalic": 700,
}  # as the files are named: the weight stated
FAMILY_NAME, STYLE_NAME, UNIQUE_NAME, FULL_NAME, POSTSCRIPT_NAME = 1, 2, 3, 4, 6  # numbers of the records of names
OF_LARGE_FAMILIES = (16, 17)
BOLD_BIT, REGULAR_BIT = 1 << 5, 1 << 6  # of the selection flags
FEATURES = ["kern", "tnum", "ccmp", "mark", "mkmk", "locl"]
CHARACTERS = (
    "0020-024F,0259,02B0-02FF,0300-036F,0370-03FF,0400-04FF,2000-206F,2070-209F,20A0-20BF,2100-214F,2150-218F,2190-21FF,"
    "2200-22FF,2300-23FF,25A0-25FF,FB00-FB06"
)


def reduced(font: TTFont) -> None:
    """Keep the characters and features that the window shows."""
    options = Options(
        hinting=False, layout_features=FEATURES, name_IDs=["*"], name_languages=["*"], notdef_outline=True
    )
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=parse_unicodes(CHARACTERS))
    subsetter.subset(font)


def named(font: TTFont, style: str) -> None:
    """Give a file the family's own name, and its style the weight that is asked for."""
    bold, italic = "SemiBold" in style, "Italic" in style
    words = {(False, False): "Regular", (False, True): "Italic", (True, False): "Bold", (True, True): "Bold Italic"}
    table = font["name"]
    for number in OF_LARGE_FAMILIES:
        table.removeNames(nameID=number)
    said = {
        FAMILY_NAME: FAMILY,
        STYLE_NAME: words[bold, italic],
        UNIQUE_NAME: f"{FAMILY} {words[bold, italic]}",
        FULL_NAME: f"{FAMILY} {words[bold, italic]}",
        POSTSCRIPT_NAME: f"AffineCalInter-{style}",
    }
    for number, text in said.items():
        table.setName(text, number, 3, 1, 0x409)
    top = font["CFF "].cff
    top.fontNames = [said[POSTSCRIPT_NAME]]
    top.topDictIndex[0].FullName, top.topDictIndex[0].FamilyName = said[FULL_NAME], FAMILY
    font["OS/2"].usWeightClass = STYLES[style]
    if bold:
        selection = font["OS/2"].fsSelection
        font["OS/2"].fsSelection = selection & ~REGULAR_BIT | BOLD_BIT
        font["head"].macStyle |= 1


def main(folder: Path) -> None:
    """Write the four files."""
    for style in STYLES:
        source = folder / f"Inter-{style}.otf"
        font = TTFont(source, recalcTimestamp=False)
        reduced(font)
        named(font, style)
        font.save(TARGET / source.name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
