"""The names of what a column of a table can be for, and of what a file can hold."""

from typing import Literal

Role = Literal[
    "id",
    "name",
    "smiles",
    "measured",
    "md",
    "uncertainty",
    "lowest",
    "highest",
    "range",
    "repeats",
    "unit",
    "temperature",
    "phase",
    "source",
    "fraction",
    "descriptor",
    "detail",
    "ignored",
]
"""measured, md: a value of a property; uncertainty, lowest, highest, range (both in one
cell), repeats: belong to a value column; unit: that of
each row's value; detail: kept and shown, not used; ignored: left out."""

ValueKind = Literal["measured", "md"]
FileKind = Literal["measured", "md", "both", "none"]
"""What a file holds values of; "none": repeat units only."""

VALUE_ROLES: frozenset[Role] = frozenset(("measured", "md"))
