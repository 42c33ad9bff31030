"""Where the files are that come with the program: icons, parameter tables, examples and documents.

Installed, they lie inside the package. In a checkout that is not installed they are the folders beside it, so that
``import affinecal_gui`` works with nothing but the checkout on Python's path.
"""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

CHECKOUT = Path(__file__).parent.parent


def resources() -> Traversable:
    """Return the folder of icons, fonts, tables of parameters and examples; raise ModuleNotFoundError without it."""
    return _folder("resources")


def documents() -> Traversable:
    """Return the folder of the documentation; raise ModuleNotFoundError when it is not installed."""
    return _folder("docs")


@cache
def _folder(name: str) -> Traversable:
    try:
        return files(f"{__package__}.{name}")
    except ModuleNotFoundError:
        folder = CHECKOUT / name
        if not (folder / "__init__.py").is_file():
            raise
        return folder
