"""The service that describes many polymers: in worker processes, with a time limit; a bad polymer is one reason."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from affinecal_gui import __version__
from affinecal_gui.errors import UserError
from affinecal_gui.polymers.descriptors.blocks import DescriptorBlocks
from affinecal_gui.study.describing import worker_pool as worker_processes
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.describing.worker_pool import Failed
from affinecal_gui.task import UNWATCHED, Task

FORCE_FIELD = "GAFF2_mod"
CHUNK = 64  # polymers a task: long enough for the way there and back not to count
KEPT_AT_ONCE = 4_000  # polymers: a run that is stopped loses no more, and the file is rarely asked how large it is
SECONDS_PER_POLYMER = 5.0  # of processor time; far beyond what the largest sensible repeat unit takes


Description = tuple[NDArray[np.float64] | None, str]
"""The (190,) descriptors of a polymer and "", or None and the reason why there are none."""


@dataclass(frozen=True, slots=True)
class DescriptorTable:
    """Descriptors of m polymers, rows in the order asked for."""

    smiles: tuple[str, ...]
    values: NDArray[np.float64]  # (m, d); nan in the rows of polymers that could not be described
    problems: tuple[str, ...]  # (m,) "" or the reason
    force_field: str = FORCE_FIELD
    known: Mapping[str, Description] = field(default_factory=dict, repr=False)


@cache
def blocks_of(force_field: str) -> DescriptorBlocks:
    """Return the ten blocks of this force field."""
    from affinecal_gui.polymers.descriptors.block_definitions import force_field_blocks

    return force_field_blocks(force_field)


def describe_polymers(
    smiles: Sequence[str],
    *,
    force_field: str = FORCE_FIELD,
    processes: int = 0,
    known: Mapping[str, Description] | None = None,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> DescriptorTable:
    """Compute the 190 descriptors of each polymer.

    Parameters
    ----------
    smiles
        Repeat units or compositions as text, (m,); see :mod:`affinecal_gui.polymers.copolymers.composition`.
    force_field
        "GAFF2_mod" or "GAFF2".
    processes
        How many worker processes share the work; 0 does it in this one, where no polymer can be stopped half-way.
    known
        Results of earlier calls (``DescriptorTable.known``), which are not computed again.
    cache
        Where results of earlier runs are found and new ones are kept.

    Returns
    -------
    DescriptorTable
        A polymer that cannot be described has a row of nan and its reason.
    """
    results = results_of(
        smiles,
        partial(describe_text, force_field=force_field),
        engine_of(force_field),
        done="Described",
        processes=processes,
        known=known,
        cache=cache,
        task=task,
    )
    columns = len(blocks_of(force_field).columns)
    values = np.full((len(smiles), columns), np.nan)
    problems = []
    for row, text in enumerate(task.each(smiles)):
        description, reason = results[text]
        if description is not None:
            values[row] = description
            # What is known refers to the table, lest a large library be held twice.
            known_row = values[row]
            known_row.flags.writeable = False
            results[text] = known_row, reason
        problems.append(reason)
    values.flags.writeable = False
    task.report(1.0, f"Described {len(smiles)} polymers")
    return DescriptorTable(tuple(smiles), values, tuple(problems), force_field, results)


def results_of(
    texts: Sequence[str],
    work: Callable[[str], Description],
    engine: str,
    *,
    done: str,
    processes: int = 0,
    known: Mapping[str, Description] | None = None,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> dict[str, Description]:
    """Return the numbers that ``work`` finds for each polymer, those of ``known`` and of the cache among them.

    Parameters
    ----------
    texts
        Repeat units or compositions.
    work
        Runs in worker processes; returns numbers, or None and the reason.
    engine
        What the numbers depend on beside the polymer: the key under which they are stored.
    done
        What has been done with a polymer then, for the progress: "Described".
    """
    results = dict(known or {})
    missing = [text for text in dict.fromkeys(texts) if text not in results]
    if cache is not None and missing:
        found = cache.find(missing, engine)
        results.update({text: (values, "") for text, values in found.items()})
        missing = [text for text in missing if text not in found]
    worked_out = work_in_order(iter(missing), work, processes=processes, task=task)
    new: dict[str, NDArray[np.float64]] = {}
    for number, (text, result) in enumerate(zip(missing, worked_out, strict=True), 1):
        results[text] = result
        if cache is not None and result[0] is not None:
            new[text] = result[0]
        if cache is not None and (len(new) >= KEPT_AT_ONCE or number == len(missing)):
            cache.store(new, engine)
            new.clear()
        task.report(number / len(missing), f"{done} {number} of {len(missing)} polymers")
    return results


def engine_of(force_field: str) -> str:
    """Return what the numbers depend on beside the polymer; part of the key of everything that is stored."""
    import rdkit

    return f"{force_field}, AffineCal {__version__}, RDKit {rdkit.__version__}"


def describe_in_order(
    smiles: Iterator[str], *, force_field: str = FORCE_FIELD, processes: int = 0, task: Task = UNWATCHED
) -> Iterator[Description]:
    """Return the descriptors of each polymer, or None and the reason, in the order of the input.

    Works on a stream: only a few chunks are in memory, however long it is.

    Raises
    ------
    WorkersCannotStart
        When not a single worker process can be started.
    """
    return work_in_order(smiles, partial(describe_text, force_field=force_field), processes=processes, task=task)


def work_in_order(
    texts: Iterator[str], work: Callable[[str], Description], *, processes: int = 0, task: Task = UNWATCHED
) -> Iterator[Description]:
    """Yield what ``work`` returns for each polymer, in order, from worker processes or this one; errors as above."""
    if not processes:
        for text in texts:
            task.check()
            yield work(text)
        return
    results = worker_processes.results_in_order(
        work,
        chunks_of(texts),
        processes=processes,
        seconds=SECONDS_PER_POLYMER,
        task=task,
    )
    for result in results:
        yield (None, reason_of(result)) if isinstance(result, Failed) else result


def chunks_of(smiles: Iterator[str]) -> Iterator[tuple[str, ...]]:
    """Divide polymers into the portions that go to a worker process together."""
    while chunk := tuple(islice(smiles, CHUNK)):
        yield chunk


def reason_of(failed: Failed) -> str:
    """Say why a worker process could not describe a polymer."""
    if failed.took_too_long:
        return f"The repeat unit took longer than {SECONDS_PER_POLYMER:g} s to describe."
    return f"The process that described this repeat unit ended unexpectedly ({failed.detail})."


def describe_text(text: str, force_field: str = FORCE_FIELD) -> Description:
    """Describe one homopolymer or copolymer; whatever is wrong with it becomes a reason. Runs in worker processes."""
    from affinecal_gui.polymers.copolymers.composition import describe_composition

    return numbers_or_reason(lambda: describe_composition(text, force_field), "described")


def numbers_or_reason(work: Callable[[], NDArray[np.float64]], done: str) -> Description:
    """Return the numbers of one polymer, or None and why they cannot be ``done``, "described" for example."""
    try:
        return work(), ""
    except UserError as error:
        return None, str(error)
    except MemoryError:
        return None, "The repeat unit needs more memory than there is."
    except Exception as error:  # noqa: BLE001 - whatever a library raises, it concerns this one polymer
        return None, f"The repeat unit could not be {done} ({type(error).__name__}: {error})."
