"""How to do a calibration again without the window: the commands that a report gives, and what is copied for it."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from affinecal_gui.study.snapshot import Settings
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.stored.study_names import with_study_suffix
from affinecal_gui.tables.units.properties import find_property

if TYPE_CHECKING:  # imports the chemistry
    from affinecal_gui.tables.values.polymer_table import PolymerTable

UNSAVED = "study.affinecal"


@dataclass(frozen=True, slots=True)
class Way:
    """A sentence and the command that it announces."""

    sentence: str
    command: str


def ways_to_reproduce(state: StudyState, study_name: str = "") -> tuple[Way, ...]:
    """Return the commands that give the same result again.

    A study file holds everything, so that way is always there. The tables alone do where nothing was chosen that the
    command has no word for, and where there is one table of each kind.

    Parameters
    ----------
    state
        The study.
    study_name
        Name of its file; "" when it was not saved.
    """
    name = str(with_study_suffix(study_name)) if study_name else UNSAVED
    saved = "In a terminal, in the folder of the study file:"
    if not study_name:
        saved = f"In a terminal, after saving the study as {UNSAVED}:"
    ways = [Way(saved, _line(("affinecal", "fit", "--study", name, "--output", "results")))]
    tables = _tables_of(state)
    if tables is not None:
        sentence = "Or from the tables alone, in their folder, if their columns are read as they come:"
        words = ("affinecal", "fit", *tables.words(full_paths=False), *_words(tables.settings), "--output", "results")
        ways.append(Way(sentence, _line(words)))
    return tuple(ways)


@dataclass(frozen=True, slots=True)
class Repetition:
    """What does a calibration again, to be copied: it names files by their full paths, so that it works anywhere."""

    text: str
    opens: str  # path of the study file that it opens; "" when it reads the tables
    needs_saving: bool  # the study has to be saved there before it works


def command_to_copy(state: StudyState, study_path: str, *, is_saved: bool, as_they_come: bool) -> Repetition:
    """Return the command that gives the same result again.

    Parameters
    ----------
    state
        The study.
    study_path
        Where it was saved; "" when it was not.
    is_saved
        Whether that file holds the study as it is now.
    as_they_come
        Whether reading the tables again without any choice gives the same tables.
    """
    tables = _tables_of(state) if as_they_come and not is_saved else None
    if tables is None:
        path = study_path or UNSAVED
        return Repetition(_line(("affinecal", "fit", "--study", path, "--output", "results")), path, not is_saved)
    words = ("affinecal", "fit", *tables.words(full_paths=True), *_words(tables.settings), "--output", "results")
    return Repetition(_line(words), "", needs_saving=False)


def python_to_copy(state: StudyState, study_path: str, *, is_saved: bool, as_they_come: bool) -> Repetition:
    """Return lines of Python that give the same result again; parameters as for :func:`command_to_copy`."""
    tables = _tables_of(state) if as_they_come and not is_saved else None
    if tables is None:
        path = study_path or UNSAVED
        made = [f"study = ac.Study.open({path!r})", "study.fit()"]
        return Repetition(_script(made), path, not is_saved)
    made, arguments = [], []
    for name, table in tables.named:
        made.append(f"{name} = ac.read_table({table.path!r}, errors='report')")
        arguments.append(f"descriptors={name}" if name == "descriptors" else name)
    said = ", ".join([*arguments, f"property={tables.settings.property_key!r}"])
    # Rows that cannot be used are left out and listed, as in the window.
    made.append(f"study = ac.Study.from_frames({said}, errors='report')")
    choices = ", ".join(f"{choice.argument}={choice.value!r}" for choice in _choices(tables.settings))
    made.append(f"study.fit({choices})")
    return Repetition(_script(made), "", needs_saving=False)


def _script(lines: Sequence[str]) -> str:
    return "\n".join(("import affinecal_gui as ac", "", *lines, "study.predictions()", ""))


@dataclass(frozen=True, slots=True)
class _Tables:
    """The tables of a study that needs no more than them, and the choices about it."""

    measured: "PolymerTable"
    md: "PolymerTable"
    descriptors: "PolymerTable | None"
    settings: Settings

    def words(self, *, full_paths: bool) -> list[str]:
        """Return the options of the command that name them and the property."""

        def name(table: "PolymerTable") -> str:
            return table.path if full_paths else table.name

        words = ["--experiment", name(self.measured), "--md", name(self.md), "--property", self.settings.property_key]
        return words if self.descriptors is None else [*words, "--descriptors", name(self.descriptors)]

    @property
    def named(self) -> "list[tuple[str, PolymerTable]]":
        """The tables, each once, and what to call them in Python."""
        named = [("measured", self.measured)]
        if self.md is not self.measured:
            named.append(("md", self.md))
        return named if self.descriptors is None else [*named, ("descriptors", self.descriptors)]


def _tables_of(state: StudyState) -> _Tables | None:
    """Return the tables of a study if they and what a command can say about them are the whole study."""
    settings = state.settings
    said = Settings(
        property_key=settings.property_key,
        log_scale=settings.log_scale,
        protocol=settings.protocol,
        penalties=settings.penalties,
        blocks_off=settings.blocks_off,
        interval_level=settings.interval_level,
        bands=settings.bands,
        seed=settings.seed,
        weighting=settings.weighting,
        block_penalties=settings.block_penalties,
    ).showing(settings.model)
    if settings != said:
        return None
    tables = [loaded.table for loaded in state.tables]
    measured = [table for table in tables if _has(table, "measured", said.property_key)]
    simulated = [table for table in tables if _has(table, "md", said.property_key)]
    others = [table for table in tables if table not in measured and table not in simulated]
    if len(measured) != 1 or len(simulated) != 1 or len(others) > 1:
        return None
    if others and others[0].descriptors is None:
        return None
    return _Tables(measured[0], simulated[0], others[0] if others else None, said)


@dataclass(frozen=True, slots=True)
class _Choice:
    """A choice that is not the one by default, as an argument of Python and as words of a command."""

    argument: str
    value: object
    words: tuple[str, ...]


def _choices(settings: Settings) -> list[_Choice]:
    """Return every choice that is not the one by default."""
    new = Settings()
    found: list[_Choice] = []

    def add(argument: str, value: object, *words: str) -> None:
        found.append(_Choice(argument, value, words))

    if settings.model != new.model:
        add("calibrator", settings.model, "--calibrator", settings.model)
    if settings.protocol != new.protocol:
        add("protocol", settings.protocol, "--protocol", settings.protocol)
    if settings.seed != new.seed:
        add("seed", settings.seed, "--seed", str(settings.seed))
    if settings.log_scale != find_property(settings.property_key).log_by_default:
        add("log", settings.log_scale, "--log" if settings.log_scale else "--linear")
    if settings.weighting != new.weighting:
        add("weights", settings.weighting, "--weights", settings.weighting)
    if settings.penalties is not None:
        penalties = (settings.penalties.lambda_1, settings.penalties.lambda_2, settings.penalties.lambda_beta)
        numbers = tuple(map(float, penalties))
        add("penalties", numbers, "--penalties", *map(repr, numbers))
    if settings.blocks_off:
        off = sorted(settings.blocks_off)
        add("blocks_off", off, "--blocks-off", *off)
    if settings.block_penalties:
        factors = {name: float(factor) for name, factor in sorted(settings.block_penalties)}
        each = [word for name, factor in factors.items() for word in ("--block-penalty", f"{name}={factor!r}")]
        add("block_penalties", factors, *each)
    if settings.interval_level != new.interval_level:
        level = float(settings.interval_level)
        add("interval", level, "--interval", repr(level))
    if settings.bands != new.bands:
        add("bands", settings.bands, "--bands", settings.bands)
    return found


def _words(settings: Settings) -> list[str]:
    return [word for choice in _choices(settings) for word in choice.words]


def _has(table: "PolymerTable", kind: str, key: str) -> bool:
    return any(quantity.key == key for quantity in table.properties(kind))  # type: ignore[arg-type]


def _line(words: Sequence[str]) -> str:
    return " ".join(shlex.quote(word) for word in words)
