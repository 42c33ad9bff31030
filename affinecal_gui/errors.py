"""The one kind of exception whose text is meant for the person in front of the screen."""


class UserError(Exception):
    """Something the user can put right.

    The text is one or two plain sentences: which file, row and value, and what to do. Every front door shows it as it
    stands; any other exception is a fault of the program and goes to the log with its traceback.
    """


class MoreNeeded(UserError):  # noqa: N818 - nothing is wrong
    """What was asked for can be done once something is added that is usually added next; the text says what."""


class Cancelled(Exception):  # noqa: N818 - the outcome of a wish, not an error
    """The user asked for the running work to stop; results that stood before are untouched."""
