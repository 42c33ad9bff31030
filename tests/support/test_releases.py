"""What is made of the answers of release pages, and what is said where there is none."""

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affinecal_gui import __version__
from affinecal_gui.errors import UserError
from affinecal_gui.support import addresses, releases
from affinecal_gui.support.releases import Release, check_for_updates, newest_of, order_of, release_address

# In the order of PEP 440: https://packaging.python.org/en/latest/specifications/version-specifiers/#summary-of-permitted-suffixes-and-relative-ordering
IN_ORDER = ["0.9", "0.9.1", "0.10.0rc1", "0.10.0rc2", "0.10", "0.10.post1", "1.0a1", "1.0", "1.0.1", "2", "10.0"]


@pytest.mark.parametrize(("older", "newer"), list(pairwise(IN_ORDER)))
def test_versions_are_compared_as_numbers(older: str, newer: str) -> None:
    assert order_of(older) < order_of(newer)


@settings(max_examples=30)
@given(st.lists(st.integers(0, 99), min_size=1, max_size=4))
def test_a_version_is_the_same_with_a_v_before_it_and_noughts_behind_it(numbers: list[int]) -> None:
    plain = ".".join(map(str, numbers))
    assert order_of(f"v{plain}") == order_of(plain) == order_of(f"{plain}.0") == order_of(f"{plain}+build.7")


@pytest.mark.parametrize(
    ("answer", "newest"),
    [
        ({"tag_name": "v1.2.0", "html_url": "https://example.org/1.2"}, Release("1.2.0", "https://example.org/1.2")),
        (  # a list, as GitHub and GitLab give it; neither what is not finished nor what is only drafted
            [
                {"tag_name": "v1.2.0"},
                {"tag_name": "v1.10.0", "_links": {"self": "https://example.org/1.10"}},
                {"tag_name": "v3.0.0", "draft": True},
                {"tag_name": "v2.0.0rc1", "prerelease": True},
            ],
            Release("1.10.0", "https://example.org/1.10"),
        ),
        (
            {"info": {"version": "0.3", "release_url": "https://example.org/0.3"}, "releases": {}},
            Release("0.3", "https://example.org/0.3"),
        ),
        ({"version": "4.1", "page": "javascript:alert(1)"}, Release("4.1")),
        ({"tag_name": "nightly"}, None),
        ({"message": "Not Found"}, None),
        ([], None),
        ("1.0", None),
        (None, None),
    ],
)
def test_the_newest_finished_release_is_found(answer: object, newest: Release | None) -> None:
    assert newest_of(answer) == newest


@pytest.mark.parametrize(
    ("set_in_metadata", "asked"),
    [
        ({"releases": "https://github.com/o/affinecal"}, "https://api.github.com/repos/o/affinecal/releases/latest"),
        ({"download": "https://github.com/o/a/releases"}, "https://api.github.com/repos/o/a/releases/latest"),
        ({"download": "https://pypi.org/project/affinecal/"}, "https://pypi.org/pypi/affinecal/json"),
        ({"releases": "https://example.org/r.json", "download": "https://example.org"}, "https://example.org/r.json"),
        ({"documentation": "https://example.org"}, ""),
        ({}, ""),
    ],
)
def test_the_address_is_that_of_the_metadata(
    set_in_metadata: dict[str, str], asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(releases.VARIABLE, raising=False)
    monkeypatch.setattr(releases, "project_addresses", lambda: set_in_metadata)
    assert release_address() == asked
    monkeypatch.setenv(releases.VARIABLE, "https://example.org/mine.json")
    assert release_address() == "https://example.org/mine.json"
    monkeypatch.setenv(releases.VARIABLE, "")
    assert release_address() == ""


def test_addresses_are_read_from_the_checkout_where_nothing_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def not_installed(name: str) -> None:
        raise addresses.importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(addresses.importlib.metadata, "metadata", not_installed)
    monkeypatch.setattr(addresses, "CHECKOUT", tmp_path)
    assert addresses.project_addresses() == {}
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "x"\n[project.urls]\n"Release Notes" = "https://x.org"\n'
    )
    assert addresses.project_addresses() == {"releasenotes": "https://x.org"}


def test_without_an_address_nobody_is_asked() -> None:
    answer = check_for_updates("")
    assert answer.sentence == "This copy of AffineCal names no release page, so it cannot look for a newer version."
    assert answer.page == ""


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://example.org/x", "example.org", "https://", "x"])
def test_an_address_that_is_no_web_page_is_not_opened(address: str) -> None:
    with pytest.raises(UserError, match="is not one that begins with https://"):
        check_for_updates(address)


def test_this_version_can_be_compared() -> None:
    assert order_of(__version__) > order_of("0.0.1")
