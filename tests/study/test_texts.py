"""Texts with an embedding and counts of phrases: the command, its files, what it says, and its answers to bad input."""

import csv
import json

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.linear_model import Ridge

from affinecal_gui.__main__ import main
from affinecal_gui.calibration.networks.fitting import NetworkOptions
from affinecal_gui.calibration.networks.texts import BOTH, EMBEDDINGS, RIDGE_CHOICES, TextData, phrases_of, run_texts
from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.figures.plots.phrases import MOST, phrase_figure
from affinecal_gui.task import Task
from affinecal_gui.tasks.benchmarks.text_tables import read_texts
from affinecal_gui.tasks.benchmarks.texts import OUTPUTS, benchmark_texts

PHRASES = ("not worth", "very good", "the", "of", "waste of", "again")


def made(n=120, seed=0):
    """Scores that follow the embedding, and three phrases beyond it."""
    rng = np.random.default_rng(seed)
    vectors = rng.standard_normal((n, 3))
    counts = (rng.random((n, len(PHRASES))) < 0.3) * (1.0 + (rng.random((n, len(PHRASES))) < 0.2))
    z = np.tanh(vectors[:, 0]) + counts @ [-1.5, 1.5, 0.0, 0.0, -1.0, 0.0] + 0.1 * rng.standard_normal(n)
    return vectors, counts, z


def write(folder, *, n=120, wide=False, change=lambda embeddings, counts: None):
    vectors, counts, z = made(n)
    embeddings = [["text", "score", "verdict", "site", *(f"e{k}" for k in range(3))]]
    embeddings += [
        [f"t{i}", f"{z[i]:.5g}", "good" if z[i] > np.median(z) else "bad", "web", *(f"{v:.6g}" for v in vectors[i])]
        for i in range(n)
    ]
    if wide:
        table = [["text", *PHRASES], *([f"t{i}", *(f"{c:g}" for c in counts[i])] for i in reversed(range(n)))]
    else:
        table = [["text", "phrase", "count"]]
        table += [[f"t{i}", PHRASES[j], f"{counts[i, j]:g}"] for i, j in zip(*np.nonzero(counts), strict=True)]
    change(embeddings, table)
    for name, rows in (("embeddings", embeddings), ("counts", table)):
        (folder / f"{name}.csv").write_text("\n".join(",".join(row) for row in rows) + "\n", encoding="utf-8")
    return folder / "embeddings.csv", folder / "counts.csv"


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def without(*headings):
    def change(embeddings, _):
        for heading in headings:
            at = embeddings[0].index(heading)
            for row in embeddings:
                del row[at]

    return change


@pytest.fixture(scope="module")
def scores(tmp_path_factory):
    folder = tmp_path_factory.mktemp("texts")
    said = benchmark_texts(*write(folder, n=300), "score", folder / "out", repetitions=2, most_epochs=100)
    return folder / "out", "\n".join(said)


def test_the_phrases_that_move_a_score_are_told_with_their_sign(scores):
    out, said = scores
    assert {path.name for path in out.iterdir()} == set(OUTPUTS)
    told = {row["phrase"]: float(row["coefficient"]) for row in rows_of(out / "phrases.csv")}
    assert set(list(told)[:3]) == {"not worth", "very good", "waste of"}
    assert told["very good"] > 0 > told["waste of"] > told["not worth"]
    assert "For higher: very good +" in said
    assert "For lower: not worth −" in said
    assert "embeddings of 3 numbers (columns e0, e1, e2)" in said
    assert "Columns of text are not used: verdict, site." in said


def test_errors_are_those_of_the_predictions_in_the_files(scores):
    out, said = scores
    predicted = rows_of(out / "predictions.csv")
    content = json.loads((out / "benchmark.json").read_text(encoding="utf-8"))
    for partition, error in enumerate(content["methods"]["affine"]["errors"]):
        own = [row for row in predicted if row["partition"] == str(partition)]
        assert len(own) == 60
        gaps = [float(row["measured"]) - float(row["predicted"]) for row in own]
        assert error == pytest.approx(np.sqrt(np.mean(np.square(gaps))), rel=1e-6)
        assert all(0.0 < float(row["g2"]) < 1.0 for row in own)
    errors = {row["method"]: float(row["mean error"]) for row in rows_of(out / "benchmark.csv")}
    assert errors["Affine transfer with networks"] < errors["Ridge regression, embeddings"] < errors["The mean alone"]
    word = (
        "beats"
        if errors["Ridge regression, embeddings and counts"] < errors["Affine transfer with networks"]
        else "not"
    )
    assert word in said.splitlines()[-2]


