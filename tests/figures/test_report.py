"""The report: complete, escaped, legible on every page, the same every time, and never half a file."""

from contextlib import suppress
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from affinecal_gui.calibration.calibrators.registry import calibrator_keys
from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.figures.quantity import Quantity
from affinecal_gui.figures.report.report import save_report
from affinecal_gui.figures.report.report_content import report_document
from affinecal_gui.figures.report.report_data import ReportData, ReportFile, ReportPolymer, ReportSuggestion
from affinecal_gui.figures.report.report_document import (
    Command,
    Document,
    Element,
    Heading,
    Paragraph,
    Picture,
    Structure,
    Structures,
    Table,
)  # fmt: skip
from affinecal_gui.figures.report.report_html import html_report
from affinecal_gui.figures.report.report_pdf import pdf_report, report_pages
from affinecal_gui.figures.sheet import OpenSheet, Sheet
from affinecal_gui.task import Task
from tests.figures.invented import DENSITY, HEAT_CAPACITY, blocks, calibration
from tests.figures.layout_checks import assert_legible, written

HOSTILE = "<script>alert(1)</script>&\"'`$\\frac{%s{{}}\x00\ud800"


def report_data(n: int = 20, *, text: str = "", quantity: Quantity = HEAT_CAPACITY) -> ReportData:
    found = calibration(n, 30, log=quantity.log_scale, low=0.8, high=1.5)
    affine = found.models["affine"]
    used = [
        ReportPolymer(
            f"polymer {i}{text}", "*CC*", found.measured[i], found.md[i], affine.out_of_fold[i],
            affine.out_of_fold_lower[i], affine.out_of_fold_upper[i], "used",
        )
        for i in range(n)
    ]  # fmt: skip
    gone = ReportPolymer(f"nylon 11{text}", "*CC*", 1.2, np.nan, np.nan, np.nan, np.nan, "left out", f"by you{text}")
    return ReportData(
        quantity=quantity,
        calibration=found,
        blocks=blocks(),
        files=(ReportFile(f"measured{text}.csv", f"measured{text}", 81, 2),),
        match_summary=f"20 of 81 measured polymers have an MD value{text}.",
        measured_polymers=(*used, gone),
        other_polymers=(ReportPolymer(f"new{text}", "*CC*", np.nan, 2.0, 1.0, 0.9, 1.1, "predicted"),),
        measure_next=(
            ReportSuggestion(f"polystyrene{text}", "*CC(*)c1ccccc1", 0.9, 0.9),
            ReportSuggestion("nylon 66", "*CC*", 0.4, 1.3),
        ),
        explanation=f"Einstein expects α₁ = 1{text}.",
        command=f"affinecal fit --experiment 'measured{text}.csv'",
        versions={f"affinecal{text}": "0.1.0"},
        date="28 November 2026",
    )


def small_report(n: int = 8) -> ReportData:
    """A report with one calibrator and few figures, which is written quickly."""
    data = report_data(n)
    return replace(
        data, calibration=replace(data.calibration, models={"md": data.calibration.models["md"]}), model="md"
    )


