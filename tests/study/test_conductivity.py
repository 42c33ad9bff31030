"""The experiment on thermal conductivities: the command, its files, its answers to bad input, and who saw what."""

import csv
import json
from dataclasses import replace

import numpy as np
import pytest

from affinecal_gui.__main__ import main
from affinecal_gui.calibration.networks.candidates import (
    AFFINE_TRANSFER,
    FINE_TUNING,
    NEURAL_METHODS,
    NO_TRANSFER,
    PAC_NET,
    candidates,
)
from affinecal_gui.calibration.networks.conductivity import prepare_target, run_method
from affinecal_gui.calibration.networks.kernel_rivals import run_rivals
from affinecal_gui.calibration.networks.models import predict
from affinecal_gui.calibration.networks.source_networks import Crystals, train_sources
from affinecal_gui.calibration.networks.starting import starts_of
from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.task import Task
from affinecal_gui.tasks.benchmarks.conductivity import OUTPUTS, PART, TITLES, benchmark_conductivity
from affinecal_gui.tasks.benchmarks.conductivity_published import read_published_conductivity
from affinecal_gui.tasks.benchmarks.crystal_table import LEFT_OUT, SOURCE, TARGET, read_crystals

HEADINGS = ["material", SOURCE, TARGET, "min:num_f_valence", "same", *(f"ave:{k}" for k in range(6))]


