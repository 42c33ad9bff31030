"""The one pure function of a screening: a partition of a library in, the bytes of its table out, wherever it runs."""

import io
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.sharing.applied import Applied
from affinecal_gui.calibration.sharing.with_training import TrainedCalibrator
from affinecal_gui.study.describing.describing import (
    FORCE_FIELD,
    SECONDS_PER_POLYMER,
    Description,
    blocks_of,
    describe_text,
    reason_of,
)
from affinecal_gui.study.describing.worker_pool import Failed
from affinecal_gui.study.words.validity_words import NO_VALUE
from affinecal_gui.tasks.predicting.calibrated_rows import ROWS_TOGETHER
from affinecal_gui.tasks.predicting.corrected_rows import further_sources, stood_in_sentence
from affinecal_gui.tasks.predicting.predicted_rows import without_md_value
from affinecal_gui.tasks.screening.calibrator_sources import CalibratorSource, ScreenedCalibrator, opened
from affinecal_gui.tasks.screening.columns import MD, PREDICTED, RowBlock, Screened, written
from affinecal_gui.tasks.screening.identities import identity_code, known_polymers
from affinecal_gui.tasks.screening.library.partitions import Partition
from affinecal_gui.tasks.screening.library.reading_rows import OK, PolymersRead, Reason, RowLayout, polymers_of
from affinecal_gui.tasks.screening.wished import Wishes, chances_of


@dataclass(frozen=True, slots=True, eq=False)
class ScreeningJob:
    """What is done with every partition of a library."""

    layout: RowLayout
    calibrators: tuple[CalibratorSource, ...]
    wishes: Wishes


def screen_partition(job: ScreeningJob, partition: Partition) -> bytes:
    """Screen a partition; return its table as the bytes of a Parquet file.

    The bytes depend on the job and the partition alone. Runs in worker processes.
    """
    calibrators = [opened(source) for source in job.calibrators]
    blocks = [_screened(job, calibrators, partition, start) for start in range(0, len(partition.rows), ROWS_TOGETHER)]
    sink = io.BytesIO()
    written(blocks, [one.quantity for one in calibrators], sink)
    return sink.getvalue()


def _screened(
    job: ScreeningJob, calibrators: Sequence[ScreenedCalibrator], partition: Partition, start: int
) -> RowBlock:
    """Screen rows that are calibrated together: they stand together in every run, so that nothing is rounded otherwise."""
    rows = partition.rows[start : start + ROWS_TOGETHER]
    read = polymers_of(job.layout, rows)
    given_up = {place - start: reason for place, reason in partition.given_up.items()}
    descriptors, reasons = _described(read, given_up)
    screened = [_calibrated(one, read, descriptors, reasons) for one in calibrators]
    identities = [
        None if reason.code == "broken_row" else identity_code(text)
        for text, reason in zip(read.smiles, reasons, strict=True)
    ]
    known = known_polymers(job.calibrators)
    return RowBlock(
        partition.first_row + start,
        read.ids,
        read.names,
        read.smiles,
        identities,
        [None if code is None else known.get(code) for code in identities],
        screened,
        chances_of(job.wishes, job.calibrators, screened),
    )


def _described(read: PolymersRead, given_up: dict[int, Reason]) -> tuple[FloatArray, list[Reason]]:
    """(k, d) descriptors, nan where there are none, and why there are none."""
    if read.ready is not None:
        complete = np.asarray(np.isfinite(read.ready).all(axis=1))
        reasons = [
            reason if reason != OK or whole else Reason("not_described", "It has no complete descriptors.")
            for reason, whole in zip(read.reasons, complete.tolist(), strict=True)
        ]
        return read.ready, reasons
    descriptors, reasons = np.full((len(read.smiles), len(blocks_of(FORCE_FIELD).columns)), np.nan), list(read.reasons)
    known: dict[str, tuple[Description, bool]] = {}
    for place, text in enumerate(read.smiles):
        if place in given_up:
            reasons[place] = given_up[place]
        if reasons[place] != OK:
            continue
        if text not in known:
            begun = time.thread_time()
            described = describe_text(text)
            known[text] = described, time.thread_time() - begun > SECONDS_PER_POLYMER
        (values, problem), took_too_long = known[text]
        if took_too_long:
            reasons[place] = given_up_because(Failed(took_too_long=True))
        elif values is None:
            reasons[place] = Reason("not_described", problem)
        else:
            descriptors[place] = values
    return descriptors, reasons


