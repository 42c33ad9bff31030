"""Whether there is a newer AffineCal: asked of the project's release page, and only when somebody wants to know.

The request is a plain GET that says nothing but the name of the program: no version, no system, no cookie, no identifier.
"""

import http.client
import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from affinecal_gui import __version__
from affinecal_gui.errors import UserError
from affinecal_gui.support.addresses import project_addresses
from affinecal_gui.task import UNWATCHED, Task

VARIABLE = "AFFINECAL_RELEASES"
"""Environment variable whose address takes the place of the project's; an empty one means that nothing is asked."""

LABELS = ("releases", "download", "downloads")
TIMEOUT = 8.0  # seconds without a word from the server
LONGEST = 3  # such times, from the first word to the last
LARGEST_ANSWER = 4_000_000  # bytes
CHUNK = 65_536

_GITHUB = re.compile(r"https://github\.com/([^/]+)/([^/]+?)(?:\.git)?(?:/releases(?:/latest)?)?/?")
_PYPI = re.compile(r"https://pypi\.org/project/([^/]+)/?.*")
_VERSION = re.compile(r"v?(\d+(?:\.\d+)*)(.*)", re.IGNORECASE)
_CERTIFICATES = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem")
"""Where systems keep the authorities they trust; a bundled program only knows the place of the system it was built on."""


@dataclass(frozen=True, slots=True)
class Release:
    """A published version."""

    version: str
    page: str = ""  # where a person finds it


@dataclass(frozen=True, slots=True)
class Answer:
    """What came out of asking: one sentence, and the page of a newer release."""

    sentence: str
    page: str = ""


def release_address() -> str:
    """Return the address that is asked; "" where none is set."""
    given = os.environ.get(VARIABLE)
    if given is not None:
        return given.strip()
    known = project_addresses()
    return next((_of_machines(known[label]) for label in LABELS if label in known), "")


def check_for_updates(address: str, *, timeout: float = TIMEOUT, task: Task = UNWATCHED) -> Answer:
    """Ask an address for the newest release and compare it with this program.

    Parameters
    ----------
    address
        Of the release page in JSON, as GitHub, GitLab or PyPI answer, or ``{"version": ..., "page": ...}``.
    timeout
        Seconds without a word from the server after which it counts as not reached.
    task
        Asked whether to go on waiting while the answer comes in.

    Raises
    ------
    UserError
        The page cannot be reached, or does not name a version.
    """
    if not address:
        return Answer("This copy of AffineCal names no release page, so it cannot look for a newer version.")
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UserError(f"The address of the release page, “{address}”, is not one that begins with https://.")
    task.report(0.0, f"Asking {parts.hostname} for the newest version")
    newest = newest_of(_ask(address, parts.hostname, timeout, task))
    if newest is None:
        raise UserError(
            f"What {parts.hostname} answers names no version, so whether there is a newer one is not known."
        )
    here, there = order_of(__version__), order_of(newest.version)
    if there > here:
        return Answer(f"AffineCal {newest.version} is there; this is {__version__}.", newest.page)
    if there < here:
        return Answer(f"This is AffineCal {__version__}, newer than the newest release, {newest.version}.")
    return Answer(f"This is the newest version of AffineCal, {__version__}.")


def newest_of(answer: object) -> Release | None:
    """Return the newest finished release that an answer names; None if it names none."""
    found = [release for release in _releases(answer) if _VERSION.fullmatch(release.version)]
    return max(found, key=lambda release: order_of(release.version), default=None)


def order_of(version: str) -> tuple[tuple[int, ...], bool, tuple[int, ...]]:
    """Return what orders versions: 0.10 is newer than 0.9.1, 1.0 is 1.0.0, and 1.0rc2 comes before 1.0."""
    match = _VERSION.fullmatch(version.strip())
    if match is None:
        return (), False, ()
    numbers = [int(part) for part in match[1].split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    suffix = match[2].partition("+")[0]
    is_finished = not suffix or re.match(r"[.-]?post", suffix, re.IGNORECASE) is not None
    return tuple(numbers), is_finished, tuple(map(int, re.findall(r"\d+", suffix)))


def _releases(answer: object) -> Iterator[Release]:
    if isinstance(answer, list):
        for one in answer:
            yield from _releases(one)
    elif isinstance(answer, Mapping) and not answer.get("draft") and not answer.get("prerelease"):
        told = answer["info"] if isinstance(answer.get("info"), Mapping) else answer
        version = next((told[name] for name in ("tag_name", "version") if isinstance(told.get(name), str)), None)
        if version is not None:
            yield Release(version.strip().removeprefix("v"), _page(told))


def _page(told: Mapping[str, Any]) -> str:
    links = told.get("_links")
    offered = [told.get("html_url"), links.get("self") if isinstance(links, Mapping) else None]
    offered += [told.get(name) for name in ("release_url", "page", "project_url")]
    return next((page for page in offered if isinstance(page, str) and page.startswith(("https://", "http://"))), "")


def _of_machines(address: str) -> str:
    """Return the address that answers in JSON for the pages of the two places that most projects are at."""
    if match := _GITHUB.fullmatch(address):
        return f"https://api.github.com/repos/{match[1]}/{match[2]}/releases/latest"
    if match := _PYPI.fullmatch(address):
        return f"https://pypi.org/pypi/{match[1]}/json"
    return address


def _ask(address: str, host: str, timeout: float, task: Task) -> object:
    import ssl  # none of these is needed before somebody asks
    import urllib.error
    import urllib.request

    request = urllib.request.Request(address, headers={"User-Agent": "AffineCal", "Accept": "application/json"})
    content = b""
    try:
        with urllib.request.urlopen(
            request, timeout=timeout, context=_trusted(ssl.create_default_context())
        ) as response:
            end = time.monotonic() + LONGEST * timeout
            while chunk := response.read1(CHUNK):
                task.check()
                content += chunk
                if len(content) > LARGEST_ANSWER or time.monotonic() > end:
                    raise TimeoutError
        answer: object = json.loads(content)
    except (OSError, http.client.HTTPException) as error:
        if isinstance(error, urllib.error.HTTPError):
            error.close()  # it is an answer of the server as well, with a file behind it
        raise UserError(
            f"{host} cannot be reached ({_reason(error)}), so whether there is a newer version is not known."
        ) from error
    except ValueError:
        return None
    return answer


def _reason(error: Exception) -> str:
    """Return why a page was not reached, in the words of the system."""
    reason = getattr(error, "reason", None)
    cause = reason if isinstance(reason, Exception) else error
    if isinstance(cause, TimeoutError):
        return "no answer in time"
    code = getattr(error, "code", None)
    if code is not None:
        return f"it answers {code} {reason}".strip()
    return getattr(cause, "strerror", None) or str(cause) or type(cause).__name__


def _trusted(context: Any) -> Any:
    """Let a context trust what this system trusts, wherever the system keeps it."""
    if not (context.get_ca_certs() or os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR")):
        known = next((path for path in _CERTIFICATES if Path(path).is_file()), None)
        if known is not None:
            context.load_verify_locations(known)
    return context
