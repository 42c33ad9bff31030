"""What can go wrong with a study file, in words for the person who opens or saves it."""

from affinecal_gui.errors import UserError


class StudyFileError(UserError):
    """A study file cannot be opened or written; the sentence names the file."""


class DamagedContent(Exception):  # noqa: N818 - told to the user as a StudyFileError, which knows the file
    """A part of a study file is not what it should be; the text is a clause: "settings.json: seed is no whole number"."""
