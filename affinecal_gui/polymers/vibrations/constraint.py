"""What a simulation holds rigid. Nothing heavy is imported here: it is one of the choices of a study."""

from typing import Literal

Constraint = Literal["hydrogen", "all", "none"]
"""Bonds to hydrogen (SHAKE with ``m 1.0``, as RadonPy does), all bonds, or nothing."""
