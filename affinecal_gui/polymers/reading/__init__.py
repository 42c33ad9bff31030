"""Text -> repeat unit: SMILES with two attachment points, or the exact reason why it is none."""
