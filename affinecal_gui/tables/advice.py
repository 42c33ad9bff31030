"""What to do about a table that was not read as its user wishes, as sentences and clauses end."""

import re

OTHER_COLUMN = "Choose the other with Adjust… in the window, or with --value-column or --md-column on the command line."
"""Where one of two columns of a property was taken."""

USE_ALL_THE_SAME = "Review… in the window, or with --use-flagged {} on the command line"
"""Where values are set aside for a reason."""

_USED_ALL_THE_SAME = re.compile(
    rf" (?:It is|They are) used all the same with {re.escape(USE_ALL_THE_SAME).replace(re.escape('{}'), r'[^ ]+')}\."
)


def of_no_study(remark: str, *, md_column: bool) -> str:
    """Return a remark on a table that is no part of a study, with what helps there: whoever calibrates it reads it alone.

    Parameters
    ----------
    remark
        As a study makes it.
    md_column
        Whether the column of MD values can be named with ``--md-column``.
    """
    other = "Choose the other with --md-column." if md_column else ""
    return _USED_ALL_THE_SAME.sub("", remark).replace(OTHER_COLUMN, other).rstrip()
