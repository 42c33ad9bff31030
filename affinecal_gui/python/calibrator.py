"""A calibrator file for Python: it calibrates data frames without the study that it comes from."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Self

import pandas as pd

from affinecal_gui.python.choosing import Errors
from affinecal_gui.python.predicting import predicted_frame
from affinecal_gui.python.sentences import as_value_errors
from affinecal_gui.study.calibrator_files.calibrator_file import CalibratorFile, open_calibrator
from affinecal_gui.tasks.predicting.applying import apply_source


class Calibrator:
    """A calibrator that was saved as a file of its own; made by :meth:`open`."""

    def __init__(self, opened: CalibratorFile, name: str) -> None:
        self._opened, self._name = opened, name

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Open a ``.affinecal-model`` file.

        Raises
        ------
        ValueError
            It is none, is damaged, was saved by a newer version, or belongs to another force field.
        """
        with as_value_errors():
            return cls(open_calibrator(path), Path(path).name)

    @property
    def card(self) -> str:
        """The model card, Markdown: from which data it is, how good, and where it must not be used."""
        return self._opened.card

    def __repr__(self) -> str:
        return f"<Calibrator {self._name}: {self._opened.manifest.summary}>"

    def predict(
        self, frame: pd.DataFrame, *, units: Mapping[str, str] | None = None, errors: Errors = "raise"
    ) -> pd.DataFrame:
        """Calibrate the MD values of a data frame, as ``affinecal apply`` does.

        Parameters
        ----------
        frame
            Repeat units, and MD values of the property that the calibrator was made for; those that are missing are
            predicted, if the calibrator can do that, and the column "md_origin" says so.
        units
            Units by heading, where the frame does not name them.
        errors
            "raise": a row that cannot be used is a ValueError; "report": it has no value, and the column "note" says why.

        Returns
        -------
        DataFrame
            A row for each row of ``frame``, with its index and the columns of ``predictions.csv``.

        Raises
        ------
        ValueError
            The frame has no such values and none can be predicted, or it leaves open what the window would ask, or holds a
            row that cannot be used.
        TypeError
            It is no data frame.
        """
        return predicted_frame(frame, units, errors, lambda raw: apply_source(self._opened, self._name, raw))
