"""What am I looking at? The answers, by the object name of a dock or the key of a section of the model panel."""

from affinecal_gui.calibration.calibrators.registry import calibrator, linear_keys
from affinecal_gui.calibration.names import calibrator_title
from affinecal_gui.ui.parts.terms import (
    AS_PUBLISHED,
    COUPLING_PENALTY,
    LEAK_FREE,
    OUT_OF_FOLD,
    ROUGHNESS_PENALTY,
    SIZE_PENALTY,
)


def _titles(key: str) -> str:
    """Return what a calibrator is called on a logarithmic and on a linear scale."""
    return " or ".join(dict.fromkeys(calibrator_title(key, log_scale=log) for log in (True, False)))


EXPLANATIONS: dict[str, str] = {
    "dataDock": (
        "Above stand your tables, and how many measured polymers have an MD value. Below, each polymer with its "
        "measured, its MD and its <b>calibrated</b> value; that of a measured polymer is predicted without its own "
        "measurement. Where a polymer is not used, its state says why; Space leaves one out of the fit."
    ),
    "modelDock": (
        "How MD values become calibrated ones: the calibrators, each with its error for polymers that it has not "
        "seen, and what the chosen one has learned. The <b>penalties</b> say how little its coefficients may vary; "
        "cross-validation chooses them. Every choice here calibrates anew, and can be undone."
    ),
    "inspectorDock": (
        "One polymer. The colour of an atom says how much of the correction stands at it: the parts add up to the sum "
        "beside <b>Effect</b>, measured from the average polymer. At the right: whether the polymer resembles those "
        "of the fit; if not, its calibrated value is an extrapolation. An <b>out-of-fold</b> residual is that of a "
        "prediction made without the polymer's own measurement."
    ),
    "target": (
        "What is calibrated, and how its errors are found. The logarithm lets errors count as factors, as is usual for "
        f"properties that differ much.<br><b>Leak-free</b>: {LEAK_FREE}<br><b>As published</b>: {AS_PUBLISHED}"
    ),
    "calibrator": "<br>".join(
        (
            "Ways to make a calibrated value of an MD value, each with its out-of-fold RMSE (root mean squared error; "
            f"lower is better). <b>Out-of-fold</b>: {OUT_OF_FOLD} The star marks the one that is recommended.",
            *(f"<b>{_titles(key)}</b>: {calibrator(key).explanation}" for key in linear_keys()),
        )
    ),
    "penalties": "<br>".join(
        (
            "How little the coefficients may do. With small penalties they follow every scatter of the measurements; with "
            "large ones they learn nothing. Cross-validation takes the pair that predicts held-out polymers best.",
            f"<b>λ₁</b>, size: {SIZE_PENALTY}",
            f"<b>λ₂</b>, roughness: {ROUGHNESS_PENALTY}",
            f"<b>λ<sub>β</sub></b>, of β: {COUPLING_PENALTY}",
        )
    ),
    "parameters": (
        "What the chosen calibrator has learned beside the coefficients. <b>α₀</b> and <b>α₁</b>: offset and slope of the "
        "line through measured against MD values. <b>β</b>: how the correction by the structure changes with the MD value; "
        "with 0 it does not. <b>w</b>: the weight of each calibrator in the combined one. "
        "At the right stands the interval in which each may lie. Hover over the table for the equation."
    ),
    "comparison": (
        "Each line sets one calibrator against another: how much lower its error is for polymers that neither has "
        "seen, and <b>p</b>, the probability of at least such a difference if both were equally good. A small p means "
        "that the difference is hardly chance."
    ),
    "surface": (
        "Each cell is one pair of penalties; its colour is the error of cross-validation with them, by the scale at "
        "the right. The mark is the pair in use. A click on a cell takes its penalties."
    ),
}
