"""Describing files: every row has its line, in the order of the file, whatever happens on the way."""

import csv
import multiprocessing
import random
import re
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.polymers.copolymers.composition import describe_composition
from affinecal_gui.polymers.descriptors.descriptors import describe, describe_copolymer
from affinecal_gui.polymers.reading.repeat_unit import parse_repeat_unit
from affinecal_gui.study.describing import describing_rows
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.task import Progress, Task
from affinecal_gui.tasks.describing.describing_files import describe_file
from tests.killed_at_a_line import lines_of
from tests.polymers.chain_rewriting import rewritten
from tests.polymers.polymers_to_try import ORDINARY
from tests.study.describing_here import AT_ONCE, WRITING, describe_quickly, quick_cells, results_here


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Describe in this process, which starts at once."""
    monkeypatch.setattr(describing_rows, "results_in_order", results_here)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, here: None) -> Iterator[Counter[str]]:
    """Replace the description by a quick one that counts how often it is asked for each polymer."""
    asked: Counter[str] = Counter()

    def count(text: str, force_field: str = "") -> describing_rows.DescribedCells:
        asked[text] += 1
        return quick_cells(text)

    monkeypatch.setattr(describing_rows, "described_cells", count)
    monkeypatch.setattr("affinecal_gui.study.describing.pace.SECONDS_BETWEEN_REPORTS", 0.0)
    return asked  # type: ignore[return-value]


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def values_of(row: dict[str, str]) -> list[float]:
    return [float(cell) for name, cell in row.items() if name not in ("id", "smiles", "status", "message")]


# -- rows --------------------------------------------------------------------------------------------------------------


def test_every_row_has_its_line_in_order(here: None, tmp_path: Path) -> None:
    source = written(
        tmp_path / "in.csv",
        'id,smiles\n1,*CC*\n"2, quoted\nand broken",*CC(*)C\n3,*CC(\n4,*CC*,surplus\n\n5,\n6,*CCCC*\n',
    )
    report = describe_file(source, tmp_path / "out.csv")
    rows = rows_of(tmp_path / "out.csv")
    assert [row["id"] for row in rows] == ["1", "2, quoted\nand broken", "3", "", "5", "6"]
    assert [row["status"] for row in rows] == ["ok", "ok", "error", "error", "error", "ok"]
    assert rows[3]["message"] == "3 cells, but 2 headings."
    assert rows[4]["message"] == "The repeat unit is empty."
    assert values_of(rows[1]) == list(describe("*CC(*)C"))
    assert "3 of 6 rows" in report
    assert "line 5, *CC(: Not a valid SMILES" in report
    assert "line 6, empty: 3 cells" in report


def test_the_units_of_a_file_may_be_rewritten(here: None, tmp_path: Path) -> None:
    choice = random.Random(7)
    units = [unit for unit in ORDINARY if "." not in unit]
    others = [rewritten(parse_repeat_unit(unit), choice) for unit in units]
    for name, texts in (("one", units), ("other", others)):
        describe_file(written(tmp_path / f"{name}.csv", "\n".join(["smiles", *texts])), tmp_path / f"{name}-out.csv")
    pairs = zip(rows_of(tmp_path / "one-out.csv"), rows_of(tmp_path / "other-out.csv"), strict=True)
    for row, other in pairs:
        assert (row["status"], row["message"]) == (other["status"], other["message"])
        np.testing.assert_allclose(values_of(row), values_of(other), atol=1e-9, err_msg=other["smiles"])


def test_processes_make_no_difference(tmp_path: Path) -> None:
    choice = random.Random(3)
    texts = [choice.choice([*ORDINARY, "*CC(", "*[Si](C)(C)O*", "", "CC"]) for _ in range(300)]
    source = written(tmp_path / "in.tsv", "\n".join(["name\tsmiles", *(f"p{i}\t{t}" for i, t in enumerate(texts))]))
    for jobs in (1, 2):
        describe_file(source, tmp_path / f"{jobs}.csv", jobs=jobs)
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "2.csv").read_bytes()
    assert [row["smiles"] for row in rows_of(tmp_path / "1.csv")] == texts


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(st.sampled_from([f"*{'C' * size}*" for size in range(1, 30)] + ["bad", "", "*bad*"]), max_size=150),
    waiting=st.integers(1, 40),
    remembered=st.integers(1, 30_000),
    chunk=st.integers(1, 20),
)
def test_bounded_memory_makes_no_difference(
    quick: Counter[str], tmp_path: Path, texts: list[str], waiting: int, remembered: int, chunk: int
) -> None:
    source = written(tmp_path / "in.csv", "\n".join(["id,smiles", "first,*O*", *(f"x,{text}" for text in texts)]))
    bounds = {"MOST_WAITING": waiting, "REMEMBERED_BYTES": remembered, "CHUNK": chunk}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in bounds.items():
            patch.setattr(describing_rows, name, value)
        describe_file(source, tmp_path / "out.csv", overwrite=True)
    rows = rows_of(tmp_path / "out.csv")
    assert [row["smiles"] for row in rows] == ["*O*", *texts]
    for row in rows:
        cells, reason = quick_cells(row["smiles"])
        assert row["message"] == reason
        assert row["mass_H"] == ("" if cells is None else cells.decode().split(",")[0])


def test_a_polymer_that_comes_again_is_described_once(quick: Counter[str], tmp_path: Path) -> None:
    texts = [f"*{'C' * (number % 17 + 1)}*" for number in range(2_000)]
    describe_file(written(tmp_path / "in.csv", "\n".join(["smiles", *texts])), tmp_path / "out.csv")
    assert len(quick) == 17
    assert set(quick.values()) == {1}


# -- copolymers ----------------------------------------------------------------------------------------------------------

STYRENE = "*C(C*)c1ccccc1"


@pytest.mark.parametrize(
    "text",
    [
        f"name,smiles,fraction\nA,*CC*|{STYRENE},0.7|0.3\nB,*CC*,\n",
        f"name;smiles;mole fraction\nA;*CC*|{STYRENE};0,7|0,3\nB;*CC*;1\n",
        f"name,smiles,ratio\nA,*CC* | {STYRENE},70:30\nB,*CC*,\n",
        f"name,smiles_1,smiles_2,fraction_1,fraction_2\nA,*CC*,{STYRENE},0.7,0.3\nB,*CC*,,1,\n",
        f"name,smiles_1,smiles_2,fraction_1,fraction_2\nA,*CC*,{STYRENE},70 %,30 %\nB,,*CC*,0,1\n",
        f"smiles A\tsmiles B\tx B\tx A\tname\n*CC*\t{STYRENE}\t0.3\t0.7\tA\n*CC*\t\t\t\tB\n",
        f"name,smiles\nA,*CC*|{STYRENE}|0.7|0.3\nB,*CC*\n",
        f"name,SMILES 1,SMILES 2,composition\nA,*CC*,{STYRENE},7/3\nB,*CC*,,\n",
    ],
)
def test_copolymers_in_every_arrangement(here: None, tmp_path: Path, text: str) -> None:
    describe_file(written(tmp_path / "in.csv", text), tmp_path / "out.csv")
    one, other = rows_of(tmp_path / "out.csv")
    assert (one["id"], other["id"]) == ("A", "B")
    np.testing.assert_allclose(values_of(one), describe_copolymer(["*CC*", STYRENE], [0.7, 0.3]), atol=1e-12)
    np.testing.assert_allclose(values_of(other), describe("*CC*"), atol=1e-12)
    assert values_of(one) == list(describe_composition(one["smiles"]))  # the output says all that there is to know


def test_named_columns_of_copolymers(here: None, tmp_path: Path) -> None:
    source = written(tmp_path / "in.csv", f"one,two,how much,of two\n*CC*,{STYRENE},7,3\n")
    describe_file(source, tmp_path / "out.csv", smiles_columns=("one", "two"), fraction_columns=("how much", "of two"))
    (row,) = rows_of(tmp_path / "out.csv")
    assert row["smiles"] == f"*CC*|{STYRENE}|7|3"
    with pytest.raises(UserError, match="no column “three”"):
        describe_file(source, tmp_path / "x.csv", smiles_columns=("three",))


def test_fractions_of_the_weight_become_mole_fractions(here: None, tmp_path: Path) -> None:
    # Equal weights of ethylene (28.05 g/mol) and styrene (104.15 g/mol): 78.78 mol % of ethylene.
    source = written(tmp_path / "in.csv", f"smiles,weight fraction\n*CC*|{STYRENE},0.5|0.5\n")
    describe_file(source, tmp_path / "out.csv")
    (row,) = rows_of(tmp_path / "out.csv")
    fraction = 104.152 / (104.152 + 28.054)
    expected = describe_copolymer(["*CC*", STYRENE], [fraction, 1 - fraction])
    np.testing.assert_allclose(values_of(row), expected, atol=1e-6)


@pytest.mark.parametrize(
    ("fractions", "reason"),
    [
        ("", "there are none"),
        ("0.7", "there is 1"),
        ("0.2|0.3|0.5", "there are 3"),
        ("much|little", "“much” is neither a mole fraction nor"),
        ("-0.7|1.7", "-0.7 is negative"),
        ("0|0", "add up to zero"),
        ("nan|0.3", "“nan” is neither a mole fraction nor"),
        ("inf|0.3", "“inf” is neither a mole fraction nor"),
    ],
)
def test_bad_fractions_are_reasons(here: None, tmp_path: Path, fractions: str, reason: str) -> None:
    source = written(tmp_path / "in.csv", f"smiles,fraction\n*CC*|{STYRENE},{fractions}\n*CC*,\n")
    describe_file(source, tmp_path / "out.csv")
    bad, good = rows_of(tmp_path / "out.csv")
    assert bad["status"] == "error"
    assert reason in bad["message"]
    assert good["status"] == "ok"


# -- stopping and continuing ---------------------------------------------------------------------------------------------


def many_rows(count: int) -> str:
    choice = random.Random(11)
    texts = [choice.choice(["*" + "C" * choice.randint(1, 200) + "*", "bad, row", "*bad*"]) for _ in range(count)]
    return "\n".join(["id,smiles", *(f'"p ""{i}"",\nx","{text}"' for i, text in enumerate(texts))])


def test_a_run_killed_before_any_of_its_lines_ends_with_the_same_bytes(
    quick: Counter[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to eight runs are killed (SIGKILL) wherever they are, the later the farther; each goes on where the last one was."""
    monkeypatch.setattr("affinecal_gui.tasks.writing.resumable_table.SECONDS_BETWEEN_WRITES", AT_ONCE)
    source = written(tmp_path / "in.csv", many_rows(300))
    lines = lines_of(lambda: describe_file(source, tmp_path / "whole.csv"), WRITING)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(
        ["affinecal_gui.tasks.describing.describing_files", "affinecal_gui.polymers.copolymers.composition"]
    )
    output, part = tmp_path / "out.csv", tmp_path / "out.csv.part"
    choice, sizes = random.Random(5), [0]
    last_lines = [choice.randint(number * lines // 8 + 1, (number + 1) * lines // 8) for number in range(8)]
    for last_line in (*last_lines, 0):
        run = context.Process(target=describe_quickly, args=(source, output, None, last_line))
        run.start()
        run.join()
        sizes.append(part.stat().st_size if part.exists() else sizes[-1])
        if run.exitcode == 0:  # it has ended before that line
            break
        assert run.exitcode == -signal.SIGKILL
    assert sizes == sorted(sizes)
    assert len(set(sizes)) > 4
    assert output.read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"in.csv", "whole.csv", "out.csv"}


def test_a_stopped_run_says_how_to_go_on_and_describes_nothing_twice(quick: Counter[str], tmp_path: Path) -> None:
    texts = ["*" + "C" * number + "*" for number in range(1, 1001)]
    source = written(tmp_path / "in.csv", "\n".join(["smiles", *texts]))
    with pytest.raises(Cancelled, match=re.escape("out.csv.part keeps them. Add --resume")):
        describe_file(source, tmp_path / "out.csv", task=Task(_interrupt_after(400)))
    finished = sum(quick.values())
    assert finished == 400
    with pytest.raises(UserError, match=r"Add --resume to continue it, or --overwrite"):
        describe_file(source, tmp_path / "out.csv")
    assert sum(quick.values()) == finished
    report = describe_file(source, tmp_path / "out.csv", resume=True)
    assert "1000 of 1000 rows" in report
    assert len(quick) == 1000
    assert set(quick.values()) == {1}


def _interrupt_after(rows: int) -> Progress:
    """Press Ctrl+C when so many rows are done."""

    def progress(fraction: float, sentence: str) -> None:
        if (found := re.match(r"([\d,]+) rows", sentence)) and int(found[1].replace(",", "")) >= rows:
            raise KeyboardInterrupt

    return progress


def test_the_report_counts_rows_of_earlier_runs(quick: Counter[str], tmp_path: Path) -> None:
    texts = ["*C*", "bad one", *["*CC*"] * 700, "bad two", "bad three", "bad four"]
    source = written(tmp_path / "in.csv", "\n".join(["smiles", *texts]))
    whole = describe_file(source, tmp_path / "whole.csv")
    describe_file(source, tmp_path / "out.csv")
    content = (tmp_path / "out.csv").read_bytes().splitlines(keepends=True)
    (tmp_path / "out.csv").unlink()
    with pytest.raises(Cancelled):
        describe_file(source, tmp_path / "out.csv", task=Task(_interrupt_after(1)))
    (tmp_path / "out.csv.part").write_bytes(b"".join(content[:600]))
    assert describe_file(source, tmp_path / "out.csv", resume=True) == whole.replace("whole.csv", "out.csv")


@pytest.mark.parametrize("change", ["input", "columns"])
def test_a_part_of_another_input_is_not_continued(quick: Counter[str], tmp_path: Path, change: str) -> None:
    source = written(tmp_path / "in.csv", "a,b,smiles\n" + "*C*,*CC*,*CCC*\n" * 3_000)
    with pytest.raises(Cancelled):
        describe_file(source, tmp_path / "out.csv", task=Task(_interrupt_after(1)))
    if change == "input":
        written(source, "a,b,smiles\n" + "*C*,*CC*,*CCCC*\n" * 3_000)
    columns: Sequence[str] = ("b",) if change == "columns" else ()
    with pytest.raises(UserError, match=f"another .*{change}"):
        describe_file(source, tmp_path / "out.csv", smiles_columns=columns, resume=True)


def test_progress_goes_with_the_rows(quick: Counter[str], tmp_path: Path) -> None:
    source = written(tmp_path / "in.csv", "\n".join(["smiles", *("*" + "C" * n + "*" for n in range(1, 501))]))
    told: list[tuple[float, str]] = []
    describe_file(source, tmp_path / "out.csv", task=Task(lambda fraction, text: told.append((fraction, text))))
    fractions = [fraction for fraction, _ in told]
    assert fractions == sorted(fractions)
    assert (0.5, "250 rows") in told
    assert told[-1] == (1.0, "500 rows")


# -- the cache -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def cache(tmp_path: Path) -> DescriptorCache:
    return DescriptorCache(tmp_path / "cache" / "files.sqlite")


def test_what_was_described_before_is_not_described_again(
    quick: Counter[str], tmp_path: Path, cache: DescriptorCache
) -> None:
    source = written(tmp_path / "in.csv", many_rows(3_000))
    describe_file(source, tmp_path / "none.csv")
    asked = sum(quick.values())
    describe_file(source, tmp_path / "first.csv", cache=cache)
    assert sum(quick.values()) == 2 * asked
    quick.clear()
    describe_file(source, tmp_path / "second.csv", cache=cache)
    assert set(quick) == {"bad, row", "*bad*"}  # reasons are found anew
    contents = {(tmp_path / f"{name}.csv").read_bytes() for name in ("none", "first", "second")}
    assert len(contents) == 1


def test_the_cache_returns_every_bit(here: None, tmp_path: Path, cache: DescriptorCache) -> None:
    source = written(tmp_path / "in.csv", "\n".join(["smiles", *ORDINARY, "*CC*|*CC(*)C|0.5|0.5"]))
    for name in ("one", "other"):
        describe_file(source, tmp_path / f"{name}.csv", cache=cache)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "other.csv").read_bytes()


