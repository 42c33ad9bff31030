"""What is wrong with an input, as the exception that Python users expect, in the sentence that the window shows."""

import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from affinecal_gui.errors import UserError
from affinecal_gui.python.places import Places, with_rows_named

_ARGUMENTS = {
    "--experiment": "measured",
    "--md": "md",
    "--other-md": "other_md=",
    "--temperature-tolerance": "temperature_tolerance=",
    "--md-as-it-comes": "md_on_one_level=False",
    "--property": "property=",
    "--value-column": "value_column=",
    "--md-column": "md_column=",
    "--calibrator": "calibrator=",
    "--overwrite": "overwrite=True",
    "--use-flagged": "use_flagged=",
}
"""What the options of a command, which a sentence may name, are called in Python."""

_PHRASES = (
    (", or choose it in the import preview.", ", or say it with units=."),
    ("Choose it with Adjust… in the table list.", "Say it with units=."),
    ("Choose the other with Adjust… in the window, or with ", "Choose the other with "),
    ("Review… in the window, or with ", ""),
    (" on the command line", ""),
    (
        ", and two sheets of one workbook with --sheet and --md-sheet.",
        ", and read two sheets of one workbook one by one.",
    ),
)
"""What a sentence advises to do in the window or on the command line, and what that is in Python."""

_OPTION = re.compile(r"--[a-z][a-z-]*")

MOST_NAMED = 10


@contextmanager
def as_value_errors(frames: Sequence[Places] = ()) -> Iterator[None]:
    """Raise what the user can put right as a ValueError, without the traceback of the program behind it.

    Rows of ``frames``, which may be filled meanwhile, are called as their users call them.
    """
    from affinecal_gui.study.fitting.too_few import TooFewPolymers

    try:
        yield
    except TooFewPolymers as error:
        raise ValueError(in_words_of_python(error.in_full, frames)) from None
    except UserError as error:
        raise ValueError(in_words_of_python(str(error), frames)) from None


def in_words_of_python(sentence: str, frames: Sequence[Places] = ()) -> str:
    """Return a sentence of window and commands in the words of Python: arguments for options, rows of data frames."""
    for words, instead in _PHRASES:
        sentence = sentence.replace(words, instead)
    return with_rows_named(_OPTION.sub(lambda found: _ARGUMENTS.get(found[0], found[0]), sentence), frames)


def refuse(sentences: Sequence[str], advice: str) -> None:
    """Raise ValueError with all of these sentences, at most ten, and what to do; nothing happens without any."""
    if not sentences:
        return
    more = len(sentences) - MOST_NAMED
    listed = [*sentences[:MOST_NAMED], *([f"... and {more} more."] if more > 0 else []), advice]
    raise ValueError(in_words_of_python((" " if len(sentences) == 1 else "\n").join(listed)))


def warn(text: str, frames: Sequence[Places] = ()) -> None:
    """Say to who calls a function what was assumed in it, where the numbers would be wrong if that were not so."""
    if text:
        warnings.warn(in_words_of_python(text, frames), UserWarning, stacklevel=3)
