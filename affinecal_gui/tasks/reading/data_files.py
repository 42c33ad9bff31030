"""The files that a command calibrates with, and the study they make."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from affinecal_gui.errors import UserError
from affinecal_gui.study.state import StudyState
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.headings.column_roles import KIND_WORDS, OF_NO_VALUE, Roles
from affinecal_gui.tables.headings.role_names import VALUE_ROLES, ValueKind
from affinecal_gui.tables.meaning.named_columns import with_value_column
from affinecal_gui.tables.meaning.roles import CERTAIN, guess_roles
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.text.options import GUESS, ReadOptions
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.units.property_names import named_among
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.reading.sheets import options_by_file
from affinecal_gui.tasks.writing.own_inputs import is_same_file

DataSource = Path | RawTable
"""A file, or a table that was read already."""


@dataclass(frozen=True, slots=True)
class DataFiles:
    """The tables of a command, and what its user says about them.

    Attributes
    ----------
    experiment, md
        Tables of measured and of MD values; may be one file.
    descriptors
        Table of ready descriptors; None computes those of the force field.
    property_key
        The property; None takes the first that both tables have.
    value_column, md_column
        Headings of the columns of measured and of MD values, where they are not to be found.
    sheet
        Sheet of the workbooks among the files that have one of this name.
    md_sheet
        Sheet of ``md``, where it is another one, perhaps of the same workbook.
    use_flagged
        Reasons for which values of ``md`` are used though the simulation says that they failed a check.
    other_md
        Further tables of MD values, from other sources.
    """

    experiment: DataSource
    md: DataSource
    descriptors: DataSource | None = None
    property_key: str | None = None
    value_column: str | None = None
    md_column: str | None = None
    sheet: str | None = None
    md_sheet: str | None = None
    use_flagged: tuple[str, ...] = ()
    other_md: tuple[DataSource, ...] = ()

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files that are read."""
        sources = (self.experiment, self.md, *self.other_md, self.descriptors)
        return tuple(source for source in sources if isinstance(source, Path))

    def named(self, kind: ValueKind) -> dict[str, ValueKind]:
        """Return the heading of the column of values of a kind, where it is named."""
        heading = self.value_column if kind == "measured" else self.md_column
        return {heading: kind} if heading else {}

    def options(self, beside: Sequence[Path] = (), *, task: Task = UNWATCHED) -> "_Options":
        """Return how each file is read; ``beside`` are further files of the command that may have the sheet.

        Raises
        ------
        UserError
            No file has the sheet that was named.
        """
        md = () if self.md_sheet is not None else (self.md,)
        own = [s for s in (self.experiment, *md, *self.other_md, self.descriptors) if isinstance(s, Path)]
        found = options_by_file(self.sheet, [*own, *beside], task=task)
        of_md = found
        if self.md_sheet is not None:
            files = [self.md] if isinstance(self.md, Path) else []
            of_md = options_by_file(self.md_sheet, files, option="--md-sheet", task=task)
        if self.use_flagged:
            found, of_md = (
                {path: options.replace(use_flagged=self.use_flagged) for path, options in of.items()}
                for of in (found, of_md)
            )
        return _Options(_options_of(self.experiment, found), _options_of(self.md, of_md), found)


class _Options(NamedTuple):
    """How the files of a command are read."""

    experiment: ReadOptions
    md: ReadOptions
    others: Mapping[Path, ReadOptions]


def _options_of(source: DataSource, found: Mapping[Path, ReadOptions]) -> ReadOptions:
    return found[source] if isinstance(source, Path) else GUESS


