"""Options that make the choices of the window about a calibration."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from affinecal_gui.commands.words import number, seed
from affinecal_gui.errors import UserError

if TYPE_CHECKING:
    from affinecal_gui.study.fitting.choices import Choices

KERNELS = ("rbf", "linear", "matern12", "matern32", "matern52")


def add_choice_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the choices about a calibration; those not given are as the study has them, or as they are by default."""
    group = parser.add_argument_group(
        "choices", "What is not given is as the study has it, or as it is by default for the property."
    )
    group.add_argument(
        "--protocol", choices=("default", "paper"), help="how the calibrators are checked (default default)"
    )
    group.add_argument("--seed", type=seed, help="of the folds (default 0)")
    scale = group.add_mutually_exclusive_group()
    scale.add_argument("--log", dest="log_scale", action="store_const", const=True, help="fit the natural logarithm")
    scale.add_argument("--linear", dest="log_scale", action="store_const", const=False, help="fit the value itself")
    group.add_argument(
        "--weights",
        choices=("none", "uncertainty", "repeats"),
        help="let measured values count by their uncertainty, or by the number of reports behind them (default none)",
    )
    group.add_argument(
        "--penalties",
        type=number,
        nargs="+",
        metavar="L",
        help="λ₁, λ₂ and, if you like, λ of β, instead of those that cross-validation chooses",
    )
    group.add_argument(
        "--blocks-off", nargs="+", metavar="NAME", help="descriptor blocks left out of the models, e.g. charge polar"
    )
    group.add_argument(
        "--block-penalty",
        action="append",
        metavar="NAME=FACTOR",
        help="multiply the penalties of a block, e.g. k_bond=3 (above 1: smaller and smoother coefficients); may be repeated",
    )
    group.add_argument(
        "--interval", type=number, metavar="LEVEL", help="of the intervals, between 0 and 1 (default 0.9)"
    )
    group.add_argument(
        "--bands",
        choices=("posterior", "bootstrap"),
        help="of coefficients and parameters: where they lie at that level, or where refits to resampled polymers lie "
        "(default posterior)",
    )


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
