"""Text -> repeat unit: SMILES with two end marks, or the exact reason why it is none."""