def test_the_command_tells_two_classes_apart_and_reads_a_column_for_each_phrase(tmp_path, capsys):
    one, other = write(tmp_path, wide=True, change=without("score"))
    words = ["benchmark", "--protocol", "texts", "--data", str(one), "--counts", str(other)]
    assert main([*words, "--value-column", "verdict", "--output", str(tmp_path / "out"), "--quiet"]) == 0
    said = capsys.readouterr().out
    assert "Share of texts in the wrong class" in said
    assert "For “good”: very good +" in said
    assert {row["predicted"] for row in rows_of(tmp_path / "out" / "predictions.csv")} <= {"good", "bad"}
    content = json.loads((tmp_path / "out" / "benchmark.json").read_text(encoding="utf-8"))
    assert content["classes"] == ["bad", "good"]
    assert content["methods"]["affine"]["errors"][0] < content["methods"]["mean"]["errors"][0]


def test_both_forms_of_counts_are_the_same_texts(tmp_path):
    (tmp_path / "long").mkdir()
    long, _ = read_texts(*write(tmp_path / "long"), "score")
    wide, _ = read_texts(*write(tmp_path, wide=True), "score")
    _, counts, z = made()
    order = [wide.phrases.index(phrase) for phrase in long.phrases]
    np.testing.assert_array_equal(long.data.counts.toarray(), wide.data.counts.toarray()[:, order])
    np.testing.assert_array_equal(wide.data.counts.toarray(), counts)
    np.testing.assert_allclose(long.data.y, z, rtol=1e-4)


def cell(table, row, column, text):
    def change(*tables):
        tables[table][row][column] = text

    return change


