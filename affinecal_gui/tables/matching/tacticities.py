"""The tacticity that a table states of its polymers, by one word for each."""

import re
from collections.abc import Mapping

from affinecal_gui.tables.headings.heading_words import TACTICITIES, words_of
from affinecal_gui.tables.units.property_names import simplified
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.words import is_missing_word

ATACTIC = "atactic"

_BEGINNINGS: Mapping[str, tuple[str, ...]] = {
    "isotactic": (
        *(
            "isotactic",
            "isotaktisch",
            "isotactique",
            "isotáctic",
            "isotatic",
            "isotát",
            "isotattic",
            "izotakt",
            "изотакт",
        ),
        *("アイソタクチック", "アイソタクティック", "等规", "全同", "等規", "이소택틱", "이소탁틱"),
    ),
    "syndiotactic": (
        *(
            "syndiotactic",
            "syndiotaktisch",
            "syndiotactique",
            "sindiotáctic",
            "sindiotatic",
            "sindiotát",
            "sindiotattic",
        ),
        *(
            "syndiotakt",
            "синдиотакт",
            "シンジオタクチック",
            "シンジオタクティック",
            "间规",
            "間規",
            "间同",
            "신디오택틱",
        ),
    ),
    ATACTIC: (
        *("atactic", "ataktisch", "atactique", "atáctic", "atatic", "atát", "atattic", "atakt", "атакт", "random"),
        *("アタクチック", "アタクティック", "无规", "無規", "어택틱", "아택틱"),
    ),
}
_SHORT: Mapping[str, str] = {
    **dict.fromkeys(("i", "it", "iso", "i-"), "isotactic"),
    **dict.fromkeys(("s", "st", "syn", "syndio", "s-"), "syndiotactic"),
    **dict.fromkeys(("a", "at", "a-"), ATACTIC),
}
_BEHIND = re.compile(r"\s*[(\[,;:].*")


def tacticity_of(text: str) -> str:
    """Return the tacticity that a cell names; "" where it names none, and what is not known as it is written.

    >>> tacticity_of("Isotaktisch (mm = 0.95)"), tacticity_of("it"), tacticity_of("none"), tacticity_of("heterotactic")
    ('isotactic', 'isotactic', '', 'heterotactic')
    """
    plain = _BEHIND.sub("", text.strip().casefold())
    if is_missing_word(plain) or not any(map(str.isalpha, plain)):
        return ""
    known = next((one for one, words in _BEGINNINGS.items() if plain.startswith(words)), "")
    return known or _SHORT.get(plain, plain)


def tacticities_of(table: PolymerTable) -> tuple[str, ...]:
    """Return the tacticity that a column states, by row; () where there is no such column, or nothing in it."""
    cells = next((cells for heading, cells in table.details.items() if simplified(heading) in TACTICITIES), ())
    called = {cell: tacticity_of(cell) for cell in set(cells)}
    return tuple(called[cell] for cell in cells) if any(called.values()) else ()


def tacticity_in_name(name: str) -> str:
    """Return the tacticity that the name of a polymer begins with: "isotactic polypropylene"."""
    return next((one for word in words_of(name) for one, words in _BEGINNINGS.items() if word.startswith(words)), "")
