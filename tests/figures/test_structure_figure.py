"""The coloured structure in a figure: the colours of the window, letters that can be read, and any repeat unit."""

import csv
from pathlib import Path

import numpy as np
import pytest
from matplotlib.collections import EllipseCollection, LineCollection
from matplotlib.figure import Figure

from affinecal_gui.figures.plots.attribution import Share, attribution_figure
from affinecal_gui.figures.plots.structure import ColouredStructure
from affinecal_gui.polymers.drawing.drawing import share_colours
from affinecal_gui.polymers.reading.repeat_unit import parse_repeat_unit
from tests.figures.invented import HEAT_CAPACITY
from tests.figures.layout_checks import assert_legible, written


def drawn(smiles: str, width: float = 85.0, limit: float = float("nan")) -> tuple[Figure, ColouredStructure]:
    unit = parse_repeat_unit(smiles)
    heavy = [atom.GetIdx() for atom in unit.molecule.GetAtoms() if atom.GetAtomicNum() > 0]
    shares = {atom: 0.001 * (k - len(heavy) / 2) for k, atom in enumerate(heavy)}
    structure = ColouredStructure(unit, shares, limit)
    figure = attribution_figure(
        [Share("atoms", 0.1), Share("bonds", -0.2)], HEAT_CAPACITY, polymer=smiles, structure=structure, width_mm=width
    )
    return figure, structure


def test_every_heavy_atom_has_the_colour_of_the_window() -> None:
    figure, structure = drawn("*CC(*)c1ccccc1")
    (circles,) = [c for axes in figure.axes for c in axes.collections if isinstance(c, EllipseCollection)]
    expected = share_colours(structure.shares, structure.full, dark=False)
    assert len(circles.get_offsets()) == 8
    np.testing.assert_allclose(circles.get_facecolor()[:, :3], list(expected.values()), atol=1e-9)


def test_bonds_connect_the_atoms_at_one_length() -> None:
    figure, _ = drawn("*CCCC*")
    circles, bonds = None, None
    for axes in figure.axes:
        for collection in axes.collections:
            if isinstance(collection, EllipseCollection):
                circles = collection
            elif isinstance(collection, LineCollection) and bonds is None:
                bonds = np.array(collection.get_segments())
    assert circles is not None
    assert bonds is not None
    assert len(bonds) == 5  # three between carbons, two open ends
    lengths = np.hypot(*(bonds[:, 1] - bonds[:, 0]).T)
    assert lengths[1:4] == pytest.approx(7.0)


def test_legend_names_the_limit_and_both_directions() -> None:
    texts = [text for text, _, _ in written(drawn("*CC*", limit=0.003)[0])]
    for expected in ("−0.0030", "+0.0030", "0"):
        assert expected in texts
    assert any(text.startswith("lowers ln") for text in texts)
    assert any(text.startswith("raises ln") for text in texts)


@pytest.mark.parametrize(
    ("smiles", "letters"),
    [
        ("*CC(*)O", "OH"),
        ("*CC(*)C#N", "N"),
        ("*NCCCCCC(=O)*", "N"),
        ("*CC(*)C(=O)[O-].[Na+]", "O⁻"),
        ("*CC(*)C(=O)[O-].[Na+]", "Na⁺"),
        ("*CC(*)CN", "NH₂"),
    ],
)
def test_atoms_are_lettered(smiles: str, letters: str) -> None:
    texts = [text for text, _, _ in written(drawn(smiles)[0])]
    assert letters in texts or letters[::-1] in texts or "H₂N" in texts


def test_a_unit_too_large_to_be_drawn_is_named() -> None:
    figure, _ = drawn(f"*{'C' * 600}*")
    assert "too large to be drawn" in " ".join(text for text, _, _ in written(figure))
    assert_legible(figure)


def test_the_polymers_of_the_examples_are_legible(examples: Path) -> None:
    with (examples / "md_radonpy.csv").open(encoding="utf-8") as stream:
        found = [row["smiles"] for row in csv.DictReader(stream)]
    for smiles in found[::25]:
        figure, _ = drawn(smiles)
        assert_legible(figure)
