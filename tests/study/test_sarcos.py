"""The robot arm's benchmark: the protocol on arrays, the command, its files, and its answers to bad input."""

import csv
import gzip
import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.__main__ import main
from affinecal_gui.calibration.estimators.kernel import DirectRegressor
from affinecal_gui.calibration.kernels.methods import TransferOptions
from affinecal_gui.calibration.kernels.protocol import PAPER_METHODS, published_draws, run_transfer_protocol
from affinecal_gui.calibration.networks.candidates import FINE_TUNING
from affinecal_gui.calibration.networks.robot_arm import TUNING_METHODS, arm_starts, train_arm_network, tune_arm_network
from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.figures.plots.transfer_benchmark import transfer_benchmark_figure
from affinecal_gui.task import Task
from affinecal_gui.tasks.benchmarks.sarcos import OUTPUTS, benchmark_sarcos, read_sarcos
from affinecal_gui.tasks.benchmarks.sarcos_published import differences, read_published
from tests.calibration.textbook_transfer import predictions

SARCOS = Path(__file__).resolve().parents[3] / "shared" / "data" / "sarcos_inv_test.csv.gz"
HEADINGS = [f"q{k}" for k in range(1, 22)] + [f"tau{k}" for k in range(1, 8)]


def arm(rows=120, seed=0):
    """Inputs and torques in the manner of an arm: torques depend on the inputs and on each other."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((rows, 21))
    Y = np.column_stack([5 * np.sin(X[:, k]) + 3 * X[:, k + 7] * X[:, k + 14] + 2 * X[:, 0] for k in range(7)])
    return X, Y + 0.1 * rng.standard_normal(Y.shape)


def write(path, X, Y, headings=HEADINGS):
    lines = [",".join(headings)] if headings else []
    lines += [",".join(f"{value:.6f}" for value in row) for row in np.hstack([X, Y])]
    text = "\n".join(lines) + "\n"
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def test_the_protocol_is_that_of_a_loop_over_training_sets():
    X, Y = arm(60)
    methods = [name for name in PAPER_METHODS if name != "affine_tl_full"]  # whose optimum depends on the start
    found = run_transfer_protocol(X, Y, methods=methods, targets=(2,), sizes=(10,), repetitions=2)
    order = np.random.RandomState(0).permutation(60)
    pool, evaluation = order[:30], order[30:]
    for seed in range(2):
        rows = pool[np.random.RandomState(seed).permutation(30)[:10]]
        S = np.delete(Y, 2, axis=1)
        quick = [(1.0, 10.0, 10.0)]
        expected = predictions(S[rows], X[rows], Y[rows, 2], S[evaluation], X[evaluation], quick)
        for name in methods:
            rmse = np.sqrt(np.mean((expected[name] - Y[evaluation, 2]) ** 2))
            assert found.rmse[name][0, 0, seed] == pytest.approx(rmse, rel=1e-4)


def test_training_sets_grow_and_are_shared_by_all_targets():
    X, Y = arm()
    few = TransferOptions(ridge=(0.1,))
    found = run_transfer_protocol(X, Y, methods=("direct",), sizes=(5, 10), repetitions=3, options=few)
    alone = run_transfer_protocol(X, Y, methods=("direct",), sizes=(10,), targets=(4,), repetitions=3, options=few)
    np.testing.assert_allclose(found.rmse["direct"][4, 1], alone.rmse["direct"][0, 0])
    assert found.rmse["direct"].shape == (7, 2, 3)
    assert found.pool_rows + found.evaluation_rows == 120


def test_the_published_draw_is_that_of_the_published_program():
    """Its lines, word for word: ``fix_seed(n_try); tmp_list = list(range(n_all)); random.shuffle(tmp_list)``."""
    for seed, rows in enumerate(published_draws(3)):
        random.seed(seed)
        expected = list(range(30000))
        random.shuffle(expected)
        assert np.abs(10 * rows - expected).max() == 5  # the nearest of every tenth row
        assert rows.max() == 3000


def test_the_published_draw_trains_on_those_rows_and_is_evaluated_on_all():
    X, Y = arm(3100)
    few = TransferOptions(ridge=(0.1,))
    found = run_transfer_protocol(
        X, Y, methods=("direct",), sizes=(10,), targets=(3,), repetitions=2, options=few, draw="published"
    )
    assert (found.pool_rows, found.evaluation_rows, found.draw) == (3001, 3100, "published")
    for r, rows in enumerate(published_draws(2)):
        one = DirectRegressor(md_column=(), ridge=(0.1,)).fit(X[rows[:10]], Y[rows[:10], 3])
        expected = np.sqrt(np.mean((one.predict(X) - Y[:, 3]) ** 2))
        assert found.rmse["direct"][0, 0, r] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"draw": "published"}, "needs the published test file of 4,449 rows; this table has 120"),
        ({"sizes": (70,)}, "cannot be drawn from one half of 120 rows"),
        ({"sizes": (1,)}, "at least two rows"),
        ({"targets": (7,)}, "must be columns of the 7 outputs"),
        ({"repetitions": 0}, "at least one repetition"),
    ],
)
def test_choices_that_make_no_sense_are_refused(wrong, words):
    with pytest.raises(UserError, match=words):
        run_transfer_protocol(*arm(), **wrong)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sarcos")
    data = write(folder / "arm.csv.gz", *arm())
    words = ["benchmark", "--protocol", "sarcos", "--data", str(data), "--output", str(folder / "out"), "--quiet"]
    words += ["--repetitions", "3", "--sizes", "5", "10", "--targets", "1", "7"]
    assert main(words) == 0
    return folder / "out"


def test_the_command_writes_every_table_and_the_figure(finished: Path):
    assert {path.name for path in finished.iterdir()} == set(OUTPUTS)
    content = json.loads((finished / "benchmark.json").read_text(encoding="utf-8"))
    assert content["torques"] == [1, 7]
    assert "one fixed half" in content["how"][0]
    with (finished / "benchmark.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 2 * 7
    for row in rows:
        own = [
            one
            for one in content["results"]
            if (str(one["torque"]), str(one["n"])) == (row["torque"], row["n"])
            and one["rmse_mean"] == float(row["RMSE mean"])
        ]
        assert own
        values = content["rmse"][own[0]["method"]][row["torque"]][row["n"]]
        assert np.mean(values) == pytest.approx(float(row["RMSE mean"]))
        assert np.std(values, ddof=1) == pytest.approx(float(row["RMSE sd"]))
        assert row["authors' file mean"]
    with (finished / "repetitions.csv").open(encoding="utf-8-sig", newline="") as file:
        assert len(list(csv.DictReader(file))) == 2 * 2 * 3 * 7
    page = (finished / "benchmark.html").read_text(encoding="utf-8")
    assert page.count("<table>") == 2
    assert "http" not in page.replace("https://", "")
    assert "AffineTL-full" in page


def test_the_published_draw_is_told(tmp_path: Path):
    data = write(tmp_path / "arm.csv", *arm(3001))
    words = ["benchmark", "--protocol", "sarcos", "--data", str(data), "--output", str(tmp_path / "out"), "--quiet"]
    assert main([*words, "--repetitions", "2", "--sizes", "5", "--targets", "1", "--draw", "published"]) == 0
    content = json.loads((tmp_path / "out" / "benchmark.json").read_text(encoding="utf-8"))
    assert content["draw"] == "published"
    assert content["split_seed"] is None
    assert "drew from the first 30,000 rows" in content["how"][0]


def test_published_figures_are_those_of_the_paper():
    # Minami et al., NeurIPS 2023, SARCOS: torque 1 and 7.
    published = read_published()
    assert published.paper_mean[0, "direct", 5] == 21.3
    assert published.paper_mean[6, "affine_tl_full", 50] == 0.870
    assert len(published.authors_mean) == len(published.authors_sd) == 7 * 7 * 7
    for (target, name, size), mean in published.paper_mean.items():
        # Printed table and results file are two runs of the authors' program.
        error = published.authors_sd[target, name, size] / np.sqrt(20)
        assert abs(mean - published.authors_mean[target, name, size]) < 4 * error


def test_differences_are_in_standard_errors():
    X, Y = arm()
    found = run_transfer_protocol(X, Y, methods=("direct",), sizes=(5,), targets=(0,), repetitions=4)
    published = read_published()
    (one,) = differences(found, published).all
    key = (0, "direct", 5)
    error = np.sqrt(found.sd("direct")[0, 0] ** 2 / 4 + published.authors_sd[key] ** 2 / 20)
    assert one.standard_errors == pytest.approx((found.mean("direct")[0, 0] - published.authors_mean[key]) / error)


def test_the_figure_can_be_drawn_with_one_repetition_and_nothing_published():
    found = run_transfer_protocol(*arm(), methods=("direct", "only_source"), sizes=(5,), targets=(3,), repetitions=1)
    assert transfer_benchmark_figure(found, {}).get_size_inches()[0] == pytest.approx(180 / 25.4)


def test_every_method_of_the_figure_has_its_name_and_a_look_of_its_own():
    found = run_transfer_protocol(*arm(), sizes=(5, 10), targets=(3,), repetitions=2)
    networks = {method.key: found.rmse["direct"] for method in TUNING_METHODS}
    drawn = transfer_benchmark_figure(replace(found, rmse={**found.rmse, **networks}), {})
    words = {text.get_text() for text in drawn.findobj() if hasattr(text, "get_text")}
    assert {method.title for method in TUNING_METHODS} | {"Direct", "AffineTL-full"} <= words
    (axes,) = drawn.axes
    curves = [line for line in axes.lines if len(np.asarray(line.get_xdata())) == 2 and line.get_marker() != "None"]
    looks = {(line.get_color(), str(line.get_marker())) for line in curves if line.get_markersize() == 2.6}
    assert len(looks) == len(found.rmse) + len(networks) == 11
    assert sum(line.is_dashed() for line in curves if line.get_markersize() == 2.6) == len(networks)


def test_all_marks_of_the_figure_stand_inside_its_panels():
    found = run_transfer_protocol(
        *arm(), methods=("direct", "only_source", "augmented"), sizes=(5, 10), targets=(3,), repetitions=3
    )
    (axes,) = transfer_benchmark_figure(found, {}).axes
    low, high = axes.get_xlim()
    # Marks of the axes are lines too, whose markers are numbers.
    curves = [
        line for line in axes.lines if isinstance(line.get_marker(), str) and line.get_marker() not in ("", "None")
    ]
    marked = [np.asarray(line.get_xdata()) for line in curves]
    assert len(marked) == 3
    assert len({float(x[0]) for x in marked}) == 3  # side by side
    assert low < min(x.min() for x in marked)
    assert max(x.max() for x in marked) < high


def test_a_file_without_headings_loses_no_row(tmp_path: Path):
    X, Y = arm(30)
    plain = read_sarcos(write(tmp_path / "plain.csv", X, Y, headings=None))
    headed = read_sarcos(write(tmp_path / "headed.csv", X, Y))
    np.testing.assert_array_equal(plain[0], headed[0])
    np.testing.assert_array_equal(plain[1], headed[1])
    assert plain[0].shape == (30, 21)


def bad_files(folder: Path):
    X, Y = arm(30)
    good = write(folder / "good.csv", X, Y).read_text().splitlines()
    cells = good[3].split(",")
    text = {
        "words.csv": [*good[:3], ",".join([*cells[:4], "fast", *cells[5:]]), *good[4:]],
        "hole.csv": [*good[:3], ",".join([*cells[:4], "", *cells[5:]]), *good[4:]],
        "narrow.csv": [",".join(line.split(",")[:20]) for line in good],
        "short.csv": good[:6],
    }
    for name, lines in text.items():
        (folder / name).write_text("\n".join(lines) + "\n")
    packed = gzip.compress("\n".join(good).encode())
    (folder / "cut.csv.gz").write_bytes(packed[: len(packed) // 2])
    (folder / "empty.csv.gz").write_bytes(gzip.compress(b""))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("words.csv", "line 4, column 5: “fast” is not a number"),
        ("hole.csv", "line 4, column 5: a value is missing"),
        ("narrow.csv", "has 20 columns; the robot arm's has 28"),
        ("short.csv", "cannot be drawn from one half of 5 rows"),
        ("cut.csv.gz", "is damaged"),
        ("empty.csv.gz", "is empty"),
        ("nowhere.csv.gz", "nowhere.csv.gz"),
    ],
)
def test_a_bad_file_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, words: str):
    bad_files(tmp_path)
    command = ["benchmark", "--protocol", "sarcos", "--data", str(tmp_path / name), "--output", str(tmp_path / "out")]
    assert main([*command, "--quiet"]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert len(said.splitlines()) == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "words",
    [
        ["--protocol", "sarcos"],
        ["--protocol", "sarcos", "--data", "x.csv", "--md", "y.csv"],
        ["--sizes", "5", "--experiment", "x.csv", "--md", "y.csv"],
        ["--protocol", "sarcos", "--data", "x.csv", "--targets", "9"],
        [],
    ],
)
def test_a_command_that_cannot_be_meant_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str], words):
    assert main(["benchmark", *words, "--output", str(tmp_path / "out")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_stopping_leaves_nothing_behind(tmp_path: Path):
    data = write(tmp_path / "arm.csv", *arm())
    calls = iter(range(100))
    with pytest.raises(Cancelled):
        benchmark_sarcos(data, tmp_path / "out", sizes=(5,), task=Task(cancelled=lambda: next(calls) > 20))
    assert not (tmp_path / "out").exists()


@pytest.mark.peer
@pytest.mark.skipif(not SARCOS.exists(), reason="the robot arm's table is not here")
def test_direct_on_the_robot_arm_is_near_the_published_figures():
    X, Y = read_sarcos(SARCOS)
    assert X.shape == (4449, 21)
    found = run_transfer_protocol(X, Y, methods=("direct",), sizes=(20, 50), targets=(0, 6))
    # Minami et al.: 15.8 and 10.8, 1.54 and 1.05; 20 training sets leave about 3 % of chance on either side.
    np.testing.assert_allclose(found.mean("direct"), [[15.8, 10.8], [1.54, 1.05]], rtol=0.1)


def test_learned_features_bring_the_methods_that_train_a_network_into_the_same_table(tmp_path):
    data = write(tmp_path / "arm.csv", *arm(60))
    few = TransferOptions(ridge=(0.1,), l1=(0.1,), l2=(1.0,), l3=(1.0,), starts=1)
    said = benchmark_sarcos(
        data,
        tmp_path / "out",
        features="learned",
        targets=(3,),
        sizes=(5, 8),
        repetitions=2,
        most_epochs=3,
        options=few,
    )
    with (tmp_path / "out" / "repetitions.csv").open(encoding="utf-8", newline="") as file:
        runs = list(csv.DictReader(file))
    titles = {"Fine-tuning", "L2-SP", "PAC-Net", "MAML, first order"}
    assert titles < {run["method"] for run in runs}
    assert {run["penalties"] for run in runs if run["method"] == "L2-SP"} <= {"epochs = 0", "epochs = 1", "epochs = 3"}
    assert all(float(run["RMSE"]) > 0.0 for run in runs)
    assert all(title in said for title in titles)
    assert "None of these figures was published" in said
    assert "the best kernel method has a lower mean error" in said
    assert "s for the kernel methods with all their penalties, " in said
    content = json.loads((tmp_path / "out" / "benchmark.json").read_text(encoding="utf-8"))
    assert {one["authors_mean"] for one in content["results"]} == {None}


def test_a_network_of_the_other_torques_never_sees_the_target_nor_the_rows_it_is_judged_on():
    X, Y = arm(60)
    rows = np.arange(30)
    one = train_arm_network(X, Y, 2, rows, epochs=2)
    changed = Y.copy()
    changed[:, 2] += 100.0
    changed[30:] -= 7.0
    other = train_arm_network(np.vstack([X[:30], X[30:] * 3.0]), changed, 2, rows, epochs=2)
    np.testing.assert_array_equal(one.learned, other.learned)
    assert one.features(X).shape == (60, 16)


def test_untrained_tuning_predicts_the_mean_of_its_training_set():
    X, Y = arm(60)
    network = train_arm_network(X, Y, 2, np.arange(30), epochs=1)
    start = arm_starts(network, epochs=1)["fine_tuning"]
    sets, evaluation = [np.arange(6), np.arange(6, 12)], np.arange(30, 60)
    rmse, epochs = tune_arm_network(network, FINE_TUNING, start, sets, X, Y[:, 2], evaluation, most_epochs=0)
    expected = [np.sqrt(np.mean((Y[rows, 2].mean() - Y[evaluation, 2]) ** 2)) for rows in sets]
    np.testing.assert_allclose(rmse, expected, rtol=1e-6)
    assert list(epochs) == [0.0, 0.0]


def test_learned_features_are_refused_with_the_published_draw(tmp_path, capsys):
    data = write(tmp_path / "arm.csv", *arm(30))
    words = ["benchmark", "--protocol", "sarcos", "--data", str(data), "--features", "learned", "--draw", "published"]
    assert main([*words, "--output", str(tmp_path / "out")]) == 2
    assert "Learned features need --draw halves" in capsys.readouterr().err
