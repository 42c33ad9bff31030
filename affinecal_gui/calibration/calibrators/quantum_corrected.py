"""The MD value without what is classical in it: y = log(Cp - surplus), from the force field and without a measurement."""

from affinecal_gui.calibration.calibrators.calibrator import Calibrator, Equation

QUANTUM_CORRECTED = Calibrator(
    key="quantum_corrected",
    name="MD, quantum-corrected",
    short_title="Quantum",
    name_in_sentence="the quantum-corrected MD value",
    role="teal",
    equation="y = MD − Σ R (1 − E) / M",
    explanation="MD lets stiff bonds, such as C–H, take up heat as if they were classical springs, which at room temperature "
    "they hardly do: that surplus is taken off, by the force constants of the force field. Nothing is fitted.",
    is_given=True,
    uses_descriptors=False,
    report_equation=Equation(
        "",
        r"$C = C_\mathrm{MD} - \frac{R}{M} \sum_i [1 - E(\nu_i, T)]$",
        "<i>C</i> = <i>C</i><sub>MD</sub> − (<i>R</i>/<i>M</i>) Σ<sub><i>i</i></sub> "
        "[1 − <i>E</i>(<i>ν</i><sub><i>i</i></sub>, <i>T</i>)]",
    ),
)
