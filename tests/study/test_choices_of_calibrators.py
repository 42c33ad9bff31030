"""The choice of a calibrator as commands and Python make it: one by its name, or whichever is recommended."""

import pytest

from affinecal_gui.calibration.calibrators.registry import CALIBRATORS, RECOMMENDED
from affinecal_gui.calibration.names import calibrator_in_sentence, calibrator_name, calibrator_title, key_named
from affinecal_gui.python.choosing import choices_of
from affinecal_gui.study.fitting.choices import Choices
from affinecal_gui.study.snapshot import Settings
from tests.study.small_study import small_state


def test_recommended_goes_back_to_following_the_recommendation() -> None:
    chosen = Choices(model="ordinary").applied(small_state())
    assert (chosen.settings.model, chosen.settings.follows_advice) == ("ordinary", False)
    back = Choices(model=RECOMMENDED).applied(chosen)
    assert back.settings.follows_advice
    assert back.settings.model == Settings().model


def test_no_calibrator_is_called_so() -> None:
    with pytest.raises(ValueError, match="calibrator"):
        choices_of(calibrator="best")
    assert choices_of(calibrator="recommended").model == RECOMMENDED


@pytest.mark.parametrize("key", [one.key for one in CALIBRATORS])
@pytest.mark.parametrize("log_scale", [True, False])
def test_a_calibrator_is_understood_by_every_name_that_is_shown_of_it(key: str, log_scale: bool) -> None:
    for called in (calibrator_name, calibrator_title, calibrator_in_sentence):
        name = called(key, log_scale=log_scale)
        assert key_named(name) == key
        assert choices_of(calibrator=name).model == key  # type: ignore[arg-type]
