"""The crash report: one file that a user may send to those who mend the program. Nothing is sent by the program itself."""

import io
import os
import platform
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

from affinecal_gui import __version__
from affinecal_gui.files import write_atomically
from affinecal_gui.support.addresses import project_addresses
from affinecal_gui.support.log import TRACE_NAME, log_folder
from affinecal_gui.task import UNWATCHED, Task

LIBRARIES = (
    *(
        "PySide6",
        "shiboken6",
        "pyqtgraph",
        "numpy",
        "scipy",
        "rdkit",
        "matplotlib",
        "pint",
        "python_calamine",
        "pyarrow",
    ),
    *("xlsxwriter", "charset_normalizer", "threadpoolctl", "platformdirs"),
)
LARGEST_TRACE = 400_000  # bytes, of the end

_WORDS = """This is a crash report of AffineCal. It was written to this file alone; nothing was sent to anybody.
Read it, and give it to whoever shall mend the program{where}.

versions.txt  the versions of the program, of its libraries and of the system
trace.txt     when which action was chosen and which work began, by their names in the program, and where in the code of the
              program and of its libraries errors came up, by their kind

It holds no structure, no value, no name of a polymer, of a column or of a file, no folder, and no message that quotes any:
these are left out when the trace is written. Add in your own words what you did, and what came out of it.
"""


def write_crash_report(
    path: str | os.PathLike[str],
    *,
    window: Mapping[str, str] | None = None,
    folder: Path | None = None,
    task: Task = UNWATCHED,
) -> None:
    """Write the report as a zip archive, in place of a file of that name.

    Parameters
    ----------
    path
        Of the archive.
    window
        What else is said under versions: the platform of the window, its screen.
    folder
        Of the log; by default the user's.
    task
        Asked at the last moment whether to go on.

    Raises
    ------
    UserError
        The file cannot be written.
    """
    address = project_addresses().get("issues", "")
    members = {
        "READ ME.txt": _WORDS.format(where=f", {address}" if address else ""),
        "versions.txt": "".join(f"{name}: {said}\n" for name, said in {**versions(), **(window or {})}.items()),
        "trace.txt": _trace(folder or log_folder()),
    }
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in members.items():
            packed.writestr(name, text.encode())
    write_atomically(path, archive.getvalue(), overwrite=True, task=task)


def versions() -> dict[str, str]:
    """Return the versions of the program, of Python, of the system, and of the libraries that are loaded."""
    loaded = {name: sys.modules[name] for name in LIBRARIES if name in sys.modules}
    return {
        "AffineCal": f"{__version__}, {'bundled' if getattr(sys, 'frozen', False) else 'installed as a package'}",
        "Python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "processors": str(os.cpu_count()),
        **{name: str(getattr(module, "__version__", "loaded")) for name, module in loaded.items()},
    }


def _trace(folder: Path) -> str:
    """Return the end of the trace, with that of earlier sessions before it."""
    kept = b""
    for name in (f"{TRACE_NAME}.1", TRACE_NAME):
        try:
            kept += (folder / name).read_bytes()
        except OSError:
            continue
    text = kept[-LARGEST_TRACE:].decode("utf-8", "replace")
    return text or "There is no trace: the folder of the log cannot be written to.\n"
