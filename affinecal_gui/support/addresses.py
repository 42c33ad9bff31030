"""The addresses that the project names in its own metadata, such as that of its releases; there may be none."""

import importlib.metadata
import re
import tomllib

from affinecal_gui.bundled import CHECKOUT


def project_addresses() -> dict[str, str]:
    """Return the addresses under ``[project.urls]`` of pyproject.toml, each by its label in small letters."""
    try:
        lines = importlib.metadata.metadata("affinecal").get_all("Project-URL") or []
    except importlib.metadata.PackageNotFoundError:
        return _of_checkout()
    pairs = (line.partition(",") for line in lines)
    return {_plain(label): address.strip() for label, _, address in pairs if address.strip()}


def _of_checkout() -> dict[str, str]:
    try:
        project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    except (OSError, KeyError, ValueError):
        return {}
    return {_plain(label): address for label, address in project.get("urls", {}).items()}


def _plain(label: str) -> str:
    """Return a label as the packaging standard compares them: without capitals, spaces and marks."""
    return re.sub(r"[\W_]+", "", label).lower()
