"""From the state of a study to everything that is shown: match, describe, calibrate; what did not change is kept."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from affinecal_gui.calibration.calibrators.registry import calibrator, further_keys
from affinecal_gui.calibration.results import Calibration
from affinecal_gui.errors import UserError
from affinecal_gui.study.derived import Derived, FitInputs, calibrated, matched_snapshot
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.snapshot import CorrectedValues, Settings, Snapshot
from affinecal_gui.study.state import StudyState
from affinecal_gui.task import UNWATCHED, Task

if TYPE_CHECKING:  # these import the chemistry, which the first window does not wait for
    from affinecal_gui.study.data.assembly import Assembly
    from affinecal_gui.study.fitting.calibrating import Training
    from affinecal_gui.study.fitting.too_few import TooFewPolymers

ONE_SOURCE = "The paper’s protocol knows one source, the MD value: choose another calibrator, or the default protocol."

CALIBRATED = 0.97
"""Share of the work after which all is calibrated; then the vibrations of the whole library may be wanted."""


def derive(
    state: StudyState,
    previous: Derived,
    *,
    again: bool = False,
    calibrated_only: bool = False,
    processes: int = 0,
    cache: DescriptorCache | None = None,
    sources: Sequence[str] = (),
    publish: Callable[[Derived], None] = lambda _partial: None,
    task: Task = UNWATCHED,
) -> Derived:
    """Work out everything that ``state`` implies.

    Parameters
    ----------
    state
        Tables and settings.
    previous
        What was derived before; parts that the change does not touch are taken over.
    again
        Calibrate even if nothing changed.
    calibrated_only
        Refuse where too few are measured for a calibration, also if their MD values could be corrected instead.
    processes
        Worker processes for the descriptors; 0 computes them here.
    cache
        Where descriptors of earlier runs are found and new ones kept; None keeps nothing.
    sources
        Further MD properties without which a polymer is not in the fit, beside those that the settings name.
    publish
        Is handed partial results as soon as they are there: first the matched table, then the calibration.

    Raises
    ------
    UserError
        The tables cannot be calibrated, with the reason; what was published stands.
    """
    if not state.tables:
        return Derived(state=state)
    derivation = _Derivation(state, previous, again, calibrated_only, processes, cache, sources, publish, task)
    return derivation.run()


class _Derivation:
    """One run; each step fills in a part and publishes it."""

    def __init__(
        self,
        state: StudyState,
        previous: Derived,
        again: bool,
        calibrated_only: bool,
        processes: int,
        cache: DescriptorCache | None,
        sources: Sequence[str],
        publish: Callable[[Derived], None],
        task: Task,
    ) -> None:
        self.state, self.previous, self.again = state, previous, again
        self.calibrated_only = calibrated_only
        self.cache, self.sources = cache, sources
        self.processes, self.publish, self.task = processes, publish, task

    def run(self) -> Derived:
        # Imported here: RDKit and SciPy are not needed to show the first window.
        from affinecal_gui.study.data.assembly import Assembly
        from affinecal_gui.study.fitting.too_few import TooFewPolymers

        assembly = self._assembly()
        assert isinstance(assembly, Assembly)
        snapshot = matched_snapshot(self.state, assembly)
        if assembly.report is None:
            return self._uncalibrated(assembly, snapshot)
        same_library = self.previous.assembly is assembly and self.previous.descriptors is not None
        if not same_library:
            self.publish(Derived(self.state, snapshot, assembly, None))
        try:
            inputs = self._inputs(assembly)
        except TooFewPolymers as too_few:
            return self._corrected_instead(assembly, snapshot, too_few)
        calibration = self._calibration(assembly, inputs, same_library)
        inputs, calibration = self._with_shown(assembly, inputs, calibration)
        return self._calibrated(assembly, inputs, calibration)

    def _uncalibrated(self, assembly: "Assembly", snapshot: Snapshot) -> Derived:
        """Correct MD values that have no measured ones beside them, or wait for these."""
        self.publish(Derived(self.state, snapshot, assembly, None, "info", assembly.summary))
        corrected = self._corrected(assembly)
        message = assembly.summary
        if corrected is not None:
            count = int(np.isfinite(corrected.values).sum())
            message = (
                f"{count} of {len(corrected.values)} MD values corrected for quantum effects. {corrected.notes[0]}"
            )
        return Derived(self.state, replace(snapshot, corrected=corrected), assembly, None, "info", message)

    def _corrected_instead(self, assembly: "Assembly", snapshot: Snapshot, too_few: "TooFewPolymers") -> Derived:
        """Correct the MD values where too few are measured for a calibration, and say how far these few are from them.

        Raises
        ------
        TooFewPolymers
            There is no such correction, no polymer has both values, or another calibrator is wished for.
        """
        from affinecal_gui.study.fitting.uncalibrated import compared_with_few, stands_in

        if self.calibrated_only or not (too_few.used and stands_in(assembly, self.state.settings)):
            raise too_few
        corrected = self._corrected(assembly)
        compared = compared_with_few(assembly, self.state.settings, corrected) if corrected is not None else ""
        if corrected is None or not compared:
            raise too_few
        count, simulated = int(np.isfinite(corrected.values).sum()), int(np.isfinite(assembly.library_md).sum())
        message = (
            f"{too_few.sentence} {count} of {simulated} MD values are corrected for quantum effects instead; {compared}. "
            f"{corrected.notes[0]}"
        )
        return Derived(self.state, replace(snapshot, corrected=corrected), assembly, None, "caution", message)

    def _corrected(self, assembly: "Assembly") -> CorrectedValues | None:
        """Correct all MD values of a study that is not calibrated, or take over what nothing changed."""
        from affinecal_gui.study.fitting.uncalibrated import corrected_alone

        before, settings = self.previous.state.settings, self.state.settings
        same = (before.rigid_bonds, before.interval_level) == (settings.rigid_bonds, settings.interval_level)
        if same and self.previous.assembly is assembly and self.previous.snapshot.calibration is None:
            return self.previous.snapshot.corrected
        return corrected_alone(
            assembly, settings, processes=self.processes, cache=self.cache, task=self.task.part(0.1, 1.0)
        )

    def _inputs(self, assembly: "Assembly") -> FitInputs:
        """Describe the polymers and choose those of the fit, or take over what the change does not touch."""
        from affinecal_gui.study.data.source_features import learned_from
        from affinecal_gui.study.fitting.calibrating import describe_library, training_of
        from affinecal_gui.study.fitting.several_sources import refuse_property

        settings = self.state.settings
        known = self.previous.inputs if self.previous.assembly is assembly else None
        chosen = (settings.log_scale, settings.left_out, learned_from(settings), tuple(self.sources))
        if known is not None and known.chosen == chosen:
            return self._with_quantum(assembly, known)
        if known is not None:
            described = known.described
        else:
            if settings.model in further_keys():
                refuse_property(settings.model, assembly)
            described = describe_library(
                assembly,
                self.previous.descriptors,
                processes=self.processes,
                cache=self.cache,
                task=self.task.part(0.1, 0.45),
            )
        training = training_of(assembly, described, settings, sources=self.sources, task=self.task)
        return self._with_quantum(assembly, FitInputs(described, training, chosen))

    def _with_shown(
        self, assembly: "Assembly", inputs: FitInputs, calibration: Calibration
    ) -> tuple[FitInputs, Calibration]:
        """Correct the MD values of the whole library where it turns out that these are recommended."""
        from affinecal_gui.study.fitting.calibrating import with_quantum

        shown = self.state.settings.shown_for(calibration).model
        known = inputs.corrected is not None and inputs.corrected[1]
        if shown not in further_keys() or known or calibration.kept_fit is None:
            return inputs, calibration
        inputs = self._with_quantum(assembly, inputs, whole_library=True)
        return inputs, with_quantum(calibration, assembly, inputs.quantum, inputs.training, task=self.task.silent)

    def _with_quantum(self, assembly: "Assembly", inputs: FitInputs, *, whole_library: bool = False) -> FitInputs:
        """Correct the MD values of the inputs, or leave them as they are where nothing changes that."""
        from affinecal_gui.study.fitting.calibrating import quantum_library

        settings = self.state.settings
        chosen = settings.model in further_keys() and not settings.follows_advice
        all_of_library = whole_library or chosen
        if inputs.corrected in ((settings.rigid_bonds, True), (settings.rigid_bonds, all_of_library)):
            return inputs
        known = self.previous.inputs
        if known is not None and self.previous.assembly is assembly:
            same_fit = np.array_equal(known.training.library, inputs.training.library)
            if same_fit and known.corrected in ((settings.rigid_bonds, True), (settings.rigid_bonds, all_of_library)):
                return replace(inputs, quantum=known.quantum, corrected=known.corrected)
        quantum = quantum_library(
            assembly,
            inputs.training,
            settings,
            inputs.quantum or (known.quantum if known is not None else None),
            whole_library=all_of_library,
            processes=self.processes,
            cache=self.cache,
            task=self.task.part(CALIBRATED, 1.0) if whole_library else self.task.part(0.45, 0.5),
        )
        return replace(inputs, quantum=quantum, corrected=(settings.rigid_bonds, all_of_library))

    def _calibrated(self, assembly: "Assembly", inputs: FitInputs, calibration: Calibration) -> Derived:
        shown_before = self.previous.snapshot if self.previous.assembly is assembly else None
        made = calibrated(
            self.state,
            assembly,
            inputs.described,
            inputs.training,
            calibration,
            shown_before,
            same_training=self.previous.inputs is not None and inputs.training is self.previous.inputs.training,
            task=self.task,
        )
        return replace(made, inputs=inputs)

    def _assembly(self) -> object:
        from affinecal_gui.study.data.assembly import Assembly, assemble

        known = self.previous.assembly
        quantity = self.state.quantity
        choices = self.state.settings.matching
        if (
            isinstance(known, Assembly)
            and known.tables == self.state.tables
            and known.quantity == quantity
            and known.choices == choices
        ):
            return known
        return assemble(self.state.tables, quantity, choices, task=self.task.part(0.0, 0.1))

    def _calibration(self, assembly: "Assembly", inputs: FitInputs, same_library: bool) -> Calibration:
        """Calibrate with the linear calibrators, then with the methods with kernels that are wished for beside them."""
        from affinecal_gui.study.data.source_features import further_sources
        from affinecal_gui.study.fitting.calibrating import compare_methods, compared_methods, without_methods

        training = inputs.training
        before, after = self.previous.state.settings, self.state.settings
        previous = self.previous.snapshot.calibration if same_library and not self.again else None
        if previous is not None and not (_is_of(previous, assembly, training) and self._has_same_given(inputs)):
            previous = None
        calibration = self._linear(assembly, inputs, previous)
        same_choices = _of_methods(before) == _of_methods(after)
        if set(compared_methods(calibration)) == set(after.methods) and (same_choices or not after.methods):
            return calibration
        calibration = without_methods(calibration)
        if not after.methods:
            return calibration
        self.publish(self._calibrated(assembly, inputs, calibration))
        sources = None
        if after.sources:
            sources = further_sources(assembly, after.sources, log_scale=calibration.log_scale)
        return compare_methods(
            calibration,
            sources,
            training,
            after,
            task=self.task.part(0.8, CALIBRATED),
        )

    def _has_same_given(self, inputs: FitInputs) -> bool:
        """Whether the values that come with the data are those of the previous calibration; one of a file keeps its own."""
        before = self.previous.inputs
        return before is None or before.quantum is inputs.quantum

    def _linear(self, assembly: "Assembly", inputs: FitInputs, previous: Calibration | None) -> Calibration:
        """Take over the linear calibrators where nothing changes them, let them follow the penalties, or fit them anew."""
        from affinecal_gui.calibration.refit import refit
        from affinecal_gui.study.fitting.calibrating import calibrate_study, penalties_by_hand
        from affinecal_gui.study.fitting.several_sources import refuse_unavailable

        settings = self.state.settings
        before, after = _of_linear(self.previous.state.settings), _of_linear(settings)
        if previous is not None:
            # A calibration out of a file has no kept fit, by which others could be ranked beside it.
            old = self.previous.state.settings
            same_methods = old.methods == settings.methods and _of_methods(old) == _of_methods(settings)
            if before == after and (previous.kept_fit is not None or same_methods):
                return previous
            by_hand = penalties_by_hand(settings)
            only_penalties = replace(before, penalties=after.penalties) == after
            if only_penalties and by_hand and previous.kept_fit is not None:
                return refit(previous, by_hand, task=self.task)
        if settings.protocol == "paper" and calibrator(settings.model).one_source:
            raise UserError(ONE_SOURCE)
        if settings.model in further_keys():
            refuse_unavailable(settings.model, assembly, inputs.quantum, inputs.training.library.tolist())
        return calibrate_study(
            assembly,
            inputs.described,
            inputs.training,
            settings,
            quantum=inputs.quantum,
            task=self.task.part(0.5, 0.8 if settings.methods else CALIBRATED),
        )


def _is_of(calibration: Calibration, assembly: "Assembly", training: "Training") -> bool:
    """Whether a calibration was fitted with these polymers: further MD properties decide on who is in the fit, too."""
    return np.array_equal(calibration.measured, assembly.measured[training.rows]) and np.array_equal(
        calibration.md, assembly.library_md[training.library]
    )


def _of_linear(settings: Settings) -> Settings:
    """Return the settings that change a number of the linear calibrators; which one is shown large does not."""
    new = Settings()
    return replace(
        settings,
        model=new.model,
        follows_advice=new.follows_advice,
        methods=new.methods,
        kernel_source=new.kernel_source,
        kernel_factor=new.kernel_factor,
        kernel_target=new.kernel_target,
        sources=new.sources,
        notes=new.notes,
    )


def _of_methods(settings: Settings) -> tuple[object, ...]:
    """Return the settings that change the numbers of the methods with kernels alone."""
    return settings.kernel_source, settings.kernel_factor, settings.kernel_target, settings.sources
