"""A study of data frames: the numbers of the command and of the window, and no partial result of bad input."""

import csv
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import affinecal_gui as ac
from affinecal_gui.__main__ import main
from affinecal_gui.calibration.calibrators.registry import linear_keys
from affinecal_gui.calibration.results import ErrorForecast
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.fitting import forecasting
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.results.forecast_table import FORECAST_COLUMNS
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.study import Study as WindowStudy
from tests.study.invented_forecast import invented_forecast


def cells(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def assert_same(frame: pd.DataFrame, path: Path) -> None:
    """Every number of a frame is that of a file to the last digit, and so is every text."""
    rows = cells(path)
    assert list(frame.columns) == list(rows[0])
    assert len(frame) == len(rows)
    for name in frame.columns:
        for own, written in zip(frame[name].tolist(), (row[name] for row in rows), strict=True):
            if isinstance(own, bool):
                assert written == ("yes" if own else "no")
            elif isinstance(own, float):
                assert (np.isnan(own) and written == "") or own == float(written)
            else:
                assert ("" if own is None else str(own)) == written


def test_fit_gives_the_files_of_the_command(study: ac.Study, by_command: Path) -> None:
    assert_same(study.predictions(), by_command / "predictions.csv")
    assert_same(study.coefficients(), by_command / "coefficients.csv")
    assert study.metrics() == json.loads((by_command / "metrics.json").read_text(encoding="utf-8"))


def test_fit_gives_the_snapshot_of_the_window(study: ac.Study, examples: Path) -> None:
    loaded = load_tables([examples / "optical_measured_and_md.csv"])
    window = WindowStudy()
    window.execute("Add tables", StudyState().with_tables(loaded.tables).with_property("refractive_index"))
    window.accept(derive(window.state, Derived()))
    shown, own = window.snapshot().calibration, study.snapshot.calibration
    assert shown is not None
    assert own is not None
    for name, result in shown.models.items():
        np.testing.assert_array_equal(own.models[name].out_of_fold, result.out_of_fold)
        np.testing.assert_array_equal(own.models[name].library, result.library)
        assert own.models[name].parameters == result.parameters
    assert own.recommendation == shown.recommendation


def at_temperatures() -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Ten measured polymers at 298 K, MD values at 300 K and, of two of them, 320 K, and those of another force field."""
    measured, md = frames()
    measured, md = measured.assign(**{"temperature [K]": 298.0}), md.assign(**{"temperature [K]": 300.0})
    md.loc[:1, "temperature [K]"] = 320.0
    other = md.assign(Cp=md["Cp"] * np.linspace(1.049, 1.051, len(md)), **{"temperature [K]": 300.0})
    for frame in (measured, md, other):
        frame.attrs["units"] = {"Cp": "J/(kg K)"}
    return measured, md, other


@pytest.mark.usefixtures("blank_figures")
def test_choices_are_those_of_the_command(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.csv" for name in ("measured", "md", "other")]
    for frame, path in zip(at_temperatures(), paths, strict=True):
        frame.rename(columns={"Cp": "Cp [J/(kg K)]"}).to_csv(path, index=False)
    words = ["fit", "--experiment", str(paths[0]), "--md", str(paths[1]), "--other-md", str(paths[2])]
    words += ["--calibrator", "log_difference", "--linear", "--penalties", "0.5", "2", "--blocks-off", "charge"]
    words += ["--block-penalty", "k_bond=3", "--interval", "0.8", "--seed", "3", "--output", str(tmp_path / "out")]
    assert main([*words, "--temperature-tolerance", "30", "--md-as-it-comes", "--quiet"]) == 0
    measured, md, other = map(ac.read_table, paths)
    study = ac.Study.from_frames(measured, md, other_md=other).fit(
        calibrator="log_difference",
        log=False,
        penalties=(0.5, 2),
        blocks_off=["charge"],
        block_penalties={"k_bond": 3.0},
        interval=0.8,
        seed=3,
        temperature_tolerance=30,
        md_on_one_level=False,
    )
    assert_same(study.predictions(), tmp_path / "out" / "predictions.csv")
    assert study.metrics() == json.loads((tmp_path / "out" / "metrics.json").read_text(encoding="utf-8"))


def test_matches_tell_what_another_tolerance_or_source_changes() -> None:
    measured, md, other = at_temperatures()
    near = ac.match(measured, md)
    assert near["state"].str.startswith("matched").tolist() == [False] * 2 + [True] * 8
    wide = ac.match(measured, md, temperature_tolerance=25.0)
    assert wide["state"].str.startswith("matched").all()
    study = ac.Study.from_frames(measured, md, other_md=[other])
    levelled, raw = study.matches(), study.matches(md_on_one_level=False)
    assert levelled["state"].str.startswith("matched").all()
    # The other source alone has the first two at 300 K, 4.9 % above the first one.
    assert raw["MD value"][0] == pytest.approx(1.049 * md["Cp"][0])
    assert levelled["MD value"][0] == pytest.approx(md["Cp"][0], rel=0.002)
    assert any("taken away" in note for note in levelled.attrs["notes"])
    with pytest.raises(ValueError, match="A tolerance of temperatures is a number of kelvin, 0 or more; −1 is not"):
        study.matches(temperature_tolerance=-1)


def test_a_second_fit_is_the_one_that_a_new_study_makes() -> None:
    again = (
        ac.Study.from_frames(*frames()).fit(calibrator="ordinary", interval=0.5).fit(calibrator="affine", interval=0.9)
    )
    once = ac.Study.from_frames(*frames()).fit(calibrator="affine")
    pd.testing.assert_frame_equal(again.predictions(), once.predictions(), check_exact=True)


def test_predict_gives_the_file_of_the_command(study: ac.Study, examples: Path, tmp_path: Path) -> None:
    new = pd.DataFrame(
        {
            "name": ["PE", "PVC", "unlike all", "nothing"],
            "smiles": ["*CC*", "*CC(*)Cl", "*CC(*)(F)C(F)(F)C(F)(F)F", "*CC(*)C"],
            "refractive_index": [1.49, 1.55, 1.31, np.nan],
        }
    )
    source, output, table = tmp_path / "new.csv", tmp_path / "out.csv", examples / "optical_measured_and_md.csv"
    new.to_csv(source, index=False)
    words = ["predict", str(source), "--experiment", str(table), "--md", str(table), "--property", "refractive_index"]
    assert main([*words, "--output", str(output), "--quiet"]) == 0
    labelled = new.set_axis(["a", "b", "c", "d"])
    found = study.predict(labelled)
    assert found.index.tolist() == ["a", "b", "c", "d"]
    assert_same(found, output)
    assert found["md_origin"].tolist() == ["simulated", "simulated", "simulated", ""]
    assert "at least 30 MD values to learn from, and there are 26" in found.attrs["notes"][0]
    pd.testing.assert_frame_equal(
        study.predict(ac.read_table(source)), found.set_axis(pd.Index([2, 3, 4, 5], name="line"))
    )


def test_results_carry_their_units(study: ac.Study, examples: Path) -> None:
    assert study.predictions().attrs["units"]["residual, %"] == "%"
    measured, md = ac.read_table(examples / "heat_capacity_measured.csv"), ac.read_table(examples / "md_radonpy.csv")
    found = ac.match(measured, md, property="Cp")
    assert found.attrs["units"] == {"measured value": "J/(kg K)", "MD value": "J/(kg K)"}
    assert found.attrs["summary"] == "62 of 81 measured polymers have an MD value."
    assert found["state"].str.startswith("matched").sum() == 62
    assert found.loc[found["state"] == "no MD value", "reason"].str.len().min() > 20


def test_figures_are_those_of_matplotlib(study: ac.Study) -> None:
    assert isinstance(study.parity(width_mm=90.0, arrangement="overlaid"), Figure)
    assert isinstance(study.figure("coefficients"), Figure)
    for option in ({"arrangement": "rows"}, {"predictions": "fit"}, {"intervals": "no"}, {"width_mm": "wide"}):
        (name,) = option
        with pytest.raises(ValueError, match=f"{name} must be"):
            study.figure("parity", **option)
    for name in ("pie", "attribution", "modes"):  # the last two are of a selected polymer
        with pytest.raises(ValueError, match="figure must be one of 'parity'"):
            study.figure(name)
    with pytest.raises(ValueError, match="A figure cannot be 5 mm wide"):
        study.parity(width_mm=5.0)


@pytest.mark.usefixtures("blank_figures")
def test_a_report_and_a_study_file_are_written_once(study: ac.Study, tmp_path: Path) -> None:
    assert study.report(tmp_path / "report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    with pytest.raises(ValueError, match=r"report.html exists already"):
        study.report(tmp_path / "report.html")
    opened = ac.Study.open(study.save(tmp_path / "optical.affinecal"))
    pd.testing.assert_frame_equal(opened.predictions(), study.predictions(), check_exact=True)
    assert opened.fit().metrics() == study.metrics()
    with pytest.raises(ValueError, match=r"other\.affinecal is not there"):
        ac.Study.open(tmp_path / "other.affinecal")


def test_a_notebook_shows_what_was_found_and_no_text_of_a_file_as_its_own(
    study: ac.Study, optical: pd.DataFrame
) -> None:
    shown = study._repr_html_()
    assert "26 of 26 measured polymers have an MD value." in shown
    assert shown.count("<tr>") == 1 + len(linear_keys())
    named = optical.copy()
    named.attrs = {**optical.attrs, "name": "<script>alert(1)</script>"}
    assert "<script>" not in ac.Study.from_frames(named, property="refractive_index")._repr_html_()
    assert "not calibrated yet" in repr(ac.Study.from_frames(optical))


UNITS = [
    "*CC*",
    "*CC(*)C",
    "*CC(*)CC",
    "*CC(*)c1ccccc1",
    "*CC(*)Cl",
    "*CC(*)O",
    "*CCO*",
    "*CC(*)C#N",
    "*CC(*)OC",
    "*CCCO*",
]


def frames(**changes: object) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Ten polymers with heat capacities."""
    values = np.linspace(1200.0, 2100.0, len(UNITS))
    measured = pd.DataFrame({"smiles": UNITS, "Cp": values.astype(object)}, index=[f"P{i}" for i in range(len(UNITS))])
    measured.attrs["units"] = {"Cp": "J/(kg K)"}
    for place, value in changes.items():
        row, _, column = place.partition("_")
        measured.loc[row, column or "Cp"] = value
    return measured, pd.DataFrame({"smiles": UNITS, "Cp": 2.2 * values + 50.0})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"P3": "abc"}, "measured, row P3, Cp: “abc” is not a number"),
        ({"P3": -5.0}, "measured, row P3, Cp: -5.0 is negative; specific heat capacity is positive"),
        ({"P4": 0.0}, "measured, row P4, Cp: 0.0 is zero"),
        ({"P6_smiles": "*CC"}, "measured, row P6, smiles, “\\*CC”: "),
        ({"P6_smiles": "what"}, "measured, row P6, smiles, “what”: "),
        ({"P1": "abc", "P8": "def"}, "(?s)row P1, Cp: “abc”.*row P8, Cp: “def”"),
        ({"P3": float("inf")}, "measured, row P3, Cp: “∞” is not a number"),
    ],
)
def test_bad_input_is_refused_with_row_and_value(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ac.Study.from_frames(*frames(**changes))


def test_missing_values_are_left_out_and_listed() -> None:
    measured, md = frames(P3=None)
    study = ac.Study.from_frames(measured, md)
    assert study.left_out()["reason"].tolist() == ["No value."]
    assert len(study.predictions()) == len(UNITS)


def test_who_asks_for_a_report_is_given_what_the_window_gives() -> None:
    measured, md = frames(P3="abc")
    study = ac.Study.from_frames(measured, md, errors="report")
    left_out = study.left_out()
    assert left_out["value as written"].tolist() == ["abc"]
    assert study.metrics()["n_polymers"] == len(UNITS) - 1


def test_polymers_that_cannot_be_predicted_are_refused_or_noted(study: ac.Study) -> None:
    new = pd.DataFrame({"smiles": ["*CC*", "*CC(*)[U]"], "refractive_index": [1.49, 1.5]}, index=["PE", "PU"])
    with pytest.raises(ValueError, match=r"row PU, .*“\*CC\(\*\)\[U\]”"):
        study.predict(new)
    found = study.predict(new, errors="report")
    assert np.isfinite(found["calibrated value"]).tolist() == [True, False]
    assert found.loc["PU", "note"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"property": "Tg"}, "There are no measured and MD values of “Tg”"),
        ({"units": {"Cq": "J/(g K)"}}, "units names the column “Cq”, which is not there"),
        ({"value_column": "Cq"}, "Cq"),
        ({"errors": "ignore"}, "errors must be one of 'raise', 'report'"),
        ({"property": 5}, "property must be a text, not 5"),
        ({"value_column": 1}, "value_column must be a text, not 1"),
    ],
)
def test_arguments_that_fit_nothing_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ac.Study.from_frames(*frames(), **arguments)


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"interval": 1.5}, "The interval level must lie between 0 and 1"),
        ({"penalties": (1.0,)}, "two or three numbers"),
        ({"penalties": (-1.0, 1.0)}, "must be numbers above 0"),
        ({"blocks_off": ["no such"]}, "There is no block of descriptors called “no such”"),
        ({"calibrator": "magic"}, "calibrator must be one of 'md'"),
        ({"weights": "repeats"}, "Values cannot be weighed so"),
        ({"seed": -1}, "seed must be"),
        ({"seed": True}, "seed must be a whole number"),
        ({"log": "no"}, "log must be True or False, not 'no'"),
        ({"robust": "no"}, "robust must be True or False, not 'no'"),
        ({"md_on_one_level": 0}, "md_on_one_level must be True or False, not 0"),
        ({"penalties": "0.5"}, "penalties must be numbers, not '0.5'"),
        ({"penalties": (None, 1.0)}, "each of penalties must be a number, not None"),
        ({"interval": "0.9"}, "interval must be a number, not '0.9'"),
        ({"temperature_tolerance": [10]}, "temperature_tolerance must be a number"),
        ({"blocks_off": 3}, "each of blocks_off must be a text, not 3"),
        ({"block_penalties": {"k_bond": "3"}}, "block_penalties of 'k_bond' must be a number, not '3'"),
        ({"block_penalties": {"k_bnod": 1.0}}, "There is no block of descriptors called “k_bnod”"),
    ],
)
def test_choices_that_make_no_sense_are_refused_and_change_nothing(choice: dict[str, object], message: str) -> None:
    study = ac.Study.from_frames(*frames())
    with pytest.raises(ValueError, match=message):
        study.fit(**choice)
    assert "not calibrated yet" in repr(study)


