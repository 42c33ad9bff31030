"""What a sentence advises, in the options that the command at hand has: not every command has them all."""

import argparse
import re

_ADVICE = re.compile(
    r", or (?P<how>(?:name the column of values )?with) (?P<options>--[a-z-]+(?: or --[a-z-]+)*)"
    r"(?P<where>(?: [a-z-]+)? on the command line)?"
)


def in_own_options(sentence: str, options: argparse.Namespace) -> str:
    """Return a sentence without the advice to use options that the command of these ``options`` has not.

    >>> in_own_options("Choose it there, or with --value-column or --md-column.", argparse.Namespace(md_column=None))
    'Choose it there, or with --md-column.'
    """

    def with_own(found: re.Match[str]) -> str:
        own = [name for name in found["options"].split(" or ") if hasattr(options, name[2:].replace("-", "_"))]
        return f", or {found['how']} {' or '.join(own)}{found['where'] or ''}" if own else ""

    return _ADVICE.sub(with_own, sentence)
