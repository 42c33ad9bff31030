"""The key of the coefficient view: what filled bars, outlined bars and the band mean."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from affinecal_gui.calibration.calibrators.registry import DEFAULT
from affinecal_gui.calibration.results import ModelName
from affinecal_gui.ui.parts.number_text import number_text
from affinecal_gui.ui.parts.terms import CLEAR_OF_ZERO, NOT_CLEAR_OF_ZERO, STANDARD_UNIT
from affinecal_gui.ui.parts.theme.fonts import NOTE_SIZE
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.parts.widgets.rows import ControlRow
from affinecal_gui.ui.views.plots.canvas.pens import line
from affinecal_gui.ui.views.plots.coefficients.coefficient_scale import CoefficientScale

_TIPS = (
    CLEAR_OF_ZERO,
    NOT_CLEAR_OF_ZERO,
    f"Where the coefficient may lie, judged from the measurements. {STANDARD_UNIT}",
)
"""What the words of the key mean: filled bars, outlined bars, the band."""

_CUT_TIP = "Bands that reach beyond the frame are cut there: the axis is scaled on the bars."


class CoefficientKey(ControlRow):
    """Three samples, each with a word beside it and a sentence as its tooltip."""

    def __init__(self) -> None:
        self.swatches = (Swatch("filled", "clear of zero"), Swatch("outlined", "not clear"), Swatch("band", "band"))
        for swatch, tip in zip(self.swatches, _TIPS, strict=True):
            swatch.setToolTip(tip)
        super().__init__(self.swatches, spacing=12)

    def show_for(
        self, model: ModelName, interval_level: float, worth: str, *, with_band: bool, scale: CoefficientScale
    ) -> None:
        """Take the colour of a calibrator, and say the level of the bands, what they are worth, and whether they are cut."""
        cut = scale.cuts_bands
        for swatch in self.swatches:
            swatch.setVisible(with_band)
            swatch.set_model(model, scale.band_opacity)
        level = number_text(100.0 * interval_level)
        self.swatches[2].setToolTip(" ".join(filter(None, (_TIPS[2], worth, _CUT_TIP if cut else ""))))
        self.swatches[2].set_text(f"{level} % band, cut" if cut else f"{level} % band")

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours."""
        for swatch in self.swatches:
            swatch.apply_theme(theme)


class Swatch(QWidget):
    """A sample of a bar or of the band, and its meaning."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__()
        self._kind, self._text = kind, text
        self._theme = current_theme()
        self._model: ModelName = DEFAULT
        self._band_opacity = 1.0
        self.setAccessibleName(text)

    def set_text(self, text: str) -> None:
        """Change the meaning."""
        self._text = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def set_model(self, model: ModelName, band_opacity: float) -> None:
        """Take the colour of a calibrator, and how strong that of its bands is."""
        self._model, self._band_opacity = model, band_opacity
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self.setFont(theme.font(NOTE_SIZE))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of sample and words."""
        return QSize(self._sample_width() + 7 + self.fontMetrics().horizontalAdvance(self._text) + 1, 18)

    def minimumSizeHint(self) -> QSize:
        """Return the same: the words are not cut."""
        return self.sizeHint()

    def _sample_width(self) -> int:
        return 18 if self._kind == "band" else 7

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw sample and words."""
        theme = self._theme
        painter = QPainter(self)
        painter.setFont(self.font())
        width, middle = self._sample_width(), self.height() / 2.0
        if self._kind == "band":
            painter.fillRect(
                QRectF(0.0, middle - 5.0, width, 10.0), theme.colour("coefficient_band", self._band_opacity)
            )
        elif self._kind == "filled":
            painter.fillRect(QRectF(1.0, middle - 5.0, 5.0, 10.0), theme.model_colour(self._model))
        else:
            painter.setPen(line(theme.model_colour(self._model), 1.0))
            painter.drawRect(QRectF(1.5, middle - 4.5, 4.0, 9.0))
        painter.setPen(theme.colour("muted"))
        painter.drawText(
            QRectF(width + 7.0, 0.0, self.width(), self.height()), int(Qt.AlignmentFlag.AlignVCenter), self._text
        )
        painter.end()
