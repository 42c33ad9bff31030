"""Where the files are that come with the program: icons, parameter tables, examples and documents.

Installed, they lie inside the package. In a checkout that is not installed they are the folders beside it, so that
``import affinecal_gui`` works with nothing but the checkout on Python's path.
"""

from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent
CHECKOUT = PACKAGE.parent


def resources() -> Path:
    """Return the folder of icons, fonts, tables of parameters and examples; raise FileNotFoundError without it."""
    return _folder("resources")


def documents() -> Path:
    """Return the folder of the documentation; raise FileNotFoundError when it is not installed."""
    return _folder("docs")


@cache
def _folder(name: str) -> Path:
    installed, beside = PACKAGE / name, CHECKOUT / name
    if installed.is_dir():
        return installed
    if (beside / "__init__.py").is_file():  # and not anybody's folder of that name
        return beside
    raise FileNotFoundError(f"The folder “{name}” of AffineCal is not there. Install AffineCal again to get it back.")
