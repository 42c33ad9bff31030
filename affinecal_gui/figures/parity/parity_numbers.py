"""The numbers in the corner of a parity plot, as a small table."""

from collections.abc import Sequence
from dataclasses import dataclass

from affinecal_gui.calibration.results import Metrics
from affinecal_gui.figures.parity.parity_series import Series
from affinecal_gui.figures.sheet import Sheet, line_height, text_width
from affinecal_gui.figures.style import MUTED, POINT, SMALL, TEXT, Look, look
from affinecal_gui.numbers import r_squared, significant

_BETWEEN = 1.6  # mm between columns
_PAPER = 0.5  # mm of white around the table
_PALING = 0.5  # opacity of that white
_MARKER = 2.6  # mm for the marker before a name


@dataclass(frozen=True, slots=True)
class _Row:
    cells: tuple[str, ...]
    marked: Look | None = None


@dataclass(frozen=True, slots=True)
class NumberTable:
    """Names at the left, numbers beside them."""

    rows: tuple[_Row, ...]
    widths: tuple[float, ...]  # of the columns, mm

    @property
    def width(self) -> float:
        """Width in mm."""
        return sum(self.widths) + _BETWEEN * (len(self.widths) - 1)

    @property
    def height(self) -> float:
        """Height in mm."""
        return line_height(SMALL) * len(self.rows)

    def draw(self, sheet: Sheet, left: float, top: float) -> None:
        """Draw with the upper left corner at (left, top), on paper that pales the bars passing below, but hides none."""
        sheet.box(
            left - _PAPER, top - self.height - _PAPER, self.width + 2 * _PAPER, self.height + 2 * _PAPER,
            facecolor="white", edgecolor="none", alpha=_PALING, zorder=2,
        )  # fmt: skip
        for number, row in enumerate(self.rows):
            baseline = top - (number + 0.78) * line_height(SMALL)
            x = left
            for column, (cell, width) in enumerate(zip(row.cells, self.widths, strict=True)):
                start = x
                if row.marked and column == 0:
                    _draw_marker(sheet, x + 0.8, baseline, row.marked)
                    start += _MARKER
                muted = column == 0 or self._is_head(number)
                sheet.write(start, baseline, cell, size=SMALL, colour=MUTED if muted else TEXT)
                x += width + _BETWEEN

    def _is_head(self, number: int) -> bool:
        return number == 0 and len(self.widths) > 2


def one_table(metrics: Metrics) -> NumberTable:
    """RMSE, MAE, R² and n of one calibrator, below each other."""
    return _table(
        [
            _Row(("RMSE", significant(metrics.rmse))),
            _Row(("MAE", significant(metrics.mae))),
            _Row(("$R^2$", _r2(metrics))),
            _Row(("$n$", str(metrics.n))),
        ]
    )


def common_table(series: Sequence[Series], *, log: bool) -> NumberTable:
    """RMSE, MAE and R² of several calibrators, one row each with its marker; it is their legend, too."""
    sizes = sorted({one.metrics.n for one in series})
    n = f"$n$ = {sizes[0]}" if len(sizes) == 1 else f"$n$ = {sizes[0]} to {sizes[-1]}"
    rows = [_Row((n, "RMSE", "MAE", "$R^2$"))]
    for one in series:
        drawn, metrics = look(one.model, log=log), one.metrics
        rows.append(_Row((drawn.title, significant(metrics.rmse), significant(metrics.mae), _r2(metrics)), drawn))
    return _table(rows)


def _r2(metrics: Metrics) -> str:
    return r_squared(metrics.r2)


def _table(rows: Sequence[_Row]) -> NumberTable:
    widths = [
        max(text_width(row.cells[at], SMALL) + (_MARKER if row.marked and at == 0 else 0.0) for row in rows)
        for at in range(len(rows[0].cells))
    ]
    return NumberTable(tuple(rows), tuple(widths))


def _draw_marker(sheet: Sheet, x: float, baseline: float, drawn: Look) -> None:
    sheet.line(
        [x],
        [baseline + SMALL * POINT * 0.34],
        linestyle="none",
        marker=drawn.marker,
        markersize=4.0 * (0.85 if drawn.marker == "D" else 1.0),
        markerfacecolor=drawn.colour,
        markeredgewidth=0,
    )
