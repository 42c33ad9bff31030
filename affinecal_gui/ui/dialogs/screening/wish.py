"""What is wished of one property in a screening."""

import math
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wished of one property, in its unit."""

    low: float = -math.inf
    high: float = math.inf
    goal: Literal["", "high", "low"] = ""

    @property
    def is_bound(self) -> bool:
        """Whether it says what will do."""
        return self.low > -math.inf or self.high < math.inf
