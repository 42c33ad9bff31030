"""SMILES -> molecule, and back to a canonical SMILES that stays the same when it is read and written again."""

from rdkit import Chem, rdBase


def read_smiles(smiles: str, *, sanitize: bool) -> Chem.Mol | None:
    """Let RDKit parse; None stands for every refusal (numbers out of range raise instead of returning None)."""
    try:
        return Chem.MolFromSmiles(smiles, sanitize=sanitize)
    except (RuntimeError, ValueError, OverflowError):
        return None


def stable_smiles(molecule: Chem.Mol) -> str:
    """Canonical SMILES, written and read again until it no longer changes (one pass is not always idempotent)."""
    seen: list[str] = []
    with rdBase.BlockLogs():
        written = Chem.MolToSmiles(molecule)
        while written not in seen:
            seen.append(written)
            if len(seen) > 8:
                break
            again = read_smiles(written, sanitize=True)
            if again is None:
                return seen[0]
            written = Chem.MolToSmiles(again)
    # A text that changes for ever runs in a circle; its smallest member is the same wherever the circle was entered.
    circle = seen[seen.index(written) :] if written in seen else seen
    return min(circle)
