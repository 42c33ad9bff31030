"""The service that answers "What about this polymer?": prepared once for a study, then some milliseconds a polymer."""

from dataclasses import dataclass, replace
from math import exp, isfinite

import numpy as np

from affinecal_gui.calibration.calibrators.registry import DEFAULT
from affinecal_gui.calibration.names import calibrator_in_sentence, capital
from affinecal_gui.calibration.results import ModelName
from affinecal_gui.errors import UserError
from affinecal_gui.numbers import significant
from affinecal_gui.polymers.copolymers.composition import Composition, identity_of, parse_composition
from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit
from affinecal_gui.study.asking.asked_polymer import AskedPolymer
from affinecal_gui.study.asking.asked_text import AskedText, read_asked
from affinecal_gui.study.asking.known_polymers import Found, KnownPolymers, known_polymers
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.finished import NO_CALIBRATION
from affinecal_gui.study.fitting.calibrating import DescribedLibrary, training_of
from affinecal_gui.study.fitting.unsimulated import Unsimulated, UnsimulatedValues, train_unsimulated
from affinecal_gui.study.md_origin import md_origin
from affinecal_gui.study.shown.correction import Correction, split_correction
from affinecal_gui.study.shown.inspection import (
    coloured_picture,
    effects_of,
    inspect_polymer,
    nearest_polymers,
    note_on_shares,
    range_lines,
)
from affinecal_gui.study.shown.inspector_content import InspectorContent, ValueLine
from affinecal_gui.study.shown.row_values import largest_value, row_values
from affinecal_gui.study.snapshot import PolymerRow, Settings, Snapshot
from affinecal_gui.study.words.polymer_sentence import polymer_sentence
from affinecal_gui.study.words.validity_words import NO_VALUE, range_sentence
from affinecal_gui.task import UNWATCHED, Task

