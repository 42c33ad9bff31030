"""Ranks of the atoms of a chain, refined from what each is and from what surrounds it."""

from affinecal_gui.polymers.chain.infinite_chain import InfiniteChain

_ROUNDS_OF_RANKING = 32  # atoms with the same surroundings up to so many bonds count as equivalent


def atom_ranks(chain: InfiniteChain) -> list[int]:
    """Return a rank per atom that does not depend on how the repeat unit was written; equal for equivalent atoms."""
    keys: list[tuple[object, ...]] = [
        (atom.degree - atom.all_hydrogens, atom.number, atom.charge, atom.all_hydrogens, atom.mass)
        for atom in chain.atoms
    ]
    orders = chain.delocalised_orders
    ranks = _dense(keys)
    for _ in range(_ROUNDS_OF_RANKING):
        refined = _dense(
            [
                (ranks[i], *sorted((ranks[n.atom], orders[n.bond]) for n in neighbours))
                for i, neighbours in enumerate(chain.neighbours)
            ]
        )
        if max(refined) == max(ranks):
            break
        ranks = refined
    return ranks


def _dense(keys: list[tuple[object, ...]]) -> list[int]:
    rank_of = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    return [rank_of[key] for key in keys]
