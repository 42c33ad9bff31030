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

    @property
    def middle(self) -> float | None:
        """The value that is surest to lie between two bounds; None without both."""
        return (self.low + self.high) / 2 if math.isfinite(self.low) and math.isfinite(self.high) else None

    @property
    def aim(self) -> Literal["high", "low"] | float:
        """Which value is the better one: the higher, the lower, or the nearer to this one."""
        if self.goal:
            return self.goal
        if self.middle is not None:
            return self.middle
        return "low" if self.high < math.inf else "high"
