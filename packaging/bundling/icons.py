"""The icon in the sizes and formats that the systems want; run with the environment of the bundle.

python packaging/bundling/icons.py FOLDER
"""

import io
import os
import sys
from pathlib import Path

SIZES = (16, 24, 32, 48, 64, 128, 256, 512, 1024)
ICON = Path(__file__).resolve().parent.parent.parent / "resources" / "icons" / "affinecal.svg"


def main(folder: Path) -> None:
    """Write ``affinecal-SIZE.png``, ``affinecal.ico`` and ``AffineCal.icns``."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PIL import Image
    from PySide6.QtCore import QBuffer, QIODevice, Qt
    from PySide6.QtGui import QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    app = QGuiApplication(sys.argv[:1])
    folder.mkdir(parents=True, exist_ok=True)
    drawing = QSvgRenderer(str(ICON))
    pictures = {}
    for size in SIZES:
        image = QImage(size, size, QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        drawing.render(painter)
        painter.end()
        kept = QBuffer()
        kept.open(QIODevice.OpenModeFlag.WriteOnly)
        image.save(kept, "PNG")  # type: ignore[call-overload]
        pictures[size] = Image.open(io.BytesIO(kept.data().data())).convert("RGBA")
        pictures[size].save(folder / f"affinecal-{size}.png", optimize=True)
    small = [pictures[size] for size in SIZES if size <= 256]
    small[-1].save(folder / "affinecal.ico", sizes=[picture.size for picture in small], append_images=small[:-1])
    pictures[1024].save(folder / "AffineCal.icns", append_images=[pictures[size] for size in (32, 64, 128, 256, 512)])
    del app


if __name__ == "__main__":
    main(Path(sys.argv[1]))
