"""The service behind ``affinecal screen``: a library of any length in, calibrated values and the best rows out."""

import contextlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from affinecal_gui.calibration.surrogate.training_rows import FEWEST_ROWS
from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.notes import Note
from affinecal_gui.study.describing.describing import FORCE_FIELD, engine_of
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.reading.missing_md import lacks_md
from affinecal_gui.tasks.screening.calibrator_sources import (
    CalibratorSource,
    calibrator_sources,
    descriptors_asked_for,
    opened,
)
from affinecal_gui.tasks.screening.columns import MD, PREDICTED
from affinecal_gui.tasks.screening.engines.engines import Engine, LocalProcesses, screened
from affinecal_gui.tasks.screening.engines.job import ScreeningJob
from affinecal_gui.tasks.screening.library.library import Library, files_of_library, open_library
from affinecal_gui.tasks.screening.library.partitions import Partition, partitions_of, rows_together
from affinecal_gui.tasks.screening.library.reading_rows import IN_WORDS, RowLayout, layout_of
from affinecal_gui.tasks.screening.next_steps import (
    NextStep,
    StepsWanted,
    check_steps,
    next_steps,
    steps_table,
    told_of_steps,
    unheard,
)
from affinecal_gui.tasks.screening.results.dataset import MANIFEST, NEXT_STEPS, SUMMARY, Dataset
from affinecal_gui.tasks.screening.results.finishing import Counts, finish
from affinecal_gui.tasks.screening.results.so_far import FinishedPartition, Watch, unwatched
from affinecal_gui.tasks.screening.where import read_wishes
from affinecal_gui.tasks.screening.wished import FEWEST_COMMON, Wishes, errors_of
from affinecal_gui.tasks.writing.own_inputs import keep_inputs

TOP = 100
_OF_FINISHING = 0.05  # share of the progress


def screen_library(
    library: Path,
    calibrators: Sequence[Path],
    output: Path,
    *,
    where: str | Wishes = "",
    top: int = TOP,
    steps: StepsWanted | None = None,
    steps_found: Callable[[Sequence[NextStep]], None] = unheard,
    engine: Engine | None = None,
    overwrite: bool = False,
    resume: bool = False,
    watch: Watch = unwatched,
    task: Task = UNWATCHED,
) -> list[str]:
    """Screen a library with calibrator files.

    Parameters
    ----------
    library
        A table of repeat units, perhaps with MD values, packed or not, or a folder of Parquet files.
    calibrators
        Files of one property each.
    output
        Folder for the dataset: a Parquet file for each partition of the library with a row for each of its rows, a manifest,
        the best rows, and a summary. What is written does not depend on the engine, nor on stops and continuations.
    where
        Wishes, as text such as "Tg > 400 and density < 1.2"; each row gets the probability that all of them are met.
    top
        How many of the best rows are listed.
    steps
        What steps to come cost, for a list of those that bring most towards the wishes; None for no list.
    steps_found
        Called with that list.
    engine
        Where the partitions are screened; one process of this computer when it is None.
    overwrite
        Begin anew, whatever the folder holds.
    resume
        Continue what an earlier run of the same left behind.
    watch
        Called with each partition once it is finished, those that an earlier run has finished included.

    Returns
    -------
    list of str
        What was done, for a person.

    Raises
    ------
    UserError
        A file cannot be read, a wish is not understood, the library has no MD values of a property, the folder cannot be
        used, or nobody is there who
        could screen the rest.
    Cancelled
        The run was stopped; the text says how much is finished, and how to continue.
    """
    if output.exists():
        keep_inputs((output,), (library,))
    task.report(0.0, f"Reading {library.name}")
    sources = calibrator_sources(calibrators)
    keep_inputs((output / MANIFEST, output / SUMMARY), (*files_of_library(library), *calibrators))
    quantities = [opened(source).quantity for source in sources]
    wishes, read_so = _wishes(where, quantities)
    if steps is not None:
        check_steps(wishes, sources)
    with open_library(library, task=task) as read:
        layout, notes = layout_of(
            read.sample,
            quantities,
            descriptors_asked_for(opened(sources[0])),
            fitted={one.quantity.key: one.file.md_conditions for one in map(opened, sources)},
        )
        _check_md(layout, sources, read)
        dataset = Dataset(output, _made_from(read, sources, layout, wishes), overwrite=overwrite, resume=resume)
        job = ScreeningJob(layout, sources, wishes)
        with dataset, _told_how_to_go_on(dataset):
            _screen(job, read, dataset, engine or LocalProcesses(), watch, task.part(0.0, 1.0 - _OF_FINISHING))
            finishing = task.part(1.0 - _OF_FINISHING, 1.0)
            listed = _next_steps(dataset, sources, wishes, steps, top, steps_found, finishing.part(0.0, 0.5))
            counts = finish(dataset, quantities, wishes, top, task=finishing.part(0.5, 1.0))
    task.report(1.0, "Done")
    notes += [*read_so, *_dependence(wishes, sources)]
    return [*_report(counts, sources), *listed, *map(Note, notes), f"Written to {output}."]


def _wishes(where: str | Wishes, quantities: Sequence[Property]) -> tuple[Wishes, list[str]]:
    if isinstance(where, Wishes):
        return where, []
    return read_wishes(where, quantities) if where.strip() else (Wishes(), [])