def test_another_version_finds_nothing(
    quick: Counter[str], tmp_path: Path, cache: DescriptorCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = written(tmp_path / "in.csv", many_rows(100))
    describe_file(source, tmp_path / "first.csv", cache=cache)
    asked = dict(quick)
    monkeypatch.setattr(describing_rows, "engine_of", lambda force_field: f"{force_field}, another version")
    describe_file(source, tmp_path / "second.csv", cache=cache)
    assert quick == {text: 2 * count for text, count in asked.items()}


def test_a_stopped_run_leaves_its_results_in_the_cache(
    quick: Counter[str], tmp_path: Path, cache: DescriptorCache
) -> None:
    source = written(tmp_path / "in.csv", "\n".join(["smiles", *("*" + "C" * n + "*" for n in range(1, 301))]))
    with pytest.raises(Cancelled):
        describe_file(source, tmp_path / "out.csv", cache=cache, task=Task(_interrupt_after(200)))
    describe_file(source, tmp_path / "other.csv", cache=cache)
    assert set(quick.values()) == {1}


def test_files_that_the_cache_cannot_hold_do_not_use_it(quick: Counter[str], tmp_path: Path) -> None:
    small = DescriptorCache(tmp_path / "cache" / "files.sqlite", most_polymers=50)
    describe_file(written(tmp_path / "in.csv", many_rows(100)), tmp_path / "out.csv", cache=small)
    assert not small.path.exists()


def test_two_programs_with_one_cache_do_not_disturb_each_other(quick: Counter[str], tmp_path: Path) -> None:
    context = multiprocessing.get_context("forkserver")
    path = tmp_path / "cache" / "files.sqlite"
    source = written(tmp_path / "in.csv", many_rows(1_500))
    describe_file(source, tmp_path / "whole.csv")
    outputs = [tmp_path / f"{name}.csv" for name in ("one", "other")]
    runs = [context.Process(target=describe_quickly, args=(source, output, path)) for output in outputs]
    for run in runs:
        run.start()
    for run in runs:
        run.join(100)
        assert run.exitcode == 0
    for output in outputs:
        assert output.read_bytes() == (tmp_path / "whole.csv").read_bytes()
    quick.clear()
    describe_file(source, tmp_path / "again.csv", cache=DescriptorCache(path))
    assert set(quick) == {"bad, row", "*bad*"}
