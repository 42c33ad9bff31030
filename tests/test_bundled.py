"""The files that come with the program are found where it is installed, and in a checkout that is not."""

import subprocess
import sys
from pathlib import Path

import affinecal_gui
from affinecal_gui.bundled import documents, resources

CHECKOUT = Path(affinecal_gui.__file__).parent.parent

IN_A_BARE_CHECKOUT = """
import sys
# What an installed package adds: the folders of files inside it.
sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in getattr(finder, "__name__", "").lower()]
sys.path.insert(0, sys.argv[1])
from affinecal_gui.bundled import documents, resources
from affinecal_gui.polymers.descriptors.descriptors import describe
from affinecal_gui.polymers.reading.repeat_unit import parse_repeat_unit
from affinecal_gui.ui.dialogs.help.help_pages import help_pages
assert resources().joinpath("examples", "md_radonpy.csv").is_file()
assert documents().joinpath("guide.md").is_file()
assert describe(parse_repeat_unit("*CC*")).shape == (190,)
assert help_pages()
"""


def test_resources_and_documents_are_found() -> None:
    assert resources().joinpath("examples", "md_radonpy.csv").is_file()
    assert documents().joinpath("guide.md").is_file()


def test_a_checkout_that_is_not_installed_finds_them_beside_the_package(tmp_path: Path) -> None:
    command = [sys.executable, "-c", IN_A_BARE_CHECKOUT, str(CHECKOUT)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