def read_study(
    files: DataFiles,
    *,
    beside: Sequence[Path] = (),
    task: Task = UNWATCHED,
) -> tuple[StudyState, tuple[PolymerTable, ...]]:
    """Read the files of a study whose kinds of values are known, and settle on the property.

    ``beside`` are further files of the command; the sheet that was named may be one of theirs.

    Raises
    ------
    UserError
        A file cannot be read, the two have no property in common, or were interchanged.
    """
    task.report(0.0, f"Reading {files.experiment.name}")
    # One file may hold both kinds of values; then it is read once and its columns say which is which.
    options = files.options(beside, task=task)
    one_file = _is_same(files.experiment, files.md)
    same = one_file and options.experiment == options.md
    measured, md = files.named("measured"), files.named("md")
    # What a file given twice holds is for the file to say: an MD table is not to be called a measured one.
    if same:
        read = [read_as(files.experiment, None, {**measured, **md}, options.experiment, task=task)]
    else:
        read = [read_as(files.experiment, "measured", measured, options.experiment, task=task)]
        task.report(0.03, f"Reading {files.md.name}")
        read.append(read_as(files.md, "md", md, options.md, task=task))
        if one_file:
            read[1] = _as_a_file_of_its_own(read[1])
        if all(file.seems_the_other_kind for file in read) and not (files.value_column or files.md_column):
            raise UserError(
                f"{files.experiment.name} looks like MD values and {files.md.name} like measured values: interchange "
                "--experiment and --md, or name the columns of values with --value-column and --md-column."
            )
    for other in files.other_md:
        task.report(0.04, f"Reading {other.name}")
        read.append(read_as(other, "md", md, _options_of(other, options.others), task=task))
    if files.descriptors is not None:
        how = _options_of(files.descriptors, options.others)
        read.append(read_as(files.descriptors, None, options=how, task=task))
        if read[-1].table.descriptors is None:
            raise UserError(f"{files.descriptors.name} has no columns of descriptors, such as mass_H or k_bond_0.")
    state = StudyState().with_tables(tuple(file.table for file in read))
    return _with_property(state, files, same=same), tuple(loaded.table for loaded in state.tables)


NOTHING_NAMED: Mapping[str, ValueKind] = MappingProxyType({})


def _is_same(one: DataSource, other: DataSource) -> bool:
    if isinstance(one, Path) and isinstance(other, Path):
        return is_same_file(one, other)
    return one is other


class ReadFile(NamedTuple):
    """A file of a command."""

    table: PolymerTable
    raw: RawTable  # as it stands, for what the table leaves out
    seems_the_other_kind: bool  # it looks like MD values where measured ones are expected, or the other way round


def read_as(
    source: DataSource,
    kind: ValueKind | None,
    named: Mapping[str, ValueKind] = NOTHING_NAMED,
    options: ReadOptions = GUESS,
    *,
    keep_without_value: bool = False,
    task: Task = UNWATCHED,
) -> ReadFile:
    """Read a table of which the caller knows whether its values are measured or from MD.

    Columns that hold the other kind by their headings are left unread.

    Parameters
    ----------
    kind
        None: the file says which of its columns hold what.
    named
        Headings of columns that hold the values, and of which kind they are.
    options
        How a file is read; a table that was read already stays as it is.
    keep_without_value
        Keep the polymers that have no value; then a table may hold values of the other kind only, or none.

    Raises
    ------
    UserError
        The file cannot be read, holds values of the other kind only, or can be read in more than one way with different
        results.
    """
    raw = source if isinstance(source, RawTable) else read_table(source, options, task=task.silent)
    return understood_as(raw, kind, named, keep_without_value=keep_without_value, task=task)


def understood_as(
    raw: RawTable,
    kind: ValueKind | None,
    named: Mapping[str, ValueKind] = NOTHING_NAMED,
    *,
    keep_without_value: bool = False,
    task: Task = UNWATCHED,
) -> ReadFile:
    """Do as :func:`read_as`, with a table that is read already."""
    roles = guess_roles(raw)
    doubt, notes = "", list[str]()
    of_the_other = bool(roles.values) and all(column.says not in {kind, None} for column in roles.values)
    if kind is not None and keep_without_value and of_the_other and not named:
        notes += _left_unread(roles, roles.only(kind))
        roles = roles.only(kind)
    elif kind is not None and roles.kind != "none":
        says_nothing = [column for column in roles.values if column.says is None]
        settled = 0 < len(says_nothing) < len(roles.values)  # some say the other kind: these are left
        if roles.kind not in {kind, "both"} and roles.kind_confidence >= CERTAIN and not settled:
            looks, wanted = KIND_WORDS[roles.kind], KIND_WORDS[kind]
            doubt = f"{raw.name} looks like {looks}, but was named as the table of {wanted}; is it?"
            if not named:
                _refuse_other_kind(raw, roles, kind)
        both = roles.with_kind(kind)
        roles = both.only(kind)
        notes += _left_unread(both, roles)
    for name, of in named.items():
        roles = with_value_column(raw, roles, name, of)
    if roles.refusal:
        raise UserError(f"{raw.name}: {roles.refusal}")
    table = to_polymer_table(raw, roles, keep_without_value=keep_without_value, task=task.silent)
    if doubt:
        notes.insert(0, doubt)
    if notes:
        table = replace(table, notes=(*notes, *table.notes))
    return ReadFile(table, raw, bool(doubt))


