"""What a finished calibration keeps in memory so that it can follow a slider; never saved."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from affinecal_gui.calibration.calibrators.registry import calibrator_keys
from affinecal_gui.calibration.calibrators.training import Fitted
from affinecal_gui.calibration.cross_validation.out_of_fold import HeldOut
from affinecal_gui.calibration.cross_validation.prepared import Prepared
from affinecal_gui.calibration.cross_validation.several_sources import CheckedSources, SourcesKnown
from affinecal_gui.calibration.data.problem import CalibrationProblem
from affinecal_gui.calibration.results import FloatArray, ModelName, PenaltySurface
from affinecal_gui.calibration.uncertainty.bootstrap import BootstrapDraws
from affinecal_gui.calibration.uncertainty.intervals import OutOfFold
from affinecal_gui.calibration.uncertainty.open_penalties import LeftOpen


@dataclass(frozen=True, slots=True)
class KeptFit:
    """The pieces from which every number of a calibration follows."""

    problem: CalibrationProblem
    held_out: HeldOut
    everything: Prepared  # all n polymers
    fits: Mapping[ModelName, Fitted]  # to all n polymers
    surfaces: Mapping[ModelName, PenaltySurface]
    weights: Mapping[ModelName, FloatArray]  # (k,) of the members of every calibrator that combines others
    draws: Mapping[ModelName, BootstrapDraws]  # empty unless bands are made by refits
    left_open: Mapping[ModelName, LeftOpen]  # of the parameters of every fit; empty unless bands are made of them
    sources: SourcesKnown | None = None  # where more is known than one MD value
    of_sources: Mapping[ModelName, CheckedSources] = field(default_factory=dict)  # the calibrators of several sources

    def ranking(self, models: Mapping[ModelName, OutOfFold]) -> "KeptFit":
        """Return the same with the held-out values of these calibrators to compare, in the order of the registry."""
        ranked = {name: models[name] for name in calibrator_keys() if name in models}
        return replace(self, held_out=replace(self.held_out, models=ranked))
