"""What a calibrator of several sources adds to that of the MD value alone, which stands in where a polymer lacks a source."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.assemble import LibraryValues, library_values
from affinecal_gui.calibration.calibrators.source_fits import SourceFit
from affinecal_gui.calibration.cross_validation.given_values import scaled_values
from affinecal_gui.calibration.cross_validation.out_of_fold import HeldOut
from affinecal_gui.calibration.cross_validation.several_sources import SourcesKnown, said_by_sources
from affinecal_gui.calibration.data.problem import CalibrationProblem
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.results import FloatArray, ModelName
from affinecal_gui.calibration.uncertainty.intervals import OutOfFold


@dataclass(frozen=True, slots=True, eq=False)
class TrainedSources:
    """The fits of a calibrator of several sources, the MD value first among them, with those of its training polymers."""

    names: tuple[str, ...]  # (1 + p,) inside a sentence
    measured: FloatArray  # (n, p) of the training polymers beside the MD value, target scale; nan where there is none
    fit: SourceFit  # to all polymers
    of_parts: tuple[SourceFit, ...]  # (r k,)

    def known(self, problem: CalibrationProblem, further: FloatArray | None) -> SourcesKnown:
        """Return all sources of the polymers of a problem; ``further`` (m, p) are those of its library, as it was given.

        They are in the unit of the property; nan where there is none, and None where nobody has any.
        """
        library = np.full((len(problem.library_f), self.measured.shape[1]), np.nan)
        if further is not None:
            library = scaled_values(further[problem.library_order.given], log_scale=problem.options.log_scale)
        return SourcesKnown(
            self.names,
            np.column_stack([problem.f, self.measured]),
            np.column_stack([problem.library_f, library]),
            of_whole_library=True,
        )

    def held_out(
        self, one_source: ModelName, problem: CalibrationProblem, others: HeldOut, known: SourcesKnown
    ) -> OutOfFold:
        """Return what the fits to all training parts say; ``others`` has what those of the calibrator of one source say."""
        return said_by_sources(one_source, problem, others, self.of_parts, known)

    def values(
        self,
        model: ModelName,
        problem: CalibrationProblem,
        said: OutOfFold,
        known: SourcesKnown,
        Z: FloatArray,
        instead: LibraryValues,
    ) -> tuple[LibraryValues, NDArray[np.bool_]]:
        """Return the values of the library, and (m,) whether each is one ``instead``: that of the one source.

        ``Z`` (m, d) are its standardised descriptors.
        """
        found = library_values(problem, model, said, self.fit.predict(known.library, Z))
        lacking = known.lacking(self.fit.sources)[problem.library_order.place]
        chosen = (
            np.where(lacking, getattr(instead, name), getattr(found, name)) for name in ("values", "lower", "upper")
        )
        return LibraryValues(*chosen), lacking


def sources_of_calibration(kept_fit: KeptFit, model: ModelName) -> TrainedSources | None:
    """Return the sources of a calibrator of several; None of any other."""
    known, one = kept_fit.sources, kept_fit.of_sources.get(model)
    if known is None or one is None:
        return None
    return TrainedSources(known.names, known.measured[:, 1:], one.fit, one.of_parts)