def _left_unread(both: Roles, roles: Roles) -> list[str]:
    """Say which values of the other kind are left unread though no column of this kind holds their property."""
    read = {column.quantity.key for column in roles.values if column.quantity is not None}
    return [
        f"“{shortened(column.heading)}” holds {KIND_WORDS['md' if column.role == 'md' else 'measured']} and is left unread."
        for column in both.values
        if roles.columns[column.column].role not in VALUE_ROLES
        and column.quantity is not None
        and column.quantity.key not in read
    ]


def _refuse_other_kind(raw: RawTable, roles: Roles, kind: ValueKind) -> None:
    """Raise for a table of MD values whose columns of values are all called measured, or the other way round."""
    said = [column for column in roles.values if column.says not in {kind, None}]
    if len(said) < len(roles.values):
        return
    option, choice = ("--experiment", "--value-column") if kind == "measured" else ("--md", "--md-column")
    listed = " and ".join(f"“{shortened(column.heading)}”" for column in said[:3])
    raise UserError(
        f"{raw.name} was named as the table of {KIND_WORDS[kind]} ({option}), but its only values, {listed}, are "
        f"{KIND_WORDS['md' if kind == 'measured' else 'measured']} by its own words: name the right file, or, if they are "
        f"{KIND_WORDS[kind]} all the same, rename the column or name it with {choice}."
    )


def _as_a_file_of_its_own(read: ReadFile) -> ReadFile:
    """Call the second sheet of a workbook by both their names: a study tells its tables apart by their files."""
    path, name = f"{read.raw.path}#{read.raw.sheet}", f"{read.raw.name}, sheet {read.raw.sheet}"
    table = replace(read.table, path=path, name=name)
    return read._replace(table=table, raw=replace(read.raw, path=path, name=name))


def _with_property(state: StudyState, files: DataFiles, *, same: bool) -> StudyState:
    """Settle on the property; say precisely what is missing where when there is none."""
    key, experiment, md = files.property_key, files.experiment.name, files.md.name
    common = state.quantities()
    for name, word, found in (
        (experiment, "measured", state.quantities_of("measured")),
        (md, "MD", state.quantities_of("md")),
    ):
        if not found and same:
            other = "MD" if word == "measured" else "measured"
            raise UserError(
                f"{name} was given twice, as table of measured and of MD values, but it holds {other} values only. Name the "
                f"table of {word} values with {'--experiment' if word == 'measured' else '--md'}, and two sheets of one "
                "workbook with --sheet and --md-sheet."
            )
        if not found:
            raise UserError(f"{name} has no column of {word} values. {_to_give(state, name)}")
    if not common:
        raise UserError(
            f"{experiment} has measured values of {_listed(state.quantities_of('measured'))}, {md} has MD values of "
            f"{_listed(state.quantities_of('md'))}: no property is in both."
        )
    if key is None:
        return state
    wanted = named_among(key, common)
    if wanted is None:
        raise UserError(f"There are no measured and MD values of “{key}”; both tables have {_listed(common)}.")
    return state.with_property(wanted.key)


def _to_give(state: StudyState, name: str) -> str:
    """Say what a table without values needs."""
    tables = [loaded.table for loaded in state.tables if loaded.table.name == name]
    columns = [c for table in tables if table.roles is not None for c in table.roles.columns if c.reason == OF_NO_VALUE]
    named = " and ".join(f"“{shortened(column.heading)}”" for column in columns[:3])
    if not named:
        return "Give it one whose heading names the property."
    verb = "gives a limit or uncertainty" if len(columns) == 1 else "give limits or uncertainties"
    return f"{named} {verb}, but of no column of values: add that, such as one of their means."


def _listed(quantities: tuple[Property, ...]) -> str:
    shown = [_titled(quantity) for quantity in quantities[:6]]
    return ", ".join(shown) + (" and others" if len(quantities) > 6 else "")


def _titled(quantity: Property) -> str:
    """Return the title of a property as it stands in a sentence, and the key that ``--property`` takes."""
    if quantity.key == quantity.title:
        return quantity.key
    title = quantity.title
    return f"{title[:1].lower()}{title[1:]} ({quantity.key})"
