"""The service that describes many polymers: in worker processes, with a time limit, one bad polymer being one reason."""

from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError, Future, wait
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.errors import UserError
from affinecal_gui.polymers.blocks import DescriptorBlocks
from affinecal_gui.progress import CancelCheck, Progress, never, silent, stop_if
from affinecal_gui.study import worker_processes

FORCE_FIELD = "GAFF2_mod"
CHUNK = 25  # polymers a task: short enough for smooth progress and prompt cancelling
SECONDS_PER_POLYMER = 5.0  # far beyond what the largest sensible repeat unit takes
POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class DescriptorTable:
    """Descriptors of m polymers, rows in the order asked for."""

    smiles: tuple[str, ...]
    values: NDArray[np.float64]  # (m, d); nan in the rows of polymers that could not be described
    problems: tuple[str, ...]  # (m,) "" or the reason
    force_field: str = FORCE_FIELD
    known: Mapping[str, tuple[NDArray[np.float64] | None, str]] = field(default_factory=dict, repr=False)


@cache
def blocks_of(force_field: str) -> DescriptorBlocks:
    """Return the ten blocks of this force field."""
    from affinecal_gui.polymers.descriptors import force_field_blocks

    return force_field_blocks(force_field)


def describe_polymers(
    smiles: Sequence[str],
    *,
    force_field: str = FORCE_FIELD,
    processes: int = 0,
    known: Mapping[str, tuple[NDArray[np.float64] | None, str]] | None = None,
    progress: Progress = silent,
    cancelled: CancelCheck = never,
) -> DescriptorTable:
    """Compute the 190 descriptors of each repeat unit.

    Parameters
    ----------
    smiles
        Repeat units as text, (m,).
    force_field
        "GAFF2_mod" or "GAFF2".
    processes
        How many worker processes share the work; 0 does it in this one, where no polymer can be stopped half-way.
    known
        Results of earlier calls (``DescriptorTable.known``), which are not computed again.

    Returns
    -------
    DescriptorTable
        A polymer that cannot be described has a row of nan and its reason.

    Raises
    ------
    Cancelled
        When ``cancelled()`` became true.
    """
    results = dict(known or {})
    missing = [text for text in dict.fromkeys(smiles) if text not in results]
    chunks = [tuple(missing[start : start + CHUNK]) for start in range(0, len(missing), CHUNK)]
    if chunks:
        progress(0.0, f"Describing {len(missing)} polymers")
        if processes:
            results.update(_describe_elsewhere(chunks, force_field, processes, progress, cancelled))
        else:
            results.update(_describe_here(missing, force_field, progress, cancelled))
    columns = len(blocks_of(force_field).columns)
    values = np.full((len(smiles), columns), np.nan)
    problems = []
    for row, text in enumerate(smiles):
        found, reason = results[text]
        if found is not None:
            values[row] = found
        problems.append(reason)
    values.flags.writeable = False
    progress(1.0, f"Described {len(smiles)} polymers")
    return DescriptorTable(tuple(smiles), values, tuple(problems), force_field, results)


def describe_chunk(chunk: tuple[str, ...], force_field: str) -> list[tuple[NDArray[np.float64] | None, str]]:
    """Describe a few polymers; runs in a worker process."""
    from affinecal_gui.polymers.descriptors import describe

    results: list[tuple[NDArray[np.float64] | None, str]] = []
    for text in chunk:
        try:
            results.append((describe(text, force_field), ""))
        except UserError as error:
            results.append((None, str(error)))
        except MemoryError:
            results.append((None, "The repeat unit needs more memory than there is."))
        except Exception as error:  # noqa: BLE001 - whatever a library raises, it concerns this one polymer
            results.append((None, f"The repeat unit could not be described ({type(error).__name__}: {error})."))
    return results


def _describe_here(
    texts: list[str], force_field: str, progress: Progress, cancelled: CancelCheck
) -> dict[str, tuple[NDArray[np.float64] | None, str]]:
    results = {}
    for number, text in enumerate(texts):
        stop_if(cancelled)
        (results[text],) = describe_chunk((text,), force_field)
        progress((number + 1) / len(texts), f"Described {number + 1} of {len(texts)} polymers")
    return results


def _describe_elsewhere(
    chunks: list[tuple[str, ...]], force_field: str, processes: int, progress: Progress, cancelled: CancelCheck
) -> dict[str, tuple[NDArray[np.float64] | None, str]]:
    total = sum(len(chunk) for chunk in chunks)
    results: dict[str, tuple[NDArray[np.float64] | None, str]] = {}
    pending: dict[Future[object], tuple[str, ...]] = {}
    waiting = list(reversed(chunks))
    try:
        while pending or waiting:
            # A few tasks ahead keep every process busy; all at once would make cancelling slow.
            while waiting and len(pending) < 2 * processes:
                chunk = waiting.pop()
                limit = SECONDS_PER_POLYMER * len(chunk)
                future = worker_processes.submit(
                    describe_chunk, chunk, force_field, time_limit=limit, processes=processes
                )
                pending[future] = chunk
            stop_if(cancelled)
            for future in wait(pending, timeout=POLL_SECONDS, return_when="FIRST_COMPLETED").done:
                chunk = pending.pop(future)
                outcome = _outcome(future, chunk)
                if outcome is None:  # one of several took too long: find out which
                    waiting.extend((text,) for text in chunk)
                    continue
                results.update(zip(chunk, outcome, strict=True))
            progress(len(results) / total, f"Described {len(results)} of {total} polymers")
    finally:
        for future in pending:
            future.cancel()
    return results


def _outcome(future: "Future[object]", chunk: tuple[str, ...]) -> list[tuple[NDArray[np.float64] | None, str]] | None:
    """Return what a task found; None when its time ran out, or its process died, and it held several polymers."""
    try:
        return future.result()  # type: ignore[return-value]  # what describe_chunk returns
    except (TimeoutError, CancelledError):
        reason = f"The repeat unit took longer than {SECONDS_PER_POLYMER:g} s to describe."
    except Exception as error:  # noqa: BLE001 - pebble reports a process that died in several ways
        reason = f"The process that described this repeat unit ended unexpectedly ({error})."
    return None if len(chunk) > 1 else [(None, reason)]