def given_up_because(failed: Failed) -> Reason:
    """Say why a polymer is not described any more."""
    return Reason("too_slow" if failed.took_too_long else "process_died", reason_of(failed))


def _calibrated(
    one: ScreenedCalibrator, read: PolymersRead, descriptors: FloatArray, reasons: Sequence[Reason]
) -> Screened:
    """Calibrate rows by the MD values of the library, and those without by predicted ones."""
    key, calibrator = one.quantity.key, one.calibrator
    not_read, md = read.md_not_read[key], read.md[key].copy()
    temperatures = read.temperatures[key]
    why = one.file.md_conditions.reasons(temperatures, read.pressures[key])
    beyond = {place: why[place] for place in np.flatnonzero(np.isfinite(md)).tolist() if why[place]}
    md[list(beyond)] = np.nan
    wanted = np.array([reason == OK for reason in reasons], dtype=bool) & np.isnan(md)
    wanted[[*not_read, *beyond]] = False
    found, lacking = Applied.nothing(len(md)), np.full(len(md), "", dtype=object)
    if np.isfinite(md).any():
        simulated = np.isfinite(md)
        units = [text for text, has in zip(read.smiles, simulated.tolist(), strict=True) if has]
        ready = np.array([reason == OK for reason in reasons], dtype=bool)[simulated]
        known = np.where(ready, md[simulated], np.nan)
        further = further_sources(one.file, units, known, temperatures[simulated])
        sources = None if further is None else further.values
        found.put(simulated, calibrator.apply(md[simulated], descriptors[simulated], sources))
        if further is not None:
            lacking[simulated] = further.problems
    if one.predicts_md and wanted.any():
        assert isinstance(calibrator, TrainedCalibrator)
        md[wanted], instead = calibrator.apply_unsimulated(descriptors[wanted])
        found.put(wanted, instead)
    own = [_reason(reason, place, md, found, not_read) for place, reason in enumerate(reasons)]
    for place, sentence in beyond.items():
        if reasons[place] == OK:
            own[place] = Reason("md_not_usable", sentence)
    usable = np.array([reason == OK for reason in own], dtype=bool)
    own = [
        Reason(reason.code, stood_in_sentence(one.file, why)) if has and instead else reason
        for reason, has, instead, why in zip(
            own, usable.tolist(), found.stood_in.tolist(), lacking.tolist(), strict=True
        )
    ]
    return Screened(
        np.where(usable, found.values, np.nan),
        np.where(usable, found.lower, np.nan),
        np.where(usable, found.upper, np.nan),
        md,
        [
            (PREDICTED if guessed else MD) if has else None
            for guessed, has in zip(wanted.tolist(), usable.tolist(), strict=True)
        ],
        [inside if has else None for inside, has in zip(found.inside.tolist(), usable.tolist(), strict=True)],
        own,
    )


def _reason(reason: Reason, place: int, md: FloatArray, found: Applied, not_read: dict[int, str]) -> Reason:
    if reason != OK:
        return reason
    if place in not_read:
        return Reason("md_not_read", not_read[place])
    if not np.isfinite(md[place]):
        return Reason("no_md_value", without_md_value(float(md[place])))
    if not found.usable[place]:
        return Reason("md_not_usable", without_md_value(float(md[place])))
    return Reason("extrapolation", NO_VALUE) if np.isnan(found.values[place]) else OK
