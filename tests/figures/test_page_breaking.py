"""Where pages end: everything is placed once and in order, no page is nearly empty, and what belongs together stays so."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affinecal_gui.figures.report.page_breaking import PageBlock, Placed, break_pages
from tests.tries import tries

HEIGHT, SPARE = 259.0, 5.0

texts = st.builds(
    lambda lines, joined: PageBlock((4.7,) * lines, after=1.6, together=2, joined=joined),
    st.integers(1, 12),
    st.booleans(),
)
tables = st.builds(
    lambda rows, height, caption: PageBlock(
        (height,) * rows, head=5.0, tail=caption, before=1.0, after=4.0, together=min(3, rows), unbroken=True
    ),
    st.integers(1, 200),
    st.sampled_from([4.7, 8.3]),
    st.sampled_from([0.0, 5.0]),
)
pictures = st.builds(
    lambda height: PageBlock((height,), before=1.0, after=4.0, floats=True), st.floats(20.0, 250.0, allow_nan=False)
)
HEADING = PageBlock((6.2,), before=4.0, after=0.8, joined=True)


def extent(block: PageBlock, one: Placed) -> tuple[float, float]:
    ends = one.stop == len(block.steps)
    bottom = one.top + block.head + sum(block.steps[one.start : one.stop]) + (block.tail if ends else 0.0)
    return one.top, bottom


def used(blocks: list[PageBlock], page: list[Placed]) -> float:
    return max(extent(blocks[one.block], one)[1] for one in page)


@settings(max_examples=tries(300), deadline=None)
@given(st.lists(st.one_of(texts, tables, pictures, st.just(HEADING)), min_size=1, max_size=25))
def test_everything_is_placed_once_and_nothing_overlaps(blocks: list[PageBlock]) -> None:
    pages = break_pages(blocks, HEIGHT, spare=SPARE)
    places = [one for page in pages for one in page]
    for at, block in enumerate(blocks):
        parts = [(one.start, one.stop) for one in places if one.block == at]
        assert parts[0][0] == 0
        assert parts[-1][1] == len(block.steps)
        assert all(one[1] == other[0] for one, other in pairwise(parts))
    floating = {at for at, block in enumerate(blocks) if block.floats and not (at and blocks[at - 1].joined)}
    for kind in (floating, set(range(len(blocks))) - floating):
        order = [one.block for one in places if one.block in kind]
        assert order == sorted(order)
    for page in pages:
        assert page
        extents = [extent(blocks[one.block], one) for one in page]
        assert extents[0][0] == 0.0
        assert all(one[1] <= other[0] + 1e-9 for one, other in pairwise(extents))
        assert extents[-1][1] <= HEIGHT + SPARE + 1e-9


@settings(max_examples=tries(300), deadline=None)
@given(st.lists(st.one_of(texts, tables), min_size=1, max_size=25))
def test_no_few_rows_stand_at_either_side_of_a_page_break(blocks: list[PageBlock]) -> None:
    for page in break_pages(blocks, HEIGHT, spare=SPARE):
        for one in page:
            block = blocks[one.block]
            if one.start or one.stop < len(block.steps):
                assert one.stop - one.start >= block.together


@settings(max_examples=tries(300), deadline=None)
@given(st.lists(st.one_of(texts, tables, pictures, st.just(HEADING)), min_size=1, max_size=25))
def test_no_picture_stands_between_two_parts_of_a_table(blocks: list[PageBlock]) -> None:
    pages = break_pages(blocks, HEIGHT, spare=SPARE)
    for one, other in pairwise(one for page in pages for one in page):
        assert not (blocks[one.block].unbroken and one.stop < len(blocks[one.block].steps)) or other.block == one.block


@pytest.mark.parametrize("lines", range(12, 54, 3))
@pytest.mark.parametrize("headed", [False, True])
def test_a_table_of_less_than_a_page_is_whole_where_little_stays_white(lines: int, headed: bool) -> None:
    rows = PageBlock((4.7,) * 40, head=5.0, before=1.0, after=4.0, together=3, unbroken=True)
    blocks = [PageBlock((4.7,) * lines, together=2), *[HEADING] * headed, rows]
    pages = break_pages(blocks, HEIGHT, spare=SPARE)
    parts = [one for page in pages for one in page if one.block == len(blocks) - 1]
    if 4.7 * lines >= 0.75 * HEIGHT:
        assert len(parts) == 1
    assert all(used(blocks, page) >= 0.75 * HEIGHT for page in pages[:-1])


@pytest.mark.parametrize("lines", range(20, 60, 3))
def test_text_goes_on_while_a_picture_waits_for_room(lines: int) -> None:
    """However far the text before it reaches, a picture leaves no hole, and the words about it come first."""
    words = PageBlock((4.7,) * lines, together=2, after=1.6)
    picture = PageBlock((150.0,), before=1.0, after=4.0, floats=True)
    rows = PageBlock((4.7,) * 90, head=5.0, together=3, before=1.0, after=4.0)
    blocks = [words, picture, HEADING, rows]
    pages = break_pages(blocks, HEIGHT, spare=SPARE)
    assert all(used(blocks, page) >= 0.75 * HEIGHT for page in pages[:-1])
    first = next(page for page in pages if any(one.block == 1 for one in page))
    assert pages.index(first) <= next(
        number for number, page in enumerate(pages) if any(one.block == 0 and one.stop == lines for one in page)
    ) + 1  # fmt: skip


@pytest.mark.parametrize("rows", range(54, 70))
def test_the_last_page_holds_more_than_a_few_rows(rows: int) -> None:
    """55 rows fill a page: those that would stand alone on the next one take others with them."""
    blocks = [PageBlock((4.7,) * rows, head=5.0, together=3)]
    pages = break_pages(blocks, HEIGHT, spare=SPARE)
    assert len(pages) == (1 if rows <= 55 else 2)
    if len(pages) > 1:
        assert used(blocks, pages[-1]) >= 0.2 * HEIGHT
        assert used(blocks, pages[0]) >= 0.75 * HEIGHT


def test_a_heading_and_what_introduces_a_table_stand_with_its_first_rows() -> None:
    introduction = PageBlock((4.7,) * 2, after=1.6, together=2, joined=True)
    rows = PageBlock((4.7,) * 30, head=5.0, together=3)
    for before in range(20, 56):
        blocks = [PageBlock((4.7,) * before, together=2), HEADING, introduction, rows]
        pages = break_pages(blocks, HEIGHT, spare=SPARE)
        (where,) = [page for page in pages if any(one.block == 1 for one in page)]
        assert {2, 3} <= {one.block for one in where}


def test_a_picture_at_the_end_follows_the_words_before_it() -> None:
    blocks = [PageBlock((4.7,) * 40, together=2), PageBlock((100.0,), floats=True), PageBlock((4.7,) * 3, together=2)]
    pages = break_pages(blocks, HEIGHT, spare=SPARE)
    assert [[one.block for one in page] for page in pages] == [[0, 2], [1]]


def test_what_is_higher_than_a_page_ends_the_search() -> None:
    blocks = [HEADING, PageBlock((400.0,), floats=True), PageBlock((300.0, 300.0), together=3, joined=True), HEADING]
    pages = break_pages(blocks, HEIGHT, spare=SPARE)
    assert [one.block for page in pages for one in page] == [0, 1, 2, 2, 3]
