"""How the numbers of a column are written, by its cells, its heading and what was chosen for the file."""

import dataclasses

from affinecal_gui.tables.cells.number_formats import FormatGuess, guess_number_format
from affinecal_gui.tables.evidence.column_evidence import Label, Profile
from affinecal_gui.tables.evidence.unit_guesses import fits_heading
from affinecal_gui.tables.raw_table import DecimalMark, RawTable
from affinecal_gui.tables.single_numbers import NumberFormat
from affinecal_gui.tables.units.properties import Property


def guessed_format(
    raw: RawTable,
    profile: Profile,
    decimal: DecimalMark | None,
    label: Label | None = None,
    quantity: Property | None = None,
) -> FormatGuess:
    """Settle the marks of a column; what the user chose for the file is followed."""
    chosen = raw.decimal
    if chosen is None and raw.thousands in (",", "."):
        chosen = "." if raw.thousands == "," else ","
    guess = guess_number_format(
        profile.cells,
        known=decimal,
        chosen=chosen,
        delimiter=raw.delimiter if raw.format == "text" else None,
        fits=fits_heading(label.unit if label is not None else "", quantity),
    )
    if raw.thousands in (",", ".", " ", "'") and raw.thousands != guess.format.decimal:
        style = NumberFormat(guess.format.decimal, raw.thousands)  # type: ignore[arg-type]
        return dataclasses.replace(guess, format=style)
    return guess
