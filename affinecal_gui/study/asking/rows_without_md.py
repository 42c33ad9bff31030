"""What is said of the measured polymers of a study that nobody has simulated: a line of the study each."""

import numpy as np

from affinecal_gui.errors import UserError
from affinecal_gui.study.data.row_columns import columns_of, without_md
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.fitting.unsimulated import Unsimulated
from affinecal_gui.study.snapshot import FromPredictedMD, Snapshot
from affinecal_gui.study.words.unsimulated_words import predicted_md_sentence, stands_in_place
from affinecal_gui.task import UNWATCHED, Task


def values_without_md(
    snapshot: Snapshot,
    trained: Unsimulated | None,
    why_not: str = "",
    *,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> FromPredictedMD | None:
    """Give the measured polymers of a study that have no MD value theirs from predicted ones; None where there are none.

    Parameters
    ----------
    snapshot
        Of the study that was learned from.
    trained
        What was learned; None where that could not be done, and ``why_not`` says why in a sentence.
    cache
        Where descriptors of earlier runs are found.
    """
    rows = snapshot.rows
    numbers = np.flatnonzero(without_md(columns_of(snapshot)))
    if not numbers.size:
        return None
    count = len(rows)
    values, lower, upper, md = (np.full(count, np.nan) for _ in range(4))
    held_out = np.zeros(count, dtype=np.bool_)
    model, basis = None, ""
    if trained is not None:
        try:
            found = trained.of_smiles([rows[number].smiles for number in numbers], cache=cache, task=task.silent)
        except UserError as problem:
            why_not = str(problem)
        else:
            places = trained.places_in_fit(numbers)
            found = trained.out_of_fold(found, places)
            model, basis = trained.model, trained.sentence
            settings = snapshot.settings
            if settings.model != model and not settings.follows_advice:
                basis += f" {stands_in_place(settings.model, model, log_scale=trained.log_scale)}"
            values[numbers], lower[numbers], upper[numbers] = found.values, found.lower, found.upper
            md[numbers] = found.md
            held_out[numbers] = (places >= 0) & found.described
    with_value = int(np.isfinite(values).sum())
    change = trained.change if trained is not None else ""
    sentence = predicted_md_sentence(numbers.size, with_value, change, why_not)
    for array in (values, lower, upper, md, held_out):
        array.flags.writeable = False
    return FromPredictedMD(values, lower, upper, md, held_out, model, sentence, basis)
