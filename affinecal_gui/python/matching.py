"""Which polymer of one data frame is which of another, before anything is calibrated."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from affinecal_gui.python.study import Study


def match(
    measured: pd.DataFrame,
    md: pd.DataFrame | None = None,
    *,
    property: str | None = None,  # noqa: A002 - the word of the field, and of the command
    units: Mapping[str, str] | None = None,
    temperature_tolerance: float | None = None,
    md_on_one_level: bool | None = None,
    **choices: Any,
) -> pd.DataFrame:
    """Find the MD value of every measured polymer, by repeat unit however it is written, or by id.

    Parameters
    ----------
    measured, md, property, units
        As in :meth:`Study.from_frames`, which takes the further choices, too.
    temperature_tolerance, md_on_one_level
        As in :meth:`Study.matches`.

    Returns
    -------
    DataFrame
        A row for each measured polymer: what became of it, its value and the MD value that was found, in the unit of the
        property (``attrs["units"]``), and the reason where there is none. ``attrs["summary"]`` counts them in a sentence.

    Raises
    ------
    ValueError
        As :meth:`Study.from_frames`.
    """
    study = Study.from_frames(measured, md, property=property, units=units, **choices)
    return study.matches(temperature_tolerance=temperature_tolerance, md_on_one_level=md_on_one_level)
