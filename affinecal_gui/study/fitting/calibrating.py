"""The services between an assembled study and its calibration: descriptors, the choice of the training set, the fit."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.calibrate import calibrate, with_given
from affinecal_gui.calibration.calibrators.quantum_corrected import QUANTUM_CORRECTED
from affinecal_gui.calibration.calibrators.registry import kernel_keys, penalised_keys
from affinecal_gui.calibration.cross_validation.given_values import GivenValues
from affinecal_gui.calibration.data.problem import FEWEST_POLYMERS
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import Calibration, ModelName, Penalties, TransferName
from affinecal_gui.polymers.descriptors.blocks import DescriptorBlocks
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.data.source_features import learned_from, without_sources
from affinecal_gui.study.describing.describing import FORCE_FIELD, DescriptorTable, blocks_of, describe_polymers
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.describing.estimates import estimates_of
from affinecal_gui.study.describing.own_descriptors import blocks_of_names
from affinecal_gui.study.fitting.md_noise import EXACT, library_noise
from affinecal_gui.study.fitting.quantum import (
    ESTIMATE,
    QuantumValues,
    missing_in_the_fit,
    quantum_values,
    simulated_library,
)
from affinecal_gui.study.fitting.row_states import RowJudge
from affinecal_gui.study.fitting.several_sources import remarks_on_sources, source_features
from affinecal_gui.study.fitting.too_few import TooFewPolymers
from affinecal_gui.study.fitting.weighing import typical_error, weigh
from affinecal_gui.study.quantum_properties import is_corrected
from affinecal_gui.study.snapshot import RowState, Settings
from affinecal_gui.task import UNWATCHED, Task

FloatArray = NDArray[np.float64]

REFITS = 1000  # to resampled polymers, where bands are made by them


@dataclass(frozen=True, slots=True, eq=False)
class DescribedLibrary:
    """The descriptors of the m library polymers."""

    values: FloatArray  # (m, d) nan in the rows of polymers that could not be described
    problems: tuple[str, ...]  # (m,) "" or the reason
    blocks: DescriptorBlocks
    computed: DescriptorTable | None = None  # what was computed, to be known the next time
    engine: str = ""  # what computed it, if that was another version of the program than this one


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """Which rows take part in the fit, and what is said of those that do not; mappings are by row number."""

    rows: NDArray[np.int64]  # (n,)
    library: NDArray[np.int64]  # (n,) library index of each
    states: Mapping[int, RowState]
    reasons: Mapping[int, str]
    positions: Mapping[int, int]  # row -> position in the fit
    usable_library: NDArray[np.bool_]  # (m,) MD value and descriptors can be used
    notes: tuple[str, ...] = field(default=())


def describe_library(
    assembly: Assembly,
    previous: object | None = None,
    *,
    processes: int = 0,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> DescribedLibrary:
    """Describe every polymer with an MD value; ready descriptors of the table come first.

    A table with some columns of the published layout decides which they are; what it lacks of other polymers is computed.
    """
    ready = assembly.ready_descriptors
    ready_blocks = blocks_of_names(assembly.ready_names) if ready is not None else None
    computed_blocks = blocks_of(FORCE_FIELD)
    has_ready = np.zeros(len(assembly.library_smiles), dtype=bool)
    if ready is not None:
        has_ready |= np.isfinite(ready).all(axis=1)
        if ready_blocks is not None and not set(ready_blocks.columns) <= set(computed_blocks.columns):
            # Descriptors of the user's own: there is nothing to compute the missing ones from.
            reasons = tuple(
                "" if found else "The table of descriptors has no complete row for it." for found in has_ready
            )
            return DescribedLibrary(ready, reasons, ready_blocks)
    known = previous.computed.known if isinstance(previous, DescribedLibrary) and previous.computed else None
    every = enumerate(task.each(assembly.library_smiles))
    wanted = [index for index, smiles in every if smiles and not has_ready[index]]
    table = describe_polymers(
        [assembly.library_smiles[index] for index in wanted],
        processes=processes,
        known=known,
        cache=cache,
        task=task,
    )
    blocks = ready_blocks if ready_blocks is not None else computed_blocks
    place_of = {column: place for place, column in enumerate(computed_blocks.columns)}
    places = [place_of[column] for column in blocks.columns]
    if blocks == computed_blocks and len(wanted) == len(assembly.library_smiles):
        values = table.values  # of a large library, too large to copy
    else:
        values = np.full((len(assembly.library_smiles), len(places)), np.nan)
        if ready is not None:
            values[has_ready] = ready[has_ready]
        values[wanted] = table.values[:, places]
        values.flags.writeable = False
    problems = ["" if found else "The table gives no repeat unit for it." for found in has_ready.tolist()]
    for index, problem in task.each(zip(wanted, table.problems, strict=True)):
        problems[index] = problem
    return DescribedLibrary(values, tuple(problems), blocks, table)


def training_of(
    assembly: Assembly,
    described: DescribedLibrary,
    settings: Settings,
    *,
    sources: Sequence[str] = (),
    task: Task = UNWATCHED,
) -> Training:
    """Choose the rows of the fit and give a reason for every other.

    All calibrators are fitted and checked with the same polymers: those without a value of a further MD property that one
    of them learns from, by the settings or by ``sources``, are not in the fit.

    Raises
    ------
    TooFewPolymers
        Fewer than eight polymers are left.
    """
    states: dict[int, RowState] = {}
    reasons: dict[int, str] = {}
    judge = RowJudge(
        assembly,
        described.values,
        described.problems,
        settings,
        without_sources(assembly, (*learned_from(settings), *sources)),
    )
    used: list[int] = []
    for number, row in enumerate(task.each(assembly.rows)):
        if row.library_index < 0:
            continue
        states[number], reasons[number] = judge(number, row)
        if states[number] == "used":
            used.append(number)
    positions = {number: position for position, number in enumerate(used)}
    library_of = np.array([assembly.rows[number].library_index for number in used], dtype=np.int64)
    if len(used) < FEWEST_POLYMERS:
        raise TooFewPolymers(assembly, states, reasons)
    return Training(
        np.array(used, dtype=np.int64),
        library_of,
        states,
        reasons,
        positions,
        judge.usable_library,
        (*_notes(states, reasons), *_estimated(assembly, described, library_of.tolist())),
    )


def calibrate_study(
    assembly: Assembly,
    described: DescribedLibrary,
    training: Training,
    settings: Settings,
    *,
    quantum: QuantumValues | None = None,
    task: Task = UNWATCHED,
) -> Calibration:
    """Fit, check and apply all calibrators; ``quantum`` are the corrected MD values of the library, where there are any.

    Raises
    ------
    UserError
        The data cannot be calibrated; the sentence names the polymers.
    """
    weighing = weigh(assembly, training.rows, settings)
    noise = library_noise(assembly, log_scale=settings.log_scale) if settings.protocol != "paper" else EXACT
    usable = training.usable_library
    # One without an MD value is of use to a calibrator that looks at descriptors alone.
    said = usable | np.isnan(assembly.library_md)
    said[sorted(assembly.beyond)] = True
    measured_anywhere = np.zeros(len(assembly.library_md), dtype=bool)
    measured_anywhere[assembly.measured_library[assembly.measured_library >= 0]] = True
    return calibrate(
        assembly.measured[training.rows],
        assembly.library_md[training.library],
        described.values[training.library],
        np.where(usable, assembly.library_md, np.nan),
        described.values if said.all() else np.where(said[:, None], described.values, np.nan),
        described.blocks.sizes,
        calibration_options(described, settings),
        weights=weighing.weights,
        groups=training.library,
        candidates=usable & ~measured_anywhere,
        remarks=(
            *weighing.remarks,
            *noise.remarks,
            *_remarks_on(quantum, training),
            *(remarks_on_sources(assembly, training.library) if settings.protocol != "paper" else ()),
        ),
        given=_given(quantum, training),
        sources=source_features(assembly, quantum, training.library),
        noise=noise.of(training.library, len(assembly.library_md)),
        measurement_error=typical_error(assembly, training.rows, log_scale=settings.log_scale),
        task=task,
    )


def calibration_options(described: DescribedLibrary, settings: Settings) -> CalibrationOptions:
    """Return what the choices of a study mean for a calibration with these descriptors."""
    names = [block.name for block in described.blocks.blocks]
    return CalibrationOptions(
        log_scale=settings.log_scale,
        protocol=settings.protocol,
        penalties=penalties_by_hand(settings),
        interval_level=settings.interval_level,
        bands=settings.bands,
        bootstrap=REFITS,
        seed=settings.seed,
        robust=settings.robust,
        blocks_off=frozenset(names.index(name) for name in settings.blocks_off if name in names),
        block_factors={names.index(name): factor for name, factor in settings.block_penalties if name in names},
    )


def quantum_library(
    assembly: Assembly,
    training: Training,
    settings: Settings,
    previous: QuantumValues | None = None,
    *,
    whole_library: bool = False,
    processes: int = 0,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> QuantumValues | None:
    """Correct the MD values of the polymers of the fit, or of all; None where the property knows no correction."""
    if not is_corrected(assembly.quantity) or assembly.md_side is None or assembly.report is None:
        return None
    return quantum_values(
        assembly.quantity,
        simulated_library(assembly),
        settings.rigid_bonds,
        None if whole_library else training.library.tolist(),
        processes=processes,
        known=previous.known if previous is not None else None,
        cache=cache,
        task=task,
    )


def with_quantum(
    calibration: Calibration,
    assembly: Assembly,
    quantum: QuantumValues | None,
    training: Training,
    *,
    task: Task = UNWATCHED,
) -> Calibration:
    """Return a calibration of this session with corrected MD values of the whole library."""
    return with_given(
        calibration, _given(quantum, training), source_features(assembly, quantum, training.library), task=task
    )


def _given(quantum: QuantumValues | None, training: Training) -> dict[ModelName, GivenValues]:
    if quantum is None:
        return {}
    return {QUANTUM_CORRECTED.key: GivenValues(quantum.values[training.library], quantum.values)}


def _remarks_on(quantum: QuantumValues | None, training: Training) -> tuple[str, ...]:
    if quantum is None:
        return ()
    missing = missing_in_the_fit(quantum, training.library.tolist())
    if not missing:
        return quantum.notes
    # What was assumed also counts where calibrators of several sources take the corrected values that there are.
    return (missing, *(note for note in quantum.notes if note != ESTIMATE))


def compared_methods(calibration: Calibration) -> tuple[TransferName, ...]:
    """Return the methods with kernels that a calibration has beside the linear calibrators."""
    return tuple(name for name in kernel_keys() if name in calibration.models)


def without_methods(calibration: Calibration) -> Calibration:
    """Return the linear calibrators of a calibration that was made in this session."""
    if not compared_methods(calibration):
        return calibration
    from affinecal_gui.calibration.kernels.comparing.compare import linear_part

    return linear_part(calibration)


def compare_methods(
    calibration: Calibration,
    library_sources: FloatArray | None,
    training: Training,
    settings: Settings,
    *,
    task: Task = UNWATCHED,
) -> Calibration:
    """Fit and check the methods with kernels that the settings name, and rank them together with the linear ones.

    Parameters
    ----------
    library_sources
        (m, p) values of the further MD properties that the settings name, None without any.

    Raises
    ------
    UserError
        A further source has no value for a polymer of the fit.
    """
    from affinecal_gui.calibration.kernels.comparing.compare import compare_calibrators
    from affinecal_gui.calibration.kernels.methods import TransferOptions

    options = TransferOptions(
        kernel_source=settings.kernel_source,
        kernel_factor=settings.kernel_factor,
        kernel_target=settings.kernel_target,
        seed=settings.seed,
    )
    return compare_calibrators(
        calibration,
        settings.methods,
        options,
        sources=None if library_sources is None else library_sources[training.library],
        library_sources=library_sources,
        source_names=settings.sources,
        task=task,
    ).calibration


def penalties_by_hand(settings: Settings) -> dict[ModelName, Penalties]:
    """Return the penalties that the user set, for the models that have any."""
    if settings.penalties is None:
        return {}
    return dict.fromkeys(penalised_keys(), settings.penalties)


def _notes(states: Mapping[int, RowState], reasons: Mapping[int, str]) -> tuple[str, ...]:
    """Say how many polymers cannot be used and why, wherever it is read: the most frequent reason stands for the others."""
    why = Counter(reasons[number] for number, state in states.items() if state == "invalid")
    if not why:
        return ()
    count = sum(why.values())
    (reason, times), *_ = why.most_common(1)
    which = "One polymer" if count == 1 else f"{count} polymers"
    first = "" if times == count else f"{times} of them: "
    return (f"{which} cannot be used. {first}{reason}",)


def _estimated(assembly: Assembly, described: DescribedLibrary, fit: Sequence[int]) -> tuple[str, ...]:
    """Say which polymers have parameters of similar terms, and which ones those are of the first."""
    if described.computed is None:
        return ()
    texts = assembly.library_smiles  # of which some may have ready descriptors
    computed = [index for index, problem in enumerate(described.problems) if not problem]
    found = [index for index in computed if texts[index] in described.computed.known and estimates_of(texts[index])]
    if not found:
        return ()
    in_fit = len(set(found) & set(fit))
    first = assembly.library_smiles[found[0]]
    which = "One polymer" if len(found) == 1 else f"{len(found)} polymers"
    verb = "has" if len(found) == 1 else "have"
    return (
        f"{which} ({in_fit} in the fit) {verb} force-field parameters of similar terms, because none are published for "
        f"silicon there. {first}: {estimates_of(first)}",
    )
