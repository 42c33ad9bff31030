"""Which marks a column writes its numbers with: settled by all of its cells, by its unit and by the rest of the file.

``1,200`` and ``1.200`` can be twelve hundred or one point two. Alone such a cell says nothing; beside ``765``, under a
heading with J/(kg K) or in a file with decimal commas it does. What speaks for either reading is weighed; where that is
not enough, the likelier reading is taken, and is to be asked about.
"""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.raw_table import DecimalMark, Delimiter
from affinecal_gui.tables.single_numbers import NumberFormat, closed_groups, typed_plainly

SURE = 3.0
"""Weight from which on a reading needs no question."""

_MARKED = re.compile(r"(?<![\d.,])\d*(?:[.,]\d+)+(?![\d.,])")
_WHOLE = re.compile(r"(?<![\d.,])\d+(?![\d.,])")
_EITHER = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
_PLAIN_CHARACTERS = frozenset("0123456789.-eE ")
_PLAIN_EITHER = re.compile(r"(?<![\d.eE-])[1-9]\d{0,2}\.\d{3}(?![\deE])|(?<=-)(?<![eE]-)[1-9]\d{0,2}\.\d{3}(?![\deE])")
_EXPONENT = re.compile(r"(?<=\d)[eE][+-]?\d+")
_MANTISSA = re.compile(
    r"(?<![\d.,])([1-9]([.,])\d{3})(?:[eE][+-]?\d+|\s*[x×*·⋅]\s*10(?:\s*(?:\^|\*\*)\s*[({]?\s*[+-]?\d+|[+-]?\d+))"
)
_BESIDE = re.compile(
    r"[(\[]\s*(?:[nN]\s*=\s*)?\d{1,3}\s*[)\]]|[x×*·⋅]\s*10(?:\s*(?:\^|\*\*)\s*[({]?\s*[+-]?\d+|[+-]?\d+)?|(?<=\))\s*[eE][+-]?\d+"
)
"""What stands beside a number without being of its size: references, last digits in brackets, powers of ten."""
_GROUPED = re.compile(r"[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})*")
_THOUSAND = math.log(1000.0)
_NAMES = {",": "comma", ".": "point"}


@dataclass(frozen=True, slots=True)
class FormatGuess:
    """The number format of a column and whether it leaves no doubt."""

    format: NumberFormat
    certain: bool
    question: str = ""  # what to ask when there is doubt
    note: str = ""  # how numbers were read that could have been read in another way, as a clause


def guess_number_format(
    cells: Iterable[str],
    *,
    known: DecimalMark | None = None,
    chosen: DecimalMark | None = None,
    delimiter: Delimiter | None = None,
    fits: Callable[[float], bool | None] = lambda _value: None,
    limit: int = 20_000,
) -> FormatGuess:
    """Settle the decimal and the thousands mark of a column.

    A comma before one, two, four or more digits, or behind a leading zero, is a decimal comma; two marks in one number
    are a thousands and a decimal mark. ``1,234`` and ``1.234`` are weighed: by the size of the other values of the column,
    by what the rest of the file does, by what values of the unit can be, and by what stands between the cells.

    Parameters
    ----------
    cells
        The texts of the column.
    known
        The decimal mark that the other columns of the file show.
    chosen
        The decimal mark that the user chose: it is followed whatever the cells say.
    delimiter
        What stands between the cells of the file: semicolons usually go with decimal commas.
    fits
        Whether a typical value, as written, can be right under the heading of the column; None when that says nothing.
    limit
        How many cells are looked at.
    """
    evidence = _Evidence.of(cells, limit)
    return evidence.guess(known, delimiter, fits) if chosen is None else evidence.guess_with(chosen)


