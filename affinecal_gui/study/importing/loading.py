"""The service that reads files into tables; a file that cannot be read does not stop the others.

What a file says by itself, or the user said of a file like it, is taken without asking. The others come back with their
questions.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from affinecal_gui.errors import UserError
from affinecal_gui.study.table_source import NOTHING_CHOSEN, ImportChoices, TableSource, source_of_pasted
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.task import UNWATCHED, Task

if TYPE_CHECKING:
    from affinecal_gui.study.importing.remembered_choices import RememberedChoices
    from affinecal_gui.tables.headings.column_roles import Roles


@dataclass(frozen=True, slots=True, eq=False)
class OpenTable:
    """A table that was read, and what is known of its columns."""

    source: TableSource
    raw: RawTable
    choices: ImportChoices = NOTHING_CHOSEN


@dataclass(frozen=True, slots=True)
class Loaded:
    """What became of a set of files."""

    tables: tuple[PolymerTable, ...]
    errors: tuple[UserError, ...] = ()
    property_key: str = ""  # of a bundled example: what it is about
    asked: tuple[OpenTable, ...] = ()  # tables with open questions
    sources: tuple[TableSource, ...] = field(default=(), repr=False)  # of ``tables``
    choices: tuple[ImportChoices, ...] = ()  # that ``tables`` were read with


def load_tables(
    paths: Sequence[Path],
    *,
    beside: Sequence[PolymerTable] = (),
    remembered: "RememberedChoices | None" = None,
    ask: bool = False,
    task: Task = UNWATCHED,
) -> Loaded:
    """Read files and settle what their columns are for.

    Parameters
    ----------
    paths
        Files; the same file named twice is read once.
    beside
        Tables of the study already: when a file does not say whether its values are measured or simulated, what is still
        missing decides.
    remembered
        Choices made for files of the same shape.
    ask
        Whether somebody can be asked. If not, the likeliest answers are taken.
    """
    sources = [TableSource(str(path)) for path in dict.fromkeys(Path(path) for path in paths)]
    return load_sources(sources, beside=beside, remembered=remembered, ask=ask, task=task)


def load_sources(
    sources: Sequence[TableSource],
    *,
    beside: Sequence[PolymerTable] = (),
    remembered: "RememberedChoices | None" = None,
    ask: bool = False,
    task: Task = UNWATCHED,
) -> Loaded:
    """Read files and pasted texts; otherwise as :func:`load_tables`."""
    errors: list[UserError] = []
    opened: list[OpenTable] = []
    for number, source in enumerate(sources):
        share = task.part(0.6 * number / len(sources), 0.6 * (number + 1) / len(sources))
        share.report(0.0, f"Reading {source.name}")
        try:
            opened.append(_read(source, remembered, share))
        except UserError as error:
            errors.append(error)
    return understand(
        opened,
        errors,
        beside=beside,
        remembered=remembered,
        ask=ask,
        task=task.part(0.6, 1.0),
    )


def _read(source: TableSource, remembered: "RememberedChoices | None", task: Task) -> OpenTable:
    """Read a table, in the way that was chosen for one of its shape before."""
    from affinecal_gui.tables.meaning.remembered import shape_of

    raw = source.read(task=task)
    corrected = remembered.corrections_for(source, raw, task=task) if remembered is not None else None
    if corrected is not None:
        return OpenTable(source, *corrected)
    options = remembered.options_for(raw) if remembered is not None else None
    if options is None:
        return OpenTable(source, raw)
    shape = shape_of(raw)
    if options.chosen:
        try:
            raw = source.read(options, task=task)
        except UserError:  # it has no such sheet, for example: not quite of the same shape
            return OpenTable(source, raw)
    return OpenTable(source, raw, replace(NOTHING_CHOSEN, options=options, known_shape=shape))


def load_pasted(
    text: str,
    *,
    beside: Sequence[PolymerTable] = (),
    task: Task = UNWATCHED,
) -> Loaded:
    """Read a table that was copied in a spreadsheet; otherwise as :func:`load_tables`."""
    source = source_of_pasted(text, {table.name for table in beside})
    return load_sources([source], beside=beside, task=task)


def understand(
    opened: Sequence[OpenTable],
    errors: Sequence[UserError] = (),
    *,
    beside: Sequence[PolymerTable] = (),
    remembered: "RememberedChoices | None" = None,
    ask: bool = False,
    task: Task = UNWATCHED,
) -> Loaded:
    """Settle the roles of all columns of tables that were read, and read the values."""
    from affinecal_gui.study.importing.column_choices import settled_roles
    from affinecal_gui.tables.meaning.roles import guess_roles
    from affinecal_gui.tables.values.making_polymer_table import to_polymer_table

    problems = list(errors)
    paths = {table.source.path for table in opened}
    settled = [table.roles for table in beside if table.roles is not None and table.path not in paths]
    cells = {id(table): table.raw.edited(table.choices.edits) for table in opened}
    guesses: dict[int, Roles] = {key: guess_roles(raw, others=settled, task=task) for key, raw in cells.items()}
    choices: dict[int, ImportChoices] = {}
    roles: dict[int, Roles] = {}
    known_before = len(settled)
    # The files that say what they hold are settled first; they help to understand those that do not.
    for table in sorted(opened, key=lambda table: -guesses[id(table)].kind_confidence):
        guess = guesses[id(table)]
        if len(settled) > known_before:
            guess = guess_roles(cells[id(table)], others=settled, task=task)
        made = table.choices
        if remembered is not None and made.known_content and made.base is None:
            made = replace(made, base=remembered.roles_of(made, guess))
        elif remembered is not None and made.known_shape and made.base is None:
            known = remembered.choices_for(made.known_shape, guess)
            made = replace(made, base=known.base) if known is not None else made
        choices[id(table)] = made
        roles[id(table)] = settled_roles(cells[id(table)], guess, made)
        settled.append(roles[id(table)])
    tables: list[PolymerTable] = []
    asked: list[OpenTable] = []
    sources: list[TableSource] = []
    taken: list[ImportChoices] = []
    for number, table in enumerate(opened):
        share = task.part(number / len(opened), (number + 1) / len(opened))
        share.report(0.0, f"Understanding {table.raw.name}")
        open_table = replace(table, choices=choices[id(table)])
        if ask and table.raw.row_count and not roles[id(table)].certain:
            asked.append(open_table)
            continue
        try:
            made_table = to_polymer_table(cells[id(table)], roles[id(table)], task=share)
        except UserError as error:
            if ask and table.raw.row_count:
                asked.append(open_table)  # the preview says what is wrong, and offers what can be done about it
            else:
                problems.append(error)
            continue
        tables.append(made_table)
        sources.append(table.source)
        taken.append(choices[id(table)])
    return Loaded(tuple(tables), tuple(problems), asked=tuple(asked), sources=tuple(sources), choices=tuple(taken))
