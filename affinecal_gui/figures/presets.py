"""Sizes and resolutions that journals ask for."""

from dataclasses import dataclass

from affinecal_gui.errors import UserError


@dataclass(frozen=True, slots=True)
class Preset:
    """One place a figure may go to. The type is 6 to 7.5 points at any of these widths."""

    key: str  # stable short name, as on the command line
    title: str
    width_mm: float
    dpi: int  # of PNG and TIFF


PRESETS: tuple[Preset, ...] = (
    Preset("single", "Single column (85 mm)", 85.0, 600),
    Preset("one-and-half", "One and a half columns (120 mm)", 120.0, 600),
    Preset("double", "Double column (175 mm)", 175.0, 600),
    Preset("full", "Full page width (180 mm)", 180.0, 300),
    Preset("slide", "Slide (250 mm)", 250.0, 200),
)

DEFAULT = PRESETS[3]


def find_preset(key: str) -> Preset:
    """Return the preset with this key.

    Raises
    ------
    UserError
        There is none of that name.
    """
    for preset in PRESETS:
        if preset.key == key:
            return preset
    names = ", ".join(preset.key for preset in PRESETS)
    raise UserError(f'There is no figure size called "{key}". Use one of {names}.')
