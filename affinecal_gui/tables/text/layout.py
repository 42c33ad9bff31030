"""How the lines of a text file divide into cells, and which line holds the headings."""

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from affinecal_gui.tables.cells.formula_texts import as_shown
from affinecal_gui.tables.cells.numbers import looks_numeric
from affinecal_gui.tables.headings.heading_conditions import unit_among
from affinecal_gui.tables.headings.heading_units import split_heading
from affinecal_gui.tables.headings.heading_words import (
    HEADINGS,
    MD_WORDS,
    MEASURED_WORDS,
    NEUTRAL_WORDS,
    STATISTICS,
    words_of,
)
from affinecal_gui.tables.raw_table import Delimiter
from affinecal_gui.tables.units.property_names import property_by_name, simplified
from affinecal_gui.tables.units.units import is_unit_text, unbracketed
from affinecal_gui.tables.words import is_missing_word, looks_like_repeat_unit

_CANDIDATES: tuple[Delimiter, ...] = ("\t", ";", ",", "|")
_COMMENT = re.compile(r"\s*(#|//|%)")
_NAMED_DELIMITER = re.compile(r'\s*"?sep=([,;|\t])"?[,;|\s]*', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """One record of the sample: its first line number, its text and whether quoting is sound."""

    number: int
    text: str
    quoted: bool = True


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the cells are."""

    width: int  # cells of an ordinary row
    header_line: int  # 0: no headings
    header: tuple[str, ...]  # cells of the heading line(s), joined where there are two
    units: tuple[str, ...]  # a heading row of units; empty when there is none
    data_from: int  # number of the first line after the headings
    titles: "tuple[Row, ...]"  # above the headings
    comments: bool  # whether rows of full width that begin with a comment mark are comments


def split_line(text: str, delimiter: Delimiter, *, quoted: bool = True) -> list[str]:
    """Divide one record into stripped cells; where ``quoted``, quotation marks protect delimiters."""
    if delimiter == "none":
        cell = text.strip()
        if len(cell) >= 2 and cell[0] == cell[-1] == '"':
            cell = cell[1:-1].replace('""', '"').strip()
        return [cell]
    if delimiter == "whitespace":
        if quoted and '"' in text:
            return [cell.strip() for cell in next(csv.reader([" ".join(text.split())], delimiter=" "), [])]
        return text.split()
    if not quoted or '"' not in text:
        return [cell.strip() for cell in text.split(delimiter)]
    try:
        cells = next(csv.reader([text], delimiter=delimiter, skipinitialspace=True), [])
    except csv.Error:
        cells = text.split(delimiter)
    return [as_shown(cell) if (cell := part.strip())[:2] == '="' else cell for part in cells]


def is_comment(text: str) -> bool:
    """Whether a line begins as a comment does; no SMILES text does."""
    return _COMMENT.match(text) is not None


def names_delimiter(text: str) -> bool:
    """Whether a line is the one by which Excel is told what divides the cells: ``sep=;``."""
    return _NAMED_DELIMITER.fullmatch(text) is not None


def guess_delimiter(lines: Sequence[Line], suffix: str = "") -> Delimiter:
    """Guess what stands between the cells: the mark that divides the most lines into equally many cells.

    A first line such as ``sep=;`` decides, unless no other line has that mark.
    """
    used = [line for line in lines if line.text.strip() and not is_comment(line.text)]
    named = _NAMED_DELIMITER.fullmatch(used[0].text) if used else None
    if named:
        used = used[1:]
        mark = next(known for known in _CANDIDATES if known == named[1])
        if any(mark in line.text for line in used):
            return mark
    texts = [line.text for line in used]
    if not texts:
        return "none"
    if suffix == ".smi":
        return "\t" if sum("\t" in text for text in texts) * 2 > len(texts) else "whitespace"
    best: Delimiter = "none"
    best_score = 0.0
    for candidate in _CANDIDATES:
        if candidate == "|" and _joins_repeat_units(texts):
            continue
        widths = Counter(len(split_line(line.text, candidate, quoted=line.quoted)) for line in used)
        del widths[1]
        if not widths:
            continue
        # Neighbouring widths count too: a missing or a surplus last cell does not make another table.
        width, count = max(widths.items(), key=lambda item: (item[1] * min(item[0], 4), item[0]))
        share = (count + 0.5 * (widths[width - 1] + widths[width + 1])) / len(texts)
        score = share + 0.05 * min(width, 6)
        if candidate in (",", ";") and _divides_numbers(texts, candidate):
            score -= 0.6
        if share >= 0.3 and score > best_score + 1e-9:
            best, best_score = candidate, score
    if best_score >= 0.55:
        return best
    spaced = Counter(len(text.split()) for text in texts)
    width, count = spaced.most_common(1)[0]
    if width > 1 and count >= 0.8 * len(texts):
        return "whitespace"
    return best


def _joins_repeat_units(texts: Sequence[str]) -> bool:
    """Whether bars stand between the repeat units of copolymers, where no line of headings has as many."""
    joined = [text.count("|") for text in texts if re.search(r"\*[^|]*\|[^|]*\*", text)]
    if len(joined) < 0.5 * sum("|" in text for text in texts) or not joined:
        return False
    typical = max(joined, key=joined.count)
    return not any(text.count("|") == typical and "*" not in text for text in texts)


def _divides_numbers(texts: Sequence[str], mark: str) -> bool:
    """Whether a mark stands between digits nearly everywhere, as a decimal comma does."""
    inside = sum(len(re.findall(rf"(?<=\d){mark}(?=\d)", text)) for text in texts)
    everywhere = sum(text.count(mark) for text in texts)
    other = ";" if mark == "," else ","
    rivals = sum(text.count(other) + text.count("\t") for text in texts)
    if rivals < len(texts) and mark == "," and _are_divided_by_blanks(texts):
        rivals = len(texts)
    return inside > 0.8 * everywhere and rivals >= len(texts)


def _are_divided_by_blanks(texts: Sequence[str]) -> bool:
    """Whether blanks divide all lines into equally many cells, and commas could only be those of single numbers."""
    widths = {len(text.split()) for text in texts}
    return (
        len(widths) == 1
        and widths != {1}
        and "," not in texts[0]
        and not any(re.search(r"\d,\d*,|,\s|\s,", text) for text in texts)
    )


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the beginning of a table, already divided into cells."""

    number: int
    cells: Sequence[str]
    text: str  # as it stands in the file
    comment: bool = False
    height: int = 1  # lines it takes


def rows_of_lines(lines: Sequence[Line], delimiter: Delimiter) -> list[Row]:
    """Divide the records of a text file into cells."""
    return [
        Row(
            line.number,
            split_line(line.text, delimiter, quoted=line.quoted),
            line.text,
            is_comment(line.text),
            line.text.count("\n") + 1,
        )
        for line in lines
    ]


def find_layout(rows: Sequence[Row], header_line: int | None = None) -> Layout:
    """Find the headings: the last row of words before the longest run of rows with data.

    Parameters
    ----------
    rows
        The first rows of the file, in order.
    header_line
        The line of the headings when the user chose it; 0 when there are none.
    """
    filled = [row for row in rows if any(row.cells)]
    preamble = tuple(filled[:1]) if filled and names_delimiter(filled[0].text) else ()
    filled = filled[len(preamble) :]
    marked = [row for row in filled if row.comment]
    width = _ordinary_width([row.cells for row in filled if not row.comment] or [row.cells for row in marked])
    # A name may begin like a comment ("#5"): rows of full width are comments only where the file has other comments too.
    comments = len(marked) <= 0.5 * len(filled) and (width == 1 or any(len(row.cells) != width for row in marked))
    used = _columns_in_use([row for row in filled if not row.comment] or marked, width)
    position: int | None
    if header_line is None:
        position = _header_position(filled, width, used)
    elif header_line == 0:
        position = None
    else:
        position = next((i for i, row in enumerate(filled) if row.number >= header_line), None)
    if position is None:
        first = next((row.number for row in filled if not (row.comment or _is_title(row.cells, len(used)))), 1)
        above = (*preamble, *(row for row in filled if row.number < first))
        return Layout(width, 0, ("",) * width, (), first, above, comments)
    start, header, units, last = _heading_rows(filled, position, width, used, look_up=header_line is None)
    return Layout(
        width=max(width, len(header)),
        header_line=filled[start].number,
        header=header,
        units=units,
        data_from=filled[last].number + filled[last].height,
        titles=(*preamble, *filled[:start]),
        comments=comments,
    )


def _ordinary_width(rows: Sequence[Sequence[str]]) -> int:
    """Return the number of cells of most rows, not counting a last cell that is always empty."""
    if not rows:
        return 1
    widths = Counter(len(cells) for cells in rows)
    return max(widths.items(), key=lambda item: (item[1] * min(item[0], 3), item[0]))[0]


_SHARE_IN_USE = 0.2


def _columns_in_use(rows: Sequence[Row], width: int) -> tuple[int, ...]:
    """Return the columns that many rows have something in: not those that empty cells or a stray note make behind a table."""
    counts = Counter(place for row in rows for place, cell in enumerate(row.cells) if cell)
    enough = _SHARE_IN_USE * max(counts.values(), default=0)
    # One note beside a table of few rows would be a large share of them.
    used = tuple(sorted(place for place, count in counts.items() if count >= enough and (count > 1 or len(rows) <= 3)))
    return used or tuple(range(width))


def _is_title(cells: Sequence[str], width: int) -> bool:
    return width > 1 and sum(1 for cell in cells if cell) <= max(1, width // 3) and not _is_data(cells)


def _is_data(cells: Sequence[str]) -> bool:
    return any(looks_numeric(cell) or looks_like_repeat_unit(cell) for cell in cells if cell)


def _is_heading(cells: Sequence[str], used: Sequence[int]) -> bool:
    """Whether a row can be the headings: words over most of the columns in use, no value and no repeat unit."""
    named = sum(1 for place in used if place < len(cells) and cells[place])
    if named < max(1, 0.5 * len(used)) or (_is_data(cells) and not _names_repeat_units(cells)):
        return False
    unfilled = [cell for cell in cells if cell and is_missing_word(cell) and property_by_name(cell) is None]
    if not unfilled or _is_units_row(cells):
        return True
    # "Nr" means a number here and "not reported" there: it is a heading where it stands beside others.
    words = [cell for cell in cells if cell and cell not in unfilled]
    return all(_is_usual_word(cell) for cell in unfilled) and usual_words(words) >= 2


def _names_repeat_units(cells: Sequence[str]) -> bool:
    """Whether a cell is the heading of repeat units, which do not follow it in its row: then the others are headings, too.

    "±0.01" and "log|E*|" would be none by themselves.
    """
    is_named = any(simplified(cell) in HEADINGS["smiles"] for cell in cells if cell)
    return is_named and sum(map(looks_like_repeat_unit, cells)) < 2


def _header_position(rows: Sequence[Row], width: int, used: Sequence[int]) -> int | None:
    """Return the index of the row of headings that the most rows follow.

    Rows with two or more usual words ("name", "smiles", "Cp") are headings whatever follows. Of several tables of repeat
    units one below the other it is the first that is read, so that what stands below it can be told of as rows that are not.
    Where there are none, the headings are the last row of words before the longest unbroken run of data. A file of words
    only (names, say) has no data to tell headings by: its first row is taken as headings.
    """
    heading = [_can_be_heading(row, width, used) for row in rows]
    usual = [i for i, row in enumerate(rows) if heading[i] and usual_words(row.cells) >= 2]
    if usual:
        ends = [*usual[1:], len(rows)]
        runs = [after - i for i, after in zip(usual, ends, strict=True)]
        of_polymers = (i for i, after in zip(usual, ends, strict=True) if _has_repeat_units(rows[i + 1 : after]))
        best: int | None = next(of_polymers, usual[runs.index(max(runs))])
    else:
        best = _before_longest_run(heading)
    if best is None:
        return 0 if heading and all(heading) else None
    # The same headings may stand again further down, before more rows than the first time.
    return next(i for i in range(best + 1) if heading[i] and tuple(rows[i].cells) == tuple(rows[best].cells))


def _has_repeat_units(rows: Sequence[Row]) -> bool:
    return any(looks_like_repeat_unit(cell) for row in rows for cell in row.cells if cell)


def _before_longest_run(heading: Sequence[bool]) -> int | None:
    """Return the index of the heading that the longest run of other rows follows."""
    best: int | None = None
    best_run = 0
    for position in range(len(heading) - 1):
        run = 0
        while heading[position] and position + 1 + run < len(heading) and not heading[position + 1 + run]:
            run += 1
        if run > best_run:
            best, best_run = position, run
    return best


def usual_words(cells: Sequence[str], most: int = 2) -> int:
    """Count the cells that are called as columns of such tables usually are; two are enough to know a row of headings."""
    found = 0
    for cell in cells:
        label = split_heading(cell)[0] if cell else ""
        found += bool(label) and (_is_usual_word(label) or property_by_name(label) is not None)
        if found == most:
            break
    return found


def _is_usual_word(label: str) -> bool:
    return any(simplified(label) in words for words in HEADINGS.values())


def _can_be_heading(row: Row, width: int, used: Sequence[int]) -> bool:
    if row.comment:
        return len(row.cells) == width and len(used) > 1 and _is_heading(_without_comment_mark(row.cells), used)
    return _is_heading(row.cells, used)


def _is_units_row(cells: Sequence[str]) -> bool:
    """Whether a row holds units: one that is known or stands in brackets, and else only such, and words such as "text"."""
    named = [cell for cell in cells if cell and not is_missing_word(cell)]
    if not any(is_unit_text(cell) or unbracketed(cell) != cell for cell in named):
        return False
    return all(
        is_unit_text(cell) or (len(cell) <= LONGEST_UNIT_WORD and not looks_numeric(cell) and _may_be_a_unit(cell))
        for cell in named
    )


LONGEST_UNIT_WORD = 24


def _may_be_a_unit(cell: str) -> bool:
    bracketed = unbracketed(cell) != cell
    return bracketed or simplified(cell) in _WORDS_AMONG_UNITS or unit_among(cell) is not None


_WORDS_AMONG_UNITS = HEADINGS["unit"] | frozenset(("text", "string", "str", "smiles", "[ ]", "float", "number"))


def _without_comment_mark(cells: Sequence[str]) -> list[str]:
    first = re.sub(r"^\s*(#|//|%)\s*", "", cells[0]) if cells else ""
    return [first or "#", *cells[1:]]


def _heading_rows(
    rows: Sequence[Row], position: int, width: int, used: Sequence[int], *, look_up: bool
) -> tuple[int, tuple[str, ...], tuple[str, ...], int]:
    """Return the index of the first heading row, the joined headings, the row of units and the index of the last row.

    Guessed headings are the row next to the data; the units may stand there, and merged cells above it. Chosen headings
    are the first row, and the rest lies below.
    """
    units: tuple[str, ...] = ()
    if (
        look_up
        and position > 0
        and _is_units_row(rows[position].cells)
        and _can_be_heading(rows[position - 1], width, used)
    ):
        position -= 1
    last = position
    header = _named(rows[position])
    below = rows[position + 1].cells if position + 1 < len(rows) else ()
    if _divides(header, below):
        header = tuple(_join_headings(header, below))
        last = position + 1
        below = rows[last + 1].cells if last + 1 < len(rows) else ()
    if any(below) and not _is_data(below) and _is_units_row(below):
        units, last = tuple(below), last + 1
    if (
        look_up
        and position > 0
        and _can_be_heading(rows[position - 1], width, used)
        and _looks_merged(rows[position - 1].cells, header)
    ):
        position -= 1
        header = tuple(_join_headings(_named(rows[position]), header))
    return position, header, units, last


def _named(row: Row) -> tuple[str, ...]:
    return tuple(_without_comment_mark(row.cells) if row.comment else row.cells)


def _looks_merged(upper: Sequence[str], lower: Sequence[str]) -> bool:
    """Whether the upper of two word rows has the gaps that merged cells leave, over a lower one that fills them."""
    filled = max((place for place, cell in enumerate(lower, 1) if cell), default=0)
    gaps = [place for place, cell in enumerate(upper[:filled]) if not cell]
    return (
        len(upper) >= filled
        and not any(upper[filled:])
        and bool(gaps)
        and all(lower[place] for place in gaps)
        and not _is_title_over(upper, lower)
    )


def _divides(header: Sequence[str], below: Sequence[str]) -> bool:
    """Whether the row below the headings divides them: "exp" and "MD", or "mean" and "std", under one cell or its like."""
    words = [words_of(split_heading(cell)[0]) for cell in below]
    if not sum(map(bool, below)) >= 2 or not all(
        _DIVIDING.issuperset(of) and of for of, cell in zip(words, below, strict=True) if cell
    ):
        return False
    above = [*header, *[""] * (len(below) - len(header))]
    places = [place for place, cell in enumerate(below) if cell]
    under_none = any(not above[place] and any(above[:place]) for place in places)
    return under_none or len({above[place] for place in places}) < len(places)


_SAYS_MORE = MD_WORDS | MEASURED_WORDS | NEUTRAL_WORDS
_DIVIDING = _SAYS_MORE | STATISTICS.keys()


def _is_title_over(upper: Sequence[str], lower: Sequence[str]) -> bool:
    """Whether the only cell of a row above the headings says what the table is, and belongs to no heading.

    It does where it stands at the left edge, over a heading; elsewhere it says more about the column below ("MD" over
    "Tg"), unless nothing is known of the two together ("Results" over "density").
    """
    named = [place for place, cell in enumerate(upper) if cell]
    if len(named) != 1:
        return False
    place = named[0]
    if not any(lower[:place]):
        return bool(lower[place]) and any(lower[place + 1 :])
    if not _SAYS_MORE.isdisjoint(simplified(upper[place]).split()):
        return False
    label, joined = (split_heading(text)[0] for text in (lower[place], f"{upper[place]} {lower[place]}"))
    return property_by_name(label) is not None and property_by_name(joined) is None


def _join_headings(upper: Sequence[str], lower: Sequence[str]) -> list[str]:
    size = max(len(upper), len(lower))
    above = [*upper, *[""] * (size - len(upper))]
    below = [*lower, *[""] * (size - len(lower))]
    joined = []
    current = ""
    for top, bottom in zip(above, below, strict=True):
        current = top or (current if bottom else "")
        joined.append(" ".join(part for part in (current, bottom) if part))
    return joined