@dataclass(slots=True)
class _Evidence:
    """What the cells of one column say. Counts are by mark."""

    decimal: dict[str, int] = field(default_factory=lambda: {",": 0, ".": 0})  # numbers in which it can only be decimal
    thousands: dict[str, int] = field(default_factory=lambda: {",": 0, ".": 0})
    either: dict[str, list[str]] = field(default_factory=lambda: {",": [], ".": []})
    clear: list[float] = field(default_factory=list)  # positive values of the numbers that leave no doubt
    all_whole: bool = True  # none of those has decimals
    spaced: str = ""  # a cell with blanks or apostrophes between groups of three digits

    @classmethod
    def of(cls, cells: Iterable[str], limit: int) -> "_Evidence":
        """Look at the first cells; columns of plain numbers, as most are, take no time."""
        found, looked_at = cls(), list(islice(cells, limit))
        if not found._take_plain(looked_at):
            for cell in looked_at:
                found.take(cell)
        return found

    def _take_plain(self, cells: list[str]) -> bool:
        """Look at cells that are all plain numbers with a point or none; False when they are not."""
        joined = " ".join(cells)
        plain = _PLAIN_CHARACTERS.issuperset(joined) and joined.count(" ") == len(cells) - 1
        if not plain or not cells:
            return False
        try:
            values = np.abs(np.array(cells).astype(np.float64))
        except ValueError:
            return False
        either = _PLAIN_EITHER.findall(joined)
        if either:
            doubtful = [_PLAIN_EITHER.fullmatch(cell.removeprefix("-")) is not None for cell in cells]
            values = values[~np.array(doubtful)]
        self.either["."] = either
        self.decimal["."] = joined.count(".") - len(either)
        clear = values[(values > 0) & np.isfinite(values)]
        self.clear = clear.tolist()
        self.all_whole = bool((clear % 1 == 0).all())
        return True

    def take(self, cell: str) -> None:
        """Look at one cell."""
        plain = typed_plainly(cell)
        closed = closed_groups(plain)
        if closed != plain and not self.spaced:
            self.spaced = cell
        for mantissa, mark in _MANTISSA.findall(closed):
            # Mantissas have one digit before their decimals: "2,345E+02" is 234.5, and hardly 234 500.
            self.decimal[mark] += 1
            self._clear(mantissa.replace(",", "."))
        closed = _BESIDE.sub(" ", _EXPONENT.sub("", _MANTISSA.sub(" ", closed)))
        for number in _WHOLE.findall(closed):
            self._clear(number)
        if "," not in closed and "." not in closed:
            return
        for number in _MARKED.findall(closed):
            comma, point = number.count(","), number.count(".")
            if comma and point:
                last = "," if number.rindex(",") > number.rindex(".") else "."
                if number.count(last) == 1:
                    self.decimal[last] += 1
                    self.thousands["." if last == "," else ","] += 1
                    self._clear(number.replace("." if last == "," else ",", "").replace(last, "."))
            elif comma + point > 1:
                mark = "," if comma else "."
                if _GROUPED.fullmatch(number):
                    self.thousands[mark] += 1
                    self._clear(number.replace(mark, ""))
            elif _EITHER.fullmatch(number):
                self.either["," if comma else "."].append(number)
            else:
                self.decimal["," if comma else "."] += 1
                self._clear(number.replace(",", "."))

    def _clear(self, number: str) -> None:
        value = float(number)
        if 0 < value < math.inf:
            self.clear.append(value)
            self.all_whole = self.all_whole and value.is_integer()

    def guess(
        self, known: DecimalMark | None, delimiter: Delimiter | None, fits: Callable[[float], bool | None]
    ) -> FormatGuess:
        """Put everything together."""
        comma = self.decimal[","] + self.thousands["."]  # numbers that speak for a decimal comma
        point = self.decimal["."] + self.thousands[","]
        found = self._with_known(known) if known is not None else None
        if found is None and comma and point:
            mark: DecimalMark = "," if comma > point else "."
            words = "comma, others a point" if mark == "," else "point, others a comma"
            # The doubt is about cells that will be listed: nothing is read in a doubtful way.
            found = FormatGuess(self._format(mark), False, f"Some numbers have a decimal {words}.")
        if found is None and self.either[","] and self.either["."] and not (comma or point):
            one, other = self.either[","][0], self.either["."][0]
            found = FormatGuess(
                NumberFormat(known or "."), False, f"“{one}” and “{other}” both occur: which mark is decimal?"
            )
        if found is None:
            found = self._weighed("," if comma else "." if point else None, known, delimiter, fits)
        return self._with_blanks(found)

    def guess_with(self, chosen: DecimalMark) -> FormatGuess:
        """Follow a choice."""
        return self._with_blanks(FormatGuess(self._format(chosen), True))

    def _format(self, decimal: DecimalMark) -> NumberFormat:
        other: DecimalMark = "." if decimal == "," else ","
        return NumberFormat(decimal, other if self.thousands[other] else "")

    def _with_known(self, known: DecimalMark) -> FormatGuess | None:
        """Follow the decimal mark of the file; None where this column may use that mark, or the other one, for thousands."""
        other: DecimalMark = "." if known == "," else ","
        if self.decimal[known] or self.decimal[other]:
            return FormatGuess(self._format(known), True) if not self._mixed_with(known) else None
        return None if self.either[known] or self.either[other] else FormatGuess(self._format(known), True)

    def _mixed_with(self, known: DecimalMark) -> bool:
        """Whether the other mark may be a thousands mark, which nothing in the column says outright."""
        other: DecimalMark = "." if known == "," else ","
        return bool(self.either[other]) and not self.thousands[other] and not self.decimal[other]

    def _weighed(
        self,
        own: DecimalMark | None,
        known: DecimalMark | None,
        delimiter: Delimiter | None,
        fits: Callable[[float], bool | None],
    ) -> FormatGuess:
        """Weigh what numbers such as 1,200 are; ``own`` is the decimal mark that other cells of the column show."""
        settled = own or known
        doubtful: DecimalMark | None
        if settled is not None:
            other: DecimalMark = "." if settled == "," else ","
            # The settled mark is decimal wherever it stands; what the other one is, is the question.
            doubtful = other if self.either[other] else (settled if own is None and self.either[settled] else None)
        else:
            doubtful = "," if self.either[","] else "." if self.either["."] else None
        if doubtful is None:
            return FormatGuess(self._format(settled or "."), True)
        opposite: DecimalMark = "." if doubtful == "," else ","
        if self.thousands[doubtful]:
            return FormatGuess(NumberFormat(opposite, doubtful), True)
        weight = self._weight(doubtful, own, known, delimiter, fits)
        example = self.either[doubtful][0]
        whole = example.replace(doubtful, "")
        question = f"Is the {_NAMES[doubtful]} in “{example}” a decimal mark or a thousands mark?"
        certain = abs(weight) >= SURE or (doubtful == "." and weight == _POINT_IS_DECIMAL)
        if weight >= 0:
            note = f"the {_NAMES[doubtful]} in numbers such as “{example}” was read as a thousands mark: {whole}"
            return FormatGuess(NumberFormat(opposite, doubtful), certain, "" if certain else question, note)
        if own == opposite:  # read as decimal mark, it would be a second one: such cells are listed
            return FormatGuess(NumberFormat(own), certain, "" if certain else question)
        decimal = example.replace(doubtful, ".")
        note = f"the {_NAMES[doubtful]} in numbers such as “{example}” was read as a decimal mark: {decimal}"
        stands_alone = own is None and known is None and doubtful == "," and bool(self.clear) and self.all_whole
        told = stands_alone or not certain  # "195,200" among whole numbers may as well be two of them
        return FormatGuess(NumberFormat(doubtful), certain, "" if certain else question, note if told else "")

    def _weight(
        self,
        mark: DecimalMark,
        own: DecimalMark | None,
        known: DecimalMark | None,
        delimiter: Delimiter | None,
        fits: Callable[[float], bool | None],
    ) -> float:
        """Return how much speaks for a thousands mark; negative: for a decimal mark."""
        weight = _POINT_IS_DECIMAL if mark == "." else 0.0
        as_decimal = [float(number.replace(mark, ".")) for number in self.either[mark]]
        if self.clear:
            # Values of one column are of one size: nearer to the others is likelier, a factor of a thousand apart hardly.
            usual = float(np.median(np.log(self.clear)))
            typical = float(np.median(np.log(as_decimal)))
            nearer = abs(typical - usual) - abs(typical + _THOUSAND - usual)
            weight += (4.0 if len(self.clear) > 1 else 2.5) * nearer / _THOUSAND
            # Whole numbers below a thousand beside numbers with exactly three digits behind the mark: who rounds to three
            # decimals does so everywhere.
            if self.all_whole and max(self.clear) < 1000:
                weight += 1.5
        if own is not None and own != mark:
            weight += 1.5
        elif known is not None:
            weight += 4.0 if known != mark else -4.0
        if delimiter == ";":
            weight += 1.0 if mark == "." else -1.5
        together = np.array(as_decimal)
        small, large = fits(float(np.median(together))), fits(1000.0 * float(np.median(together)))
        if small is not None and large is not None and small != large:
            weight += 3.0 if large else -3.0
        return weight

    def _with_blanks(self, guess: FormatGuess) -> FormatGuess:
        if not self.spaced:
            return guess
        shown = shortened(self.spaced)
        read = closed_groups(typed_plainly(shown))
        note = f"the blanks or apostrophes in numbers such as “{shown}” were read as thousands marks: {read}"
        return FormatGuess(
            guess.format, guess.certain, guess.question, "; ".join(part for part in (guess.note, note) if part)
        )


_POINT_IS_DECIMAL = -1.5
"""Most points are decimal points, whatever the language: programs write them."""


def decimal_of_file(columns: Iterable[Sequence[str]], *, limit: int = 20_000) -> DecimalMark | None:
    """Return the comma when some numeric columns can only have decimal commas and none can only have points.

    Parameters
    ----------
    columns
        The cells of each numeric column.
    limit
        How many cells of each are looked at.
    """
    commas = points = 0
    for cells in columns:
        evidence = _Evidence.of(cells, limit)
        for_comma = evidence.decimal[","] + evidence.thousands["."]
        for_point = evidence.decimal["."] + evidence.thousands[","]
        commas += for_comma > 0 and not for_point
        points += for_point > 0 and not for_comma
    return "," if commas and not points else None
