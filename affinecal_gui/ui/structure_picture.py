"""The picture of a repeat unit, in the colours of the window."""

from rdkit import Chem
from rdkit.Chem.Draw import rdMolDraw2D


def structure_svg(smiles: str, width: int, height: int, *, dark: bool) -> str:
    """Return a drawing of a repeat unit."""
    mol = Chem.MolFromSmiles(smiles)
    if mol is None:
        raise ValueError(smiles)
    k = 4
    d = rdMolDraw2D.MolDraw2DSVG(width * k, height * k)
    o = d.drawOptions()
    if dark:
        rdMolDraw2D.SetDarkMode(o)
    o.clearBackground = False
    o.bondLineWidth = 4
    o.scaleBondWidth = False
    o.fixedBondLength = 11 * k
    o.minFontSize = 7 * k
    o.padding = 0.02
    o.dummiesAreAttachments = True
    rdMolDraw2D.PrepareAndDrawMolecule(d, mol)
    d.FinishDrawing()
    return d.GetDrawingText()
