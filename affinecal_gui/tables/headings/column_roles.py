"""What a column of a table can be for: the roles, their properties and units, and what is still open about them."""

import dataclasses
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from affinecal_gui.tables.advice import OTHER_COLUMN
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.headings.heading_words import ESTIMATE_WORDS, MD_WORDS, words_of
from affinecal_gui.tables.headings.role_names import VALUE_ROLES, FileKind, Role, ValueKind
from affinecal_gui.tables.single_numbers import PLAIN_NUMBERS, NumberFormat
from affinecal_gui.tables.units.properties import Property

OF_NO_VALUE = "of values that are not there"
"""Reason of a column of uncertainties or limits that belongs to no column of values."""


@dataclass(frozen=True, slots=True)
class ColumnRole:
    """The role of one column."""

    column: int
    heading: str
    role: Role
    quantity: Property | None = None  # of value columns
    unit: str = ""  # as written or chosen; "" for none
    style: NumberFormat = PLAIN_NUMBERS
    of: int | None = None  # column of the value that an uncertainty, range or number of repeats belongs to
    confidence: float = 1.0
    reason: str = ""
    notes: tuple[str, ...] = ()  # what was assumed about its numbers, in sentences; a choice removes them
    unit_is_guessed: bool = False  # neither the file nor the user names it
    says: ValueKind | None = None  # what a heading such as "Tg exp" or "Tg MD" says of its values
    meaning: str = ""  # what it holds, as a phrase, where the program that wrote the table is known

    @property
    def is_known(self) -> bool:
        """Whether it holds a property that is known by name."""
        return self.quantity is not None and self.quantity.is_known


