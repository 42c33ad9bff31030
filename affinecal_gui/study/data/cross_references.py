"""Polymers that tables of a study name by different ids, found through the columns where both ids stand side by side.

A lab's list knows its polymers by the PID of a database, the MD table by numbers of its own; a third table, often that of
the descriptors, has both columns, or a repeat unit beside one of them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from affinecal_gui.polymers.copolymers.composition import composition_identity, parse_composition
from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit
from affinecal_gui.tables.matching.ids import id_key
from affinecal_gui.tables.units.property_names import simplified
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.task import UNWATCHED, Task

_HEADING = re.compile(
    r"((.*[\W_\d])?|p|(.*[\W_])?(polymer|monomer|sample|material))(id|identifier|code|key|cas( ?(no|number|rn))?)\.?",
    re.IGNORECASE,
)
_LETTER = re.compile(r"[^\W\d_]")


def further_ids(table: PolymerTable, *, task: Task = UNWATCHED) -> tuple[tuple[str, ...], ...]:
    """Return further columns of a table that name its polymers, beside the one that was taken as its id.

    Such a column is headed as one (PID, polymer_id, code) and names every polymer differently.
    """
    found = []
    for heading, texts in table.details.items():
        if not _HEADING.fullmatch(heading.strip()):
            continue
        given = [label for text in task.each(texts) if (label := _label(text))]
        if given and len(set(given)) == len(given):
            found.append(tuple(texts))
    return tuple(found)


def speaking_of_the_same(
    measured: PolymerTable, md: PolymerTable, tables: Sequence[PolymerTable], *, task: Task = UNWATCHED
) -> tuple[PolymerTable, PolymerTable]:
    """Return both tables so that they can be compared: with the ids of the MD table, and repeat units where ids lack.

    Ids that the MD table has are kept, and mere numbers are not looked up: they are as likely line numbers.

    Parameters
    ----------
    measured, md
        The tables to be compared.
    tables
        All tables of the study; what they know of a polymer is put together.
    """
    measured = _with_ids_headed_alike(measured, md)
    known = {label: text for text in task.each(md.ids) if (label := _label(text))}
    aliases = _to_md_ids(md, known, task)
    units: dict[str, str] = {}
    several: set[str] = set()  # what several polymers are called names none of them
    for table in tables:
        for row, labels in enumerate(_labels(table, task)):
            target = next((aliases[label] for label in labels if label in aliases), None)
            for label in labels:
                if target is not None and id_key(aliases.setdefault(label, target)) != id_key(target):
                    several.add(label)
                text = table.smiles[row]
                if text and label not in several and not _are_one(units.setdefault(label, text), text):
                    several.add(label)
    aliases = {label: target for label, target in aliases.items() if label not in several}
    units = {label: text for label, text in units.items() if label not in several}
    ids, smiles = list(measured.ids), list(measured.smiles)
    open_ends = False
    for row, labels in enumerate(_labels(measured, task)):
        if _label(ids[row]) in known:
            continue
        target = next((aliases[label] for label in labels if label in aliases), None)
        if target is not None:
            ids[row] = target
            continue
        open_ends = True
        smiles[row] = smiles[row] or _unit_of(labels, units)
    if ids != list(measured.ids) or smiles != list(measured.smiles):
        measured = replace(measured, ids=tuple(ids), smiles=tuple(smiles))
    if open_ends and units and not all(md.smiles):
        rows = zip(md.smiles, _labels(md, task), strict=True)
        md = replace(md, smiles=tuple(text or _unit_of(labels, units) for text, labels in rows))
    return measured, md


def _with_ids_headed_alike(measured: PolymerTable, md: PolymerTable) -> PolymerTable:
    """Return the measured table with the ids of that of its columns which is headed as the ids of the MD table are."""
    own, other = (simplified(_id_heading(table)) for table in (measured, md))
    if not other or own == other:
        return measured
    found = next((texts for heading, texts in measured.details.items() if simplified(heading) == other), None)
    if found is None or not any(found):
        return measured
    return replace(measured, ids=tuple(found))


def _id_heading(table: PolymerTable) -> str:
    column = None if table.roles is None else table.roles.first("id")
    return "" if column is None else column.heading


def _are_one(text: str, other: str) -> bool:
    """Whether two texts are the same repeat unit, however written."""
    if text == other:
        return True
    try:
        one, another = (composition_identity(parse_composition(each)) for each in (text, other))
    except InvalidRepeatUnit:
        return False
    return one.stereo_key == another.stereo_key


def _unit_of(labels: Sequence[str], units: Mapping[str, str]) -> str:
    return next((units[label] for label in labels if label in units), "")


def _to_md_ids(md: PolymerTable, known: Mapping[str, str], task: Task) -> dict[str, str]:
    found = {label: text for label, text in task.each(known.items()) if _LETTER.search(label)}
    for column in further_ids(md, task=task):
        for text, identifier in task.each(zip(column, md.ids, strict=True)):
            if _LETTER.search(text) and identifier:
                found.setdefault(_label(text), identifier)
    return found


def _labels(table: PolymerTable, task: Task) -> Iterator[list[str]]:
    """Yield for each row what it is called in the columns that name polymers, without mere numbers."""
    columns = (table.ids, *further_ids(table, task=task))
    for texts in task.each(zip(*columns, strict=True)):
        yield [_label(text) for text in texts if _LETTER.search(text)]


def _label(text: str) -> str:
    return id_key(text) if text.strip() else ""
