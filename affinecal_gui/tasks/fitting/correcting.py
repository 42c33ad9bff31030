"""The service behind ``affinecal fit`` without measured values, or with few: quantum-corrected heat capacities."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from affinecal_gui import __version__
from affinecal_gui.calibration.calibrators.quantum_corrected import QUANTUM_CORRECTED
from affinecal_gui.errors import UserError
from affinecal_gui.notes import Note, limited
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.fitting.choices import NOTHING_SAID, Choices
from affinecal_gui.study.quantum_properties import ESTIMATED, HEAT_CAPACITIES
from affinecal_gui.study.results.exporting import write_predictions
from affinecal_gui.study.results.left_out import (
    LEFT_OUT,
    LeftOutRow,
    left_out_lines,
    left_out_rows,
    raw_tables,
    write_left_out,
)
from affinecal_gui.study.results.reporting import write_report
from affinecal_gui.study.results.study_figures import write_figures
from affinecal_gui.study.snapshot import CorrectedValues, PolymerRow
from affinecal_gui.study.state import StudyState
from affinecal_gui.tables.text.options import GUESS, ReadOptions
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.units.property_names import named_among
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.writing.csv_export import PLAIN, CsvStyle
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.fitting.simulate_again import SIMULATE_AGAIN, write_simulate_again
from affinecal_gui.tasks.reading.data_files import DataSource, read_as
from affinecal_gui.tasks.reading.study_read import reading_notes
from affinecal_gui.tasks.writing.json_file import write_json
from affinecal_gui.tasks.writing.results_folder import results_folder

OUTPUTS = ("predictions.csv", "metrics.json")
DRAWN = ("corrected", "modes")
FIGURES = tuple(f"{name}.{suffix}" for name in DRAWN for suffix in ("svg", "png"))
WRITTEN = (*OUTPUTS, *FIGURES)
REPORTS = ("report.pdf", "report.html")
MOST_REASONS = 5  # for which rows have no value; the column of notes has them all
_ABOUT_A_FIT = {  # by the name of the choice
    "protocol": "--protocol",
    "seed": "--seed",
    "log_scale": "--log and --linear",
    "weighting": "--weights",
    "penalties": "--penalties",
    "blocks_off": "--blocks-off",
    "block_factors": "--block-penalty",
    "bands": "--bands",
}


def correct_file(
    md: DataSource,
    output: Path,
    *,
    property_key: str | None = None,
    md_column: str | None = None,
    options: ReadOptions = GUESS,
    choices: Choices = NOTHING_SAID,
    report: bool = False,
    style: CsvStyle = PLAIN,
    overwrite: bool = False,
    jobs: int = 1,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> list[str]:
    """Correct the MD values of a table without a measured one, and write them to a folder.

    Parameters
    ----------
    md
        Table of MD values of a heat capacity, or of thermal conductivity.
    property_key
        The property; None takes the first of the table that can be corrected.
    md_column
        Heading of the column of values, where it is not to be found.
    report
        Whether the report is written as well, as PDF and as HTML.
    jobs
        Processes that compute vibrations.

    Returns
    -------
    list of str
        What was done, for a person.

    Raises
    ------
    UserError
        The file cannot be read, has no value that can be corrected, a choice needs measured values, or a result exists
        already and ``overwrite`` is false.
    """
    _check(choices)
    paths = (md,) if isinstance(md, Path) else ()
    with results_folder(
        output, (*WRITTEN, *REPORTS, LEFT_OUT, SIMULATE_AGAIN), overwrite=overwrite, inputs=paths
    ) as folder:
        table = read_as(md, "md", {md_column: "md"} if md_column else {}, options, task=task).table
        state = _with_property(StudyState().with_tables((table,)), table.name, property_key)
        derived = derive(
            choices.applied(state),
            Derived(),
            processes=jobs if jobs > 1 else 0,
            cache=cache,
            task=task.part(0.1, 0.95),
        )
        corrected, assembly = derived.snapshot.corrected, derived.assembly
        assert isinstance(assembly, Assembly)
        if corrected is None:
            unit = assembly.quantity.unit or "no unit"
            raise UserError(
                f"{table.name}: the values of {assembly.quantity.title.lower()} are in {unit}, in which they cannot be "
                "corrected. Give them in J/(kg K), or measured values with --experiment."
            )
        left_out = write_corrected(derived, folder, (table,), report=report, style=style)
        again = write_simulate_again(folder, [table])
    task.report(1.0, "Done")
    return [*corrected_summary(derived, output, left_out, report=report), *again]


def write_corrected(
    derived: Derived, folder: Path, read: Sequence[PolymerTable], *, report: bool = False, style: CsvStyle = PLAIN
) -> tuple[LeftOutRow, ...]:
    """Write the results of a study whose MD values were corrected instead of calibrated; returns the rows left out.

    With values there are figures, and with ``report`` the report.

    ``read`` are the tables whose files are as they were when they were read; others may have changed since.
    """
    corrected, assembly = derived.snapshot.corrected, derived.assembly
    assert corrected is not None
    assert isinstance(assembly, Assembly)
    write_predictions(derived.snapshot, folder / "predictions.csv", style=style)
    write_json(folder / "metrics.json", _metrics(derived, corrected))
    if corrected.modes is not None:
        for name in DRAWN:
            write_figures(name, derived.snapshot, [folder / f"{name}.{suffix}" for suffix in ("svg", "png")])
        for name in REPORTS if report else ():
            write_report(derived.snapshot, derived.state, folder / name)
    left_out = left_out_rows(derived.snapshot, assembly, raw_tables(read))
    if left_out:
        write_left_out(folder / LEFT_OUT, left_out, style=style)
    return left_out


def _check(choices: Choices) -> None:
    if choices.model not in (None, QUANTUM_CORRECTED.key):
        raise UserError(
            f"Without measured values nothing can be fitted, so that --calibrator can only be {QUANTUM_CORRECTED.key}. Name "
            "the table of measured values with --experiment."
        )
    for name, option in _ABOUT_A_FIT.items():
        if getattr(choices, name) is not None:
            raise UserError(
                f"{option} is about a fit, and without measured values nothing is fitted. Leave it out, or name the table "
                "of measured values with --experiment."
            )


def _with_property(state: StudyState, name: str, key: str | None) -> StudyState:
    """Settle on a property that can be corrected."""
    quantities, able = state.quantities_of("md"), (*HEAT_CAPACITIES, *ESTIMATED)
    if key is not None:
        found = named_among(key, quantities)
        if found is None:
            raise UserError(f"{name} has no MD values of “{key}”; it has {_listed(quantities)}.")
    else:
        known = {quantity.key: quantity for quantity in quantities}
        found = next((known[one] for one in able if one in known), None)
    if found is None or found.key not in able:
        what = found.title.lower() if found is not None else _listed(quantities)
        raise UserError(
            f"{name} has MD values of {what}. Without measured values only heat capacities (Cp, Cv) and, as an estimate, "
            "thermal conductivities can be corrected: name the table of measured values with --experiment."
        )
    return state.with_property(found.key)


def _listed(quantities: Iterable[Property]) -> str:
    return ", ".join(quantity.key for quantity in quantities) or "no property"


def _metrics(derived: Derived, corrected: CorrectedValues) -> dict[str, Any]:
    """Return everything about the result but its table, as the content of ``metrics.json``."""
    snapshot, settings = derived.snapshot, derived.state.settings
    assert snapshot.quantity is not None
    return {
        "program": f"AffineCal {__version__}",
        "property": snapshot.quantity.key,
        "unit": snapshot.quantity.unit,
        "calibrator": QUANTUM_CORRECTED.key,
        "rigid_bonds": settings.rigid_bonds,
        "n_polymers": sum(row.md == row.md for row in snapshot.rows) if snapshot.compared else len(corrected.values),
        "n_measured": sum(row.measured == row.measured and row.md == row.md for row in snapshot.rows),
        "n_corrected": int(np.isfinite(corrected.values).sum()),
        "interval_level": corrected.interval_level,
        "notes": [derived.message, *corrected.notes[1:]],
    }


def corrected_summary(
    derived: Derived, output: Path, left_out: Sequence[LeftOutRow], *, report: bool = False
) -> list[str]:
    """Say in plain words what was corrected, and what was not."""
    corrected, assembly = derived.snapshot.corrected, derived.assembly
    assert corrected is not None
    assert isinstance(assembly, Assembly)
    tables = [loaded.table for loaded in assembly.tables]
    lines = [line for line in reading_notes(tables, assembly) if line != assembly.summary]
    lines += [*left_out_lines(left_out), derived.message, *corrected.notes[1:]]
    lines += limited(map(_without_value, _failed(derived.snapshot.rows, corrected)), MOST_REASONS)
    drawn = (*FIGURES, *(REPORTS if report else ())) if corrected.modes is not None else ()
    written = (*OUTPUTS, *drawn, *((LEFT_OUT,) if left_out else ()))
    return [*lines, f"Written to {output}: {', '.join(written)}."]


def _failed(rows: tuple[PolymerRow, ...], corrected: CorrectedValues) -> list[tuple[str, str]]:
    return [(row.label, problem) for row, problem in zip(rows, corrected.problems, strict=True) if problem]


def _without_value(failed: tuple[str, str]) -> Note:
    name, why = failed
    return Note(f"No value for {name}: {why}", subject=name, of_several=f"polymers have no value: {why}")
