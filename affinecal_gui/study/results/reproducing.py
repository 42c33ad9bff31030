"""How to do a calibration again without the window: the commands that a report gives."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from affinecal_gui.study.snapshot import Settings
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.stored.study_names import with_study_suffix
from affinecal_gui.tables.properties import find_property

if TYPE_CHECKING:  # imports the chemistry
    from affinecal_gui.tables.polymer_table import PolymerTable

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
    words = _from_tables(state)
    if words:
        sentence = "Or from the tables alone, in their folder, if their columns are read as they come:"
        ways.append(Way(sentence, _line((*words, "--output", "results"))))
    return tuple(ways)


def _from_tables(state: StudyState) -> tuple[str, ...]:
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
        return ()
    tables = [loaded.table for loaded in state.tables]
    measured = [table for table in tables if _has(table, "measured", said.property_key)]
    simulated = [table for table in tables if _has(table, "md", said.property_key)]
    others = [table for table in tables if table not in measured and table not in simulated]
    if len(measured) != 1 or len(simulated) != 1 or len(others) > 1:
        return ()
    words = ["affinecal", "fit", "--experiment", measured[0].name, "--md", simulated[0].name]
    words += ["--property", said.property_key]
    if others:
        if others[0].descriptors is None:
            return ()
        words += ["--descriptors", others[0].name]
    return (*words, *_choices(said))


def _choices(settings: Settings) -> list[str]:
    """Return the options of the command for every choice that is not the one by default."""
    new = Settings()
    words: list[str] = []
    if settings.model != new.model:
        words += ["--calibrator", settings.model]
    if settings.protocol != new.protocol:
        words += ["--protocol", settings.protocol]
    if settings.seed != new.seed:
        words += ["--seed", str(settings.seed)]
    if settings.log_scale != find_property(settings.property_key).log_by_default:
        words.append("--log" if settings.log_scale else "--linear")
    if settings.weighting != new.weighting:
        words += ["--weights", settings.weighting]
    if settings.penalties is not None:
        numbers = (settings.penalties.lambda_1, settings.penalties.lambda_2, settings.penalties.lambda_beta)
        words += ["--penalties", *(repr(float(number)) for number in numbers)]
    if settings.blocks_off:
        words += ["--blocks-off", *sorted(settings.blocks_off)]
    for name, factor in sorted(settings.block_penalties):
        words += ["--block-penalty", f"{name}={float(factor)!r}"]
    if settings.interval_level != new.interval_level:
        words += ["--interval", repr(float(settings.interval_level))]
    if settings.bands != new.bands:
        words += ["--bands", settings.bands]
    return words


def _has(table: "PolymerTable", kind: str, key: str) -> bool:
    return any(quantity.key == key for quantity in table.properties(kind))  # type: ignore[arg-type]


def _line(words: Sequence[str]) -> str:
    return " ".join(shlex.quote(word) for word in words)
