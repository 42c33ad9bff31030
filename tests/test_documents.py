"""The documents hold what they promise: every link and picture leads somewhere, here and in the help window."""

import re
from pathlib import Path

import pytest

from affinecal_gui.ui.dialogs.help.help_pages import FIRST_PAGES, anchor_of, help_pages, picture, table_path

REPOSITORY = Path(__file__).resolve().parent.parent
DOCUMENTS = (REPOSITORY / "README.md", REPOSITORY / "CONTRIBUTING.md", *sorted((REPOSITORY / "docs").rglob("*.md")))
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def links(path: Path) -> list[str]:
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return LINK.findall(re.sub(r"`[^`\n]*`", "", text))  # a repeat unit may look like a link


def headings(path: Path) -> set[str]:
    """Return the anchors of a document as GitHub makes them, fenced code left aside."""
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    titles = re.findall(r"^#{1,6}\s+(.*?)\s*$", text, flags=re.MULTILINE)
    return {anchor_of(re.sub(r"[*`]|\[([^\]]*)\]\([^)]*\)", r"\1", title)) for title in titles}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_relative_link_and_picture_leads_somewhere(path: Path) -> None:
    for link in links(path):
        if link.startswith(("http://", "https://")):
            continue
        target, _, anchor = link.partition("#")
        found = path.parent / target if target else path
        assert found.exists(), f"{path.name} links to {link}, which does not exist"
        if anchor:
            assert anchor in headings(found), f"{path.name} links to {link}, but there is no such heading"


@pytest.mark.parametrize("name", [page.name for page in help_pages()])
def test_every_link_works_in_the_help_window_too(name: str) -> None:
    pages = {page.name: {section.anchor for section in page.sections} for page in help_pages()}
    for link in links(REPOSITORY / "docs" / name):
        if link.startswith(("http://", "https://")):
            continue
        target, _, anchor = link.partition("#")
        if target.endswith(".png"):
            assert picture(target), link
        elif target.endswith(".csv"):
            assert Path(table_path(target)).samefile(REPOSITORY / "docs" / target), link
        else:
            assert target or name in pages, link
            assert not anchor or anchor in pages[target or name], link


def test_every_document_is_offered_and_every_picture_is_shown() -> None:
    names = [page.name for page in help_pages()]
    assert set(names) == {path.name for path in (REPOSITORY / "docs").glob("*.md")}
    assert tuple(names[: len(FIRST_PAGES)]) == FIRST_PAGES
    shown = {Path(link).name for path in DOCUMENTS for link in links(path) if link.endswith(".png")}
    twins = {name.replace("-light", "-dark") for name in shown}
    assert {path.name for path in (REPOSITORY / "docs" / "pictures").glob("*.png")} == shown | twins


def test_pages_for_developers_are_not_in_the_help() -> None:
    developers = (REPOSITORY / "CONTRIBUTING.md", *(REPOSITORY / "docs" / "dev").glob("*.md"))
    assert len(developers) > 3
    titles = {path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ") for path in developers}
    assert not titles & {page.title for page in help_pages()}
    for page in help_pages():
        leading = [
            link for link in links(REPOSITORY / "docs" / page.name) if re.match(r"(\.\./CONTRIB|(\./)?dev/)", link)
        ]
        assert leading == [], page.name


def test_the_dark_twin_of_a_picture_is_another_picture_of_the_same_size() -> None:
    for path in (REPOSITORY / "docs" / "pictures").glob("*-light.png"):
        light, dark = picture(f"pictures/{path.name}"), picture(f"pictures/{path.name}", dark=True)
        assert light[:8] == dark[:8] == b"\x89PNG\r\n\x1a\n"
        assert light != dark or path.name == "report-light.png"  # paper is white at night as well
        assert light[16:24] == dark[16:24], path.name  # width and height


def test_the_site_leads_to_every_document() -> None:
    navigation = (REPOSITORY / "mkdocs.yml").read_text(encoding="utf-8").split("\nnav:\n")[1]
    led_to = re.findall(r"- ([\w/-]+\.md)$", navigation, re.MULTILINE)
    made = {"index.md", "gallery.md", "notebook.md"}
    documents = {path.relative_to(REPOSITORY / "docs").as_posix() for path in (REPOSITORY / "docs").rglob("*.md")}
    assert sorted(led_to) == sorted(documents | made)


def test_no_picture_or_table_outside_the_documents_is_read() -> None:
    for name in ("../README.md", "pictures/../guide.md", "/etc/passwd", "pictures/none-light.png", ""):
        assert picture(name) == b""
    for name in ("../../secret.csv", "practice/../guide.csv", "/tmp/x.csv", "practice/none.csv", "guide.md"):
        assert table_path(name) == ""


def test_sections_are_found_by_all_their_words() -> None:
    by_name = {page.name: page for page in help_pages()}
    glossary = {section.anchor: section for section in by_name["glossary.md"].sections}
    assert glossary["out-of-fold"].holds(("seen", "measured"))
    assert not glossary["out-of-fold"].holds(("seen", "dihedral"))
    assert by_name["guide.md"].title == "Guide"
    # The same heading twice gets a number, as on GitHub; an equation in a fence is no heading.
    assert anchor_of("RMSE, MAE and R²") == "rmse-mae-and-r²"


def test_documents_name_no_place_or_person_of_this_machine() -> None:
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"/work/|/home/|/tmp/", text), path.name


def test_the_map_of_the_house_names_every_folder() -> None:
    page = (REPOSITORY / "docs" / "dev" / "architecture.md").read_text(encoding="utf-8")
    words = set(re.findall(r"\w+", page))
    folders = {path.parent.name for path in (REPOSITORY / "affinecal_gui").rglob("__init__.py")}
    assert len(folders) > 50
    assert folders - words == set()
