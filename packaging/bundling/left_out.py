"""What a bundle does not need of the libraries it holds, and why.

The window and the commands import a part of each library, and what PyInstaller collects is decided by imports; but its rules
for some libraries take everything, and libraries load parts of themselves that nobody here asks for.
"""

import re
import sys

NOT_RUN = {
    # Gives matplotlib a new folder at each start, for programs that are one file: fonts would be looked for each time, and
    # what a process that is ended leaves would stay in the folder of temporary files.
    "pyi_rth_mplconfig",
    # Makes ready for worker processes, which entry.py does where there are some.
    "pyi_rth_multiprocessing",
    # Lets a bundle be asked which modules it has, which nobody does.
    "pyi_rth_pkgutil",
}
"""What PyInstaller would run before the program, at each start and in each worker process."""
if sys.platform.startswith("linux"):
    # Loads Qt, also for commands that have no window, to tell it a place that PySide6 of PyPI tells it when it is imported;
    # and readies for source text, which a bundle does not have, and for processes of pyqtgraph, which are not used.
    NOT_RUN |= {"pyi_rth_pyside6", "pyi_rth_inspect", "pyi_rth_pyqtgraph_multiprocess"}

MODULES = (
    # The face for Python: who has Python installs the package.
    "affinecal_gui.python",
    "affinecal_gui.calibration.estimators",
    "pandas",
    "sklearn",
    "joblib",
    # Readers and writers of pyarrow other than of Parquet files on this computer.
    "pyarrow._azurefs",
    "pyarrow._cuda",
    "pyarrow._dataset_orc",
    "pyarrow._feather",
    "pyarrow._flight",
    "pyarrow._gcsfs",
    "pyarrow._hdfs",
    "pyarrow._orc",
    "pyarrow._s3fs",
    "pyarrow._substrait",
    "pyarrow.cuda",
    "pyarrow.feather",
    "pyarrow.flight",
    "pyarrow.interchange",
    "pyarrow.jvm",
    "pyarrow.orc",
    "pyarrow.substrait",
    "pyarrow.tests",
    # Parts of Qt that pyqtgraph takes when they are there.
    "PySide6.QtTest",
    "pyqtgraph.console",
    "pyqtgraph.examples",
    "pyqtgraph.flowchart",
    "pyqtgraph.jupyter",
    "pyqtgraph.opengl",
    # What libraries offer to notebooks, compilers, tests and web servers.
    "IPython",
    "ipywidgets",
    "matplotlib.backends.web_backend",
    "matplotlib.tests",
    "matplotlib.testing",
    "numpy.distutils",
    "tornado",
    # Of Python itself and what builds with it.
    "_tkinter",
    "ensurepip",
    "idlelib",
    "lib2to3",
    "pip",
    "pkg_resources",
    "setuptools",
    "tkinter",
    "turtle",
    "turtledemo",
    "venv",
)
"""Modules that are not looked at, with everything below them."""

_FILES = {
    "Qt's own texts in forty languages; the window speaks English": r"PySide6/(Qt/)?translations/",
    "Qt's other language, its designer and what compiles with it": r"PySide6/(Qt/)?(qml|metatypes|libexec|resources)/",
    "libraries of that language, of PDF files and of virtual keyboards, for which Qt has plug-ins": (
        r"(PySide6/(Qt/lib/|Qt/bin/)?|)(lib)?Qt6(Qml|Quick|Pdf|VirtualKeyboard|Designer|Test|Sql|EglFS\w*)"
        r"[^/]*\.(so|dll|dylib)[^/]*$"
    ),
    "plug-ins for machines without a desktop, databases, touch keyboards, PDF and exotic pictures": (
        r"PySide6/(Qt/)?plugins/(platforms/(lib)?q(eglfs|linuxfb|minimal|minimalegl|vkkhrdisplay|vnc|direct2d)\b"
        r"|platforminputcontexts/(lib)?qtvirtualkeyboard|platformthemes/libqgtk3|egldeviceintegrations/|generic/|sqldrivers/"
        r"|networkinformation/|tls/|qmltooling/|qmllint/|designer/|printsupport/"
        r"|imageformats/(lib)?q(pdf|tga|tiff|wbmp|webp|icns))"
    ),
    "what draws with OpenGL on Wayland: the window is painted by the processor": (
        r"plugins/wayland-graphics-integration-client/"
    ),
    "Python's own line editor and terminals, the first of which is under the GPL": (
        r"(^|/)(readline|_curses|_curses_panel)\.[^/]*$"
    ),
    "libraries that have to be those of the system: they read its settings of fonts, or its drivers load them as well": (
        r"^lib(fontconfig|freetype|expat|X11|X11-xcb|stdc\+\+|gcc_s|z)\.so[.\d]*$"
    ),
    "clients of network services, and copies under a second name": (
        r"pyarrow/(lib)?(arrow_flight|arrow_s3|arrow_python_flight|arrow_gcs|arrow_cuda|gandiva)[^/]*$"
        r"|pyarrow/libarrow\w*\.so(\.\d+\.\d+\.\d+)?$"
    ),
    "what one compiles against": r"\.(pyx|pxd|pxi|pyi|h|hpp|c|cc|cpp|lib|a|cmake|pc)$|(^|/)(include|src|cmake)/|py\.typed$",
    "data of tests and examples": r"(^|/)tests?/|matplotlib/mpl-data/(sample_data|plot_directive)/|pyqtgraph/examples/",
    "structures, catalogues and drawings that RDKit brings for tools that are not used here": (
        r"rdkit/(Data|Contrib|Docs|Projects)/"
    ),
    "fonts and pictures of matplotlib's own window, and its fonts for PostScript": (
        r"matplotlib/mpl-data/(images|fonts/afm|fonts/pdfcorefonts)/"
    ),
    "documents for developers, and the notebook, which needs Python": r"affinecal_gui/docs/(dev/|.*\.ipynb$)",
    "metadata that nothing reads at run time": r"\.dist-info/(RECORD|INSTALLER|REQUESTED|WHEEL|direct_url\.json)$",
}
"""A reason, and the names inside the bundle's folder that it is true of."""

_LEFT_OUT = re.compile("|".join(f"(?:{pattern})" for pattern in _FILES.values()))


def is_needed(name: str) -> bool:
    """Return whether a file of this name inside the bundle is needed.

    Parameters
    ----------
    name
        Relative to the folder of the libraries, with either kind of slash.
    """
    return _LEFT_OUT.search(name.replace("\\", "/")) is None
