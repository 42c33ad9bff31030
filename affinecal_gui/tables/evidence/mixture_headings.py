"""Columns beside the repeat units that say what else a sample consists of: comonomers, blends, fillers, plasticizers."""

import re
from collections.abc import Sequence
from typing import Literal

from affinecal_gui.tables.evidence.composition_columns import are_parts, are_ratios, is_fraction_heading, stem_and_mark
from affinecal_gui.tables.headings.heading_words import MD_WORDS, MEASURED_WORDS, words_of
from affinecal_gui.tables.headings.relative_uncertainties import is_percent
from affinecal_gui.tables.units.property_names import property_by_name

MixtureDoubt = Literal["", "may be", "is"]
"""How surely a column says that a sample is no pure homopolymer."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split("|"))


_PARTNERS = _words(
    "blend|blends|comonomer|comonomers|copolymer|feed|filler|fillers|nanofiller|loading|additive|additives"
    "|plasticizer|plasticiser|plasticizers|crosslinker|dopant|co|phr|füllstoff|füllstoffgehalt|füllgrad"
    "|weichmacher|weichmachergehalt|zusatz|vernetzer|mischung|mischungsverhältnis|comonomergehalt"
    "|comonomeranteil|plastifiant|plastificante|plastifikator|relleno|mezcla|mélange|miscela|blended"
    "|masterbatch|graphene|cnt|silica|clay"
)
_PARTS = _words(
    "content|contents|ratio|fraction|gehalt|anteil|teneur|contenu|contenido|contenuto|proportion|verhältnis"
    "|доля|содержание|состав|udział|zawartość|proporción|proporção|teor|composition|comp|zusammensetzung|concentration|conc|amount|share"
)
_PARTS_UNSPACED = re.compile(
    r"含量|含有|함량|조성|비율|組成|组成|充填|填料|可塑|增塑|共重合|共聚|混合|配比|比率|ブレンド|\w{2,}(?:gehalt|anteil)"
)
_OF_ONE_POLYMER = _words(
    "crystallinity|crystalline|kristallinität|cristallinité|cristalinidad|gel|sol|water|wasser|moisture"
    "|humidity|feuchte|ash|void|porosity|oxygen|carbon|hydrogen|nitrogen|sulfur|residue|residual|char"
    "|volatile|volatiles|uptake|absorption|swelling|poisson|poisson's|aspect|draw|stretch|cis|trans|isotactic"
    "|syndiotactic|atactic|isotacticity|tacticity|meso|elongation|strain|dehnung|bruchdehnung|allongement"
    "|transmittance|transmission|haze|reflectance|yield|ausbeute|conversion|umsatz|shrinkage|purity|recovery"
    "|efficiency|rh|error|deviation|rsd|loss|damping|compression|energy|free|volume|quantum|amorphous"
    "|polydispersity|signal|hardness|resilience|creep|relative|結晶化度|结晶度|伸び|透過率|吸水率|含水率|空隙率|収率"
)
_SINGLE_LETTERS = frozenset(("x", "c", "f", "w", "phi", "φ", "ϕ", "y"))
_INDEX = re.compile(r"\s[ijk]$")
"""Of which part a fraction is, as "x_i" says."""
_TWO_NAMES = re.compile(r"\s*[^\W\d_][\w-]{0,11}\s*[:/]\s*[^\W\d_][\w-]{0,11}\s*(?:[(\[].*[)\]])?")


def mixture_doubt(heading: str, unit: str, cells: Sequence[str]) -> MixtureDoubt:
    """Tell whether a column says what a sample consists of beside its repeat unit.

    Parameters
    ----------
    heading, unit
        Of the column, as written.
    cells
        The first of its cells.

    >>> mixture_doubt("VA content", "", ["9", "28"]), mixture_doubt("crystallinity (%)", "%", ["40", "55"])
    ('is', '')
    >>> mixture_doubt("A:B", "", ["1:1", "3:1"]), mixture_doubt("x", "", ["0.2", "0.4"])
    ('is', 'may be')
    """
    ratios, parts = are_ratios(cells), are_parts(cells)
    if not ratios and not parts:
        return ""
    words = set(words_of(heading)) - MD_WORDS - MEASURED_WORDS
    if is_of_one_polymer(heading) or property_by_name(" ".join(sorted(words))) is not None:
        return ""
    names_parts = bool(words & (_PARTNERS | _PARTS)) or _PARTS_UNSPACED.search(heading) is not None
    if names_parts or (ratios and (_TWO_NAMES.fullmatch(heading) is not None or _make_a_whole(cells))):
        return "is"
    if parts and (
        unit == "phr"
        or is_fraction_heading(heading)
        or is_percent(unit)
        or is_percent(heading)
        or _INDEX.sub("", stem_and_mark(heading)[0]) in _SINGLE_LETTERS
    ):
        return "may be"
    return ""


def is_of_one_polymer(heading: str) -> bool:
    """Whether a heading names a share that a homopolymer has, as its crystallinity."""
    return not _OF_ONE_POLYMER.isdisjoint(words_of(heading))


def _make_a_whole(cells: Sequence[str]) -> bool:
    """Whether the numbers of each ratio add up to the same, as "70/30" and "50/50" do."""
    sums = {
        sum(float(part.replace(",", ".")) for part in re.findall(r"\d+(?:[.,]\d+)?", cell)) for cell in cells if cell
    }
    return len(sums) == 1 and sums <= {1.0, 10.0, 100.0}
