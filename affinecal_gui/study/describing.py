"""The service that describes many polymers: in worker processes, with a time limit; a bad polymer is one reason."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Future, wait
from dataclasses import dataclass, field
from functools import cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from affinecal_gui import __version__
from affinecal_gui.errors import UserError
from affinecal_gui.polymers.blocks import DescriptorBlocks
from affinecal_gui.progress import CancelCheck, Progress, never, silent, stop_if
from affinecal_gui.study import worker_processes
from affinecal_gui.study.descriptor_cache import CachedPolymer, DescriptorCache

FORCE_FIELD = "GAFF2_mod"
CHUNK = 25  # polymers a task: short enough for smooth progress and prompt cancelling
SECONDS_PER_POLYMER = 5.0  # far beyond what the largest sensible repeat unit takes
POLL_SECONDS = 0.05


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
    from affinecal_gui.polymers.descriptors import force_field_blocks

    return force_field_blocks(force_field)


def describe_polymers(
    smiles: Sequence[str],
    *,
    force_field: str = FORCE_FIELD,
    processes: int = 0,
    known: Mapping[str, Description] | None = None,
    cache: DescriptorCache | None = None,
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
    cache
        Where results of earlier runs are found and new ones are kept.

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
    if cache is not None and missing:
        found = cache.find(missing, engine_of(force_field))
        results.update({text: (values, "") for text, values in found.items()})
        missing = [text for text in missing if text not in found]
    described = describe_in_order(iter(missing), force_field=force_field, processes=processes, cancelled=cancelled)
    for number, (text, result) in enumerate(zip(missing, described, strict=True)):
        results[text] = result
        progress((number + 1) / len(missing), f"Described {number + 1} of {len(missing)} polymers")
    if cache is not None and missing:
        _keep(cache, {text: results[text][0] for text in missing}, engine_of(force_field), cancelled)
    columns = len(blocks_of(force_field).columns)
    values = np.full((len(smiles), columns), np.nan)
    problems = []
    for row, text in enumerate(smiles):
        description, reason = results[text]
        if description is not None:
            values[row] = description
        problems.append(reason)
    values.flags.writeable = False
    progress(1.0, f"Described {len(smiles)} polymers")
    return DescriptorTable(tuple(smiles), values, tuple(problems), force_field, results)


def engine_of(force_field: str) -> str:
    """Return what the numbers depend on beside the polymer; part of the key of everything that is stored."""
    import rdkit

    return f"{force_field}, AffineCal {__version__}, RDKit {rdkit.__version__}"


def _keep(
    cache: DescriptorCache, described: Mapping[str, NDArray[np.float64] | None], engine: str, cancelled: CancelCheck
) -> None:
    from affinecal_gui.polymers.identity import polymer_identity
    from affinecal_gui.polymers.repeat_unit import parse_repeat_unit

    polymers = {}
    for text, values in described.items():
        stop_if(cancelled)
        if values is not None:
            polymers[text] = CachedPolymer(polymer_identity(parse_repeat_unit(text)).stereo_key, values)
    cache.store(polymers, engine)


def describe_in_order(
    smiles: Iterator[str], *, force_field: str = FORCE_FIELD, processes: int = 0, cancelled: CancelCheck = never
) -> Iterator[Description]:
    """Yield the descriptors of each repeat unit, or None and the reason, in the order of the input.

    Works on a stream: only a few chunks are in memory, however long it is.

    Raises
    ------
    Cancelled
        When ``cancelled()`` became true.
    """
    if not processes:
        for text in smiles:
            stop_if(cancelled)
            yield from describe_chunk((text,), force_field)
        return
    pending: deque[tuple[tuple[str, ...], Future[list[Description]]]] = deque()
    try:
        while True:
            # A few chunks ahead keep every process busy; all at once would make cancelling slow and memory large.
            while len(pending) < 1 + 2 * processes and (chunk := tuple(islice(smiles, CHUNK))):
                pending.append((chunk, _submit(chunk, force_field, processes)))
            if not pending:
                return
            chunk, future = pending[0]
            while not future.done():
                stop_if(cancelled)
                wait([future], timeout=POLL_SECONDS)
            pending.popleft()
            results = _outcome(future, chunk)
            if results is None:  # one of several took too long: find out which
                results = []
                for text in chunk:
                    stop_if(cancelled)
                    alone = _outcome(_submit((text,), force_field, processes), (text,))
                    assert alone is not None
                    results += alone
            stop_if(cancelled)
            yield from results
    finally:
        for _, future in pending:
            future.cancel()


def describe_chunk(chunk: tuple[str, ...], force_field: str) -> list[Description]:
    """Describe a few polymers; runs in a worker process."""
    from affinecal_gui.polymers.descriptors import describe

    results: list[Description] = []
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


def _submit(chunk: tuple[str, ...], force_field: str, processes: int) -> "Future[list[Description]]":
    limit = SECONDS_PER_POLYMER * len(chunk)
    return worker_processes.submit(describe_chunk, chunk, force_field, time_limit=limit, processes=processes)


def _outcome(future: "Future[list[Description]]", chunk: tuple[str, ...]) -> list[Description] | None:
    """Return what a task found; None when its time ran out, or its process died, and it held several polymers."""
    try:
        return future.result()
    except (TimeoutError, CancelledError):
        reason = f"The repeat unit took longer than {SECONDS_PER_POLYMER:g} s to describe."
    except Exception as error:  # noqa: BLE001 - pebble reports a process that died in several ways
        reason = f"The process that described this repeat unit ended unexpectedly ({error})."
    return None if len(chunk) > 1 else [(None, reason)]
