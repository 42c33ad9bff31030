"""How several reports of one polymer become one value. Light: the settings of a study name a rule."""

from collections.abc import Mapping
from typing import Literal

CombineRule = Literal["median", "mean", "first", "last", "weighted"]

COMBINE_WORDS: Mapping[CombineRule, str] = {
    "median": "their median",
    "mean": "their mean",
    "first": "the first of them",
    "last": "the last of them",
    "weighted": "their mean weighted by the number of reports",
}
"""How a sentence names what a rule gives."""

COMBINE_TITLES: Mapping[CombineRule, str] = {
    "median": "Median",
    "mean": "Mean",
    "weighted": "Mean, weighted by number of reports",
    "last": "Newest: last in the file",
    "first": "First in the file",
}
"""The rules as a list offers them."""
