"""Columns that may hold the uncertainty of the values before them, by a symbol or a word that can mean other things.

"Δρ", "s" and "u(Tg)" are uncertainties where they stand beside the values of what they name and are small against them;
"accuracy" and "variance" say how exact values are, but not by how much one deviates. Either is told.
"""

import dataclasses
import re
from collections.abc import Sequence

import numpy as np

from affinecal_gui.tables.cells.numbers import read_number
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.evidence.column_evidence import Label, Profile, is_unit_of
from affinecal_gui.tables.headings.column_roles import ColumnRole
from affinecal_gui.tables.headings.relative_uncertainties import is_percent, without_coverage
from affinecal_gui.tables.headings.role_names import VALUE_ROLES, Role
from affinecal_gui.tables.units.property_names import property_by_name, simplified
from affinecal_gui.tables.units.units import conversion
from affinecal_gui.tables.words import listed

LARGEST_SHARE = 0.2
"""Of a value: a column with larger numbers is no column of its uncertainties."""

_DIFFERENCE = "Δ|∆|δ|delta|Delta|d"
_OF_SYMBOL = re.compile(rf"(?P<sign>{_DIFFERENCE}|s|S|SD|sd|u_?c?|ur|u_r|σ|sigma)[\s_]*\(?(?P<of>[^()]+?)\)?")
_ALONE = frozenset(("s", "S", "Δ", "∆", "δ", "u_c", "uc"))
_RELATIVE = frozenset(("ur", "u_r"))
_STEPS = frozenset(("glass_transition", "melting_temperature", "Cp", "Cv"))
"""Properties of which a difference is a quantity by itself: ΔCp is the step at the glass transition, ΔTg its width."""

_HOW_EXACT = frozenset(
    listed(
        """
        accuracy; precision; repeatability; reproducibility; tolerance; tol; confidence; variance; var; cv; u r; s r
        var koeff; half width; mad; iqr; rms; rmsd; limit of error; max error; s²; s^2; σ²; σ^2; s2
        genauigkeit; präzision; wiederholbarkeit; toleranz; varianz; fehlergrenze; vertrauensbereich
        précision; exactitude; tolérance; precisión; exactitud; precisione
        分散; 精度; 方差; 公差
        """
    )
)
"""Headings, simplified, that say how exact values are, but not what their standard deviation is."""


@dataclasses.dataclass(frozen=True, slots=True)
class Deviations:
    """What became of the columns that may hold uncertainties."""

    statistics: dict[int, tuple[Role, str]]  # by column: an uncertainty, and the name of the values it is of
    labels: dict[int, Label]  # of these columns, in words
    notes: dict[int, str]  # by column of values: what was read, or left unread, as a sentence


def deviation_columns(
    labels: Sequence[Label], profiles: Sequence[Profile], columns: Sequence[ColumnRole | None]
) -> Deviations:
    """Find columns behind values that say by a symbol, or by a word with several meanings, how exact these are.

    Parameters
    ----------
    labels, profiles, columns
        Of every column; no role yet for those that are of no known use.
    """
    found = Deviations({}, {}, {})
    before: int | None = None
    taken: set[int] = set()
    for number, (label, column) in enumerate(zip(labels, columns, strict=True)):
        is_value = column is not None and column.role in VALUE_ROLES
        of = None if before is None or before in taken else columns[before]
        if (
            of is not None
            and before is not None
            and (column is None or is_value)
            and profiles[number].numeric > 0.5
            and not (column is not None and column.is_known and _is_right_for(column, profiles[number]))
        ):
            sign = _sign_of(label, labels[before], of)
            heading = shortened(label.text)
            if sign and _is_small(profiles[number], profiles[before], label, of, relative=sign in _RELATIVE):
                taken.add(before)
                words = ("relative", "uncertainty") if sign in _RELATIVE else ("uncertainty",)
                found.statistics[number] = ("uncertainty", labels[before].name)
                found.labels[number] = Label(" ".join(words), label.unit, words)
                found.notes[before] = f"“{heading}” is read as the uncertainty of “{shortened(of.heading)}”."
                continue
            if sign not in ("", *_ALONE) or simplified(without_coverage(label.text)) in _HOW_EXACT:
                found.notes[before] = (
                    f"“{heading}” may say how exact “{shortened(of.heading)}” is; it is not used. If it holds standard "
                    "deviations, call it “std”."
                )
                continue
        if is_value:
            before = number
    return found


def _is_right_for(column: ColumnRole, profile: Profile) -> bool:
    """Whether the numbers of a column are those of the property that its heading names."""
    if column.quantity is None or column.quantity.plausible is None:
        return True
    unit = column.unit if column.unit and is_unit_of(column.unit, column.quantity) else column.quantity.unit
    way = conversion(unit, column.quantity)
    return way.needs_molar_mass or column.quantity.is_plausible(_typical(profile) * way.factor + way.offset)


def _sign_of(label: Label, values: Label, of: ColumnRole) -> str:
    """Return the sign by which a heading names the uncertainty of a column of values; "" where it names none."""
    text = without_coverage(label.text).strip(" ±")
    if (
        label.unit
        and of.quantity is not None
        and not is_percent(label.unit)
        and not is_unit_of(label.unit, of.quantity)
    ):
        return ""
    if text in _ALONE:
        return text
    share = re.fullmatch(r"(.+?)\s*/\s*(.+)", text)
    if share is not None and _names(share[2], values, of) and _sign_of(Label(share[1], "", ()), values, of):
        return "ur"
    found = _OF_SYMBOL.fullmatch(text)
    if found is None or not _names(found["of"], values, of):
        return ""
    is_step = of.quantity is not None and of.quantity.key in _STEPS and re.fullmatch(_DIFFERENCE, found["sign"])
    return "" if is_step else found["sign"]


def _names(text: str, values: Label, of: ColumnRole) -> bool:
    """Whether a text is the name or the symbol of a column of values."""
    named = property_by_name(text)
    return simplified(text) == values.name or (named is not None and named == of.quantity)


def _is_small(own: Profile, values: Profile, label: Label, of: ColumnRole, *, relative: bool) -> bool:
    """Whether numbers are of the size that uncertainties of the values have, and none is negative."""
    numbers = _numbers(own)
    if not len(numbers) or (numbers < 0).any():
        return False
    if relative or is_percent(label.unit):
        return True
    scale = 1.0
    if label.unit and of.unit and of.quantity is not None and is_unit_of(of.unit, of.quantity):
        scale = conversion(label.unit, of.quantity).factor / conversion(of.unit, of.quantity).factor
    return bool(np.median(numbers) * scale <= LARGEST_SHARE * abs(_typical(values)))


def _typical(profile: Profile) -> float:
    numbers = _numbers(profile)
    return float(np.median(numbers)) if len(numbers) else float("nan")


def _numbers(profile: Profile) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    read = np.array([read_number(cell.replace(",", ".")).value for cell in profile.cells[:200]], dtype=np.float64)
    return read[np.isfinite(read)]