WAITING = "Its MD value will be predicted as soon as that has been learned from the MD values of the study."
NOT_IN_TABLES = "Not in the tables of this study."


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """What was learned from a study to predict MD values, and from which study."""

    of: tuple[object, ...]  # assembly, descriptors and settings
    unsimulated: Unsimulated | None
    why_not: str = ""  # in a sentence


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """A study that can be asked about polymers."""

    snapshot: Snapshot
    assembly: object | None  # study.data.assembly.Assembly, from which the known polymers come
    known: KnownPolymers | None
    learned: Learned | None = None  # None until then

    @property
    def is_waiting(self) -> bool:
        """Whether polymers that nobody simulated have no values yet, but will have."""
        return self.learned is None and self.snapshot.calibration is not None

    # -- being asked ----------------------------------------------------------------------------------------------

    def ask(self, text: str, *, task: Task = UNWATCHED) -> AskedPolymer:
        """Say everything there is to say about one polymer.

        Parameters
        ----------
        text
            A SMILES with two end marks, a molfile, a composition, or the name or id of a polymer of the tables.
        """
        if not text.strip():
            return AskedPolymer(text)
        try:
            read, found = self._find(text)
            composition = parse_composition(read.smiles) if read.smiles else None
            notes = (read.remark, *(composition.notes if composition is not None else ()))
            asked = AskedPolymer(text, read.smiles, notes=tuple(note for note in notes if note))
            if found.row >= 0 and self.snapshot.rows[found.row].library_index >= 0:
                return self._of_row(asked, found, task)
            return self._of_new(asked, composition or parse_composition(read.smiles), found, task)
        except InvalidRepeatUnit as problem:
            return AskedPolymer(text, hint=str(problem))

    def _find(self, text: str) -> tuple[AskedText, Found]:
        """Read a text, and look it up in the tables; raise InvalidRepeatUnit where it is neither a name nor a polymer."""
        known = self.known
        if known is None:
            return read_asked(text), Found()
        row = known.called(text)
        if row >= 0:
            return AskedText(known.rows[row].smiles), Found(row)
        read = read_asked(text)
        return read, known.find(identity_of(read.smiles))

    def _of_row(self, asked: AskedPolymer, found: Found, task: Task) -> AskedPolymer:
        """Show a polymer as the tables have it."""
        row, snapshot = self.snapshot.rows[found.row], self.snapshot
        content = inspect_polymer(snapshot, row.key, task=task)
        values = row_values(snapshot, (row,))
        value, lower, upper = (float(one[0]) for one in (values.calibrated, values.lower, values.upper))
        answer = replace(
            asked,
            smiles=asked.smiles or row.smiles,
            content=content,
            row=row.key,
            standing=_standing(row, found),
            value=value,
            lower=lower,
            upper=upper,
            level=self._level,
        )
        if not isfinite(value):
            return replace(answer, missing=self._why_no_value(row))
        calibration, model = snapshot.calibration, snapshot.settings.model
        if calibration is None:
            basis = (
                "The simulated MD value, corrected for quantum effects; there are no measured values to calibrate with."
            )
        else:
            basis = f"The simulated MD value, calibrated by {self._called(model)}."
            if values.out_of_fold[0]:
                basis += " The value is out-of-fold: made without its own measurement."
        answer = replace(answer, origin=md_origin(model, simulated=True), basis=basis)
        sentence = polymer_sentence(snapshot, answer.smiles, value, lower, upper, basis, _caveat(answer))
        return replace(answer, sentence=sentence)

    def _of_new(self, asked: AskedPolymer, composition: Composition, found: Found, task: Task) -> AskedPolymer:
        """Show a polymer that was not simulated."""
        row = self.snapshot.rows[found.row] if found.row >= 0 else None
        values, problem = self._values(asked.smiles, task)
        correction = self._correction(asked.smiles, values)
        asked = replace(
            asked,
            row=row.key if row is not None else "",
            standing=_standing(row, found),
            content=self._content(asked.smiles, composition, row, values, correction, task),
            is_waiting=self.is_waiting,
        )
        if values is None or self.learned is None or self.learned.unsimulated is None:
            return replace(asked, missing=problem)
        value, lower, upper = (float(one[0]) for one in (values.values, values.lower, values.upper))
        if not isfinite(value):
            return replace(asked, missing=values.problems[0] or NO_VALUE)
        basis = self._basis(values, self.learned.unsimulated)
        return replace(
            asked,
            value=value,
            lower=lower,
            upper=upper,
            level=self.learned.unsimulated.level,
            origin=values.origin,
            basis=basis,
            sentence=polymer_sentence(self.snapshot, asked.smiles, value, lower, upper, basis, _caveat(asked)),
        )

    def _values(self, smiles: str, task: Task) -> tuple[UnsimulatedValues | None, str]:
        """Predict and calibrate; without values there is a reason."""
        if self.snapshot.calibration is None:
            return None, NO_CALIBRATION
        if self.learned is None:
            return None, WAITING
        if self.learned.unsimulated is None:
            return None, self.learned.why_not
        try:
            return self.learned.unsimulated.of_smiles((smiles,), task=task.silent), ""
        except UserError as problem:
            return None, str(problem)

    def _correction(self, smiles: str, values: UnsimulatedValues | None) -> Correction | None:
        if values is None or self.learned is None or self.learned.unsimulated is None or not isfinite(values.values[0]):
            return None
        trained = self.learned.unsimulated
        try:
            return split_correction(
                trained.calibrator.calibration,
                trained.model,
                trained.blocks,
                smiles,
                float(values.md[0]),
                called="It",
            )
        except UserError:
            return None

    def _content(
        self,
        smiles: str,
        composition: Composition,
        row: PolymerRow | None,
        values: UnsimulatedValues | None,
        correction: Correction | None,
        task: Task,
    ) -> InspectorContent:
        quantity = self.snapshot.quantity
        picture = coloured_picture(composition, correction.shares if correction is not None else {}, task=task)
        symbol = quantity.symbol_html if quantity is not None else ""
        content = InspectorContent(
            key=row.key if row is not None else "",
            label=row.label if row is not None else smiles,
            id=row.id if row is not None and row.name else "",
            smiles=smiles,
            svg=picture.svg,
            svg_dark=picture.svg_dark,
            symbol_html=symbol,
            unit=quantity.unit if quantity is not None else "",
            largest_value=largest_value(self.snapshot),
            values=(ValueLine("Measured", row.measured),) if row is not None and isfinite(row.measured) else (),
        )
        trained = self.learned.unsimulated if self.learned is not None else None
        if values is None or trained is None or not values.described[0]:
            return content
        calibration, validity = trained.calibrator.calibration, values.validity
        target = f"ln {symbol}" if trained.log_scale else symbol
        inside = bool(values.inside[0])
        attribution = correction.attribution if correction is not None else None
        return replace(
            content,
            target_html=target,
            legend_limit=picture.limit,
            legend_note=note_on_shares(target) if correction is not None else "",
            values=(
                *content.values,
                ValueLine("MD, predicted", float(values.md[0]), note=_own_error(values, trained.log_scale)),
                ValueLine("Calibrated", float(values.values[0]), float(values.lower[0]), float(values.upper[0])),
            ),
            effects=effects_of(attribution),
            effects_sum=attribution.total if attribution is not None else float("nan"),
            ranges=range_lines(calibration, self.snapshot, validity, 0, md="Predicted MD value"),
            validity=range_sentence(
                trained.model,
                inside=inside,
                md_inside=bool(values.md_inside[0]),
                structure_inside=bool(values.structure_inside[0]),
            )
            or "Inside the range of the polymers used for the fit.",
            inside=inside,
            nearest=nearest_polymers(self.snapshot, validity, 0),
        )

    def _basis(self, values: UnsimulatedValues, trained: Unsimulated) -> str:
        shown = self.snapshot.settings
        text = f"The MD value is predicted, with its standard deviation behind ±. {trained.sentence}"
        if values.origin == "no MD used":
            text = f"{capital(self._called(trained.model))} looks at the structure alone; no MD value is used."
        if shown.model != trained.model and not shown.follows_advice:
            text += f" {capital(self._called(shown.model))} needs a simulation, so another calibrator is used here."
        return text

    def _called(self, model: ModelName) -> str:
        calibration = self.snapshot.calibration
        return calibrator_in_sentence(model, log_scale=calibration.log_scale if calibration is not None else False)

    @property
    def _level(self) -> float:
        calibration = self.snapshot.calibration
        return calibration.interval_level if calibration is not None else self.snapshot.settings.interval_level

    def _why_no_value(self, row: PolymerRow) -> str:
        calibration, model = self.snapshot.calibration, self.snapshot.settings.model
        if calibration is None:
            return NO_CALIBRATION
        return row.reason if row.state == "invalid" else NO_VALUE if model in calibration.models else WAITING


