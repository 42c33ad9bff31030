"""A report as one HTML file: no script, nothing fetched, every text escaped."""

import base64
from functools import singledispatch
from html import escape

from affinecal_gui.figures.releasing import drawn
from affinecal_gui.figures.report.report_document import (
    Command,
    Document,
    Element,
    Formula,
    Heading,
    Paragraph,
    Picture,
    Structures,
    Table,
)  # fmt: skip
from affinecal_gui.figures.report.structure_grid import structures_html
from affinecal_gui.figures.saving import render_figure
from affinecal_gui.figures.sheet import figure_of, new_figure
from affinecal_gui.figures.style import journal_style
from affinecal_gui.task import UNWATCHED, Task

_STYLE = """
:root { color-scheme: light; }
body { max-width: 178mm; margin: 12mm auto; padding: 0 6mm; background: #FFFFFF; color: #1B1F23;
  font: 10.5pt/1.5 Arimo, Arial, Helvetica, sans-serif; font-variant-numeric: tabular-nums; }
h1 { font-size: 19pt; line-height: 1.2; margin: 0 0 2mm; }
h2 { font-size: 13pt; margin: 9mm 0 2mm; break-after: avoid; }
.subtitle, figcaption, caption { color: #58616A; font-size: 9pt; }
p { margin: 2mm 0; overflow-wrap: anywhere; }
.equation { margin: 2mm 0 2mm 8mm; font-size: 12pt; }
.whose { display: inline-block; min-width: 44mm; font-size: 10.5pt; }
figure { margin: 5mm 0; break-inside: avoid; }
figure img { width: 100%; height: auto; }
figcaption { margin-top: 1mm; }
.structures { display: grid; grid-template-columns: repeat(auto-fill, minmax(34mm, 1fr)); gap: 3mm; margin: 4mm 0 2mm; }
.structure { margin: 0; font-size: 9pt; overflow-wrap: anywhere; }
.structure img { height: auto; }
.structure small { display: block; font-size: 8.5pt; }
table { border-collapse: collapse; margin: 3mm 0; width: 100%; font-size: 9pt; }
caption { caption-side: bottom; text-align: left; padding-top: 1mm; }
th { text-align: left; font-weight: 600; border-bottom: 1px solid #BFC4C9; vertical-align: bottom; }
th, td { padding: 1mm 2mm; }
td { border-bottom: 1px solid #ECEEF0; overflow-wrap: anywhere; vertical-align: top; }
.number { text-align: right; white-space: nowrap; }
th.number { white-space: normal; }
tr { break-inside: avoid; }
pre { background: #F6F7F8; border: 1px solid #DCDFE2; border-radius: 3px; padding: 2mm 3mm; white-space: pre-wrap;
  overflow-wrap: anywhere; font: 9pt/1.45 "DejaVu Sans Mono", Consolas, Menlo, monospace; }
"""


def html_report(document: Document, *, task: Task = UNWATCHED) -> bytes:
    """Return ``document`` as an HTML file in UTF-8, its figures inside it as SVG.

    Raises
    ------
    Cancelled
        The caller asked for a stop.
    """
    parts = []
    for number, element in enumerate(document.elements):
        task.check()
        task.report(number / len(document.elements), "Writing the report")
        parts.append(_html(element))
    title = escape(document.title)
    page = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="generator" content="AffineCal">
<title>{title}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{title}</h1>
<p class="subtitle">{escape(document.subtitle)}</p>
{"".join(parts)}</body>
</html>
"""
    task.report(1.0, "The report is written")
    # A lone surrogate, from a file name that is not UTF-8, cannot be encoded.
    return page.encode("utf-8", errors="replace")


@singledispatch
def _html(element: Element) -> str:
    raise TypeError(f"no HTML for {type(element).__name__}")


@_html.register
def _(element: Heading) -> str:
    return f"<h2>{escape(element.text)}</h2>\n"


@_html.register
def _(element: Paragraph) -> str:
    return f"<p>{escape(element.text)}</p>\n"


@_html.register
def _(element: Formula) -> str:
    title = f'<span class="whose">{escape(element.title)}</span> ' if element.title else ""
    return f'<p class="equation">{title}{element.html}</p>\n'


@_html.register
def _(element: Command) -> str:
    return f"<pre><code>{escape(element.text)}</code></pre>\n"


@_html.register
def _(element: Table) -> str:
    classes = ['class="number"' if side == "right" else "" for side in element.align]
    head = "".join(
        f'<th scope="col" {how}>{escape(text)}</th>' for how, text in zip(classes, element.head, strict=True)
    )
    rows = "".join(
        "<tr>" + "".join(f"<td {how}>{escape(text)}</td>" for how, text in zip(classes, row, strict=True)) + "</tr>\n"
        for row in element.rows
    )
    caption = f"<caption>{escape(element.caption)}</caption>" if element.caption else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table>\n"


@_html.register
def _(element: Picture) -> str:
    with journal_style():
        sheet = element.draw(new_figure)
        with drawn(figure_of(sheet)) as figure:
            content = render_figure(figure, ".svg")
    # As a picture, not as elements of the page: nothing in it can act, and names inside it cannot clash.
    data = base64.b64encode(content).decode("ascii")
    source = f"data:image/svg+xml;base64,{data}"
    return (
        f'<figure><img src="{source}" alt="{escape(element.alternative)}" style="max-width:{sheet.width:.0f}mm">'
        f"<figcaption>{escape(element.caption)}</figcaption></figure>\n"
    )


@_html.register
def _(element: Structures) -> str:
    return structures_html(element)
