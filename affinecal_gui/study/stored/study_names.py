"""How study files and calibrator files are called."""

from pathlib import Path

STUDY_SUFFIX = ".affinecal"
CALIBRATOR_SUFFIX = ".affinecal-model"


def is_study(path: str | Path) -> bool:
    """Whether a file claims to be a study by its name."""
    return Path(path).suffix.casefold() == STUDY_SUFFIX


def study_name(path: str | Path) -> str:
    """Return the name under which a study is shown: that of its file without the ending."""
    return Path(path).stem if is_study(path) else Path(path).name


def with_study_suffix(path: str | Path) -> Path:
    """Return the path with the ending of study files added where it is missing."""
    return Path(path) if is_study(path) else Path(f"{path}{STUDY_SUFFIX}")


def is_calibrator(path: str | Path) -> bool:
    """Whether a file claims to be a calibrator by its name."""
    return Path(path).suffix.casefold() == CALIBRATOR_SUFFIX


def with_calibrator_suffix(path: str | Path) -> Path:
    """Return the path with the ending of calibrator files added where it is missing."""
    return Path(path) if is_calibrator(path) else Path(f"{path}{CALIBRATOR_SUFFIX}")
