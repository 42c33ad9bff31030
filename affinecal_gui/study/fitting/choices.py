"""What a command says about a calibration, put in the place of the choices that a study has, or has by default."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from affinecal_gui.calibration.calibrators.registry import RECOMMENDED
from affinecal_gui.calibration.results import ModelName, Penalties
from affinecal_gui.errors import UserError
from affinecal_gui.numbers import shortest
from affinecal_gui.polymers.vibrations.constraint import Constraint
from affinecal_gui.study.snapshot import LARGEST_FACTOR, SETTING_FACTS, SMALLEST_FACTOR, Settings, Weighting
from affinecal_gui.study.state import StudyState


@dataclass(frozen=True, slots=True)
class Choices:
    """Choices about a calibration; None leaves what is there."""

    protocol: Literal["default", "paper"] | None = None
    seed: int | None = None
    model: ModelName | None = None  # RECOMMENDED for the one that turns out to be that
    log_scale: bool | None = None
    weighting: Weighting | None = None
    penalties: Penalties | None = None
    blocks_off: tuple[str, ...] | None = None
    block_factors: Mapping[str, float] | None = None
    interval_level: float | None = None
    bands: Literal["posterior", "bootstrap"] | None = None
    rigid_bonds: Constraint | None = None
    robust: bool | None = None
    temperature_tolerance: float | None = None
    md_on_one_level: bool | None = None

    def check(self) -> None:
        """Raise UserError when a number makes no sense."""
        level = self.interval_level
        if level is not None and not 0.0 < level < 1.0:
            raise UserError(
                f"The interval level must lie between 0 and 1, for example 0.9 for 90 %; {_repeated(level)} does not."
            )
        if self.temperature_tolerance is not None:
            check_tolerance(self.temperature_tolerance)
        if self.penalties is not None:
            numbers = (self.penalties.lambda_1, self.penalties.lambda_2, self.penalties.lambda_beta)
            strict = min(self.penalties.lambda_1, self.penalties.lambda_beta)
            if not (all(map(math.isfinite, numbers)) and strict > 0.0 and self.penalties.lambda_2 >= 0.0):
                raise UserError(
                    "The penalties λ₁ and λ of β must be numbers above 0, and λ₂ one not below 0; "
                    f"{', '.join(map(_repeated, numbers))} are not."
                )
        for name, factor in (self.block_factors or {}).items():
            if not SMALLEST_FACTOR <= factor <= LARGEST_FACTOR:
                raise UserError(
                    f"The penalties of a block can be multiplied by {SMALLEST_FACTOR:g} to {LARGEST_FACTOR:g}; the factor "
                    f"{_repeated(factor)} of {name} is outside."
                )

    def applied(self, state: StudyState) -> StudyState:
        """Return the study with these choices in the place of its own.

        Raises
        ------
        UserError
            A number makes no sense, or a block is named that the descriptors of the study do not have.
        """
        self.check()
        settings: Settings = state.settings
        if self.model == RECOMMENDED:
            settings = replace(settings, model=Settings().model, follows_advice=True)
        elif self.model is not None:
            settings = settings.showing(self.model)
        if self.blocks_off is not None or self.block_factors is not None:
            known = _block_names(state)
            off, factors = self.blocks_off, self.block_factors
            named = {_known(name, known): factor for name, factor in (factors or {}).items()}
            settings = replace(
                settings,
                blocks_off=settings.blocks_off if off is None else frozenset(_known(name, known) for name in off),
                block_penalties=settings.block_penalties
                if factors is None
                else frozenset((name, factor) for name, factor in named.items() if factor != 1.0),
            )
        plain = {
            name: value
            for name in SETTING_FACTS
            if name not in _WITH_MEANING and hasattr(self, name) and (value := getattr(self, name)) is not None
        }
        of_matching = {name: getattr(self, name) for name in ("temperature_tolerance", "md_on_one_level")}
        said = {name: value for name, value in of_matching.items() if value is not None}
        settings = replace(settings, matching=replace(settings.matching, **said))
        return replace(state, settings=replace(settings, **plain))

    def check_weighting(self, offered: tuple[Weighting, ...], measured: str) -> None:
        """Raise UserError when weights are wished for that the tables do not give.

        Parameters
        ----------
        offered
            The weightings that the tables give the numbers for.
        measured
            What to call the tables of measured values.
        """
        if self.weighting in (None, "none") or self.weighting in offered:
            return
        what = {
            "uncertainty": "uncertainties: neither a column of them, nor ranges, nor several values of one polymer",
            "repeats": "numbers of reports: neither a column of them, nor several values of one polymer",
        }
        assert self.weighting is not None
        raise UserError(f"Values cannot be weighed so, because {measured} gives no {what[self.weighting]}.")


_WITH_MEANING = frozenset(("model", "blocks_off"))
"""Settings that are not simply put in place: a model may have to be compared first, names of blocks are looked up.

``block_factors`` is called otherwise than its setting. The fields of Choices are written out for the type checker.
"""

NOTHING_SAID = Choices()


def _repeated(value: float) -> str:
    """Write a number as its user did; what is no finite number, too, for which tables have a dash."""
    return shortest(value) if math.isfinite(value) else str(value)


def _block_names(state: StudyState) -> tuple[str, ...]:
    """Return the names of the blocks that the descriptors of a study are going to have."""
    from affinecal_gui.study.describing.describing import FORCE_FIELD, blocks_of
    from affinecal_gui.study.describing.own_descriptors import blocks_of_names

    found: dict[str, None] = {}
    for loaded in state.tables:
        if loaded.table.descriptors is not None:
            found.update(dict.fromkeys(block.name for block in blocks_of_names(loaded.table.descriptor_names).blocks))
    return tuple(found) or tuple(block.name for block in blocks_of(FORCE_FIELD).blocks)


def _known(name: str, known: tuple[str, ...]) -> str:
    folded = {other.casefold(): other for other in known}
    if name not in known and name.casefold() not in folded:
        listed = ", ".join(known[:20]) + (" ..." if len(known) > 20 else "")
        raise UserError(f"There is no block of descriptors called “{name}”; the blocks are {listed}.")
    return name if name in known else folded[name.casefold()]


def check_tolerance(kelvin: float) -> None:
    """Refuse a tolerance of temperatures that is none."""
    if not 0.0 <= kelvin < math.inf:
        raise UserError(f"A tolerance of temperatures is a number of kelvin, 0 or more; {_repeated(kelvin)} is not.")
