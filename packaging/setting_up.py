"""Makes the environment of a checkout, once, and runs the application or the tests in it.

Uses the standard library only, because nothing else is there yet. What it says begins with the name of what is started:
bootstrap.py, or another program of this folder that has put its name into SPEAKER.
"""

import ctypes
import hashlib
import importlib
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / os.environ.get("AFFINECAL_ENVIRONMENT", ".venv")
SPEAKER = "bootstrap"
UNFINISHED = ENVIRONMENT / "unfinished"
"""Is there while libraries are being installed: what is left of an installation that was stopped is not to be trusted."""

# What Qt and RDKit load from the system on Linux: library -> Debian package. The second group is needed for a window on an
# X11 screen only, not for pictures and tests.
OFFSCREEN_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libX11.so.6": "libx11-6",
    "libXext.so.6": "libxext6",
    "libXrender.so.1": "libxrender1",
    "libexpat.so.1": "libexpat1",
}
SCREEN_LIBRARIES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
DISPLAY_PACKAGE = "xvfb"
"""A screen in memory: with it, a part of the tests looks at what a window really shows, and uses a mouse."""
FONT_PACKAGE = "fonts-inter"
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")


def stop(sentence: str) -> None:
    """End with one sentence that says what is missing and what to do."""
    sys.exit(f"{SPEAKER}: {sentence}")


def is_debian_root() -> bool:
    """Return whether this user may install Debian packages."""
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def install_debian_packages(packages: list[str]) -> None:
    """Install system packages; only called where :func:`is_debian_root` holds."""
    print(f"{SPEAKER}: installing system packages: {' '.join(packages)}", flush=True)
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    commands = [
        ["apt-get", "update", "-qq"],
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages],
    ]
    for command in commands:
        if subprocess.run(command, env=quiet, stdout=subprocess.DEVNULL, check=False).returncode != 0:
            stop(f"'{shlex.join(command)}' failed; run it by hand to see why, then start this again.")


def is_loadable(library: str) -> bool:
    """Return whether the dynamic loader finds this library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def has_font() -> bool:
    """Return whether any scalable font is installed; without one every text is drawn as empty boxes."""
    folders = [Path(folder).expanduser() for folder in FONT_FOLDERS]
    return any(next(folder.rglob(pattern), None) for folder in folders for pattern in ("*.ttf", "*.otf", "*.ttc"))


def ensure_display_in_memory() -> bool:
    """Install a screen in memory where that is possible, else name its package; returns whether there is one."""
    if not sys.platform.startswith("linux"):
        return False
    if shutil.which("Xvfb") is None and is_debian_root():
        install_debian_packages([DISPLAY_PACKAGE])
    if shutil.which("Xvfb") is None:
        print(
            "bootstrap: there is no Xvfb, so no test looks at a real screen: all of them run without a display. "
            f"On Debian and Ubuntu: sudo apt-get install {DISPLAY_PACKAGE}",
            flush=True,
        )
        return False
    return True


def ensure_system_libraries(with_screen: bool) -> None:
    """Install, or name, the system libraries that Qt needs on Linux; elsewhere Qt brings its own."""
    if not sys.platform.startswith("linux"):
        return
    wanted = {**OFFSCREEN_LIBRARIES, **(SCREEN_LIBRARIES if with_screen else {})}
    missing = [package for library, package in wanted.items() if not is_loadable(library)]
    if not has_font():
        missing.append(FONT_PACKAGE)
    if not missing:
        return
    if is_debian_root():
        install_debian_packages(missing)
    elif shutil.which("apt-get"):
        stop(f"Qt needs system libraries that are missing; run: sudo apt-get install {' '.join(missing)}")
    else:
        stop(f"Qt needs system libraries that are missing; install what your system calls: {', '.join(missing)}")


def can_make_environments() -> bool:
    """Return whether this Python has the modules for that, which Debian ships apart from it."""
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        return False
    return True


def ensure_venv() -> None:
    """Install, or name, what this Python lacks to make environments."""
    if can_make_environments():
        return
    package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    if is_debian_root():
        install_debian_packages([package])
        importlib.invalidate_caches()
        if can_make_environments():
            return
    if shutil.which("apt-get"):
        stop(f"this Python cannot create environments; run: sudo apt-get install {package}")
    stop(
        "this Python cannot create environments: its modules venv and ensurepip are missing; install a complete Python."
    )


def environment_python() -> Path:
    """Return the interpreter inside the environment."""
    return ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def fingerprint() -> str:
    """Identify what an installation was made from: the requirements, the interpreter and the place of the checkout."""
    parts = (ROOT / "pyproject.toml").read_bytes(), sys.version.encode(), str(ROOT).encode()
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def ensure_environment(extra: str) -> None:
    """Create the environment and install the application, once; ``extra`` is "" or "test"."""
    try:
        runs = environment_answers("-c", QUESTION)
        if not runs or not is_installed(extra):
            if not runs or UNFINISHED.exists() or not environment_answers("-m", "pip", "--version"):
                create_environment()
            install(extra)
    except OSError as error:
        stop(
            f"the environment {ENVIRONMENT} cannot be used ({error.strerror or error}); make sure that you may write to "
            f"{ROOT}, or copy that folder to a place where you may, and start this again."
        )


def is_installed(extra: str) -> bool:
    """Return whether what is wanted was installed from the very same; the tests have everything that "" has."""
    enough = [f"installed-{extra}"] if extra else ["installed", "installed-test"]
    current = fingerprint()
    stamps = [ENVIRONMENT / name for name in enough]
    return not UNFINISHED.exists() and any(path.is_file() and path.read_text() == current for path in stamps)


def create_environment() -> None:
    """Make the environment anew; what is left of one that does not work is removed."""
    import venv

    if os.path.lexists(str(ENVIRONMENT)) and not ENVIRONMENT.is_dir():
        stop(f"{ENVIRONMENT} is in the way, and is no folder; move it away and start this again.")
    print(f"{SPEAKER}: creating the environment {ENVIRONMENT}", flush=True)
    try:
        # Without symbolic links the environment breaks when the system updates Python; Windows needs copies.
        venv.EnvBuilder(with_pip=True, clear=True, symlinks=os.name != "nt").create(ENVIRONMENT)
    except subprocess.CalledProcessError as error:
        stop(
            f"pip could not be installed into {ENVIRONMENT} ({error}); start this with another Python of these versions."
        )


def install(extra: str) -> None:
    """Install the application and its libraries into the environment."""
    print("bootstrap: installing the application and its libraries; the first time this takes some minutes", flush=True)
    UNFINISHED.write_text("")
    target = f"{ROOT}[{extra}]" if extra else str(ROOT)
    command = [str(environment_python()), "-m", "pip", "install", "--disable-pip-version-check", "-q", "-e", target]
    status = subprocess.run(command, cwd=str(ROOT), check=False).returncode
    if status >= 0:
        UNFINISHED.unlink()  # pip was not killed, and has left nothing half done
    if status != 0:
        stop("the libraries could not be installed (see above); check the network connection and start this again.")
    # pip compiles the libraries, but not what it leaves in its place; the first start should not take seconds longer.
    subprocess.run([str(environment_python()), "-m", "compileall", "-q", str(ROOT / "affinecal_gui")], check=False)
    (ENVIRONMENT / (f"installed-{extra}" if extra else "installed")).write_text(fingerprint())


QUESTION = f"import sys; sys.exit(sys.version != {sys.version!r})"
"""Whether the environment's interpreter is of this version: checkouts and Pythons move."""


