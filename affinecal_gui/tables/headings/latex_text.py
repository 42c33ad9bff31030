"""Headings in the notation of LaTeX, as tables of papers have them, in plain characters."""

import re

_SYMBOLS = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "Delta": "Δ", "epsilon": "ε", "varepsilon": "ε", "eta": "η",
    "kappa": "κ", "lambda": "λ", "mu": "µ", "nu": "ν", "rho": "ρ", "varrho": "ρ", "sigma": "σ", "chi": "χ",
    "cdot": "·", "times": "×", "pm": "±", "circ": "°", "degree": "°", "celsius": "°C", "textcelsius": "°C",
    "textdegree": "°", "degreeCelsius": "°C",
    "angstrom": "Å", "AA": "Å", "percent": "%", "%": "%",
}  # fmt: skip
_UPRIGHT = re.compile(
    r"\\(?:mathrm|mathit|mathbf|mathsf|text|textit|textrm|operatorname|rm|it|ensuremath|unit|si)\s*\{([^{}]*)\}"
)
_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_COMMAND = re.compile(r"\\([A-Za-z]+|%)\s*")


def without_latex(text: str) -> str:
    r"""Return a heading without the marks of LaTeX; one that has none is returned as it is.

    >>> without_latex(r"$T_\mathrm{g}$ (K)"), without_latex(r"$\rho$ (g/cm$^3$)")
    ('T_g (K)', 'ρ(g/cm^3)')
    """
    if "\\" not in text and not re.search(r"\$[^$]+\$", text):
        return text
    text = re.sub(r"\{\s*\}", "", text)
    text = re.sub(r"\^?\s*\{?\s*\\(?:circ|degree|textdegree)(?![A-Za-z])\s*\}?", "°", text)
    plain = re.sub(r"\\[,;:! ]|~", " ", text.replace("$", ""))
    for _ in range(3):  # one within another
        plain = _FRACTION.sub(r"\1/(\2)", _UPRIGHT.sub(r"\1", plain))
    plain = _COMMAND.sub(lambda found: _SYMBOLS.get(found[1], found[0]), plain)
    plain = re.sub(r"\^\s*\{?\s*°\s*\}?", "°", plain)
    plain = re.sub(r"_\s*\{([^{}]*)\}", r"_\1", plain)
    return " ".join(plain.split())
