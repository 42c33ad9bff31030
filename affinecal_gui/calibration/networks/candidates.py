"""The methods of the conductivity experiment, and what each of them chooses from by cross-validation, as published."""

from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

from affinecal_gui.calibration.networks.models import Affine, Alone, Model
from affinecal_gui.calibration.networks.perceptron import Perceptron, Reals
from affinecal_gui.calibration.networks.training import Recipe

Input = Literal["descriptors", "features"]

EPOCHS = (50, 75, 100)
TUNING_EPOCHS = (0, 1, 5, 10, 20, 30, 40, 50)
SHARES = (0.5, 0.75)  # width of a hidden layer over what comes in
DROPOUTS = (0.25, 0.5)
AFFINE_SHARES = (0.25, 0.5, 0.75)
AFFINE_DROPOUT = 0.5
ANCHORS = (0.001, 0.01, 0.1, 1.0)  # penalties of L2-SP


@dataclass(frozen=True, slots=True)
class NeuralMethod:
    """A method of the experiment."""

    key: str
    title: str
    uses: Literal["nothing", "features", "weights"]  # of the source network
    layer: int = 0  # hidden layer whose output are the source features
    work: float = 1.0  # share of the whole experiment, roughly


@dataclass(frozen=True, slots=True)
class WarmStart:
    """What a method that goes on training a source network starts from."""

    learned: Reals  # (1, size)
    free: Reals | None = None  # (1, size) 1 where a number may change, else 0; None for all


@dataclass(frozen=True, slots=True)
class NetworkCandidate:
    """A network and how it is trained, with the numbers of epochs after which it may end."""

    model: Model
    inputs: tuple[Input, ...]
    recipe: Recipe
    epochs: tuple[int, ...]
    words: str
    anchored: bool = False  # the penalty draws towards the start instead of zero

    def label(self, epochs: int) -> str:
        """Name the candidate that ends after so many epochs."""
        return f"{self.words}, {epochs} epochs" if self.words else f"{epochs} epochs"


NO_TRANSFER = NeuralMethod("no_transfer", "Without transfer", "nothing", work=12.0)
FINE_TUNING = NeuralMethod("fine_tuning", "Fine-tuning", "weights")
L2_SP = NeuralMethod("l2_sp", "L2-SP", "weights", work=3.0)
PAC_NET = NeuralMethod("pac_net", "PAC-Net", "weights")
MAML = NeuralMethod("maml", "MAML, first order", "weights")
EXTRACTION = tuple(
    NeuralMethod(f"features_{layer}", f"Feature extraction, layer {layer}", "features", layer) for layer in (1, 2, 3)
)
AFFINE_TRANSFER = tuple(
    NeuralMethod(f"affine_{layer}", f"Affine transfer, layer {layer}", "features", layer, 8.0) for layer in (1, 2, 3)
)
NEURAL_METHODS = (NO_TRANSFER, FINE_TUNING, L2_SP, PAC_NET, MAML, *EXTRACTION, *AFFINE_TRANSFER)


def candidates(method: NeuralMethod, descriptors: int, width: int) -> tuple[NetworkCandidate, ...]:
    """Return what a method chooses from.

    Parameters
    ----------
    method
        Which.
    descriptors
        How many there are.
    width
        Of each hidden layer of the source network.
    """
    recipe = Recipe()
    if method.uses == "weights":
        source = Alone(Perceptron((descriptors, width, width, width)))
        if method == L2_SP:
            return tuple(
                NetworkCandidate(
                    source,
                    ("descriptors",),
                    replace(recipe, l2=l2),
                    TUNING_EPOCHS[1:],
                    f"penalty {l2:g}",
                    anchored=True,
                )
                for l2 in ANCHORS
            )
        return (NetworkCandidate(source, ("descriptors",), recipe, TUNING_EPOCHS, ""),)
    if method in AFFINE_TRANSFER:
        return tuple(
            NetworkCandidate(
                Affine(
                    Perceptron((width, int(width * one)), heads=2),
                    Perceptron((descriptors, int(descriptors * other))),
                ),
                ("features", "descriptors"),
                replace(recipe, dropout=AFFINE_DROPOUT),
                EPOCHS,
                f"g1 and g2 {one:g}, g3 {other:g} as wide",
            )
            for one, other in product(AFFINE_SHARES, AFFINE_SHARES)
        )
    inputs: tuple[Input, ...] = ("features",) if method.uses == "features" else ("descriptors",)
    wide = width if method.uses == "features" else descriptors
    return tuple(
        NetworkCandidate(
            Alone(Perceptron((wide, first, int(first * other)))),
            inputs,
            replace(recipe, dropout=dropout),
            EPOCHS,
            f"layers {one:g} and {other:g} as wide, dropout {dropout:g}",
        )
        for one, other, dropout in product(SHARES, SHARES, DROPOUTS)
        for first in (int(wide * one),)
    )
