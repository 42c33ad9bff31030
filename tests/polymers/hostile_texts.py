"""Random polymers and random rubbish, for fuzzing: every kind of text that a table may hold as a repeat unit."""

import random

_ATOMS = ["C"] * 30 + [
    "N",
    "N",
    "N",
    "O",
    "O",
    "O",
    "S",
    "S",
    "C(Cl)",
    "C(Br)",
    "C(I)",
    "P",
    "c",
    "F",
    "B",
    "[Si]",
    "[Se]",
]
_BRACKETED = [
    *("[O-]", "[N+]", "[NH3+]", "[n+]", "[nH]", "[2H]", "[13C]", "[C]", "[CH]", "[H]", "[C@H]", "[C@@]"),
    *("[S+]", "[P-]", "[Na+]", "[Fe]", "[Cu]", "[Au]", "[Pt+2]", "[SiH2]", "[C-]", "[B-]", "[I+]", "[*:3]", "[R3]"),
]
_RINGS = [
    *("c1ccccc1", "c1ccsc1", "c1ccc2ccccc2c1", "C1CCCCC1", "C1CC1", "c1ccncc1", "c1cnc[nH]1", "C1=CC=CC=CC=C1"),
    *(
        "c1ccc2c(c1)[nH]c1ccccc12",
        "C1C2CC3CC1CC(C2)C3",
        "c1cc2ccc3cccc4ccc(c1)c2c34",
        "C1CC2(C1)CCC2",
        "O=C1NC(=O)C=C1",
    ),
]
_LINKS = [
    *("C(=O)O", "C(=O)N", "OC(=O)O", "NC(=O)N", "S(=O)(=O)", "C=C", "C#C", "N=N", "C=N", "C(=C)", "C(C#N)", "C(F)(F)"),
    *("P(=O)(O)", "N=P(Cl)(Cl)", "C(=S)", "OO", "SS", "C(C)=C(C)", "c1ccc(cc1)", "c1ccc(s1)", "C(c1ccccc1)"),
]
_IONS = [
    ".[Cl-]",
    ".[Na+]",
    ".[NH4+]",
    ".O",
    ".[Ca+2]",
    ".C[N+](C)(C)C",
    ".[O-]S(=O)(=O)C(F)(F)F",
    ".[H+]",
    ".[I-].[I-]",
]
_ENDS = [("*", "*")] * 8 + [
    ("[*]", "[*]"),
    ("[*:1]", "[*:2]"),
    ("[R1]", "[R2]"),
    ("[Cu]", "[Au]"),
    ("＊", "＊"),
    ("*", "[R]"),
]
_CHARACTERS = "CNOScnos*[]()=#+-@/\\%.:0123456789HFPBrClI|{}<>$;, \t\n\0é２＊~"


def random_text(choice: random.Random) -> str:
    """Return one text; most are well-formed repeat units, the rest is anything."""
    maker = choice.choices(
        [_polymer, _long_chain, _branched, _ladder, _mutated, _rubbish, _many_stars], [40, 2, 6, 4, 30, 12, 6]
    )[0]
    return maker(choice)


def _part(choice: random.Random) -> str:
    kind = choice.random()
    if kind < 0.45:
        return choice.choice(_ATOMS)
    if kind < 0.75:
        return choice.choice(_LINKS)
    if kind < 0.78:
        return choice.choice(_BRACKETED)
    if kind < 0.85:
        return f"C({choice.choice(_RINGS)})"
    return f"C({_chain(choice, choice.randint(1, 3))})"


def _chain(choice: random.Random, parts: int) -> str:
    return "".join(_part(choice) for _ in range(parts))


def _polymer(choice: random.Random) -> str:
    bond = choice.choice([""] * 30 + ["=", "#"])
    other_bond = bond if choice.random() < 0.9 else ""
    head, tail = choice.choice(_ENDS)
    text = head + bond + _chain(choice, choice.randint(1, 12)) + other_bond + tail
    return text + (choice.choice(_IONS) if choice.random() < 0.15 else "")


def _long_chain(choice: random.Random) -> str:
    parts = [
        choice.choice(["C", "CC", "CO", "C(C)", "C=C", "c1ccc(cc1)", "C(=O)N"]) for _ in range(choice.randint(1, 3))
    ]
    return "*" + "".join(parts) * choice.randint(50, 400) + "*"


def _branched(choice: random.Random) -> str:
    depth = choice.randint(5, 300)
    side = "".join("C(" for _ in range(depth)) + "C" + ")" * depth
    return f"*C({side})C*"


def _ladder(choice: random.Random) -> str:
    rungs = choice.randint(2, 40)
    if choice.random() < 0.5:
        return "*C1CC" + "".join(f"C{2 + i % 2}C{1 + i % 2}C" for i in range(rungs)) + "C*"
    fused = "c1ccc2cc3" + "cc4cc5" * min(rungs, 3) + "ccccc5cc4" * min(rungs, 3) + "cc3cc2c1"
    return f"*C({fused})C*"


def _mutated(choice: random.Random) -> str:
    text = list(_polymer(choice))
    for _ in range(choice.randint(1, 3)):
        place = choice.randrange(len(text) + 1)
        action = choice.random()
        if action < 0.4:
            text.insert(place, choice.choice(_CHARACTERS))
        elif text:
            del text[min(place, len(text) - 1)]
    return "".join(text)


def _rubbish(choice: random.Random) -> str:
    return "".join(choice.choice(_CHARACTERS) for _ in range(choice.randint(0, 60)))


def _many_stars(choice: random.Random) -> str:
    return "".join(choice.choice(["*", "C", "(*)", "[*]", "N", "."]) for _ in range(choice.randint(1, 12)))
