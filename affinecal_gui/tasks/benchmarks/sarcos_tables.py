"""The tables of the robot arm's benchmark: JSON, CSV and HTML, each with the published figures beside ours."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from html import escape
from typing import Any

import numpy as np

from affinecal_gui import __version__
from affinecal_gui.calibration.kernels.calibrators.direct import DIRECT
from affinecal_gui.calibration.kernels.methods import TransferOptions
from affinecal_gui.calibration.kernels.protocol import SIGNIFICANCE, SPLIT_SEED, TransferBenchmark
from affinecal_gui.calibration.names import calibrator_title
from affinecal_gui.calibration.networks.robot_arm import TUNING_METHODS
from affinecal_gui.numbers import significant
from affinecal_gui.tables.writing.csv_export import Cell
from affinecal_gui.tasks.benchmarks.sarcos_published import Published, PublishedDifference, differences

SUMMARY_COLUMNS = (
    "torque", "n", "method", "RMSE mean", "RMSE sd", "Welch p against Direct", "against Direct at 1 %", "paper mean",
    "authors' file mean", "authors' file sd", "difference, standard errors",
)  # fmt: skip
REPETITION_COLUMNS = ("torque", "n", "repetition", "method", "RMSE", "penalties")


_TUNED = {method.key: method.title for method in TUNING_METHODS}


def method_title(key: str) -> str:
    """Name a method with kernels, or one that goes on training a source network."""
    return _TUNED.get(key) or calibrator_title(key, log_scale=True)


def summary_rows(benchmark: TransferBenchmark, published: Published) -> list[tuple[Cell, ...]]:
    """Return one line per torque, size and method, with the cells of :data:`SUMMARY_COLUMNS`."""
    return [
        (
            one["torque"],
            one["n"],
            method_title(one["method"]),
            one["rmse_mean"],
            one["rmse_sd"],
            one["welch_p"],
            one["against_direct"],
            one["paper_mean"],
            one["authors_mean"],
            one["authors_sd"],
            one["difference_in_standard_errors"],
        )
        for one in _entries(benchmark, published)
    ]


def repetition_rows(benchmark: TransferBenchmark) -> Iterator[tuple[Cell, ...]]:
    """Yield one line per training set and method, with the cells of :data:`REPETITION_COLUMNS`."""
    for q, target in enumerate(benchmark.targets):
        for k, size in enumerate(benchmark.sizes):
            for repetition in range(benchmark.repetitions):
                for name, rmse in benchmark.rmse.items():
                    values = benchmark.penalties[name][q, k, repetition]
                    chosen = "; ".join(
                        f"{word} = {value:.6g}"
                        for word, value in zip(benchmark.penalty_names[name], values, strict=True)
                    )
                    yield (
                        target + 1,
                        size,
                        repetition,
                        method_title(name),
                        float(rmse[q, k, repetition]),
                        chosen,
                    )


def benchmark_content(
    benchmark: TransferBenchmark, published: Published, how: Sequence[str], options: TransferOptions
) -> dict[str, Any]:
    """Return what ``benchmark.json`` says."""
    return {
        "program": f"AffineCal {__version__}",
        "protocol": "sarcos",
        "how": list(how),
        "torques": [target + 1 for target in benchmark.targets],
        "training_rows": list(benchmark.sizes),
        "repetitions": benchmark.repetitions,
        "pool_rows": benchmark.pool_rows,
        "evaluation_rows": benchmark.evaluation_rows,
        "draw": benchmark.draw,
        "split_seed": SPLIT_SEED if benchmark.draw == "halves" else None,
        "options": asdict(options),
        "published": {"paper": published.paper_origin, "authors_file": published.authors_origin},
        "agreement": differences(benchmark, published).sentence,
        "results": list(_entries(benchmark, published)),
        "rmse": {
            name: {
                str(target + 1): {
                    str(size): [float(value) for value in rmse[q, k]] for k, size in enumerate(benchmark.sizes)
                }
                for q, target in enumerate(benchmark.targets)
            }
            for name, rmse in benchmark.rmse.items()
        },
    }


def _entries(benchmark: TransferBenchmark, published: Published) -> Iterator[dict[str, Any]]:
    """Yield every mean with what belongs beside it."""
    beside = {(one.target, one.method, one.size): one for one in differences(benchmark, published).all}
    for q, target in enumerate(benchmark.targets):
        for k, size in enumerate(benchmark.sizes):
            for name in benchmark.rmse:
                key = (target, name, size)
                mean = float(benchmark.mean(name)[q, k])
                p = float(benchmark.welch(name)[q, k])
                one: PublishedDifference | None = beside.get(key)
                yield {
                    "torque": target + 1,
                    "n": size,
                    "method": name,
                    "rmse_mean": mean,
                    "rmse_sd": _finite(float(benchmark.sd(name)[q, k])),
                    "welch_p": _finite(p),
                    "against_direct": _verdict(benchmark, q, k, mean, p),
                    "paper_mean": published.paper_mean.get(key),
                    "authors_mean": published.authors_mean.get(key),
                    "authors_sd": published.authors_sd.get(key),
                    "difference_in_standard_errors": None if one is None else one.standard_errors,
                }


def _verdict(benchmark: TransferBenchmark, q: int, k: int, mean: float, p: float) -> str:
    if not p < SIGNIFICANCE:
        return ""
    return "better" if mean < float(benchmark.mean(DIRECT.key)[q, k]) else "worse"


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


_STYLE = """
body { font: 14px/1.45 system-ui, sans-serif; color: #1B1F23; margin: 2em; max-width: 80em }
table { border-collapse: collapse; margin: 1em 0 2em; font-variant-numeric: tabular-nums }
caption { text-align: left; font-weight: 600; padding: 0.4em 0 }
th, td { border-bottom: 1px solid #DCDFE2; padding: 0.25em 0.8em; text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left }
small { color: #58616A; display: block }
.better { background: #E3F1EC } .worse { background: #FBE3DA } .far { font-style: italic }
"""


def benchmark_html(benchmark: TransferBenchmark, published: Published, how: Sequence[str]) -> str:
    """Return a page with one table per torque; it loads nothing from anywhere."""
    entries = {(one["torque"], one["method"], one["n"]): one for one in _entries(benchmark, published)}
    parts = ["<!doctype html>", '<html lang="en"><head><meta charset="utf-8">', "<title>SARCOS benchmark</title>"]
    parts += [f"<style>{_STYLE}</style></head><body>", "<h1>Transfer methods on the SARCOS robot arm</h1>"]
    parts += [f"<p>{escape(sentence)}</p>" for sentence in how]
    parts.append(
        "<p>Each cell: our mean ± standard deviation; below it the authors’ results file and, in brackets, the figure "
        "printed in the paper. Better or worse than Direct (Welch’s t-test, 1 %) is marked with + or − and a tint; an italic "
        "second line marks a difference of more than two standard errors.</p>"
    )
    parts.append(f"<p>{escape(differences(benchmark, published).sentence)}</p>")
    for target in benchmark.targets:
        parts.append(f"<table><caption>Torque {target + 1}, RMSE</caption><tr><th>Training rows</th>")
        parts += [f"<th>{size}</th>" for size in benchmark.sizes]
        parts.append("</tr>")
        for name in benchmark.rmse:
            parts.append(f"<tr><td>{escape(method_title(name))}</td>")
            parts += [_cell(entries[(target + 1, name, size)]) for size in benchmark.sizes]
            parts.append("</tr>")
        parts.append("</table>")
    origins = (published.authors_origin, published.paper_origin)
    parts += [f"<p><small>{escape(origin)}</small></p>" for origin in origins]
    parts.append("</body></html>\n")
    return "\n".join(parts)


def _cell(one: dict[str, Any]) -> str:
    mark = {"better": " +", "worse": " −"}.get(one["against_direct"], "")
    sd = "" if one["rmse_sd"] is None else f" ± {significant(one['rmse_sd'], 2)}"
    text = f"{significant(one['rmse_mean'])}{sd}{mark}"
    known = []
    if one["authors_mean"] is not None:
        known.append(f"{significant(one['authors_mean'])} ± {significant(one['authors_sd'], 2)}")
    if one["paper_mean"] is not None:
        known.append(f"[{significant(one['paper_mean'])}]")
    gap = one["difference_in_standard_errors"]
    far = ' class="far"' if gap is not None and abs(gap) > 2.0 else ""
    below = f"<small{far}>{' '.join(known)}</small>" if known else ""
    tint = f' class="{one["against_direct"]}"' if one["against_direct"] else ""
    return f"<td{tint}>{text}{below}</td>"
