"""Every setting carries the facts from which its undo step, its option and its word to copy are made."""

import inspect
import shlex
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from affinecal_gui.calibration.results import Penalties
from affinecal_gui.cli import command_parser
from affinecal_gui.commands.choice_arguments import choices_of
from affinecal_gui.python.study import Study
from affinecal_gui.study.results.reproducing import ways_to_reproduce
from affinecal_gui.study.setting_facts import SettingFacts
from affinecal_gui.study.snapshot import SETTING_FACTS, MatchingChoices, Settings, changed_settings
from tests.study.small_study import small_state

ANOTHER: dict[str, Any] = {
    "property_key": "density",
    "log_scale": False,
    "protocol": "paper",
    "model": "ordinary",
    "penalties": Penalties(0.1 + 0.2, 1e-7, 2.0),
    "left_out": frozenset({"t1.1"}),
    "notes": frozenset({("t1.1", "wet sample")}),
    "blocks_off": frozenset({"mass", "charge"}),
    "interval_level": 0.75,
    "seed": 11,
    "matching": MatchingChoices(rule="mean"),
    "methods": ("direct",),
    "kernel_source": "linear",
    "kernel_factor": "matern12",
    "kernel_target": "matern32",
    "sources": ("density",),
    "weighting": "repeats",
    "block_penalties": frozenset({("mass", 3.0), ("charge", 0.5)}),
    "bands": "bootstrap",
    "rigid_bonds": "none",
    "robust": True,
    "follows_advice": False,
}
"""Another value than by default for each setting; a new setting needs one here."""

WITH_OPTION = [name for name, facts in SETTING_FACTS.items() if facts.option]


def test_every_setting_has_facts_and_a_step_of_its_own() -> None:
    assert set(SETTING_FACTS) == {one.name for one in fields(Settings)} == set(ANOTHER)
    assert all(isinstance(facts, SettingFacts) for facts in SETTING_FACTS.values())
    assert len({facts.undo for facts in SETTING_FACTS.values()}) == len(SETTING_FACTS)


@pytest.mark.parametrize("name", list(ANOTHER))
def test_a_change_is_told_by_its_name(name: str) -> None:
    assert changed_settings(Settings(), replace(Settings(), **{name: ANOTHER[name]})) == (name,)


def test_options_and_places_are_each_given_once() -> None:
    given = [SETTING_FACTS[name] for name in WITH_OPTION]
    for what in ("option", "argument", "place"):
        assert len({getattr(facts, what) for facts in given}) == len(given), what


@pytest.mark.parametrize("name", WITH_OPTION)
def test_a_setting_with_an_option_is_in_the_help_is_copied_and_understood(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        command_parser().parse_args(["fit", "--help"])
    told = capsys.readouterr().out
    assert f"  {SETTING_FACTS[name].option}" in told
    settings = replace(small_state().settings, left_out=frozenset(), interval_level=0.9, seed=0)
    plain = replace(small_state(), settings=settings)
    state = replace(plain, settings=replace(settings, **{name: ANOTHER[name]}))
    command = ways_to_reproduce(state)[1].command
    options = command_parser().parse_args(shlex.split(command)[1:])
    assert choices_of(options).applied(plain).settings == state.settings
    assert command != ways_to_reproduce(plain)[1].command


@pytest.mark.parametrize("name", WITH_OPTION)
def test_a_setting_with_an_option_is_an_argument_of_python_and_explained_there(name: str) -> None:
    argument = SETTING_FACTS[name].argument
    assert argument in inspect.signature(Study.fit).parameters
    assert f"\n{argument}\n" in inspect.cleandoc(Study.fit.__doc__ or "")
    page = Path(__file__).resolve().parents[2] / "docs" / "python.md"
    assert f"`{argument}`" in page.read_text(encoding="utf-8")
