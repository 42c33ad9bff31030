"""The choices of a study <-> ``settings.json``."""

import math
from typing import Any

from affinecal_gui.calibration.calibrators.registry import further_keys, linear_keys
from affinecal_gui.study.records.archive import Member
from affinecal_gui.study.records.stored_errors import DamagedContent
from affinecal_gui.study.records.stored_records import from_plain, to_json, to_plain
from affinecal_gui.study.snapshot import LARGEST_FACTOR, SMALLEST_FACTOR, Settings
from affinecal_gui.study.stored.manifest import SETTINGS

# What a study did before there were these choices: it showed the calibrator that it names, compared values at any
# temperatures, and took MD values of all sources as they come.
_BEFORE = {"follows_advice": False}
_MATCHING_BEFORE = {"temperature_tolerance": 1000.0, "md_on_one_level": False}

LARGEST_SEED = 2**32 - 1  # of the generators of random numbers


def settings_member(settings: Settings) -> Member:
    """Return the member that holds the settings."""
    return Member(SETTINGS, to_json(to_plain(settings)))


def read_settings(description: Any) -> Settings:
    """Return the settings that ``settings.json`` describes; raise DamagedContent when they make no sense."""
    if isinstance(description, dict):
        description = _BEFORE | description
        matching = description.get("matching", {})
        if isinstance(matching, dict):
            description["matching"] = _MATCHING_BEFORE | matching
    settings = from_plain(Settings, description, SETTINGS)
    if len(set(settings.methods)) != len(settings.methods):
        raise DamagedContent(f"{SETTINGS}: methods names one twice")
    known = (*further_keys(), *linear_keys(), *settings.methods)
    if settings.model not in known:
        raise DamagedContent(f"{SETTINGS}: model is not one of {', '.join(known)}")
    if not 0.0 < settings.interval_level < 1.0:
        raise DamagedContent(f"{SETTINGS}: interval_level is not between 0 and 1")
    if not 0 <= settings.seed <= LARGEST_SEED:
        raise DamagedContent(f"{SETTINGS}: seed is not between 0 and {LARGEST_SEED}")
    penalties = settings.penalties
    if penalties is not None:
        numbers = (penalties.lambda_1, penalties.lambda_2, penalties.lambda_beta)
        if not all(math.isfinite(number) for number in numbers) or min(numbers) < 0.0:
            raise DamagedContent(f"{SETTINGS}: the penalties are not finite and positive")
        if penalties.lambda_1 == 0.0 or penalties.lambda_beta == 0.0:
            raise DamagedContent(f"{SETTINGS}: lambda_1 and lambda_beta must be above 0")
    blocks = [name for name, _factor in settings.block_penalties]
    if len(set(blocks)) != len(blocks):
        raise DamagedContent(f"{SETTINGS}: block_penalties names a block twice")
    if not all(SMALLEST_FACTOR <= factor <= LARGEST_FACTOR for _name, factor in settings.block_penalties):
        raise DamagedContent(f"{SETTINGS}: a factor of block_penalties is not between 0.01 and 100")
    noted = [row for row, _note in settings.notes]
    if len(set(noted)) != len(noted):
        raise DamagedContent(f"{SETTINGS}: notes names a row twice")
    temperatures = settings.matching.temperatures
    if temperatures is not None and not all(math.isfinite(kelvin) for kelvin in temperatures):
        raise DamagedContent(f"{SETTINGS}: the temperatures are not finite")
    if not 0.0 <= settings.matching.temperature_tolerance < math.inf:
        raise DamagedContent(f"{SETTINGS}: temperature_tolerance is not finite, or below 0")
    return settings
