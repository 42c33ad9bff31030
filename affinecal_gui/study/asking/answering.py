"""The service that answers "What about this polymer?": prepared once for a study, then some milliseconds a polymer."""

from dataclasses import dataclass, replace
from math import isfinite

from affinecal_gui.calibration.calibrators.registry import DEFAULT, calibrator
from affinecal_gui.calibration.names import calibrator_in_sentence, capital
from affinecal_gui.errors import UserError
from affinecal_gui.polymers.copolymers.composition import Composition, identity_of, parse_composition
from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit
from affinecal_gui.study.asking.asked_polymer import AskedPolymer
from affinecal_gui.study.asking.asked_text import AskedText, read_asked
from affinecal_gui.study.asking.known_polymers import Found, KnownPolymers, known_polymers
from affinecal_gui.study.asking.new_polymer import OUT_OF_FOLD, CalibratedValue, NewPolymer, drawn_polymer
from affinecal_gui.study.asking.rows_without_md import values_without_md
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.finished import NO_CALIBRATION
from affinecal_gui.study.fitting.calibrating import DescribedLibrary, training_of
from affinecal_gui.study.fitting.unsimulated import Unsimulated, train_unsimulated
from affinecal_gui.study.md_origin import MDOrigin, md_origin
from affinecal_gui.study.shown.inspection import inspect_polymer
from affinecal_gui.study.shown.row_values import row_values
from affinecal_gui.study.snapshot import FromPredictedMD, PolymerRow, Settings, Snapshot
from affinecal_gui.study.words.comparison_words import not_recommended
from affinecal_gui.study.words.polymer_sentence import polymer_sentence
from affinecal_gui.study.words.validity_words import NO_VALUE
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
    of_rows: FromPredictedMD | None = None  # of measured polymers that were not simulated, once that was learned

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
            A SMILES with two attachment points, a molfile, a composition, or the name or id of a polymer of the tables.
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
        calibrated = CalibratedValue(
            float(values.calibrated[0]),
            float(values.lower[0]),
            float(values.upper[0]),
            out_of_fold=bool(values.out_of_fold[0]),
        )
        asked = replace(
            asked,
            smiles=asked.smiles or row.smiles,
            content=content,
            row=row.key,
            standing=_standing(row, found),
        )
        if not isfinite(calibrated.value):
            return replace(asked, missing=self._why_no_value(row))
        origin = md_origin(snapshot.settings.model, simulated=True)
        return self._with_value(asked, calibrated, self._level, origin, self._basis(calibrated))

    def _basis(self, calibrated: CalibratedValue) -> str:
        calibration, model = self.snapshot.calibration, self.snapshot.settings.model
        if calibration is None:
            return (
                "The simulated MD value, corrected for quantum effects; there are no measured values to calibrate with."
            )
        name = calibrator_in_sentence(model, log_scale=calibration.log_scale)
        how = f"The simulated MD value, calibrated by {name}."
        if not calibrator(model).uses_md:
            how = f"{capital(name)} looks at the structure alone; no MD value is used."
        sentences = (how, OUT_OF_FOLD if calibrated.out_of_fold else "", not_recommended(calibration, model))
        return " ".join(sentence for sentence in sentences if sentence)

    def _of_new(self, asked: AskedPolymer, composition: Composition, found: Found, task: Task) -> AskedPolymer:
        """Show a polymer that was not simulated."""
        row = self.snapshot.rows[found.row] if found.row >= 0 else None
        new, problem = self._predicted(asked.smiles, found, task)
        correction = new.correction if new is not None else None
        shares = correction.shares if correction is not None else {}
        content = drawn_polymer(self.snapshot, asked.smiles, composition, row, shares, task=task)
        asked = replace(
            asked,
            row=content.key,
            standing=_standing(row, found),
            content=new.content(content, correction) if new is not None else content,
            is_waiting=self.is_waiting,
        )
        if new is None:
            return replace(asked, missing=problem)
        calibrated = new.calibrated
        if not isfinite(calibrated.value):
            return replace(asked, missing=new.values.problems[0] or NO_VALUE)
        return self._with_value(asked, calibrated, new.trained.level, new.values.origin, new.basis)

    def _predicted(self, smiles: str, found: Found, task: Task) -> tuple[NewPolymer | None, str]:
        """Predict and calibrate; where that cannot be done there is a reason."""
        trained = self.learned.unsimulated if self.learned is not None else None
        if trained is None:
            return None, self._why_not_predicted
        try:
            values = trained.of_smiles((smiles,), task=task.silent)
        except UserError as problem:
            return None, str(problem)
        return NewPolymer(self.snapshot, trained, smiles, values, found.row), ""

    def _with_value(
        self, asked: AskedPolymer, found: CalibratedValue, level: float, origin: MDOrigin, basis: str
    ) -> AskedPolymer:
        content = asked.content
        caveat = content.validity if content is not None and not content.inside else ""
        return replace(
            asked,
            value=found.value,
            lower=found.lower,
            upper=found.upper,
            level=level,
            origin=origin,
            basis=basis,
            sentence=polymer_sentence(
                self.snapshot, asked.smiles, found.value, found.lower, found.upper, basis, caveat
            ),
        )

    @property
    def _why_not_predicted(self) -> str:
        if self.learned is not None:
            return self.learned.why_not
        return NO_CALIBRATION if self.snapshot.calibration is None else WAITING

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


def learn(
    answers: Answers, derived: Derived, *, cache: DescriptorCache | None = None, task: Task = UNWATCHED
) -> Answers:
    """Learn to predict the MD values of polymers nobody has simulated; takes seconds.

    Why that is not possible, for example with too few MD values, is said by the answers.
    """
    assembly, described = derived.assembly, derived.descriptors
    if not answers.is_waiting or not isinstance(assembly, Assembly) or not isinstance(described, DescribedLibrary):
        return _with_rows(answers, cache, task)
    settings, of = answers.snapshot.settings, _learned_from(answers.snapshot, derived)
    try:
        training = derived.inputs.training if derived.inputs is not None else training_of(assembly, described, settings)
        learned = Learned(of, train_unsimulated(assembly, described, training, settings, cache=cache, task=task))
    except UserError as problem:
        learned = Learned(of, None, str(problem))
    return _with_rows(replace(answers, learned=_shown_by(learned, settings)), cache, task)


def _with_rows(answers: Answers, cache: DescriptorCache | None, task: Task) -> Answers:
    """Add what can be said of the measured polymers of the tables that were not simulated."""
    learned = answers.learned
    if learned is None:
        return answers
    found = values_without_md(answers.snapshot, learned.unsimulated, learned.why_not, cache=cache, task=task)
    return replace(answers, of_rows=found)


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
