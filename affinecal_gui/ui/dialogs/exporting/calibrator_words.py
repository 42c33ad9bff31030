"""What a window says of a calibrator file that is opened in it."""

import shlex
from pathlib import Path

from PySide6.QtGui import QGuiApplication

from affinecal_gui.errors import UserError
from affinecal_gui.ui.session.notices import Notice, NoticeAction, notice_of


def calibrator_notice(path: str) -> Notice:
    """Say what a calibrator file is, and how it is applied to a table; or why it cannot be."""
    from affinecal_gui.study.calibrator_files.calibrator_file import open_calibrator

    try:
        opened = open_calibrator(path)
    except UserError as error:
        return notice_of(error)
    name = Path(path).name
    command = shlex.join(("affinecal", "apply", path, "TABLE.csv", "--output", "OUT.csv"))
    return Notice(
        "caution",
        f"{name} is a calibrator and no study: {opened.manifest.summary}. In a terminal, affinecal apply {name} TABLE.csv "
        "--output OUT.csv calibrates the MD values of a table with it.",
        action=NoticeAction("Copy the command", lambda: QGuiApplication.clipboard().setText(command)),
    )
