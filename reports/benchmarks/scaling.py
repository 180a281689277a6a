"""joint-dp on VGG-E over the size of the array: time per doubling, and memory."""

from __future__ import annotations

import json
import subprocess
import sys
import time

from reports.benchmarks.protocol import REPORTS, median, write

LEVELS = range(1, 21)
RUNS = 5
MANY_RUNS = 50
FEW_LEVELS = 8
TITLE = "joint-dp on VGG-E: time and memory over the number of accelerators"
NOTES = (
    f"Each H in a process of its own: the median of {RUNS} calls ({MANY_RUNS} up to H = {FEW_LEVELS}) of `solve` "
    "(weighing, elimination, plan recovered and recomputed by boxes, two threads; reading and compiling left out), "
    "after one that does not count; 'of it joint-dp' is the formulation's own part; peak memory is the whole "
    "process's. Targets: H = 4 in 5 ms, H = 16 in 0.2 s, H = 20 in 3 s and 2 GiB.",
)


def measure(levels: int) -> dict[str, float]:
    """Solve in this process; return the figures."""
    import resource

    from hypar_opt.instance import load
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.solve import solve

    instance = load("vgg-e", levels=levels)
    runs = RUNS if levels > FEW_LEVELS else MANY_RUNS
    times, inner = [], []
    for _ in range(runs + 1):
        problem = NetworkProblem(instance)
        _ = problem.graph
        began = time.perf_counter()
        plan = solve(problem, "joint-dp")
        times.append(time.perf_counter() - began)
        inner.append(plan.runtime_s)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "H": levels,
        "accelerators": 2**levels,
        "seconds": round(median(times[1:]), 5),
        "fastest": round(min(times[1:]), 5),
        "of it joint-dp": round(median(inner[1:]), 5),
        "peak_MiB": round(peak),
        "communication_GB": float(plan.communication_bytes or 0) / 1e9,
    }


def run() -> None:
    """Measure every H, write the table and the plot."""
    rows = []
    for levels in LEVELS:
        child = [sys.executable, "-m", "reports.benchmarks.scaling", str(levels)]
        found = json.loads(subprocess.run(child, check=True, capture_output=True, text=True).stdout)
        found["per_doubling"] = round(found["seconds"] / rows[-1]["seconds"], 2) if rows else None
        rows.append(found)
    write("scaling", TITLE, rows, NOTES)
    plot(rows)


def plot(rows: list[dict[str, float]]) -> None:
    """Draw time and memory over the number of accelerators."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.2), layout="constrained")
    sizes = [row["accelerators"] for row in rows]
    axes.loglog(sizes, [row["seconds"] for row in rows], "o-", base=2, color="tab:blue")
    axes.set_yscale("log", base=10)
    axes.set_xlabel("accelerators (2^H)")
    axes.set_ylabel("seconds", color="tab:blue")
    axes.set_title("joint-dp on VGG-E, exact, plan recovered")
    axes.grid(visible=True, alpha=0.3)
    memory = axes.twinx()
    memory.plot(sizes, [row["peak_MiB"] for row in rows], "s--", color="tab:orange", markersize=4)
    memory.set_ylabel("peak memory of the process, MiB", color="tab:orange")
    memory.set_ylim(bottom=0)
    figure.savefig(REPORTS / "scaling.svg")
    figure.savefig(REPORTS / "scaling.png", dpi=120)
    plt.close(figure)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(int(sys.argv[1]))))
