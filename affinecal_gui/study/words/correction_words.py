"""What is said of corrections by hand that come back with the file they were made in."""

from affinecal_gui.study.table_source import ImportChoices


def corrections_again(name: str, choices: ImportChoices) -> str:
    """Say that a file is read with the corrections of an earlier time."""
    count = len(choices.edits)
    if not count:
        return f"{name} was opened before: its columns and units are as you chose them then."
    cells = f"{count} cell is" if count == 1 else f"{count} cells are"
    return f"{name} was opened before: {cells} as you corrected {'it' if count == 1 else 'them'} by hand then."
