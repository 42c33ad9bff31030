"""Every colour of the window, light and dark."""

from typing import Literal, NamedTuple


class Palette(NamedTuple):
    """Every colour of the window by role, as ``#rrggbb``; data colours follow Okabe and Ito."""

    scheme: Literal["light", "dark"]
    window: str
    dock_title: str
    base: str
    alternate_row: str
    border: str
    soft_border: str
    grid: str
    text: str
    muted: str
    faint: str
    accent: str
    text_on_accent: str
    selection: str
    link: str
    button_top: str
    button_bottom: str
    grey: str
    ochre: str
    green: str
    blue: str
    brown: str
    olive: str
    violet: str
    sky: str
    red: str
    sage: str
    indigo: str
    teal: str
    rose: str
    lime: str
    copper: str
    moss: str
    navy: str
    selected_point: str
    interval_bar: str
    coefficient_band: str
    good: str
    caution: str
    bad: str
    good_tint: str
    caution_tint: str
    bad_tint: str
    atom_lowers: str
    atom_average: str
    atom_raises: str
    surface_best: str
    surface_worst: str


LIGHT = Palette(
    scheme="light",
    window="#EFF0F2",
    dock_title="#E4E6E9",
    base="#FFFFFF",
    alternate_row="#F6F7F8",
    border="#BFC4C9",
    soft_border="#DCDFE2",
    grid="#ECEEF0",
    text="#1B1F23",
    muted="#58616A",
    faint="#6E7780",
    accent="#0072B2",
    text_on_accent="#FFFFFF",
    selection="#D8E8F3",
    link="#005E94",
    button_top="#FDFDFE",
    button_bottom="#EDEFF1",
    grey="#6B747C",
    ochre="#B97900",
    green="#00805E",
    blue="#0072B2",
    brown="#8A5A00",
    olive="#4D5D2A",
    violet="#A0478A",
    sky="#2B8CBE",
    red="#B03A2E",
    sage="#5B8E7D",
    indigo="#33558B",
    teal="#007A87",
    rose="#C2528B",
    lime="#6B8E00",
    copper="#A8581C",
    moss="#3E7A3A",
    navy="#1F4E9C",
    selected_point="#D55E00",
    interval_bar="#9CC3DC",
    coefficient_band="#CFE2EF",
    good="#00735A",
    caution="#9A4A00",
    bad="#A83A00",
    good_tint="#E2F3EA",
    caution_tint="#FFF3E4",
    bad_tint="#FBE3DA",
    atom_lowers="#4AA3D8",
    atom_average="#E6E8EA",
    atom_raises="#E8834A",
    surface_best="#00507E",
    surface_worst="#F3F6F8",
)

DARK = Palette(
    scheme="dark",
    window="#25282C",
    dock_title="#2E3237",
    base="#1A1D20",
    alternate_row="#1F2226",
    border="#484E55",
    soft_border="#34393F",
    grid="#272B2F",
    text="#E4E7EA",
    muted="#A2ABB4",
    faint="#8A949D",
    accent="#56B4E9",
    text_on_accent="#08202E",
    selection="#1E4259",
    link="#7CC4EE",
    button_top="#3A3F45",
    button_bottom="#32373C",
    grey="#A2ABB4",
    ochre="#E69F00",
    green="#2CC79B",
    blue="#56B4E9",
    brown="#D9A441",
    olive="#A9BF6B",
    violet="#D98CC6",
    sky="#7CC4E8",
    red="#E88474",
    sage="#93CDB9",
    indigo="#8FB0E0",
    teal="#4FC3CF",
    rose="#E79BC0",
    lime="#C3DB5E",
    copper="#F0A070",
    moss="#8FD08A",
    navy="#9DB8FF",
    selected_point="#FF8A3D",
    interval_bar="#3F7592",
    coefficient_band="#23465A",
    good="#3CCB9F",
    caution="#F2B45C",
    bad="#FF9A6B",
    good_tint="#1C3A2E",
    caution_tint="#3A2E1C",
    bad_tint="#47281D",
    atom_lowers="#2E86C1",
    atom_average="#4A5056",
    atom_raises="#C9601F",
    surface_best="#7CCBF7",
    surface_worst="#22272B",
)