def prepare_answers(
    snapshot: Snapshot, derived: Derived, previous: Answers | None = None, *, task: Task = UNWATCHED
) -> Answers:
    """Gather what is known of the polymers of a study; what was learned before is kept where it belongs to this study.

    Parameters
    ----------
    snapshot
        Which is shown.
    derived
        What the snapshot was made from.
    previous
        Of the same window, of this study or another one.
    """
    assembly = derived.assembly
    if not isinstance(assembly, Assembly):
        return Answers(snapshot, None, None)
    same = previous is not None and previous.assembly is assembly
    known = previous.known if previous is not None and same else known_polymers(assembly, task=task)
    learned = previous.learned if previous is not None else None
    if learned is not None and learned.of == _learned_from(snapshot, derived):
        learned = _shown_by(learned, snapshot.settings)
    else:
        learned = None
    return Answers(snapshot, assembly, known, learned)


def learn(answers: Answers, derived: Derived, *, task: Task = UNWATCHED) -> Answers:
    """Learn to predict the MD values of polymers nobody has simulated; takes seconds.

    Why that is not possible, for example with too few MD values, is said by the answers.
    """
    assembly, described = derived.assembly, derived.descriptors
    if not answers.is_waiting or not isinstance(assembly, Assembly) or not isinstance(described, DescribedLibrary):
        return answers
    settings, of = answers.snapshot.settings, _learned_from(answers.snapshot, derived)
    try:
        training = derived.inputs.training if derived.inputs is not None else training_of(assembly, described, settings)
        learned = Learned(of, train_unsimulated(assembly, described, training, settings, task=task))
    except UserError as problem:
        learned = Learned(of, None, str(problem))
    return replace(answers, learned=_shown_by(learned, settings))


def _learned_from(snapshot: Snapshot, derived: Derived) -> tuple[object, ...]:
    """Return all that what is learned depends on; which calibrator is shown, and notes, make no difference."""
    settings = replace(snapshot.settings, model=DEFAULT, follows_advice=True, notes=frozenset())
    return derived.assembly, derived.descriptors, settings


def _shown_by(learned: Learned, settings: Settings) -> Learned:
    """Take the calibrator that is shown, or where that needs a simulation, or none was chosen, the recommended one."""
    trained = learned.unsimulated
    if trained is None:
        return learned
    chosen = settings.model if not settings.follows_advice and settings.model in trained.calibrator.models else None
    return replace(learned, unsimulated=trained.by(chosen))


def _standing(row: PolymerRow | None, found: Found) -> str:
    if row is None:
        return f"{NOT_IN_TABLES} {found.note}".strip()
    measured, simulated = isfinite(row.measured), isfinite(row.md)
    what = {
        (True, True): "measured and simulated",
        (True, False): "measured, but not simulated",
        (False, True): "simulated, but not measured",
        (False, False): "without a value",
    }[measured, simulated]
    known_as = f"{row.label} ({row.id})" if row.id and row.id != row.label else row.label
    return f"In the tables as {known_as}: {what}. {found.note}".strip()


def _caveat(answer: AskedPolymer) -> str:
    return answer.content.validity if answer.content is not None and not answer.content.inside else ""


def _own_error(values: UnsimulatedValues, log_scale: bool) -> str:
    """Write the standard deviation of a simulation about its predicted value."""
    deviation = float(values.md_deviation[0])
    if not np.isfinite(deviation):
        return ""
    return f"± {significant(100.0 * (exp(deviation) - 1.0), 2)} %" if log_scale else f"± {significant(deviation, 2)}"
