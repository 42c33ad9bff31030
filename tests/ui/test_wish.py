"""What a wish says about which value is the better one."""

import pytest

from affinecal_gui.ui.dialogs.screening.wish import Wish


@pytest.mark.parametrize(
    ("wish", "aim"),
    [
        (Wish(), "high"),
        (Wish(low=1.0), "high"),
        (Wish(high=1.0), "low"),
        (Wish(goal="low"), "low"),
        (Wish(goal="high"), "high"),
        (Wish(low=1.0, high=2.0), 1.5),
    ],
)
def test_between_two_values_the_nearer_to_their_middle_is_better(wish: Wish, aim: object) -> None:
    assert wish.aim == aim
