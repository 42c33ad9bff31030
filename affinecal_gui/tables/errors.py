"""What can go wrong with a file, in words for the person who dropped it."""

from affinecal_gui.errors import UserError


class TableError(UserError):
    """A file cannot be read, understood or written as a whole.

    Single bad rows are never a reason to raise this: they are listed, and the rest of the file is used.
    """


def shortened(text: str, length: int = 40) -> str:
    """Return a text of the file as it can stand in a sentence: on one line, printable and not too long."""
    shown = "".join(character if character.isprintable() else " " for character in text[: 4 * length])
    shown = " ".join(shown.split())
    return shown if len(shown) <= length else shown[: length - 1] + "…"
