"""What am I looking at? The answers, by the object name of a dock or the key of a section of the model panel."""

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
        "of the fit; if not, its calibrated value is an extrapolation."
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