def environment_answers(*words: str) -> bool:
    """Return whether the environment's interpreter starts, and ends well with these words."""
    try:
        command = [str(environment_python()), *words]
        return (
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0
        )
    except OSError:  # none, not executable, no program
        return False


def run_application(arguments: list[str]) -> int:
    """Open the window, by default on the bundled heat-capacity example."""
    ensure_system_libraries(with_screen="--screenshot" not in arguments)
    ensure_environment("")
    # A named file takes the place of the example (the application decides).
    command = [str(environment_python()), "-m", "affinecal_gui", "--example", "heat_capacity", *arguments]
    return subprocess.run(command, check=False).returncode


def run_tests(arguments: list[str]) -> int:
    """Run the whole suite without a display, but for the tests of what a screen shows, which start one in memory."""
    ensure_system_libraries(with_screen=ensure_display_in_memory())
    ensure_environment("test")
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    # Tests start the program some hundred times: what is compiled once must not be compiled each time.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    # The whole suite is divided among processes: each has a run of files, and who is ready takes over from the others. Who
    # asks for a part of it wants to see it as it comes.
    shared = [] if arguments else ["-n", "auto", "--maxprocesses", "4", "--dist", "worksteal"]
    command = [str(environment_python()), "-m", "pytest", *shared, *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


Version = tuple[int, int]


def main(words: list[str], usage: str, oldest: Version, newest: Version) -> int:
    """Run one of the two commands with a Python from the oldest to the newest; return the exit status."""
    commands = {"run": run_application, "test": run_tests}
    if not words or words[0] not in commands:
        print(usage)
        return 2
    command, arguments = words[0], words[1:]
    ensure_venv()
    if command == "test":
        import pythons  # lies beside this file; needed for nothing else

        trials, arguments = pythons.trials_of(arguments, oldest, newest)
        if trials:
            return pythons.run_trials(trials, Path(__file__).resolve().with_name("bootstrap.py"), arguments)
    return commands[command](arguments)
