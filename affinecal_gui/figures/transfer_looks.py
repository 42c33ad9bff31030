"""How the transfer methods are drawn: Okabe-Ito hues, and markers that tell them apart in grey."""

from affinecal_gui.calibration.transfer.methods import TRANSFER_TITLES, TransferName
from affinecal_gui.figures.style import Look

_DRAWN: dict[TransferName, tuple[str, str]] = {
    "only_source": ("#B97900", "^"),
    "direct": ("#58616A", "s"),
    "augmented": ("#A0478A", "v"),
    "htl_offset": ("#2B8CBE", "P"),
    "htl_scale": ("#B03A2E", "X"),
    "affine_tl_const": ("#00805E", "D"),
    "affine_tl_full": ("#0072B2", "o"),
}


def transfer_look(method: TransferName) -> Look:
    """Return name, colour and marker of a method."""
    return Look(TRANSFER_TITLES[method], *_DRAWN[method])