def crystals(rows=40, measured=14, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((rows, 6))
    source = np.exp(x[:, 0] + 0.5 * x[:, 1] ** 2)
    target = np.where(np.arange(rows) < measured, np.exp(2.0 - 0.8 * x[:, 0] + 0.3 * x[:, 2]), np.nan)
    return Crystals(x, source, target)


def write(path, data, change=lambda rows: None):
    rows = [
        ["crystal", f"{s:.8g}", "" if np.isnan(t) else f"{t:.8g}", "1", "7", *(f"{value:.8g}" for value in x)]
        for x, s, t in zip(data.descriptors, data.source, data.target, strict=True)
    ]
    table = [list(HEADINGS), *rows]
    change(table)
    path.write_text("\n".join(",".join(row) for row in table) + "\n", encoding="utf-8")
    return path


def small(path, output, **choices):
    return benchmark_conductivity(path, output, networks=2, sources=1, splits=2, most_epochs=2, **choices)


def test_the_experiment_writes_every_run_and_says_how(tmp_path):
    said = small(write(tmp_path / "crystals.csv", crystals(rows=24, measured=10)), tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == set(OUTPUTS)
    with (tmp_path / "out" / "repetitions.csv").open(encoding="utf-8", newline="") as file:
        runs = list(csv.DictReader(file))
    assert {run["method"] for run in runs} == set(TITLES.values())
    assert {run["partition"] for run in runs} == {"0", "1"}
    content = json.loads((tmp_path / "out" / "benchmark.json").read_text(encoding="utf-8"))
    for one in content["means"]:
        own = [float(run["RMSE"]) for run in runs if run["method"] == one["title"]]
        assert one["mean"] == pytest.approx(np.mean(own))
        assert one["published_mean"] is None, "these are not the published crystals"
    text = "\n".join(said)
    assert "2 descriptors are left out" in text
    assert "the best kernel method" in text
    assert all(title in text for title in TITLES.values())


def missing(column):
    return lambda table: [row.pop(column) for row in table]


def cell(row, column, text):
    def change(table):
        table[row][column] = text

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (missing(1), "has no column “SPS (cm)”"),
        (missing(2), "has no column “TC (W/mK)”"),
        (cell(0, 4, TARGET), "more than one column “TC (W/mK)”"),
        (cell(3, 7, "n/a"), "line 4, column “ave:2”: “n/a” is not a number"),
        (cell(3, 7, ""), "line 4, column “ave:2”: a value is missing"),
        (cell(3, 7, "nan"), "line 4, column “ave:2”"),
        (cell(2, 1, "0"), "line 3, column “SPS (cm)”: “0” is not a positive number"),
        (cell(2, 2, "-4"), "line 3, column “TC (W/mK)”: “-4” is not a positive number"),
        (lambda table: table.__delitem__(slice(9, None)), "has 8 rows with a value of “TC (W/mK)”"),
        (lambda table: table.__delitem__(slice(1, None)), "has headings and no rows"),
        (lambda table: [row.__delitem__(slice(7, None)) for row in table], "has 2 descriptors that are not constant"),
    ],
)
def test_a_table_that_will_not_do_is_refused_in_one_sentence(change, words, tmp_path, capsys):
    data = write(tmp_path / "crystals.csv", crystals(rows=20), change)
    assert main(["benchmark", "--protocol", "ltc", "--data", str(data), "--output", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_more_sources_than_networks_and_no_data_are_refused(tmp_path, capsys):
    words = ["benchmark", "--protocol", "ltc", "--output", str(tmp_path / "out")]
    assert main(words) == 2
    assert "--data" in capsys.readouterr().err
    data = write(tmp_path / "crystals.csv", crystals(rows=20))
    assert main([*words, "--data", str(data), "--networks", "2", "--sources", "3"]) == 2
    assert "3 source networks cannot be chosen from 2" in capsys.readouterr().err


def test_it_stops_when_asked_to(tmp_path):
    data = write(tmp_path / "crystals.csv", crystals(rows=20))
    asked = []

    def cancelled():
        asked.append(1)
        return len(asked) > 20

    with pytest.raises(Cancelled):
        small(data, tmp_path / "out", task=Task(cancelled=cancelled))
    assert not (tmp_path / "out").exists()


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def stopped(data, output, runs, **choices):
    """Run the experiment until so many of its runs are finished; return what is said then."""

    def cancelled():
        return (output / PART).exists() and len((output / PART).read_bytes().splitlines()) > runs

    with pytest.raises(Cancelled) as caught:
        small(data, output, task=Task(cancelled=cancelled), **choices)
    return str(caught.value)


def test_an_experiment_that_was_stopped_goes_on_and_gives_what_one_gives_that_was_not(tmp_path):
    data = write(tmp_path / "crystals.csv", crystals(rows=20, measured=10))
    small(data, tmp_path / "whole")
    output = tmp_path / "out"
    said = stopped(data, output, 3)
    assert " of 11 runs" in said
    assert "--resume" in said
    assert set(files_of(output)) == {PART}
    with pytest.raises(UserError, match="Add --resume"):
        small(data, output)
    # What is finished is not done again: a figure that is changed meanwhile comes back as it is.
    lines = (output / PART).read_text(encoding="utf-8").splitlines()
    name, content = json.loads(lines[1])
    kept = content["rmse"][0]
    lines[1] = json.dumps([name, {**content, "rmse": [12345.0, *content["rmse"][1:]]}])
    (output / PART).write_text("\n".join([*lines, '["affine_3 1", {"rm']), encoding="utf-8")
    stopped(data, output, 5, resume=True)
    text = (output / PART).read_text(encoding="utf-8")
    (output / PART).write_text(text.replace("12345.0", repr(kept)), encoding="utf-8")
    assert "12345.0" in text
    small(data, output, resume=True)
    assert files_of(output) == files_of(tmp_path / "whole")


def test_runs_of_another_experiment_are_neither_used_nor_thrown_away_unasked(tmp_path, capsys):
    data = write(tmp_path / "crystals.csv", crystals(rows=20, measured=10))
    output = tmp_path / "out"
    stopped(data, output, 2)
    before = files_of(output)
    with pytest.raises(UserError, match="made from another choice of networks, partitions, scaling and epochs"):
        small(data, output, scaling="training", resume=True)
    words = ["benchmark", "--protocol", "ltc", "--data", str(data), "--output", str(output), "--resume"]
    assert main([*words, "--networks", "2", "--sources", "2"]) == 2
    assert "is left from another run" in capsys.readouterr().err
    (output / PART).write_bytes(b"\0" * 40)
    with pytest.raises(UserError, match="nothing says what it was made from"):
        small(data, output, resume=True)
    (output / PART).write_bytes(before[PART])
    small(data, output, scaling="training", overwrite=True)
    assert PART not in files_of(output)


def test_published_columns_are_read_as_they_are(tmp_path):
    read, notes = read_crystals(write(tmp_path / "crystals.csv", crystals()))
    np.testing.assert_allclose(read.descriptors, crystals().descriptors, rtol=1e-6)
    np.testing.assert_allclose(read.target, crystals().target, rtol=1e-6)
    assert len(LEFT_OUT) == 12
    assert notes == (
        "Columns of text are not used: material.",
        "2 descriptors are left out, as constant or nearly so.",
    )


def test_a_formula_that_reads_like_a_number_makes_no_descriptor_of_a_column_of_names(tmp_path):
    data = write(tmp_path / "crystals.csv", crystals(), cell(2, 0, "12"))
    assert read_crystals(data)[0].descriptors.shape == (40, 6)


@pytest.fixture(scope="module")
def networks():
    return train_sources(crystals(), 3, 2, most_epochs=3)


def test_the_best_networks_are_kept_with_widths_as_published(networks):
    # numpy.random.RandomState(number).randint(50, 100) of the published program: 94, 87, 90 for 0, 1, 2.
    widths = {0: 94, 1: 87, 2: 90}
    assert [model.perceptron.widths for model in networks.models] == [(6, *[widths[n]] * 3) for n in networks.numbers]
    assert list(networks.error) == sorted(networks.all_errors)[:2]


def test_the_same_data_give_the_same_networks_and_predictions(networks):
    again = train_sources(crystals(), 3, 2, most_epochs=3)
    assert again.numbers == networks.numbers
    for one, other in zip(again.learned, networks.learned, strict=True):
        np.testing.assert_array_equal(one, other)
    errors = [
        run_method(
            PAC_NET,
            prepare_target(crystals(), one, 1, "all"),
            one,
            starts_of(PAC_NET, one, most_epochs=1),
            most_epochs=1,
        )
        for one in (networks, again)
    ]
    np.testing.assert_array_equal(errors[0].rmse, errors[1].rmse)


def test_features_are_what_the_layers_of_the_network_hand_on(networks):
    target = prepare_target(crystals(), networks, 1, "all")
    last = target.features[0, 3]
    weights, bias = networks.models[0].perceptron.parts(networks.learned[0])[-1]
    expected = predict(networks.models[0], networks.learned[0], (target.x[None],))[0]
    np.testing.assert_allclose((last @ weights[0, 0] + bias[0, 0])[:, 0], expected, rtol=1e-5)


def test_a_source_network_without_further_training_is_among_the_choices_of_fine_tuning(networks):
    target = prepare_target(crystals(), networks, 1, "all")
    found = run_method(FINE_TUNING, target, networks, starts_of(FINE_TUNING, networks), most_epochs=0)
    _, held = target.partitions[0]
    raw = predict(networks.models[1], networks.learned[1], (target.x[held][None],))[0]
    said = np.exp(raw * target.log_y.std(ddof=1) + target.log_y.mean())
    assert found.rmse[1, 0] == pytest.approx(np.sqrt(np.mean((said - np.exp(target.log_y[held])) ** 2)), rel=1e-5)


@pytest.mark.parametrize(("scaling", "sees"), [("training", False), ("all", True)])
def test_only_the_published_scaling_lets_held_out_values_reach_a_prediction(scaling, sees, networks):
    """What is predicted for a held-out crystal follows from the errors against three values of it."""
    data, squares = crystals(), []
    row = prepare_target(data, networks, 1, scaling).partitions[0][1][0]
    values = np.array([5.0, 20.0, 90.0])
    for value in values:
        target = data.target.copy()
        target[row] = value
        given = prepare_target(Crystals(data.descriptors, data.source, target), networks, 1, scaling)
        squares.append(5 * run_method(NO_TRANSFER, given, networks, most_epochs=1).rmse[0, 0] ** 2)
    # (p - a)² - (p - b)² = a² - b² - 2 p (a - b), if p is the same for both.
    gaps = [(0, 1), (0, 2)]
    said = [
        (values[a] ** 2 - values[b] ** 2 - squares[a] + squares[b]) / (2 * (values[a] - values[b])) for a, b in gaps
    ]
    assert (abs(said[0] - said[1]) > 1e-3 * abs(said[0])) == sees


def test_a_unit_that_is_still_among_the_training_crystals_moves_no_prediction_of_a_kernel_method(networks):
    """It was a conductivity of 10⁴⁰ W/(m K) once: of 40 crystals none had moved the unit, a predicted one did."""
    target = prepare_target(crystals(), networks, 1, "all")
    training, held = target.partitions[0]

    def errors(of_held):
        features = {key: table.copy() for key, table in target.features.items()}
        for table in features.values():
            table[training, 0] = 0.5 + 1e-5 * np.arange(len(training)) * table.std()
            table[held, 0] = of_held
        found = run_rivals(replace(target, features=features), 1)
        return {key: one.rmse[0, 0] for key, one in found.items()}

    assert errors(0.5) == errors(100.0)


def test_without_transfer_there_is_a_start_for_each_source_network(networks):
    """A single start is as much a matter of chance as a single source network."""
    found = run_method(NO_TRANSFER, prepare_target(crystals(), networks, 2, "all"), networks, most_epochs=1)
    assert found.rmse.shape == (2, 2)
    assert np.all(found.rmse[0] != found.rmse[1])


def test_the_candidates_are_the_published_grids():
    sizes = {one.key: len(candidates(one, 278, 70)) for one in NEURAL_METHODS}
    assert [sizes[key] for key in ("no_transfer", "fine_tuning", "features_1", "affine_3")] == [8, 1, 8, 9]
    widest = candidates(AFFINE_TRANSFER[0], 278, 70)[-1].model
    assert (widest.source.widths, widest.target.widths) == ((70, 52), (278, 208))


def test_the_published_figures_are_those_of_the_paper():
    published = read_published_conductivity()
    # Main text of the paper, means over 100 runs.
    assert round(published.methods["affine_3"].mean, 1) == 26.7
    assert round(published.methods["no_transfer"].mean, 1) == 39.6
    for one in published.methods.values():
        assert np.mean(one.by_split) == pytest.approx(one.mean, abs=0.01)
