"""The rows of a table of calibrated values, as every command writes them."""

import math
from dataclasses import dataclass

from affinecal_gui.tables.values.rejected_rows import RejectedRow
from affinecal_gui.tables.writing.csv_export import PredictionRow


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a calibrator says of one polymer; values are nan where there are none."""

    value: float
    lower: float
    upper: float
    inside: bool | None  # the range of validity
    note: str
    md_origin: str = ""  # in the words of study.md_origin
    surrogate_value: float = math.nan  # the predicted MD value


def predicted_row(
    identifier: str, name: str, smiles: str, md: float, prediction: Prediction, unit: str, model: str
) -> PredictionRow:
    """Return the row of a polymer that is not part of the fit; ``model`` is the name of the calibrator."""
    return PredictionRow(
        id=identifier,
        name=name,
        smiles=smiles,
        md_value=md,
        measured_value=math.nan,
        calibrated_value=prediction.value,
        unit=unit,
        used_for_fitting=False,
        model=model,
        lower=prediction.lower,
        upper=prediction.upper,
        final_fit_value=prediction.value,
        inside_training_range=prediction.inside,
        note=prediction.note,
        md_origin=prediction.md_origin if math.isfinite(prediction.value) else "",
        surrogate_value=prediction.surrogate_value,
    )


def rejected_row(row: RejectedRow, unit: str, model: str) -> PredictionRow:
    """Return the row of a line of the file that holds no polymer that can be used."""
    none = Prediction(math.nan, math.nan, math.nan, None, f"Not used: {row.reason}.")
    return predicted_row(row.id, row.name, row.smiles, math.nan, none, unit, model)


def without_md_value(md: float) -> str:
    """Say why a polymer without a usable MD value has no calibrated one."""
    return "The MD value cannot be used." if math.isfinite(md) else "No MD value."
