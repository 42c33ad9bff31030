"""Options that make the choices of the window about a calibration."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from affinecal_gui.calibration.calibrators.registry import RECOMMENDED, calibrator_keys
from affinecal_gui.calibration.names import key_named
from affinecal_gui.commands.words import number, seed
from affinecal_gui.errors import UserError
from affinecal_gui.study import setting_facts as facts

if TYPE_CHECKING:
    from affinecal_gui.study.fitting.choices import Choices

KERNELS = ("rbf", "linear", "matern12", "matern32", "matern52")


def add_calibrator_argument(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Add the choice of the calibrator, by its key or as results call it; ``more`` goes on with the help."""
    parser.add_argument(
        facts.MODEL.option,
        type=key_named,
        choices=(*calibrator_keys(), RECOMMENDED),
        help=f"whose values are written (default: that chosen in the study, else the recommended one){more}",
    )


def add_choice_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the choices about a calibration; those not given are as the study has them, or as they are by default."""
    group = parser.add_argument_group(
        "choices", "What is not given is as the study has it, or as it is by default for the property."
    )
    _add(group, facts.PROTOCOL)
    _add(group, facts.SEED, type=seed)
    _add_yes_or_no(group, facts.LOG_SCALE, "log_scale", "fit the value itself")
    _add(group, facts.WEIGHTING)
    _add_yes_or_no(group, facts.ROBUST, "robust", "let all measured values count as their weights say")
    _add(group, facts.PENALTIES, type=number, nargs="+", metavar="L")
    _add(group, facts.BLOCKS_OFF, nargs="+", metavar="NAME")
    _add(group, facts.BLOCK_PENALTIES, action="append", metavar="NAME=FACTOR")
    _add(group, facts.INTERVAL_LEVEL, type=number, metavar="LEVEL")
    _add(group, facts.BANDS)
    _add(group, facts.RIGID_BONDS)
    group.add_argument(
        "--temperature-tolerance",
        type=number,
        metavar="K",
        help="how far apart the temperatures of a measured and an MD value may be, where both are stated (default 10)",
    )
    group.add_argument(
        "--md-as-it-comes",
        dest="md_on_one_level",
        action="store_const",
        const=False,
        help="leave the differences between several sources of MD values; otherwise they are taken away where that helps",
    )


def _add(group: "argparse._ActionsContainer", setting: facts.SettingFacts, **how: Any) -> None:
    """Add the option of a setting; ``how`` its words are read."""
    if setting.choices:
        how["choices"] = setting.choices
    group.add_argument(setting.option, help=setting.help, **how)


def _add_yes_or_no(group: "argparse._ActionsContainer", setting: facts.SettingFacts, name: str, no: str) -> None:
    """Add the two options of a setting that is yes or no; ``no`` is the help of the second."""
    either = group.add_mutually_exclusive_group()
    _add(either, setting, dest=name, action="store_const", const=True)
    either.add_argument(setting.off, dest=name, action="store_const", const=False, help=no)


def choices_of(options: argparse.Namespace) -> "Choices":
    """Return the choices that the words of a command make."""
    from affinecal_gui.calibration.results import Penalties
    from affinecal_gui.study.fitting.choices import Choices

    if options.penalties is not None and len(options.penalties) not in (2, 3):
        raise UserError("--penalties takes two or three numbers: λ₁, λ₂ and, if you like, λ of β.")
    return Choices(
        protocol=options.protocol,
        seed=options.seed,
        model=getattr(options, "calibrator", None),  # compare ranks all of them
        log_scale=options.log_scale,
        weighting=options.weights,
        penalties=Penalties(*options.penalties) if options.penalties is not None else None,
        blocks_off=tuple(options.blocks_off) if options.blocks_off is not None else None,
        block_factors=_block_factors(options.block_penalty) if options.block_penalty is not None else None,
        interval_level=options.interval,
        bands=options.bands,
        rigid_bonds=options.rigid_bonds,
        robust=options.robust,
        temperature_tolerance=options.temperature_tolerance,
        md_on_one_level=options.md_on_one_level,
    )


def _block_factors(words: Sequence[str]) -> dict[str, float]:
    factors: dict[str, float] = {}
    for word in words:
        name, _, text = word.rpartition("=")
        try:
            factor = float(text)
        except ValueError:
            name = ""
        if not name:
            raise UserError(f"--block-penalty takes a block and a factor, for example k_bond=3; “{word}” is not so.")
        if name in factors:
            raise UserError(f"--block-penalty names {name} twice.")
        factors[name] = factor
    return factors