@pytest.mark.parametrize(
    ("target", "wide", "change", "words"),
    [
        ("grade", False, lambda *_: None, "has no column “grade”"),
        ("text", False, lambda *_: None, "has no column “text”"),
        ("score", False, cell(0, 3, 1, ""), "line 4, column “score”: a value is missing"),
        ("score", False, cell(0, 3, 1, "n/a"), "line 4, column “score”: “n/a” is not a number"),
        ("score", False, cell(0, 3, 4, "nan"), "line 4, column “e0”: “nan” is not a number"),
        ("score", False, cell(0, 3, 4, "inf"), "line 4, column “e0”: “inf” is not a number"),
        ("score", False, cell(0, 3, 0, "t0"), "line 4: the text “t0” is there already"),
        ("score", False, cell(0, 3, 0, ""), "line 4: the first column names no text"),
        ("score", False, cell(1, 3, 0, "t999"), "line 4: embeddings.csv has no row for the text “t999”"),
        ("score", False, cell(1, 3, 1, ""), "line 4, column “phrase”: a phrase is missing"),
        ("score", False, cell(1, 3, 2, "-1"), "line 4, column “count”: “-1” is negative and no count"),
        ("score", False, cell(1, 3, 2, "many"), "counts.csv: line 4 was taken for the headings"),
        ("score", False, cell(1, 60, 2, "many"), "line 61, column “count”: “many” is not a number"),
        ("score", True, lambda _, counts: counts.pop(), "counts.csv has no row for the text “t0” of embeddings.csv"),
        ("score", False, lambda embeddings, _: embeddings.__delitem__(slice(21, None)), "has 20 texts; 25 or more"),
        ("score", False, without("e0", "e1", "e2"), "has no columns of numbers beside “score”"),
        ("score", False, lambda embeddings, _: embeddings.__delitem__(slice(1, None)), "has 0 texts; 25 or more"),
        ("score", False, lambda _, counts: counts.__delitem__(slice(1, None)), "counts.csv has headings and no rows"),
        ("site", False, lambda *_: None, "all texts have “web”"),
        ("verdict", False, cell(0, 3, 2, "mixed"), "3 classes (bad, good, mixed …)"),
    ],
)
def test_tables_that_will_not_do_are_refused_in_one_sentence(target, wide, change, words, tmp_path, capsys):
    one, other = write(tmp_path, wide=wide, n=40, change=change)
    asked = ["benchmark", "--protocol", "texts", "--data", str(one), "--counts", str(other), "--value-column", target]
    assert main([*asked, "--output", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_file_that_would_run_code_is_not_opened_and_missing_words_are_named(tmp_path, capsys):
    one, other = write(tmp_path, n=40)
    words = ["benchmark", "--protocol", "texts", "--output", str(tmp_path / "out"), "--data", str(one)]
    assert main(words) == 2
    assert "--counts counts.csv --value-column score" in capsys.readouterr().err
    other.write_bytes(b"\x80\x04\x95\x1f\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix\x8c\x06system\x93.")
    assert main([*words, "--counts", str(other), "--value-column", "score"]) == 2
    assert "a Python pickle, which could run code and is never opened" in capsys.readouterr().err


def data(n=60):
    vectors, counts, z = made(n)
    return TextData(vectors, csr_array(counts), z, "squared")


QUICK = NetworkOptions(starts=1, most_epochs=2, hidden_source=2)


def test_ridge_regression_is_that_of_another_program():
    found = run_texts(data(), options=QUICK)
    order = np.random.default_rng(0).permutation(60)
    held, told = order[:12], order[12:]
    for key, tables in ((EMBEDDINGS, False), (BOTH, True)):
        one = data()
        Z = (one.embeddings - one.embeddings[told].mean(axis=0)) / one.embeddings[told].std(axis=0, ddof=1)
        X = np.hstack([Z, one.counts.toarray()]) if tables else Z
        chosen = found.methods[key].chosen[0]
        assert chosen in RIDGE_CHOICES
        said = Ridge(alpha=chosen).fit(X[told], one.y[told]).predict(X[held])
        assert found.methods[key].error[0] == pytest.approx(np.sqrt(np.mean((said - one.y[held]) ** 2)), rel=1e-5)


def test_what_has_not_converged_is_said(tmp_path):
    said = benchmark_texts(*write(tmp_path, n=40), "score", tmp_path / "out", most_epochs=2)
    assert any("In 1 of 1 partitions the held-out loss was still falling" in sentence for sentence in said)


def test_counts_beyond_measure_are_refused_in_one_sentence(tmp_path):
    one, other = write(tmp_path, n=40, change=cell(1, 3, 2, "1e200"))
    with np.errstate(all="ignore"), pytest.raises(UserError, match="diverges: counts"):
        benchmark_texts(one, other, "score", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_it_stops_when_asked_to(tmp_path):
    asked = []

    def cancelled():
        asked.append(1)
        return len(asked) > 30

    with pytest.raises(Cancelled):
        benchmark_texts(*write(tmp_path, n=40), "score", tmp_path / "out", task=Task(cancelled=cancelled))
    assert not (tmp_path / "out").exists()


def test_phrases_are_those_that_are_not_zero_somewhere_the_largest_first():
    found = phrases_of(np.array([[0.0, 1.0, -4.0, 0.0], [0.0, 1.0, 0.0, 0.1]]), ["a", "b", "c", "d"])
    assert found == [("c", -2.0, 1), ("b", 1.0, 2), ("d", 0.05, 1)]


def test_the_figure_shows_the_largest_of_each_sign_and_says_where_there_are_none():
    many = [(f"phrase {number}", float(number)) for number in range(-20, 21) if number]
    drawn = phrase_figure(many, ("bad", "good"))
    words = {text.get_text() for text in drawn.findobj() if hasattr(text, "get_text")}
    assert {f"phrase {20 - k}" for k in range(MOST)} | {f"phrase {k - 20}" for k in range(MOST)} <= words
    assert "phrase 1" not in words
    assert any("No phrase" in text.get_text() for text in phrase_figure([]).findobj() if hasattr(text, "get_text"))
