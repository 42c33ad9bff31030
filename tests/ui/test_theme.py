"""Colours, fonts, style sheet and icons: complete, readable, and following the system."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QFile, QIODevice, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QIcon
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from affinecal_gui.bundled import resources
from affinecal_gui.calibration.calibrators.registry import calibrator_keys
from affinecal_gui.ui.parts.theme import icons
from affinecal_gui.ui.parts.theme.fonts import interface_font
from affinecal_gui.ui.parts.theme.model_style import model_style
from affinecal_gui.ui.parts.theme.palette import DARK, LIGHT, Palette
from affinecal_gui.ui.parts.theme.style_sheet import style_sheet
from affinecal_gui.ui.parts.theme.theme import DARK_THEME, LIGHT_THEME, Theme, current_theme, icon
from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper

needs_fontconfig = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="other systems have no such settings"
)

PALETTES = (LIGHT, DARK)
ROLES = tuple(role for role in Palette._fields if role != "scheme")


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("palette", PALETTES, ids=lambda p: p.scheme)
def test_every_role_is_a_colour(palette: Palette) -> None:
    assert all(re.fullmatch(r"#[0-9A-F]{6}", getattr(palette, role)) for role in ROLES)


@pytest.mark.parametrize("palette", PALETTES, ids=lambda p: p.scheme)
@pytest.mark.parametrize("ground", ["base", "alternate_row", "window", "selection"])
@pytest.mark.parametrize("role", ["text", "muted", "link", "good", "caution", "bad"])
def test_words_can_be_read(palette: Palette, ground: str, role: str) -> None:
    # 4.5 : 1 is what WCAG asks of small text.
    assert contrast(getattr(palette, role), getattr(palette, ground)) >= 4.5


@pytest.mark.parametrize("palette", PALETTES, ids=lambda p: p.scheme)
def test_marks_can_be_seen(palette: Palette) -> None:
    # 3 : 1 is what WCAG asks of graphics.
    for role in (*(style.role for style in map(model_style, calibrator_keys())), "selected_point", "accent"):
        assert contrast(getattr(palette, role), palette.base) >= 3.0, role
    assert contrast(palette.text_on_accent, palette.accent) >= 4.5


def test_calibrators_differ_in_more_than_colour() -> None:
    for attribute in ("title", "role", "symbol"):
        assert len({getattr(style, attribute) for style in map(model_style, calibrator_keys())}) == len(
            calibrator_keys()
        )


@pytest.mark.parametrize("palette", PALETTES, ids=lambda p: p.scheme)
def test_style_sheet_is_filled(qapp: QApplication, palette: Palette) -> None:
    sheet = style_sheet(palette)
    assert "@" not in sheet
    assert "/*" not in sheet
    addresses = re.findall(r"url\(([^)]+)\)", sheet)
    assert addresses
    assert all(QFile.exists(address) for address in addresses)
    assert all(f".{'dark' if palette is LIGHT else 'light'}." not in address for address in addresses)


def test_every_icon_reaches_qt_in_every_colour(qapp: QApplication) -> None:
    for palette in PALETTES:
        for role in icons.ROLES:
            for name in icons.icon_names():
                file = QFile(icons.path(palette, role, name))
                assert file.open(QIODevice.OpenModeFlag.ReadOnly)
                expected = icons.drawing(name).replace("currentColor", getattr(palette, role))
                assert file.readAll().data().decode() == expected


@given(st.dictionaries(st.text("abcdefghijklmnopqrstuvwxyz_.-0123456789", min_size=1), st.binary(), min_size=1))
def testresource_tree_holds_what_was_put_in(files: dict[str, bytes]) -> None:
    structure, names, data = icons.resource_tree("folder", files)
    # Read back independently of Qt: entries of 14 bytes, the first two are the root and the folder.
    found = {}
    hashes = []
    for entry in range(2, 2 + len(files)):
        at = 14 * entry
        name_at = int.from_bytes(structure[at : at + 4], "big")
        data_at = int.from_bytes(structure[at + 10 : at + 14], "big")
        length = int.from_bytes(names[name_at : name_at + 2], "big")
        hashes.append(int.from_bytes(names[name_at + 2 : name_at + 6], "big"))
        name = names[name_at + 6 : name_at + 6 + 2 * length].decode("utf-16-be")
        size = int.from_bytes(data[data_at : data_at + 4], "big")
        found[name] = data[data_at + 4 : data_at + 4 + size]
    assert found == files
    assert hashes == sorted(hashes)


@pytest.mark.parametrize("name", ["check", "calibrate", "close", "table"])
def test_icon_has_the_colour_of_its_role(qapp: QApplication, name: str) -> None:
    for mode, role in ((QIcon.Mode.Normal, "good"), (QIcon.Mode.Disabled, "faint")):
        image = icon(name, LIGHT, "good").pixmap(QSize(64, 64), 1.0, mode).toImage()
        seen = {
            image.pixelColor(x, y).name().upper()
            for x in range(64)
            for y in range(64)
            if image.pixelColor(x, y).alpha() == 255
        }
        assert seen == {getattr(LIGHT, role)}


def test_icons_are_sharp_at_twice_the_scale(qapp: QApplication) -> None:
    assert icon("check", LIGHT).pixmap(QSize(16, 16), 2.0).size() == QSize(32, 32)


def test_unknown_names_are_told(qapp: QApplication) -> None:
    with pytest.raises(KeyError, match="no icon is called"):
        icon("does_not_exist", LIGHT)
    with pytest.raises(KeyError, match="not drawn in the role"):
        icon("check", LIGHT, "interval_bar")


def test_drawings_are_of_one_kind() -> None:
    for name in icons.icon_names():
        text = icons.drawing(name)
        assert text.startswith("<svg ")
        if name != "affinecal":  # the sign of the program has its own colours and size
            assert 'viewBox="0 0 16 16"' in text
            assert 'stroke-width="1.35"' in text
            assert not re.search(r"#[0-9a-fA-F]{3}", text)


def test_fonts_have_figures_of_one_width(qapp: QApplication) -> None:
    for size in (12.0, 11.0, 13.0):
        assert LIGHT_THEME.font(size).pixelSize() == size
    assert LIGHT_THEME.font(10.5).pointSizeF() * 96 / 72 == pytest.approx(10.5, rel=0.34)  # 72 dpi on macOS
    assert LIGHT_THEME.font().featureValue(QFont.Tag("tnum")) == 1
    assert LIGHT_THEME.font(bold=True).weight() == QFont.Weight.DemiBold
    first = LIGHT_THEME.font()
    first.setPixelSize(40)
    assert LIGHT_THEME.font().pixelSize() == 12  # what is handed out is a copy


def test_bold_words_of_a_rich_text_are_those_of_the_bold_font(qapp: QApplication) -> None:
    pictures = []
    for words in ("<b>Measured</b>", "<span style='font-weight: 600'>Measured</span>", "Measured"):
        shown = QLabel(words)
        shown.setTextFormat(Qt.TextFormat.RichText)
        shown.setFont(LIGHT_THEME.font(13.0))
        shown.resize(120, 30)
        pictures.append(shown.grab().toImage())
    by_tag, by_weight, regular = pictures
    assert by_tag == by_weight  # no glyph is made bolder than it was drawn
    assert by_tag != regular


def test_applying_a_theme_reaches_palette_font_and_plots(qapp: QApplication) -> None:
    import pyqtgraph as pg

    import affinecal_gui.ui.parts.theme.plotting  # noqa: F401 - every plot imports it

    for chosen in (DARK_THEME, LIGHT_THEME):
        chosen.apply_to(qapp)
        assert current_theme() is chosen
        assert qapp.palette().window().color() == QColor(chosen.palette.window)
        assert qapp.font().pixelSize() == 12
        assert chosen.palette.selection in qapp.styleSheet()
        assert pg.getConfigOption("background") == QColor(chosen.palette.base)


def test_keeper_follows_the_system_until_the_user_chooses(qapp: QApplication, qtbot: QtBot) -> None:
    keeper = ThemeKeeper(qapp, "light")
    heard: list[Theme] = []
    keeper.changed.connect(heard.append)
    assert (keeper.theme, keeper.choice) == (LIGHT_THEME, "light")
    keeper.follow_system(Qt.ColorScheme.Dark)
    assert heard == []  # the user's choice stands
    keeper.set_choice("dark")
    keeper.set_choice("dark")
    assert heard == [DARK_THEME]
    keeper.set_choice("system")
    heard.clear()
    system = keeper.theme
    keeper.follow_system(Qt.ColorScheme.Light if system.dark else Qt.ColorScheme.Dark)
    assert keeper.theme.dark is not system.dark
    assert heard == [keeper.theme]
    keeper.set_choice("light")
    keeper.deleteLater()


def test_template_with_unknown_role_is_refused(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    class Fake:
        def __truediv__(self, _: str) -> "Fake":
            return self

        def read_text(self, encoding: str) -> str:
            return "QLabel { color: @no_such_role; }"

    monkeypatch.setattr("affinecal_gui.ui.parts.theme.style_sheet.resources", Fake)
    with pytest.raises(KeyError):
        style_sheet(LIGHT._replace(text="#000001"))  # another palette: the filled sheets are kept


WORDS = "190 descriptors computed for all 333 polymers with an MD value."


def width_elsewhere(settings: Path) -> float:
    """Return the width of the words on a system whose fonts are set up by a file."""
    measure = (
        "from PySide6.QtGui import QFontMetricsF, QGuiApplication; app = QGuiApplication([]);"
        "from affinecal_gui.ui.parts.theme.fonts import interface_font;"
        f"print(QFontMetricsF(interface_font()).horizontalAdvance({WORDS!r}))"
    )
    given = {**os.environ, "FONTCONFIG_FILE": str(settings), "QT_QPA_PLATFORM": "offscreen"}
    found = subprocess.run([sys.executable, "-c", measure], env=given, capture_output=True, text=True, check=True)
    return float(found.stdout)


@needs_fontconfig
def test_a_text_has_the_same_width_however_the_system_fits_glyphs_to_pixels(qapp: QApplication, tmp_path: Path) -> None:
    settings = tmp_path / "fonts.conf"
    rule = '<match target="font"><edit name="hintstyle" mode="assign"><const>hintfull</const></edit></match>'
    settings.write_text(f'<?xml version="1.0"?><fontconfig>{rule}</fontconfig>', encoding="utf-8")
    assert width_elsewhere(settings) == QFontMetricsF(interface_font()).horizontalAdvance(WORDS)


@needs_fontconfig
def test_a_text_has_the_same_width_where_the_system_has_another_inter(qapp: QApplication, tmp_path: Path) -> None:
    with TTFont(resources() / "fonts" / "interface" / "Inter-Regular.otf") as font:
        for number, text in ((1, "Inter"), (4, "Inter Regular"), (6, "Inter-Regular")):
            font["name"].setName(text, number, 3, 1, 0x409)
        for glyph, (width, left) in font["hmtx"].metrics.items():
            font["hmtx"].metrics[glyph] = width + 100, left
        font.save(tmp_path / "Inter-Regular.otf")
    settings = tmp_path / "fonts.conf"
    settings.write_text(f'<?xml version="1.0"?><fontconfig><dir>{tmp_path}</dir></fontconfig>', encoding="utf-8")
    assert width_elsewhere(settings) == QFontMetricsF(interface_font()).horizontalAdvance(WORDS)
    # Which of two families of one name is taken depends on more than the files; so ours has a name of its own.
    assert interface_font().family() == "AffineCal Inter"
