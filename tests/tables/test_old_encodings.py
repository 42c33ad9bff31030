"""Tables that are not in Unicode are read with the right signs of degrees, whatever the letters of their names."""

import pytest

from affinecal_gui.tables.text.encodings import guess_encoding
from tests.tables.said_of import POLYMERS

LATIN = ("PE", "PP", "PVC", "PEO", "PAN", "PVA", "PVDF", "PMMA", "PVF")
NAMES = {
    "western": (
        "polyéthylène",
        "polypropylène",
        "PVC",
        "Polyäther",
        "PAN",
        "weiß",
        "señal",
        "acrylate de méthyle",
        "fluoré",
    ),
    "russian": (
        *("полиэтилен", "полипропилен", "поливинилхлорид", "полиэтиленоксид", "полиакрилонитрил"),
        *("поливиниловый спирт", "поливинилиденфторид", "полиметилакрилат", "поливинилфторид"),
    ),
    "japanese": (
        *("ポリエチレン", "ポリプロピレン", "塩化ビニル", "酸化エチレン", "アクリロニトリル", "ビニルアルコール"),
        *("フッ化ビニリデン", "アクリル酸メチル", "フッ化ビニル"),
    ),
    "taiwanese": ("聚乙烯", "聚丙烯", "聚氯乙烯", "聚醚", "聚酯", "聚乙烯醇", "聚氟乙烯", "聚碳酸酯", "聚苯乙烯"),
    "korean": (
        *("폴리에틸렌", "폴리프로필렌", "폴리염화비닐", "폴리에틸렌옥사이드", "폴리아크릴로니트릴"),
        *("폴리비닐알코올", "폴리비닐리덴", "폴리메틸아크릴레이트", "폴리불화비닐"),
    ),
}


@pytest.mark.parametrize(
    ("encoding", "script", "sign"),
    [
        *((encoding, "western", "°C") for encoding in ("cp1252", "mac_roman", "cp850", "cp437", "iso8859_15")),
        *((encoding, "russian", "°C") for encoding in ("cp1251", "koi8_r", "cp866", "mac_cyrillic")),
        *((encoding, "japanese", sign) for encoding in ("euc_jp", "cp932", "iso2022_jp") for sign in ("℃", "°C")),
        *((encoding, "taiwanese", sign) for encoding in ("big5", "cp950") for sign in ("℃", "°C")),
        *((encoding, "korean", sign) for encoding in ("euc_kr", "cp949") for sign in ("℃", "°C")),
    ],
)
@pytest.mark.parametrize("where", ["names", "heading only", "cells"])
def test_signs_of_degrees_are_read_rightly(encoding: str, script: str, sign: str, where: str) -> None:
    names = LATIN if where == "heading only" else NAMES[script]
    heading, behind = ("Tg", f" {sign}") if where == "cells" else (f"Tg ({sign})", "")
    rows = [
        f"{name},{unit},{-73.5 + 9 * n}{behind}" for n, (name, unit) in enumerate(zip(names, POLYMERS, strict=True))
    ]
    text = "\n".join((f"name,smiles,{heading}", *rows))
    written = text.encode(encoding)
    read = written.decode(guess_encoding(written, complete=True).encoding)
    assert read == text if encoding != "cp437" else read.count(sign) == text.count(sign)


@pytest.mark.parametrize("unit", ["g/cm³", "µW/m", "m²/s"])
@pytest.mark.parametrize("encoding", ["cp1252", "cp850"])
def test_other_signs_of_units_tell_the_encoding_too(unit: str, encoding: str) -> None:
    written = f"smiles,value ({unit})\n*CC*,0.86\n".encode(encoding)
    assert unit in written.decode(guess_encoding(written, complete=True).encoding)
