"""What single words of a command mean: a path, a number. What they cannot mean is said by argparse."""

import argparse
from pathlib import Path


def path(text: str) -> Path:
    """Return the path that a word names."""
    if not text.strip():
        raise argparse.ArgumentTypeError("no file is named: the name is empty")
    return Path(text)


def number(text: str) -> float:
    """Return the number that a word is."""
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is not a number") from None


def small_number(text: str) -> float:
    """Return the number between 0 and 1 that a word is."""
    value = number(text)
    if not 0.0 < value < 1.0:
        raise argparse.ArgumentTypeError("must be a number between 0 and 1")
    return value


def positive(text: str) -> int:
    """Return the whole number from 1 on that a word is."""
    value = int(text) if text.strip().isdigit() else 0
    if value < 1:
        raise argparse.ArgumentTypeError("must be a whole number, 1 or more")
    return value


def whole(text: str) -> int:
    """Return the whole number from 0 on that a word is."""
    if not text.strip().isdigit():
        raise argparse.ArgumentTypeError("must be a whole number, 0 or more")
    return int(text)


def seed(text: str) -> int:
    """Return the seed that a word is."""
    value = int(text) if text.strip().isdigit() else -1
    if not 0 <= value < 2**32:
        raise argparse.ArgumentTypeError("must be a whole number from 0 to 4294967295")
    return value
