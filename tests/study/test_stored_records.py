"""Records are read by what their annotations mean, however the libraries of this machine write them."""

import collections.abc
import dataclasses
import json
import math
import typing
from typing import Any, Literal, TypeVar

import numpy as np
import pytest
from numpy.typing import NDArray
from typing_extensions import TypeAliasType

from affinecal_gui.study.records.stored_errors import DamagedContent
from affinecal_gui.study.records.stored_records import from_json, from_plain, to_json, to_plain

Kind = TypeVar("Kind", bound=np.generic)
Key = TypeVar("Key")
Value = TypeVar("Value")

# What ``type NDArray[Kind] = ...`` makes, as numpy has it from 2.5 on for Python 3.12.
Array = TypeAliasType("Array", np.ndarray[Any, np.dtype[Kind]], type_params=(Kind,))
Floats = TypeAliasType("Floats", Array[np.float64])  # an alias of an alias
Swapped = TypeAliasType("Swapped", collections.abc.Mapping[Value, Key], type_params=(Key, Value))
Name = TypeAliasType("Name", str)
Side = TypeAliasType("Side", Literal["left", "right"])


def read(annotation: Any, value: Any) -> Any:
    """A record with one field of this annotation, written as JSON and read again."""
    kind = dataclasses.make_dataclass("Record", [("field", annotation)], frozen=True)
    return from_plain(kind, from_json(to_json(to_plain(kind(value))), "record.json"), "record.json").field


@pytest.mark.parametrize(
    "annotation",
    [
        NDArray[np.float64],
        np.ndarray[Any, np.dtype[np.float64]],
        np.ndarray[tuple[int, ...], np.dtype[np.float64]],
        np.ndarray[tuple[Any, ...], np.dtype[np.float64]],
        Array[np.float64],
        Floats,
        Floats | None,
        typing.Optional[Array[np.float64]],  # noqa: UP045 - the older spelling of the same
    ],
    ids=str,
)
def test_an_array_is_read_however_its_annotation_is_spelt(annotation: Any) -> None:
    found = read(annotation, np.array([[1.5, math.nan], [-math.inf, 0.1]]))
    np.testing.assert_array_equal(found, [[1.5, math.nan], [-math.inf, 0.1]])
    assert found.dtype == np.float64
    assert not found.flags.writeable


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (Name, "PE"),
        (tuple[Name, ...], ("PE", "PP")),
        (typing.Tuple[str, ...], ("PE", "PP")),  # noqa: UP006 - the older spelling of the same
        (tuple[Name, float], ("PE", 0.9)),
        (frozenset[Name], frozenset({"PE"})),
        (collections.abc.Mapping[Name, Floats | None], {"PE": None}),
        (typing.Mapping[str, int], {"PE": 3}),
        (Swapped[int, str], {"PE": 3}),
        (Side, "left"),
        (Side | None, None),
        (typing.Union[Name, float], 0.5),  # noqa: UP007 - the older spelling of the same
    ],
    ids=str,
)
def test_a_value_comes_back_through_every_spelling_of_its_annotation(annotation: Any, value: Any) -> None:
    assert read(annotation, value) == value


@pytest.mark.parametrize(
    ("annotation", "data"), [(Name, 3), (Side, "up"), (Floats, "much"), (Swapped[int, str], {"PE": "three"})], ids=str
)
def test_what_an_alias_stands_for_is_demanded_of_the_data(annotation: Any, data: Any) -> None:
    kind = dataclasses.make_dataclass("Record", [("field", annotation)], frozen=True)
    with pytest.raises(DamagedContent, match=r"record\.json: field"):
        from_plain(kind, json.loads(json.dumps({"field": data})), "record.json")


def test_an_annotation_that_no_file_can_hold_is_named() -> None:
    kind = dataclasses.make_dataclass("Record", [("field", complex)], frozen=True)
    with pytest.raises(TypeError, match=r"record\.json: field: .* cannot hold a .*complex"):
        from_plain(kind, {"field": 1}, "record.json")
