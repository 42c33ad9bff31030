"""The words of the command line that open the window."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from affinecal_gui import __version__
from affinecal_gui.errors import UserError
from affinecal_gui.study.importing.examples import EXAMPLES, find_example

PICTURES = (".png", ".jpg", ".jpeg", ".bmp")


def window_parser(commands: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser of the words that open the window; its help names the commands, which open none."""
    parser = argparse.ArgumentParser(
        prog="affinecal",
        description="Correct molecular-dynamics values of polymer properties with the few measurements you have.",
        epilog=f"Without a window: affinecal {{{','.join(commands)}}} --help",
    )
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="what to open: tables of measured values and of MD values, or a study (.affinecal)",
    )
    parser.add_argument(
        "--example",
        type=_example,
        metavar="NAME",
        help=f"open a bundled example when no file is named: {', '.join(example.key for example in EXAMPLES)}",
    )
    parser.add_argument(
        "--screenshot",
        type=_picture,
        metavar="FILE.png",
        help="without a display: wait for the first result, save the window as a picture and end",
    )
    parser.add_argument("--version", action="version", version=f"AffineCal {__version__}")
    return parser


def _picture(text: str) -> Path:
    """Return the name of a picture in a format that can be written; without a suffix it is PNG."""
    path = Path(text)
    if path.suffix and path.suffix.lower() not in PICTURES:
        raise argparse.ArgumentTypeError(
            f"“{path.suffix}” is no format of pictures that can be written; name a file that ends in {', '.join(PICTURES)}"
        )
    if not path.absolute().parent.is_dir():
        raise argparse.ArgumentTypeError(f"the folder {path.absolute().parent} does not exist; make it first")
    return path


def _example(key: str) -> str:
    """Return the key of a bundled example, which is looked for before the window is loaded."""
    try:
        return find_example(key).key
    except UserError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
