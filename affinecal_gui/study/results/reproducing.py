"""How to do a calibration again without the window: the commands that a report gives, and what is copied for it."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from affinecal_gui.calibration.results import Penalties
from affinecal_gui.study.setting_facts import SettingFacts
from affinecal_gui.study.snapshot import AS_IT_COMES, SETTING_FACTS, MatchingChoices, Settings, changed_settings
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.stored.study_names import with_study_suffix
from affinecal_gui.tables.flagged_runs import used_reasons
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
    if tables is not None and tables.have_one_use_of_flagged:
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
    if tables is None or not tables.have_one_use_of_flagged:
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
        flagged = used_reasons(table.flagged)
        use = f", use_flagged={list(flagged)}" if flagged else ""
        made.append(f"{name} = ac.read_table({table.path!r}{use}, errors='report')")
        if name in ("measured", "md"):
            arguments.append(name)
    if tables.other_md:
        arguments.append(f"other_md=[{', '.join(_other_names(tables.other_md))}]")
    if tables.descriptors is not None:
        arguments.append("descriptors=descriptors")
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
    other_md: "tuple[PolymerTable, ...]"  # of further sources, in their order
    descriptors: "PolymerTable | None"
    settings: Settings

    def words(self, *, full_paths: bool) -> list[str]:
        """Return the options of the command that name them and the property."""

        def name(table: "PolymerTable") -> str:
            return table.path if full_paths else table.name

        words = ["--experiment", name(self.measured), "--md", name(self.md), "--property", self.settings.property_key]
        for table in self.other_md:
            words += ["--other-md", name(table)]
        if self.descriptors is not None:
            words += ["--descriptors", name(self.descriptors)]
        return [*words, *(word for reason in sorted(self._used) for word in ("--use-flagged", reason))]

    @property
    def _used(self) -> set[str]:
        return {reason for table in self._of_md for reason in used_reasons(table.flagged)}

    @property
    def have_one_use_of_flagged(self) -> bool:
        """Whether no table sets aside what another one uses: a command says for all of them what is used."""
        used = self._used
        aside = [one for table in self._of_md for one in table.flagged if one.set_aside and not one.used]
        return not any(one.reason in used for one in aside)

    @property
    def _of_md(self) -> "tuple[PolymerTable, ...]":
        return self.md, *self.other_md

    @property
    def named(self) -> "list[tuple[str, PolymerTable]]":
        """The tables, each once, and what to call them in Python."""
        named = [("measured", self.measured)]
        if self.md is not self.measured:
            named.append(("md", self.md))
        named += zip(_other_names(self.other_md), self.other_md, strict=True)
        return named if self.descriptors is None else [*named, ("descriptors", self.descriptors)]


def _other_names(tables: "Sequence[PolymerTable]") -> list[str]:
    return (
        [f"other_md_{number}" for number in range(1, len(tables) + 1)]
        if len(tables) > 1
        else ["other_md"] * len(tables)
    )


def _tables_of(state: StudyState) -> _Tables | None:
    """Return the tables of a study if they and what a command can say about them are the whole study."""
    settings = state.settings
    if settings.follows_advice:
        settings = replace(settings, model=Settings().model)
    named = {name for name, facts in SETTING_FACTS.items() if facts.option} - {"model"} | {"property_key"}
    said = Settings(**{name: getattr(settings, name) for name in named})
    said = said if settings.follows_advice else said.showing(settings.model)
    said = replace(said, matching=replace(AS_IT_COMES, **_said_of_matching(settings.matching)))
    if settings != said:
        return None
    tables = [loaded.table for loaded in state.tables]
    measured = [table for table in tables if _has(table, "measured", said.property_key)]
    simulated = [table for table in tables if _has(table, "md", said.property_key)]
    others = [table for table in tables if table not in measured and table not in simulated]
    if len(measured) != 1 or not simulated or len(others) > 1:
        return None
    if measured[0] in simulated[1:]:  # it would be named as the first
        return None
    if others and others[0].descriptors is None:
        return None
    return _Tables(measured[0], simulated[0], tuple(simulated[1:]), others[0] if others else None, said)


@dataclass(frozen=True, slots=True)
class _Choice:
    """A choice that is not the one by default, as an argument of Python and as words of a command."""

    argument: str
    value: object
    words: tuple[str, ...]


def _choices(settings: Settings) -> list[_Choice]:
    """Return every choice that is not the one by default."""
    usual = Settings(log_scale=find_property(settings.property_key).log_by_default)
    names = {name for name in changed_settings(usual, settings) if name != "model"}
    if not settings.follows_advice:  # without a word, the recommended calibrator is taken
        names.add("model")
    changed = [(SETTING_FACTS[name], getattr(settings, name)) for name in sorted(names)]
    found = []
    for facts, setting in sorted(changed, key=lambda one: one[0].place):
        if facts.option:
            value, words = _said(facts, setting)
            found.append(_Choice(facts.argument, value, words))
    return [*found, *_choices_of_matching(settings.matching)]


def _said_of_matching(matching: MatchingChoices) -> dict[str, Any]:
    """Return the choices about matching for which there are words, by name."""
    return {name: getattr(matching, name) for name in ("temperature_tolerance", "md_on_one_level")}


def _choices_of_matching(matching: MatchingChoices) -> list[_Choice]:
    found = []
    for name, value in _said_of_matching(matching).items():
        if value != getattr(AS_IT_COMES, name):
            as_words = (
                ("--temperature-tolerance", repr(float(value))) if isinstance(value, float) else ("--md-as-it-comes",)
            )
            found.append(_Choice(name, value, as_words))
    return found


def _said(facts: SettingFacts, setting: Any) -> tuple[object, tuple[str, ...]]:
    """Return a setting as a value of Python and as words of a command."""
    option = facts.option
    if isinstance(setting, bool):
        return setting, (option if setting else facts.off,)
    if isinstance(setting, Penalties):
        numbers = tuple(map(float, (setting.lambda_1, setting.lambda_2, setting.lambda_beta)))
        return numbers, (option, *map(repr, numbers))
    if isinstance(setting, frozenset) and all(isinstance(one, str) for one in setting):
        names = sorted(setting)
        return names, (option, *names)
    if isinstance(setting, frozenset):
        factors = {name: float(factor) for name, factor in sorted(setting)}
        return factors, tuple(word for name, factor in factors.items() for word in (option, f"{name}={factor!r}"))
    if isinstance(setting, float):
        return float(setting), (option, repr(float(setting)))
    return setting, (option, str(setting))


def _words(settings: Settings) -> list[str]:
    return [word for choice in _choices(settings) for word in choice.words]


def _has(table: "PolymerTable", kind: str, key: str) -> bool:
    return any(quantity.key == key for quantity in table.properties(kind))  # type: ignore[arg-type]


def _line(words: Sequence[str]) -> str:
    return " ".join(shlex.quote(word) for word in words)