@dataclass(frozen=True, slots=True)
class Question:
    """Something that the file does not say."""

    text: str
    about: int | Literal["kind"]  # a column, or whether the values are measured or from MD
    of_polymers: bool = False  # it concerns what the polymers are, rather than their values
    refusal: str = ""  # what to do about it where nobody can be asked; "": the likeliest answer will do there


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles of all columns, and what the file as a whole holds."""

    columns: tuple[ColumnRole, ...]
    kind: FileKind
    kind_confidence: float
    kind_reason: str
    open: tuple[Question, ...] = ()  # about single columns and the kind; an answer removes them

    @property
    def questions(self) -> tuple[str, ...]:
        """What has to be asked before the file can be used; empty when it can be loaded without asking."""
        return (*_questions_about_the_whole(self.columns), *dict.fromkeys(question.text for question in self.open))

    @property
    def refusal(self) -> str:
        """What is wrong with reading the file without asking anybody, and what to do, as a sentence; "" when nothing is."""
        return next((question.refusal for question in self.open if question.refusal), "")

    @property
    def refusal_of_polymers(self) -> str:
        """Do as :attr:`refusal` of a file of which only the polymers are wanted."""
        return next((question.refusal for question in self.open if question.refusal and question.of_polymers), "")

    @property
    def certain(self) -> bool:
        """Whether the file can be loaded without asking anything."""
        return not self.questions

    def first(self, role: Role) -> ColumnRole | None:
        """Return the first column with a role."""
        return next((column for column in self.columns if column.role == role), None)

    def all(self, role: Role) -> tuple[ColumnRole, ...]:
        """Return all columns with a role."""
        return tuple(column for column in self.columns if column.role == role)

    @property
    def values(self) -> tuple[ColumnRole, ...]:
        """The columns with measured or MD values."""
        return tuple(column for column in self.columns if column.role in VALUE_ROLES)

    def with_column(
        self,
        number: int,
        *,
        role: Role | None = None,
        quantity: Property | None = None,
        unit: str | None = None,
        style: NumberFormat | None = None,
        of: int | None = None,
    ) -> "Roles":
        """Return roles in which the user chose something about one column; what is None stays as it was."""
        old = self.columns[number]
        edited = ColumnRole(
            number,
            old.heading,
            role if role is not None else old.role,
            quantity if quantity is not None else old.quantity,
            unit if unit is not None else old.unit,
            style if style is not None else old.style,
            of if of is not None else old.of,
            1.0,
            "chosen",
            meaning=old.meaning,
        )
        columns = (*self.columns[:number], edited, *self.columns[number + 1 :])
        kinds = {column.role for column in columns if column.role in VALUE_ROLES}
        kind: FileKind = "both" if len(kinds) == 2 else "md" if "md" in kinds else "measured" if kinds else "none"
        answered = {number} if role is None or role == old.role else {number, "kind"}
        return dataclasses.replace(
            self, columns=columns, kind=kind, open=tuple(q for q in self.open if q.about not in answered)
        )

    def without_rivals(self) -> "Roles":
        """Return roles in which, of several columns of one property, only the first one holds it, as the table is read."""
        roles, taken = self, set[tuple[Role, str]]()
        for column in self.values:
            if column.quantity is None:
                continue
            key = (column.role, column.quantity.key)
            if key in taken:
                roles = roles.with_column(column.column, role="detail")
            taken.add(key)
        return roles

    def with_kind(self, kind: ValueKind) -> "Roles":
        """Return roles in which the values of the file are measured, or from MD.

        Columns whose headings say the other kind keep it as long as there are columns that do not: "density" of a table of
        MD values is from MD, and "density exp" beside it is not.
        """
        kept = {column.column for column in self.values if column.says not in (kind, None)}
        if len(kept) == len(self.values):
            kept = set()
        columns = tuple(
            dataclasses.replace(column, role=kind)
            if column.role in VALUE_ROLES and column.column not in kept
            else dataclasses.replace(column, role=column.says)
            if column.says is not None and column.column in kept
            else column
            for column in self.columns
        )
        left = tuple(question for question in self.open if question.about != "kind")
        return dataclasses.replace(
            self,
            columns=columns,
            kind="both" if kept else kind,
            kind_confidence=1.0,
            kind_reason="chosen",
            open=left,
        )

    def only(self, kind: ValueKind) -> "Roles":
        """Return roles that leave the values of the other kind unread, with a note where a property had a choice of columns.

        Of several columns of a property, one that says by its heading that it is of this kind comes before the others, and
        one of a simulation before those of another calculation: "density MD" before "density DFT".
        """
        said = {column.quantity.key for column in self.values if column.says == kind and column.quantity is not None}
        simulated = {
            column.quantity.key
            for column in self.values
            if column.says == kind and column.quantity is not None and not _is_estimate(column)
        }
        unread = {
            column.column: column
            for column in self.values
            if column.role != kind
            or (column.says is None and column.quantity is not None and column.quantity.key in said)
            or (_is_estimate(column) and column.quantity is not None and column.quantity.key in simulated)
        }
        columns: list[ColumnRole] = []
        for column in self.columns:
            if column.column in unread or column.of in unread:
                columns.append(dataclasses.replace(column, role="detail", quantity=None, of=None))
                continue
            if column.role == kind and column.quantity is not None:
                same = [other for other in unread.values() if other.quantity == column.quantity]
                notes = [_unread_beside(column, column.quantity, other) for other in same]
                column = dataclasses.replace(column, notes=(*column.notes, *notes))
            columns.append(column)
        left = tuple(question for question in self.open if question.about not in unread)
        return dataclasses.replace(self, columns=tuple(columns), kind=kind, open=left)


def _is_estimate(column: ColumnRole) -> bool:
    """Whether a column says by its heading that its values are from a calculation that is no simulation."""
    words = set(words_of(column.heading))
    return column.says == "md" and bool(words & ESTIMATE_WORDS) and not words & (MD_WORDS - ESTIMATE_WORDS)


def _questions_about_the_whole(columns: Sequence[ColumnRole]) -> list[str]:
    """List what the roles together leave open."""
    roles = {column.role for column in columns}
    questions: list[str] = []
    if "smiles" not in roles and "id" not in roles:
        questions.append("Which column holds the repeat unit (SMILES), or an id?")
    if not roles & {"measured", "md", "descriptor", "smiles"}:
        questions.append("Which column holds the values?")
    keys = Counter((column.role, column.quantity.key) for column in columns if column.is_known and column.quantity)
    for (role, key), count in keys.items():
        if count > 1 and role in VALUE_ROLES:
            same = [
                shortened(c.heading)
                for c in columns
                if c.role == role and c.quantity is not None and c.quantity.key == key
            ]
            questions.append(
                f"Several columns hold the same property: {' or '.join(same[:4])}. Which one is to be used?"
            )
    return questions


KIND_WORDS: dict[ValueKind, str] = {"measured": "measured values", "md": "MD values"}


def taken_instead(taken: str, other: str, quantity: Property) -> str:
    """Say which of two columns of one property is used."""
    return (
        f"“{shortened(taken)}” was read as {quantity.title.lower()}, and not “{shortened(other)}”, which could be it too. "
        f"{OTHER_COLUMN}"
    )


def _unread_beside(column: ColumnRole, quantity: Property, other: ColumnRole) -> str:
    """Say which of two columns of a property is used where the headings tell them apart."""
    if other.role == column.role:
        return taken_instead(column.heading, other.heading, quantity)
    wanted, unread = (KIND_WORDS["md" if of.role == "md" else "measured"] for of in (column, other))
    return (
        f"“{shortened(column.heading)}” was read as {wanted} of {quantity.title.lower()}, and not "
        f"“{shortened(other.heading)}”, which holds {unread}."
    )
