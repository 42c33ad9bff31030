"""A study for Python: from data frames, or from a file of the window, to calibrated values, figures and a report.

Every number comes from the services that the window and the commands use.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

import pandas as pd

from affinecal_gui.calibration.results import ModelName
from affinecal_gui.polymers.vibrations.constraint import Constraint
from affinecal_gui.python.arguments import number, one_of, text, true_or_false
from affinecal_gui.python.choosing import Bands, Errors, Protocol, choices_of
from affinecal_gui.python.frames import table_of
from affinecal_gui.python.html import html_of
from affinecal_gui.python.places import Places
from affinecal_gui.python.predicting import predicted_frame
from affinecal_gui.python.refusals import (
    ADVICE,
    bad_rows,
    refuse_questions,
    refuse_unknown_units,
    unusable,
)
from affinecal_gui.python.results import (
    frame_of_coefficients,
    frame_of_forecast,
    frame_of_interval_parts,
    frame_of_left_out,
    frame_of_matches,
    frame_of_predictions,
)
from affinecal_gui.python.sentences import as_value_errors, in_words_of_python, refuse, warn
from affinecal_gui.study.data.assembly import Assembly, assemble
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.fitting.choices import NOTHING_SAID, Choices
from affinecal_gui.study.importing.importing import doubts_about
from affinecal_gui.study.importing.unit_doubts import doubts_in_words
from affinecal_gui.study.results.exporting import prediction_rows
from affinecal_gui.study.results.left_out import left_out_rows
from affinecal_gui.study.snapshot import Snapshot, Weighting
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.words.outlier_words import notes_shown
from affinecal_gui.tables.matching.match_report import match_lines
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tasks.fitting.fit_metrics import metrics_of
from affinecal_gui.tasks.fitting.fitting import derive_as_told
from affinecal_gui.tasks.predicting.predicting import predict_source
from affinecal_gui.tasks.reading.data_files import DataFiles, read_study

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Study:
    """Measured and MD values of polymers, and what a calibration makes of them.

    Made by :meth:`from_frames` or :meth:`open`. Results are there when they are asked for: :meth:`fit` calibrates with other
    choices than those by default, everything else calibrates first where that was not done.
    """

    def __init__(
        self,
        state: StudyState,
        derived: Derived | None = None,
        *,
        name: str = "",
        measured_name: str = "the study",
        errors: Errors = "report",
        raws: Sequence[RawTable] = (),
        places: Sequence[Places] = (),
    ) -> None:
        self._state, self._derived = state, Derived() if derived is None else derived
        self._name, self._measured_name, self._errors = name, measured_name, errors
        self._raws, self._places = {raw.path: raw for raw in raws}, places

    @classmethod
    def from_frames(
        cls,
        measured: pd.DataFrame,
        md: pd.DataFrame | None = None,
        *,
        other_md: pd.DataFrame | Sequence[pd.DataFrame] = (),
        property: str | None = None,  # noqa: A002 - the word of the field, and of the command
        units: Mapping[str, str] | None = None,
        descriptors: pd.DataFrame | None = None,
        value_column: str | None = None,
        md_column: str | None = None,
        errors: Errors = "raise",
    ) -> Self:
        """Make a study of data frames, with columns as in the tables that the window reads.

        Parameters
        ----------
        measured
            Repeat units or ids, and measured values.
        md
            Repeat units or ids, and MD values; None where ``measured`` holds both.
        other_md
            Further MD values, of other groups or force fields: one frame or several. Differences between the sources are
            taken away where that helps; see ``md_on_one_level`` of :meth:`fit`.
        property
            Key of the property, such as "Cp"; None takes the first that both frames have.
        units
            Units by heading, where neither the heading, such as "Cp [J/(g K)]", nor ``attrs["units"]`` names them.
        descriptors
            Ready descriptors by repeat unit or id; None computes those of the force field.
        value_column, md_column
            Headings of the columns of measured and of MD values, where they are not to be found.
        errors
            "raise": a row that cannot be used is a ValueError; "report": it is left out and listed by :meth:`left_out`, as in
            the window. Missing values are no errors.

        Raises
        ------
        ValueError
            The frames hold no values of one property, leave open what the window would ask, or hold a row that cannot be
            used; the sentence is that of the window.
        TypeError
            Something is no data frame.
        """
        one_of(errors, get_args(Errors), "errors")
        text(property, "property")
        text(value_column, "value_column")
        text(md_column, "md_column")
        named = units or {}
        places: list[Places] = []
        with as_value_errors(places):
            sides = [(table_of(measured, "measured", named), measured)]
            if md is not None and md is not measured:
                sides.append((table_of(md, "md", named), md))
            of_md = len(sides) - 1
            several = (other_md,) if isinstance(other_md, pd.DataFrame) else tuple(other_md or ())
            sides += [(table_of(one, f"other_md {at}", named), one) for at, one in enumerate(several, 1)]
            if descriptors is not None:
                sides.append((table_of(descriptors, "descriptors", named), descriptors))
            sides = _distinct(sides)
            raws = [raw for raw, _ in sides]
            places += [Places(raw.name, frame) for raw, frame in sides]
            refuse_unknown_units(named, raws)
            ready = raws.pop() if descriptors is not None else None
            others = tuple(raws[of_md + 1 :])
            state, tables = read_study(
                DataFiles(raws[0], raws[of_md], ready, property, value_column, md_column, other_md=others)
            )
            for table, (_, frame) in zip(tables, sides, strict=True):
                refuse_questions(table, state.settings.property_key, frame)
                if errors == "raise":
                    refuse(bad_rows(table, state.settings.property_key, frame), ADVICE)
        for table in tables:
            warn(doubts_about(table, state.settings.property_key), places)
        return cls(state, measured_name=raws[0].name, errors=errors, raws=[raw for raw, _ in sides], places=places)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Open a study that was saved by the window, with its choices and its result.

        Raises
        ------
        ValueError
            The file is missing, is no study, is damaged, or was saved by a newer version.
        """
        from affinecal_gui.study.stored.study_file import open_study

        with as_value_errors():
            opened = open_study(path)
        name = Path(path).name
        return cls(opened.state, opened.derived, name=name, measured_name=name)

    def fit(
        self,
        *,
        calibrator: ModelName | None = None,
        protocol: Protocol | None = None,
        seed: int | None = None,
        log: bool | None = None,
        weights: Weighting | None = None,
        penalties: Sequence[float] | None = None,
        blocks_off: Sequence[str] | None = None,
        block_penalties: Mapping[str, float] | None = None,
        interval: float | None = None,
        bands: Bands | None = None,
        rigid_bonds: Constraint | None = None,
        robust: bool | None = None,
        temperature_tolerance: float | None = None,
        md_on_one_level: bool | None = None,
    ) -> Self:
        """Calibrate. What is None stays as the study has it, or as it is by default for the property.

        Parameters
        ----------
        calibrator
            Whose values are given: "recommended" (whichever it turns out to be, as long as none is chosen), "md",
            "quantum_corrected" (of heat capacities), "ordinary", "log_difference", "affine", "combined",
            "ordinary_sources", "log_difference_sources", "affine_sources" (of several sources, as MD values with and
            without quantum correction) or one of the methods with kernels, "only_source", "direct", "augmented",
            "htl_offset", "htl_scale", "affine_tl_const", "affine_tl_full", "cokriging".
        protocol
            How the calibrators are checked: "default" or "paper".
        seed
            Of the folds.
        log
            Fit the natural logarithm of the values, or the values themselves.
        weights
            Let measured values count by their "uncertainty" or number of "repeats"; "none" for all the same.
        penalties
            λ₁, λ₂ and, if you like, λ of β, instead of those that cross-validation chooses.
        blocks_off
            Descriptor blocks left out of the models.
        block_penalties
            By what the penalties of a block are multiplied, e.g. ``{"k_bond": 3.0}``.
        interval
            Level of the intervals, between 0 and 1.
        bands
            Of coefficients and parameters: "posterior" or "bootstrap".
        rigid_bonds
            Which bonds the simulation holds rigid, for the quantum correction: those to "hydrogen", "all" or "none".
        robust
            Let measured values that lie far from the fit count less; see :mod:`affinecal_gui.calibration.calibrators.robust`.
        temperature_tolerance
            How far apart, in K, the temperatures of a measured and an MD value may be, where both are stated; 10 by default.
        md_on_one_level
            Take away the differences between several sources of MD values where that helps, as by default; False leaves the
            values as they come.

        Returns
        -------
        Study
            This one.

        Raises
        ------
        ValueError
            A choice makes no sense, or the data cannot be calibrated; the sentence is that of the window. The result of
            before stays.
        """
        choices = choices_of(
            calibrator=calibrator,
            protocol=protocol,
            seed=seed,
            log=log,
            weights=weights,
            penalties=penalties,
            blocks_off=blocks_off,
            block_penalties=block_penalties,
            interval=interval,
            bands=bands,
            rigid_bonds=rigid_bonds,
            robust=robust,
            temperature_tolerance=temperature_tolerance,
            md_on_one_level=md_on_one_level,
        )
        with as_value_errors(self._places):
            state = choices.applied(self._state)
            derived = derive_as_told(state, choices, self._measured_name, previous=self._described())
            if derived.snapshot.calibration is None:
                raise ValueError(f"{self._measured_name} holds no measured and MD values of one property.")
            if self._errors == "raise":
                refuse(unusable(derived.snapshot), ADVICE)
        for doubt in doubts_in_words(derived.snapshot.unit_doubts, state.tables):
            warn(doubt, self._places)
        self._state, self._derived = state, derived
        return self

    @property
    def snapshot(self) -> Snapshot:
        """The study as the window would show it, calibrated."""
        if self._derived.snapshot.calibration is None:
            self.fit()
        return self._shown()

    @property
    def notes(self) -> list[str]:
        """What the window says of the result, in sentences: which calibrator is recommended, and what to be careful about."""
        calibration = self.snapshot.calibration
        assert calibration is not None
        assembly = self._assembly()
        return [
            calibration.recommendation.sentence,
            *notes_shown(self.snapshot),
            *(in_words_of_python(note, self._places) for note in assembly.notes),
        ]

    def predictions(self) -> pd.DataFrame:
        """Return the calibrated value of every polymer with an MD value, with the columns of ``predictions.csv``.

        ``attrs["notes"]`` are the :attr:`notes` of the study.
        """
        snapshot = self.snapshot
        with as_value_errors():
            return frame_of_predictions(prediction_rows(snapshot), _unit(snapshot), notes=self.notes)

    def coefficients(self) -> pd.DataFrame:
        """Return the coefficients of the descriptors with their bands, with the columns of ``coefficients.csv``."""
        snapshot = self.snapshot
        with as_value_errors():
            return frame_of_coefficients(snapshot)

    def forecast(self) -> pd.DataFrame:
        """Forecast the error with more measured polymers, with the columns of ``forecast.csv``; takes up to a minute.

        ``attrs["notes"]`` says how many more measurements help, or that it cannot be told.

        Raises
        ------
        ValueError
            Too few polymers are measured.
        """
        from affinecal_gui.study.calibrator_files.making import calibrated_here
        from affinecal_gui.study.fitting.forecasting import with_forecast

        snapshot = self.snapshot
        if snapshot.calibration is None or snapshot.calibration.forecast is None:
            with as_value_errors():
                here = calibrated_here(self._state, self._derived)
                assert here.snapshot.calibration is not None
                found = with_forecast(here.snapshot.calibration)
            self._derived = replace(here, snapshot=replace(here.snapshot, calibration=found))
            snapshot = self.snapshot
        return frame_of_forecast(snapshot)

    def interval_parts(self) -> pd.DataFrame:
        """Return what the interval of each polymer with an MD value is made of, by the calibrator of the study.

        Columns hold shares of the variance, which add up to one: ``measurement`` (stated errors of measured values),
        ``simulation`` (noise of the MD value), ``few_polymers`` (what more measured ones would tell), ``model_form`` (the
        rest); and by which share five more simulations would narrow the interval, nan where their number is not known. No
        rows for a calibrator that is not linear.
        """
        return frame_of_interval_parts(self.snapshot, self.snapshot.settings.model)

    def metrics(self) -> dict[str, Any]:
        """Return everything that ``metrics.json`` holds: errors, parameters and penalties of all calibrators."""
        return metrics_of(self.snapshot)

    def left_out(self) -> pd.DataFrame:
        """Return the rows that were not used, and why, with the columns of ``left_out.csv``."""
        snapshot = self.snapshot
        return frame_of_left_out(left_out_rows(snapshot, self._assembly(), self._raws))

    def matches(
        self, *, temperature_tolerance: float | None = None, md_on_one_level: bool | None = None
    ) -> pd.DataFrame:
        """Return which MD value was found for each measured polymer, and why none for the others; nothing is calibrated.

        ``attrs["notes"]`` say under which conditions, and what became of differences between several sources of MD values.

        Parameters
        ----------
        temperature_tolerance, md_on_one_level
            As in :meth:`fit`; what is None is as the study has it. The study stays as it is.

        Raises
        ------
        ValueError
            There are values of one kind only, or a choice makes no sense.
        """
        choices = choices_of(temperature_tolerance=temperature_tolerance, md_on_one_level=md_on_one_level)
        assembly = self._assembly() if choices == NOTHING_SAID else self._assembled(choices)
        if assembly.report is None or assembly.measured_side is None or assembly.md_side is None:
            raise ValueError(assembly.summary)
        lines = match_lines(assembly.report, assembly.measured_side.table, assembly.md_side.table)
        notes = [in_words_of_python(note, self._places) for note in assembly.notes]
        return frame_of_matches(lines, assembly.quantity.unit, assembly.summary, notes)

    def predict(
        self,
        frame: pd.DataFrame,
        *,
        calibrator: ModelName | None = None,
        units: Mapping[str, str] | None = None,
        errors: Errors = "raise",
    ) -> pd.DataFrame:
        """Calibrate the MD values of polymers that the study has not seen, as ``affinecal predict`` does.

        Parameters
        ----------
        frame
            Repeat units, and MD values of the property of the study as far as there are any: those of other polymers are
            predicted, and the column "md_origin" says so.
        calibrator
            Whose values are given; None for that of the study.
        units
            Units by heading, where the frame does not name them.
        errors
            "raise": a row that cannot be used is a ValueError; "report": it has no value, and the column "note" says why. A
            missing MD value, and a polymer so unlike those of the fit that no value makes sense, have a note in any case.

        Returns
        -------
        DataFrame
            A row for each row of ``frame``, with its index and the columns of ``predictions.csv``; ``attrs["notes"]`` say
            where MD values come from that the frame does not have.

        Raises
        ------
        ValueError
            There is no MD value and none can be predicted, or the frame leaves open what the window would ask, or holds a
            row that cannot be used.
        TypeError
            It is no data frame.
        """
        choices = choices_of(calibrator=calibrator)
        study = self._name or f"the study of {self._measured_name}"
        return predicted_frame(frame, units, errors, lambda raw: predict_source(self._state, study, raw, choices))

    def figure(
        self,
        name: str,
        *,
        width_mm: float = 180.0,
        arrangement: Literal["panels", "overlaid"] = "panels",
        predictions: Literal["out-of-fold", "fitted"] = "out-of-fold",
        intervals: bool = True,
        against: str = "measured",
        colour_by: str = "",
        calibrators: Literal["all", "with_md", "one"] = "all",
        letters: bool = False,
        notes: bool = True,
    ) -> "Figure":
        """Draw a figure as the window exports it.

        Parameters
        ----------
        name
            "parity", "residuals", "coefficients", "comparison", "surface", "overlap", or, after :meth:`forecast`, "forecast".
        width_mm
            Width in mm.
        arrangement, predictions, intervals
            Of the parity figure: one panel per calibrator or all in one; out-of-fold values, or those of the final fit;
            whether out-of-fold values have their intervals. The figure of residuals heeds ``predictions`` as well.
        against
            Of the figure of residuals: "measured", "md", "normal" (quantiles of a normal distribution), "column:" with the
            heading of a further column, or "descriptor:" with the name of one.
        colour_by
            Of the figures of parity (in panels) and residuals: "class" (of the polymers), or what ``against`` can be except
            "normal"; "" colours the points by calibrator.
        calibrators
            Of the parity figure: "all", "with_md" (that of the study beside MD as it is) or "one" (that of the study alone).
        letters
            Of the figures of parity and coefficients: (a), (b) ... before the titles of their panels.
        notes
            Say below the figure, in sentences, what it shows; journals want that in the caption.

        Raises
        ------
        ValueError
            There is no such figure, or the study does not have what it shows.
        """
        from affinecal_gui.study.results.study_figures import (
            FIGURES,
            Arrangement,
            FigureOptions,
            Predictions,
            Shown,
            draw_figure,
        )
        from affinecal_gui.study.shown.traits import MEASURED

        # Here no polymer is selected, of which some figures are.
        one_of(name, tuple(known.name for known in FIGURES.values() if "row_key" not in known.heeds), "figure")
        options = FigureOptions(
            width_mm=number(width_mm, "width_mm") or 0.0,
            arrangement=one_of(arrangement, get_args(Arrangement), "arrangement"),
            predictions=one_of(predictions, get_args(Predictions), "predictions"),
            intervals=bool(true_or_false(intervals, "intervals")),
            against=text(against, "against") or MEASURED,
            colour_by=text(colour_by, "colour_by") or "",
            calibrators=one_of(calibrators, get_args(Shown), "calibrators"),
            letters=bool(true_or_false(letters, "letters")),
            notes=bool(true_or_false(notes, "notes")),
        )
        snapshot = self.snapshot
        with as_value_errors():
            return draw_figure(name, snapshot, options)

    def parity(self, **options: Any) -> "Figure":
        """Draw calibrated against measured values; the options are those of :meth:`figure`."""
        return self.figure("parity", **options)

    def report(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the report of the study; the ending of the name says whether as PDF or as HTML.

        Raises
        ------
        ValueError
            The ending is unknown, the file exists and ``overwrite`` is false, or it cannot be written.
        """
        from affinecal_gui.study.results.reporting import write_report

        snapshot = self.snapshot
        with as_value_errors():
            return write_report(snapshot, self._state, Path(path), study_name=self._name, overwrite=overwrite)

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Save the study with its result, for the window and for :meth:`open`.

        Raises
        ------
        ValueError
            The file exists and ``overwrite`` is false, or it cannot be written.
        """
        from affinecal_gui.study.stored.study_file import save_study

        with as_value_errors():
            save_study(path, self._state, self._derived, overwrite=overwrite)
        return Path(path)

    def __repr__(self) -> str:
        snapshot = self._derived.snapshot
        tables = ", ".join(loaded.table.name for loaded in self._state.tables)
        if snapshot.calibration is None:
            return f"<Study of {self._state.quantity.title.lower()}: {tables}; not calibrated yet>"
        return f"<Study of {self._state.quantity.title.lower()}: {tables}; {snapshot.match_summary}>"

    def _repr_html_(self) -> str:
        return html_of(self._shown(), self._state)

    def _shown(self) -> Snapshot:
        snapshot = self._derived.snapshot
        return replace(snapshot, settings=self._state.settings.shown_for(snapshot.calibration))

    def _assembly(self) -> Assembly:
        known = self._derived.assembly
        if isinstance(known, Assembly):
            return known
        return self._assembled(NOTHING_SAID)

    def _assembled(self, choices: Choices) -> Assembly:
        with as_value_errors(self._places):
            state = choices.applied(self._state)
            return assemble(state.tables, state.quantity, state.settings.matching)

    def _described(self) -> Derived:
        """Return what was derived before without its calibration: descriptors need not be computed again, fits are anew."""
        bare = replace(self._derived.snapshot, calibration=None)
        return replace(self._derived, snapshot=bare, inputs=None)


def _distinct(sides: Sequence[tuple[RawTable, pd.DataFrame]]) -> list[tuple[RawTable, pd.DataFrame]]:
    """Give tables of one path paths of their own: a study takes a table of a path that it knows for the same one again."""
    found: dict[str, tuple[RawTable, pd.DataFrame]] = {}
    for raw, frame in sides:
        path, number = raw.path, 2
        while path in found:
            path, number = f"{raw.path} ({number})", number + 1
        found[path] = (replace(raw, path=path), frame)
    return list(found.values())


def _unit(snapshot: Snapshot) -> str:
    return snapshot.quantity.unit if snapshot.quantity is not None else ""
