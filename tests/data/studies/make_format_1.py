"""How ``format_1.affinecal`` was made, with AffineCal 0.1.0 and study format 1. Never make it again: it is kept."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "study"))

from small_study import small_result, small_state

from affinecal_gui.study.stored.study_file import save_study

save_study(Path(__file__).with_name("format_1.affinecal"), small_state(), small_result())
