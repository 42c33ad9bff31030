"""Frozen dataclasses <-> plain JSON, by their annotations; nothing that is read is trusted.

A field that a newer version adds with a default is filled in when an older file is read; a field that a newer file has
and this version does not know is ignored. Numbers that do not exist (nan) are ``null``, and those beyond all numbers are
the texts "inf" and "-inf", because JSON has no such numbers.
"""

import dataclasses
import json
import math
import re
import sys
import types
import typing
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import numpy as np

from affinecal_gui.calibration.calibrators.registry import calibrator_keys, kernel_keys
from affinecal_gui.calibration.results import KeyOf
from affinecal_gui.study.records.stored_errors import DamagedContent
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.units.properties import Property, find_property, own_property

Record = TypeVar("Record")

NOTHING: Mapping[type, Collection[str]] = types.MappingProxyType({})

LONGEST_TEXT = 100_000  # characters of one text
LARGEST_INTEGER = 2**53  # beyond it other programs round


def to_json(value: Any) -> bytes:
    """Return plain data as indented JSON, UTF-8, with numbers that come back identical."""
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False).encode("utf-8", errors="replace") + b"\n"


def from_json(content: bytes, where: str) -> dict[str, Any]:
    """Return the object that JSON text holds.

    Raises
    ------
    DamagedContent
        It is no JSON object, has a name twice, holds NaN or Infinity, or is nested too deeply.
    """
    try:
        found = json.loads(
            content.decode("utf-8-sig"),
            parse_constant=_no_number,
            parse_float=_finite,
            object_pairs_hook=_distinct,
        )
    except RecursionError:
        raise DamagedContent(f"{where} is nested too deeply") from None
    except ValueError as error:
        raise DamagedContent(f"{where} cannot be understood ({shortened(str(error), 80)})") from None
    if not isinstance(found, dict):
        raise DamagedContent(f"{where} holds no object")
    return found


def without_markup(text: str) -> str:
    """Return a sentence of a stranger as plain text: widgets guess from a tag that a text is to be laid out, and load."""
    return re.sub(r"<(?=[a-zA-Z/!?])", "‹", text)


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is not allowed")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{shortened(text)} is too large")
    return value


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return found


def to_plain(value: Any, omit: Mapping[type, Collection[str]] = NOTHING) -> Any:
    """Return what JSON can hold of a dataclass, without the fields that ``omit`` names for its class."""
    if isinstance(value, Property):
        return {"key": value.key, "title": value.title, "unit": value.unit}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        left_out = omit.get(type(value), ())
        fields = [field.name for field in dataclasses.fields(value) if field.name not in left_out]
        return {name: to_plain(getattr(value, name), omit) for name in fields}
    if isinstance(value, np.ndarray):
        return to_plain(value.tolist(), omit)
    if isinstance(value, Mapping):
        return {str(key): to_plain(item, omit) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(to_plain(item, omit) for item in value)
    if isinstance(value, tuple | list):
        return [to_plain(item, omit) for item in value]
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else None if math.isnan(value) else str(float(value))
    raise TypeError(f"a study file cannot hold a {type(value).__name__}")


def from_plain(
    kind: type[Record], data: Any, where: str, given: Mapping[str, Any] | None = None, names: Any = None
) -> Record:
    """Return the dataclass that plain data describe.

    Parameters
    ----------
    kind
        The dataclass.
    data
        A JSON object, from anywhere.
    where
        What to call it in a complaint: "settings.json".
    given
        Fields that do not come from ``data``.
    names
        Names in the annotations of ``kind`` that its module only knows while types are checked.

    Raises
    ------
    DamagedContent
        A field is missing or of another type; the text names it.
    """
    return typing.cast(Record, _record(kind, data, where, given or {}, names or {}))


def _record(kind: type, data: Any, where: str, given: Mapping[str, Any], names: Mapping[str, Any]) -> Any:
    if kind is Property:
        return _property(data, where)
    if not isinstance(data, dict):
        raise DamagedContent(f"{where} is no group of fields")
    hints = typing.get_type_hints(kind, localns=dict(names), include_extras=True) if names else _hints(kind)
    values: dict[str, Any] = dict(given)
    for field in dataclasses.fields(kind):
        if field.name in values:
            continue
        if field.name in data:
            values[field.name] = _value(hints[field.name], data[field.name], f"{where}: {field.name}")
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            raise DamagedContent(f"{where}: {field.name} is missing")
    return kind(**values)


@lru_cache(maxsize=256)
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind, include_extras=True)


def _property(data: Any, where: str) -> Property:
    """Return a property by its key; one of the user's own has the unit that the file states."""
    if not isinstance(data, dict):
        raise DamagedContent(f"{where} is no property")
    key = _text(data.get("key"), f"{where}: key")
    unit = _text(data.get("unit", ""), f"{where}: unit")
    known = find_property(key)
    return known if known.is_known else own_property(key, unit)


