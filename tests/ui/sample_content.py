"""What the inspector shows of one polymer, invented."""

from affinecal_gui.study.shown.inspector_content import Effect, InspectorContent, NearestPolymer, RangeLine, ValueLine

CIRCLES = "".join(
    f'<circle cx="{40 + 30 * number}" cy="{60 + 20 * (number % 2)}" r="13" fill="{colour}"/>'
    for number, colour in enumerate(("#7fb8e0", "#7fb8e0", "#e8a98a", "#7fb8e0", "#cfdfea"))
)


def drawing(line: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 140" width="200" height="140">'
        f'{CIRCLES}<polyline points="40,60 70,80 100,60 130,80 160,60" fill="none" stroke="{line}" stroke-width="2"/>'
        "</svg>"
    )


def sample_content() -> InspectorContent:
    return InspectorContent(
        key="m0",
        label="bisphenol-A polycarbonate",
        id="PI793",
        smiles="*Oc1ccc(cc1)C(C)(C)c1ccc(cc1)OC(*)=O",
        svg=drawing("#1b1f23"),
        svg_dark=drawing("#e4e7ea"),
        legend_limit=0.003,
        legend_note="Share of ln <i>C</i><sub>p</sub> by atom, with its hydrogens: mass, charge, ε, σ; "
        "0 is the average polymer",
        symbol_html="<i>C</i><sub>p</sub>",
        target_html="ln <i>C</i><sub>p</sub>",
        unit="J/(kg K)",
        values=(
            ValueLine("Measured", 1200.0, note="9 values"),
            ValueLine("MD", 2953.0, note="at 300 K"),
            ValueLine("Calibrated", 1183.0, 932.0, 1501.0),
        ),
        residual_percent=-1.4,
        residual_note="out-of-fold",
        wavenumbers=(ValueLine("From measured", 716.0), ValueLine("From calibrated", 722.0, 614.0, 819.0)),
        effects=(
            Effect("atoms", -0.026),
            Effect("bonds", -0.055),
            Effect("angles", -0.010),
            Effect("dihedrals", -0.016),
        ),
        effects_sum=-0.106,
        ranges=(RangeLine("MD value in 1345–4699", True), RangeLine("187 of 190 descriptors", True)),
        nearest=(
            NearestPolymer("m40", "poly(vinyl benzoate)", "*CC(*)OC(=O)c1ccccc1", 0.37),
            NearestPolymer("m41", "poly(2,6-dimethyl-1,4-phenylene oxide)", "*Oc1c(C)cc(*)cc1C", 0.42),
            NearestPolymer("m42", "polysulfone (bisphenol-A)", "*Oc1ccc(cc1)S(=O)(=O)c1ccc(*)cc1", 0.42),
        ),
    )