def test_units_of_attributes_headings_and_arguments_are_the_same() -> None:
    measured, md = frames()
    expected = ac.match(measured, md)["measured value"].tolist()
    measured["Cp"] = measured["Cp"].astype(float) / 1000.0
    for attributes, heading, units in (
        ({"Cp": "J/(g K)"}, "Cp", None),
        ({}, "Cp [J/(g K)]", None),
        ({}, "Cp", {"Cp": "J/(g K)"}),
    ):
        frame = measured.rename(columns={"Cp": heading})
        frame.attrs["units"] = attributes
        simulated = md if units is None else md.rename(columns={"Cp": "Cp_md"})
        np.testing.assert_allclose(ac.match(frame, simulated, units=units)["measured value"], expected, rtol=1e-12)
    with pytest.raises(ValueError, match=r"the heading names the unit J/\(g K\), but J/\(kg K\) was said"):
        ac.match(measured.rename(columns={"Cp": "Cp [J/(g K)]"}), md, units={"Cp [J/(g K)]": "J/(kg K)"})


def test_what_the_window_would_ask_is_refused_with_its_question() -> None:
    measured, md = frames()
    measured.attrs.clear()
    measured["Cp"] = measured["Cp"].astype(float) / 1000.0
    with pytest.raises(ValueError, match=r"measured: Cp gives no unit\. Is it J/\(g K\)\?"):
        ac.Study.from_frames(measured, md)


def test_too_few_polymers_are_named_one_by_one() -> None:
    measured, md = frames()
    with pytest.raises(
        ValueError, match=r"(?s)Only 4 measured polymers have an MD value.*measured, row P4, \*CC\(\*\)Cl: "
    ):
        ac.Study.from_frames(measured, md.head(4)).fit()


def test_files_are_not_taken_for_frames() -> None:
    with pytest.raises(TypeError, match=r"measured must be a pandas DataFrame, not str; read a file with read_table"):
        ac.Study.from_frames("measured.csv")


def test_a_forecast_is_made_once_and_has_the_rows_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def forecast(*_: object, **__: object) -> ErrorForecast:
        made.append(invented_forecast("ordinary"))
        return made[-1]

    monkeypatch.setattr(forecasting, "forecast_errors", forecast)
    study = ac.Study.from_frames(*frames()).fit()
    table = study.forecast()
    assert tuple(table.columns) == FORECAST_COLUMNS
    assert [str(cell) for cell in table["kind"]] == ["found"] * 5 + ["forecast"] * 9
    assert table.attrs["notes"]
    assert study.forecast().equals(table)
    assert len(made) == 1
    assert isinstance(study.figure("forecast"), Figure)
