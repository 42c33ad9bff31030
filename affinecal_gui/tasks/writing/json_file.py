"""A result as JSON: text that a person can read, and the same bytes for the same content."""

import json
from collections.abc import Mapping
from pathlib import Path

from affinecal_gui.files import write_atomically


def write_json(path: Path, content: Mapping[str, object]) -> None:
    """Write a result; a number that is not finite is a mistake of the caller (ValueError), since JSON has none."""
    text = json.dumps(content, indent=2, allow_nan=False, ensure_ascii=False)
    write_atomically(path, text.encode() + b"\n")
