"""MD values in a data frame -> calibrated ones, row by row, whatever it is that calibrates them."""

from collections.abc import Callable, Mapping
from typing import get_args

import pandas as pd

from affinecal_gui.python.arguments import one_of
from affinecal_gui.python.choosing import Errors
from affinecal_gui.python.frames import table_of
from affinecal_gui.python.places import Places, labels_of, with_rows_named
from affinecal_gui.python.refusals import ADVICE, bad_rows, refuse_questions, refuse_unknown_units, without_value
from affinecal_gui.python.results import frame_of_predictions
from affinecal_gui.python.sentences import as_value_errors, refuse, warn
from affinecal_gui.study.importing.importing import doubts_about
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tasks.predicting.predicting import Predicted


def predicted_frame(
    frame: pd.DataFrame,
    units: Mapping[str, str] | None,
    errors: Errors,
    predict: Callable[[RawTable], Predicted],
) -> pd.DataFrame:
    """Return a row for each row of ``frame``, with its index and the columns of ``predictions.csv``.

    Parameters
    ----------
    units
        Units by heading, where the frame does not name them.
    errors
        "raise": a row that cannot be used is a ValueError; "report": it has no value, and the column "note" says why.
    predict
        The service of a study or of a calibrator file.

    Raises
    ------
    ValueError
        The frame leaves open what the window would ask, or cannot be used; the sentence is that of the window.
    TypeError
        It is no data frame.
    """
    one_of(errors, get_args(Errors), "errors")
    places: list[Places] = []
    with as_value_errors(places):
        raw = table_of(frame, "frame", units)
        places.append(Places(raw.name, frame))
        refuse_unknown_units(units or {}, [raw])
        found = predict(raw)
        refuse_questions(found.table, found.quantity.key, frame)
        if errors == "raise":
            refuse([*bad_rows(found.table, found.quantity.key, frame), *without_value(found, frame)], ADVICE)
    warn(" ".join([doubts_about(found.table, found.quantity.key), *found.unit_notes]).strip(), places)
    lines, rows = zip(*found.in_order, strict=True)
    labels = labels_of(frame)
    index = pd.Index([labels[line] for line in lines], name=frame.index.name)
    notes = [with_rows_named(note, places) for note in found.md_notes]
    return frame_of_predictions(rows, found.quantity.unit, index=index, notes=notes)