def _meant(hint: Any) -> Any:
    """Return what the alias of a type stands for, and any other annotation as it is.

    ``NDArray[np.float64]`` is an array at once with some numpy, and an alias with a value and parameters with others: what
    an annotation says must not depend on the version that wrote it.
    """
    while hasattr(alias := get_origin(hint) or hint, "__value__"):
        given = dict(zip(alias.__type_params__, get_args(hint), strict=True)) if get_args(hint) else {}
        value = alias.__value__
        open_ones = getattr(value, "__parameters__", ())
        hint = value[tuple(given.get(one, Any) for one in open_ones)] if open_ones else value
    return hint


def _value(hint: Any, data: Any, where: str) -> Any:
    hint = _meant(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return _one_of(arguments, data, where)
    if origin is Annotated:
        keys = [own for own in arguments[1:] if isinstance(own, KeyOf)]
        if keys:
            return _one_of(kernel_keys() if keys[0].kernels_only else calibrator_keys(), data, where)
        return _value(arguments[0], data, where)
    if origin is Union or origin is types.UnionType:
        return _alternative(arguments, data, where)
    if origin is tuple:
        return _sequence(arguments, data, where)
    if origin is frozenset:
        return frozenset(_items(arguments[0], data, where))
    if origin is np.ndarray:
        return _array(data, where)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        if not isinstance(data, dict):
            raise DamagedContent(f"{where} is no group of fields")
        return {
            _value(arguments[0], key, where): _value(arguments[1], item, f"{where}: {shortened(key)}")
            for key, item in data.items()
        }
    if hint is object or hint is Any:
        return data
    if dataclasses.is_dataclass(hint):
        return _record(typing.cast(type, hint), data, where, {}, {})
    if isinstance(hint, type) and hint in _SIMPLE:
        return _SIMPLE[hint](data, where)
    raise TypeError(f"{where}: a study file cannot hold a {hint}")


def _one_of(choices: tuple[Any, ...], data: Any, where: str) -> Any:
    if not any(data == choice and type(data) is type(choice) for choice in choices):
        raise DamagedContent(f"{where} is not one of {', '.join(map(str, choices))}")
    return data


def _alternative(arguments: tuple[Any, ...], data: Any, where: str) -> Any:
    if data is None and types.NoneType in arguments:
        return None
    complaint: DamagedContent | None = None
    for argument in arguments:
        if argument is not types.NoneType:
            try:
                return _value(argument, data, where)
            except DamagedContent as error:
                complaint = complaint or error
    raise complaint or DamagedContent(f"{where} is empty")


def _sequence(arguments: tuple[Any, ...], data: Any, where: str) -> tuple[Any, ...]:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(_items(arguments[0], data, where))
    if not isinstance(data, list) or len(data) != len(arguments):
        raise DamagedContent(f"{where} is no list of {len(arguments)}")
    return tuple(_value(hint, item, where) for hint, item in zip(arguments, data, strict=True))


def _items(hint: Any, data: Any, where: str) -> list[Any]:
    if not isinstance(data, list):
        raise DamagedContent(f"{where} is no list")
    return [_value(hint, item, where) for item in data]


def _array(data: Any, where: str) -> Any:
    """Return nested lists of numbers as a read-only array; ``null`` is nan."""
    try:
        array = np.array(_numbers(data, where, 3), dtype=np.float64)
    except ValueError:
        raise DamagedContent(f"{where} has lists of different lengths") from None
    array.setflags(write=False)
    return array


def _numbers(data: Any, where: str, depth: int) -> Any:
    if isinstance(data, list) and depth:
        return [_numbers(item, where, depth - 1) for item in data]
    return _float(data, where)


def _text(data: Any, where: str) -> str:
    if not isinstance(data, str):
        raise DamagedContent(f"{where} is no text")
    if len(data) > LONGEST_TEXT:
        raise DamagedContent(f"{where} is too long")
    return data


def _integer(data: Any, where: str) -> int:
    if not isinstance(data, int) or isinstance(data, bool):
        raise DamagedContent(f"{where} is no whole number")
    if abs(data) > LARGEST_INTEGER:
        raise DamagedContent(f"{where} is too large")
    return data


_INFINITE = ("inf", "-inf")


def _float(data: Any, where: str) -> float:
    if data is None:
        return math.nan
    if data in _INFINITE:
        return float(data)
    if isinstance(data, bool) or not isinstance(data, int | float):
        raise DamagedContent(f"{where} is no number")
    if abs(data) > sys.float_info.max:
        raise DamagedContent(f"{where} is too large")
    return float(data)


def _truth(data: Any, where: str) -> bool:
    if not isinstance(data, bool):
        raise DamagedContent(f"{where} is neither true nor false")
    return data


_SIMPLE: Mapping[type, Callable[[Any, str], Any]] = {str: _text, int: _integer, float: _float, bool: _truth}
