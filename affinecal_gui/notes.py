"""Sentences to the user that know how they are told: whom they are about, and whether they are only details.

A note is a text and may stand wherever a text does. Where many are told at once, :func:`told` leaves out the details and
makes one sentence of those that say the same of several polymers or rows.
"""

from collections.abc import Iterable

NAMES_TOLD = 3
"""Of so many polymers or rows that one sentence is about the names stand there; of more, the number."""


class Note(str):
    """A sentence with what is needed to tell many of them.

    A plain text among notes is told as it stands: the line of a table, or a sentence of which nothing is known.
    """

    __slots__ = ("is_detail", "of_several", "subject")

    subject: str
    of_several: str
    is_detail: bool

    def __new__(cls, text: str, *, subject: str = "", of_several: str = "", is_detail: bool = False) -> "Note":
        """Make a note.

        Parameters
        ----------
        text
            The sentence.
        subject
            The polymer or row that it is about.
        of_several
            What is said of several subjects at once, after their number: "polymers: their ids differ."
        is_detail
            Nothing is guessed, no number depends on it, and there is nothing to do about it.
        """
        note = super().__new__(cls, text)
        note.subject, note.of_several, note.is_detail = subject, of_several, is_detail
        return note


def detail(text: str) -> Note:
    """Return a sentence that only those read who want to know everything."""
    return Note(text, is_detail=True)


def told(notes: Iterable[str], *, in_full: bool = False) -> list[str]:
    """Return what is told of many sentences, in their order.

    Parameters
    ----------
    notes
        Sentences; those that are no :class:`Note` are told.
    in_full
        Tell every one of them.
    """
    every = list(notes)
    if in_full:
        return [str(note) for note in every]
    subjects: dict[str, list[str]] = {}
    for note in every:
        if isinstance(note, Note) and note.of_several and not note.is_detail:
            subjects.setdefault(note.of_several, []).append(note.subject)
    lines, said = [], set()
    for note in every:
        if not isinstance(note, Note):
            lines.append(note)
            continue
        same = subjects.get(note.of_several, [])
        line = _of_several(note.of_several, same) if len(same) > 1 else str(note)
        if not note.is_detail and line not in said:
            said.add(line)
            lines.append(line)
    return lines


def _of_several(sentence: str, subjects: list[str]) -> str:
    named = list(dict.fromkeys(subject for subject in subjects if subject))
    more = len(named) - NAMES_TOLD
    names = ", ".join(named[:NAMES_TOLD]) + (f" and {more} more" if more > 0 else "")
    body, end = (sentence[:-1], sentence[-1]) if sentence[-1:] in (".", "?") else (sentence, "")
    return f"{len(subjects)} {body}{f' ({names})' if names else ''}{end}"


def limited(notes: Iterable[Note], most: int) -> list[Note]:
    """Return the notes, of which those that say something else than the first ``most`` different ones become details."""
    said: set[str] = set()
    found = []
    for note in notes:
        what = note.of_several or str(note)
        if what not in said and len(said) >= most:
            note = detail(note)
        else:
            said.add(what)
        found.append(note)
    return found
