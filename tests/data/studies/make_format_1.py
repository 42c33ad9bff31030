"""How ``format_1.affinecal`` was made, with AffineCal 0.1.0 and study format 1. Never make it again: it is kept."""

from pathlib import Path

from affinecal_gui.study.stored.study_file import save_study
from tests.study.small_study import small_result, small_state

save_study(Path(__file__).with_name("format_1.affinecal"), small_state(), small_result())