def _next_steps(
    dataset: Dataset,
    sources: Sequence[CalibratorSource],
    wishes: Wishes,
    wanted: StepsWanted | None,
    most: int,
    tell: Callable[[Sequence[NextStep]], None],
    task: Task,
) -> list[str]:
    """Write the list of next steps, where it is wanted; return what is said of it."""
    if wanted is None:
        dataset.remove(NEXT_STEPS)
        return []
    found = next_steps(dataset.partitions, sources, wishes, wanted, most, task=task)
    dataset.write(NEXT_STEPS, steps_table(found, improves=bool(wishes.goals)))
    tell(found)
    return [told_of_steps(found, wanted)]


def _check_md(layout: RowLayout, sources: Sequence[CalibratorSource], library: Library) -> None:
    for source in sources:
        one = opened(source)
        if not layout.has_md(one.quantity) and not one.predicts_md:
            raise UserError(
                f"{lacks_md(library.name, one.quantity)}, and {one.name} cannot predict any. Give it one whose heading "
                f"names the property, or save a calibrator of grade open with at least {FEWEST_ROWS} MD values."
            )


def _dependence(wishes: Wishes, sources: Sequence[CalibratorSource]) -> list[str]:
    """Say where nothing tells how the errors of the properties depend on each other."""
    wished = tuple(source for source in sources if opened(source).quantity.key in wishes.bounds)
    if len(wished) < 2:
        return []
    known = errors_of(wished, (MD,) * len(wished))
    if len(known.parts) == 1:
        return []
    titles = " and ".join(opened(source).quantity.title.lower() for source in wished)
    return [
        f"The errors of {titles} are taken as independent of each other: their calibrators have {known.common} training "
        f"polymers in common that are known, and it takes {FEWEST_COMMON} to tell."
    ]


def _made_from(
    library: Library, sources: Sequence[CalibratorSource], layout: RowLayout, wishes: Wishes
) -> dict[str, str]:
    used = [[one.heading, one.role, one.unit] for one in layout.roles.columns]
    return {
        "library": library.digest,
        "calibrators": " ".join(source.digest for source in sources),
        "choice of columns": json.dumps([library.name, used], ensure_ascii=False),
        "wishes": wishes.plain,
        "version of the program": engine_of(FORCE_FIELD),
    }


def _screen(job: ScreeningJob, library: Library, dataset: Dataset, engine: Engine, watch: Watch, task: Task) -> None:
    """Screen the partitions that are not finished yet."""
    total = max(1, -(-library.expected // rows_together(library.expected)))
    finished = 0

    def tell(one: Partition, *, is_kept: bool) -> None:
        nonlocal finished
        finished += 1
        watch(FinishedPartition(dataset.rows / one.file_name, len(one.rows), library.expected, is_kept))

    def missing() -> Iterator[Partition]:
        for partition in partitions_of(library, job.layout, task=task):
            if dataset.has(partition):
                tell(partition, is_kept=True)
            else:
                yield partition

    task.report(0.0, f"Screening about {library.expected:,} rows in {total:,} partition{'s' if total > 1 else ''}")
    for partition, table in screened(engine, job, missing(), task=task):
        dataset.add(partition, table)
        tell(partition, is_kept=False)
        task.report(min(finished / total, 1.0), f"Screened {finished:,} of about {total:,} partitions")


@contextlib.contextmanager
def _told_how_to_go_on(dataset: Dataset) -> Iterator[None]:
    try:
        yield
    except (Cancelled, KeyboardInterrupt):
        kept = len(dataset.partitions)
        raise Cancelled(f"Stopped; finished partitions are kept: {kept:,}. Add --resume to continue.") from None
    except UserError as error:
        kept = len(dataset.partitions)
        if "--resume" in str(error) or not kept:
            raise
        raise UserError(f"{error} Finished partitions are kept: {kept:,}; --resume continues.") from error


def _report(counts: Counts, sources: Sequence[CalibratorSource]) -> list[str]:
    lines: list[str] = []
    for source in sources:
        quantity = opened(source).quantity
        reasons = counts.reasons[quantity.key]
        lines.append(f"{reasons['ok']:,} of {counts.rows:,} rows have a calibrated value of {quantity.title.lower()}.")
        predicted, outside = counts.origins[quantity.key][PREDICTED], counts.outside[quantity.key]
        if predicted:
            lines.append(
                f"{predicted:,} of them {'rests' if predicted == 1 else 'rest'} on an MD value that is predicted from the "
                "repeat unit."
            )
        if trained := counts.trained[quantity.key]:
            are = "is a polymer" if trained == 1 else "are polymers"
            lines.append(
                f"{trained:,} of these {are} that the calibrator was trained with (column known). Give the MD values of its "
                "study in the library, or calibrate with the study (affinecal predict), to use simulated ones."
            )
        if outside:
            lines.append(f"{outside:,} of them {'lies' if outside == 1 else 'lie'} outside the range of validity.")
        if instead := counts.stood_in[quantity.key]:
            lack = "lacks" if instead == 1 else "lack"
            lines.append(
                Note(f"{instead:,} of them {lack} a source of the calibrator. The first: {counts.notes['ok']}")
            )
        for code, count in sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0])):
            if code != "ok":
                have, first = "has" if count == 1 else "have", counts.notes.get(code, "")
                lines.append(Note(f"{count:,} {have} none: {IN_WORDS[code]} ({code}). The first: {first}"))
    if counts.again:
        rows = "row holds" if counts.again == 1 else "rows hold"
        lines.append(f"{counts.again:,} {rows} a polymer that has come before; duplicates.parquet says where.")
    return lines