class Reader(HTMLParser):
    """Collects texts and tags; fails where tags are not nested properly."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.texts: list[str] = []
        self.sources: list[str] = []

    def handle_starttag(self, tag: str, attrs) -> None:  # type: ignore[no-untyped-def]
        self.tags.add(tag)
        for name, value in attrs:
            assert not name.startswith("on")
            if name in ("src", "href"):
                self.sources.append(value)
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read(page: bytes) -> Reader:
    reader = Reader()
    reader.feed(page.decode("utf-8"))
    reader.close()
    assert not reader.open
    return reader


@pytest.fixture(scope="module")
def page() -> Reader:
    return read(html_report(report_document(report_data(), most_rows=100)))


def test_html_says_everything(page: Reader) -> None:
    text = " ".join(page.texts)
    for expected in (
        "Calibration of specific heat capacity",
        "28 November 2026",
        "measured.csv",
        "20 of 81 measured polymers have an MD value.",
        "nylon 11",
        "by you",
        "Minami, Fukumizu, Hayashi and Yoshida",
        "λ₁ = 6.81, λ₂ = 31.6",
        "leak-free, 5 × 10-fold",
        "seed 0",
        "−0.028 to −0.002",
        "polymer 19",
        "polystyrene",
        "affinecal fit --experiment",
        "0.1.0",
        "‖",
    ):
        assert expected in text, expected


def test_html_is_one_file_with_its_figures_and_structures_and_no_script(page: Reader) -> None:
    assert page.sources
    assert all(source.startswith("data:image/svg+xml;base64,") for source in page.sources)
    assert len(page.sources) == 5 + 1 + 20 + 1 + 2  # figures; left out, measured, predicted, worth measuring
    assert not page.tags & {"script", "iframe", "object", "link"}


def test_html_escapes_whatever_files_and_users_say() -> None:
    hostile = replace(
        report_data(text=HOSTILE, quantity=Quantity(HOSTILE, HOSTILE, HOSTILE, HOSTILE, True)),
        calibration=replace(calibration(20, 30), protocol=HOSTILE, notes=(HOSTILE,), settings={HOSTILE: HOSTILE}),
    )
    reader = read(html_report(report_document(hostile, most_rows=100)))
    assert "script" not in reader.tags
    assert "".join(reader.texts).count("<script>alert(1)</script>&\"'`$\\frac{%s{{}}") > 30


def test_long_tables_are_cut_and_say_so() -> None:
    document = report_document(report_data(30), most_rows=10)
    (table,) = [
        e for e in document.elements if isinstance(e, Table) and e.head[0] == "Polymer" and "Residual, %" in e.head
    ]
    assert len(table.rows) == 10
    assert "first 10 of 30" in table.caption


def test_what_many_polymers_share_is_told_once() -> None:
    data = report_data(8)
    gone = data.measured_polymers[-1]
    lacking = [
        replace(gone, name=name, state="no MD value", reason=f"md.csv has no polymer with the repeat unit of {name}.")
        for name in ("nylon 612", "polyglycolide", "poly(vinyl fluoride)")
    ]
    others = [replace(gone, name="PVDC", reason="You left it out."), *lacking]
    (table,) = (
        one
        for one in report_document(replace(data, measured_polymers=tuple(others)), most_rows=100).elements
        if isinstance(one, Table) and one.head[0] == "Measured, but not in the fit"
    )
    assert [tuple(row) for row in table.rows] == [
        ("PVDC", "left out", "You left it out."),
        (
            "nylon 612; polyglycolide; poly(vinyl fluoride)",
            "no MD value",
            "md.csv has no polymer with their repeat unit.",
        ),
    ]


def test_columns_of_numbers_share_their_decimal_places() -> None:
    document = report_document(report_data(30, quantity=DENSITY), most_rows=100)
    (table,) = [e for e in document.elements if isinstance(e, Table) and "Residual, %" in e.head]
    assert {len(row[1].split(".")[1]) for row in table.rows} == {3}


def test_pdf_is_searchable_and_the_same_every_time() -> None:
    content = pdf_report(report_document(small_report(), most_rows=5))
    assert content == pdf_report(report_document(small_report(), most_rows=5))
    assert content.startswith(b"%PDF")
    assert b"CreationDate" not in content
    assert content.count(b"/Type /Page ") >= 2
    assert b"/FontFile2" in content


def test_html_is_the_same_every_time() -> None:
    first, second = (html_report(report_document(small_report(), most_rows=5)) for _ in range(2))
    assert first == second


def filled(page: Figure) -> float:
    """Share of the height of the text, without footer, down to which something stands on a page."""
    edges = [one.bbox.y0 for one in page.subfigs]
    edges += [box.y0 for content, box, text in written(page) if text.figure is page and box.y0 > 18 * page.dpi / 25.4]
    edges += [
        page.transSubfigure.transform(line.get_xydata())[0, 1] for line in page.findobj(Line2D) if line.figure is page
    ]
    return (279 - min(edges) * 25.4 / page.dpi) / 259


class SheetOpenedError(Exception):
    """The sheet of a figure is there."""


def only_opened(picture: Picture) -> Picture:
    """The same figure, of which nothing but its sheet is made."""

    def draw(open_sheet: OpenSheet) -> Sheet:
        made: list[Sheet] = []

        def opened(width: float, height: float) -> Sheet:
            made.append(open_sheet(width, height))
            raise SheetOpenedError

        with suppress(SheetOpenedError):
            picture.draw(opened)
        return made[0]

    return replace(picture, draw=draw)


@pytest.mark.parametrize(
    ("n", "text"), [(8, ""), (60, " with a rather long name, which needs more than a line in every table there is")]
)
def test_no_page_is_nearly_empty_and_the_last_one_is_used(n: int, text: str) -> None:
    for kernel in (False, True):  # with which there are more calibrators, and fewer other figures
        data = report_data(n, text=text)
        if kernel:
            models = dict(data.calibration.models)
            models["direct"] = replace(models["ordinary"], model="direct")
            data = replace(data, calibration=replace(data.calibration, models=models), model="direct")
        document = report_document(data, most_rows=100)
        placed = tuple(only_opened(one) if isinstance(one, Picture) else one for one in document.elements)
        shares = [filled(page) for page in report_pages(replace(document, elements=placed))]
        assert min(shares[:-1]) >= 0.74, shares
        assert shares[-1] >= 0.19, shares


@pytest.mark.parametrize("count", [5, 9, 11])
def test_parity_plots_of_any_number_of_calibrators_fit_a_page(count: int) -> None:
    data = report_data(12)
    (like,) = [data.calibration.models["ordinary"]]
    models = {name: replace(like, model=name) for name in calibrator_keys()[:count]}
    data = replace(data, calibration=replace(data.calibration, models=models), model=next(iter(models)))
    for page in report_pages(report_document(data, most_rows=100)):
        assert_legible(page)


def test_figures_are_numbered_and_named_in_the_text() -> None:
    elements = report_document(report_data(), most_rows=10).elements
    pictures = [element.caption for element in elements if isinstance(element, Picture)]
    assert [caption.split(".")[0] for caption in pictures] == [
        "Figure 1",
        "Figure 2",
        "Figure 3",
        "Figure 4",
        "Figure 5",
    ]
    grids = [element.caption.split(".")[0] for element in elements if isinstance(element, Structures)]
    assert grids == ["Figure 6", "Figure 7", "Figure 8", "The same polymers, best first"]
    words = " ".join(element.text for element in elements if isinstance(element, Paragraph))
    assert all(f"Figure {number}" in words for number in (1, 2, 3, 4, 5))


def test_a_text_of_thousands_of_characters_ends_in_its_cell() -> None:
    table = Table(("Polymer", "Value"), [("C" * 2000, "1.0"), ("short", "2.0")], ("left", "right"))
    for page in report_pages(Document("Title", "", (table,))):
        assert_legible(page)


def test_every_page_is_legible() -> None:
    pages = report_pages(report_document(report_data(60, text=" with a rather long name"), most_rows=100))
    assert len(pages) > 4
    for page in pages:
        assert tuple(page.get_size_inches() * 25.4) == pytest.approx((210, 297))
        assert_legible(page)


elements = st.one_of(
    st.builds(Heading, st.text(max_size=150)),
    st.builds(Paragraph, st.text(max_size=600)),
    st.builds(Command, st.text(max_size=300)),
    st.integers(1, 6).flatmap(
        lambda columns: st.builds(
            Table,
            st.tuples(*[st.text(max_size=40)] * columns),
            st.lists(st.tuples(*[st.text(max_size=80)] * columns), max_size=70),
            st.tuples(*[st.sampled_from(["left", "right"])] * columns),
            st.text(max_size=100),
        )
    ),
)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.text(max_size=200), st.lists(elements, max_size=8))
def test_any_document_fits_its_pages(title: str, found: list[Element]) -> None:
    document = Document(title, title, tuple(found))
    for page in report_pages(document):
        assert_legible(page)
    read(html_report(document))


def test_a_heading_stands_with_what_follows_it() -> None:
    filler = tuple(Paragraph("Words.") for _ in range(44))
    for count in range(36, 44):
        document = Document("Title", "", (*filler[:count], Heading("Followed"), Paragraph("Line. " * 60)))
        (where,) = [
            (page, text.get_position()[1])
            for page in report_pages(document)
            for text in page.texts
            if text.get_text() == "Followed"
        ]
        assert any(text.get_text().startswith("Line.") for text in where[0].texts)


@pytest.mark.parametrize(
    ("columns", "count"),
    [(6, 2), (6, 5), *((6, count) for count in range(55, 61)), *((3, n) for n in range(108, 121, 2))],
)
def test_no_page_begins_with_one_or_two_rows_of_a_table(columns: int, count: int) -> None:
    """Set in one column a page (six columns of numbers) or in two."""
    texts = [Paragraph("Some words before the table.")] * 3
    rows = [tuple(f"row{number}" for _ in range(columns)) for number in range(count)]
    wide = tuple("a heading of some length" for _ in range(columns))
    table = Table(wide if columns == 6 else ("a",) * columns, rows, ("left",) + ("right",) * (columns - 1))
    pages = report_pages(Document("A title", "", (*texts, table, *texts)))
    shown = [
        len({word for content, _, _ in written(page) for word in content.split() if word.startswith("row")})
        for page in pages
    ]
    shown = [number for number in shown if number]
    assert sum(shown) == count
    assert len(shown) == 1 or min(shown) >= 3


@pytest.mark.parametrize("name", ["report.html", "report.HTM", "report.pdf"])
def test_saves_whole_files_only(name: str, tmp_path: Path) -> None:
    data = small_report()
    seen: list[float] = []
    path = save_report(data, tmp_path / name, task=Task(lambda share, _: seen.append(share)))
    assert path.stat().st_size > 10_000
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    with pytest.raises(UserError, match="exists already"):
        save_report(data, path)
    before = path.read_bytes()
    calls = iter([False, False, True])
    with pytest.raises(Cancelled):
        save_report(data, path, overwrite=True, task=Task(cancelled=lambda: next(calls)))
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_names_the_formats_for_an_unknown_ending(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"\.html or \.pdf"):
        save_report(report_data(8), tmp_path / "report.docx")


def test_reports_what_there_is_and_nothing_else() -> None:
    bare = ReportData(HEAT_CAPACITY, replace(calibration(8, 3), settings={}, measure_next=()), model="md")
    titles = [e.text for e in report_document(bare, most_rows=10).elements if isinstance(e, Heading)]
    assert titles == ["How well the calibrators predict", "Data", "Method", "Each calibrator against each other"]


def words_of(document: Document) -> list[list[str]]:
    """The texts of each page, figures only opened."""
    placed = tuple(only_opened(one) if isinstance(one, Picture) else one for one in document.elements)
    return [[text for text, _, _ in written(page)] for page in report_pages(replace(document, elements=placed))]


def test_the_result_and_the_first_figure_stand_on_the_first_page() -> None:
    pages = words_of(report_document(report_data(60), most_rows=100))
    assert any("Log-difference predicts best" in text for text in pages[0])
    assert any("How well the calibrators predict" in text for text in pages[0])
    assert any(text.startswith("Figure 1.") for text in pages[0])


def test_every_polymer_stands_with_its_structure_or_its_repeat_unit() -> None:
    data = report_data(80)
    gone = data.measured_polymers[-1]
    lost = tuple(replace(gone, name=f"M-{number}", smiles=f"*CC(*){'C' * number}") for number in range(30))
    many = tuple(
        replace(
            data.other_polymers[0], name=f"PI{number}", smiles=f"*CC(*){'C' * number}", calibrated=1.0 + number / 100
        )
        for number in range(60)
    )
    data = replace(data, measured_polymers=(*data.measured_polymers[:-1], *lost), other_polymers=many)
    elements = report_document(data, most_rows=200).elements
    drawn = {cell.name for one in elements if isinstance(one, Structures) for cell in one.cells if cell.smiles}
    cells = [row for one in elements if isinstance(one, Table) for row in one.rows]
    with_smiles = {row[0] for row in cells if row[1].startswith("*")}
    folded = " ".join(row[0] for row in cells)
    for one in (*data.measured_polymers, *data.other_polymers):
        assert one.name in drawn or one.name in with_smiles or f"{one.name} ({one.smiles})" in folded, one.name
    assert {"PI0", "PI9", "PI50", "PI59"} <= drawn
    assert "PI30" not in drawn


def test_structures_of_measured_polymers_begin_with_the_one_that_is_furthest_off() -> None:
    data = report_data(20)
    used = list(data.measured_polymers[:20])
    used[7] = replace(used[7], measured=1.0, calibrated=3.0)
    found = report_document(replace(data, measured_polymers=tuple(used)), most_rows=100).elements
    grid = next(one for one in found if isinstance(one, Structures))
    assert grid.cells[0] == Structure("*CC*", "polymer 7", ("1.000 → 3.000, +200.0 %",))


def test_polymers_outside_the_range_of_validity_are_drawn_and_marked() -> None:
    data = report_data(8)
    (other,) = data.other_polymers
    others = [replace(other, name=f"PI{number}", calibrated=1.0 + number, outside=number == 20) for number in range(40)]
    elements = report_document(replace(data, other_polymers=tuple(others)), most_rows=100).elements
    grid = next(one for one in elements if isinstance(one, Structures) and "Predicted polymers" in one.caption)
    assert [cell.name for cell in grid.cells][-1] == "PI20*"
    assert len(grid.cells) == 21
    (rows,) = [
        one.rows
        for one in elements
        if isinstance(one, Table) and one.head[:2] == ("Polymer", "Repeat unit") and len(one.head) == 5
    ]
    assert [row[0] for row in rows if row[0].endswith("*")] == ["PI20*"]


@pytest.mark.parametrize(
    "smiles",
    ["*CC(*)c1ccccc1", "*CC(*)C|*CC*|1|3", "no polymer", "*" + "C" * 600 + "*", HOSTILE, ""],
    ids=["repeat unit", "copolymer", "words", "too large", "hostile", "none"],
)
def test_a_structure_is_drawn_or_its_text_stands_in(smiles: str) -> None:
    grid = Structures(
        [Structure(smiles, "a polymer with quite a long name, longer than its column", ("1.0",))] * 7, "Seven."
    )
    (page,) = report_pages(Document("Title", "", (grid,)))
    assert_legible(page)
    reader = read(html_report(Document("Title", "", (grid,))))
    assert "script" not in reader.tags
    assert len(reader.sources) in (0, 7)


def test_repeat_units_that_are_too_long_for_their_column_are_shortened_and_said() -> None:
    def pages_of(smiles: str) -> str:
        table = Table(("Polymer", "Repeat unit"), [("PI1", smiles)], ("left", "left"), "", "They are whole elsewhere.")
        return " ".join(words_of(Document("Title", "", (table,)))[0])

    assert "They are whole elsewhere." in pages_of("*" + "CC(=O)O" * 40 + "*")
    assert "They are whole elsewhere." not in pages_of("*CC*")


def test_structures_take_the_colours_of_elements_where_letters_have_no_room() -> None:
    from matplotlib.collections import LineCollection

    long, short = (Document("T", "", (Structures([Structure(f"*O{'C' * n}O*", "x")], ""),)) for n in (40, 2))
    inks = [
        {
            tuple(ink)
            for axes in report_pages(one)[0].axes
            for part in axes.collections
            if isinstance(part, LineCollection)
            for ink in part.get_colors().round(3)
        }
        for one in (long, short)
    ]
    assert len(inks[0]) > len(inks[1])
