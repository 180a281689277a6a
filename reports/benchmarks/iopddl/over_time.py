"""The report's part about time: a table of how soon plans were good, and a picture an instance."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.objective.components import TOTAL
from hypar_opt.instance.objective.function import ObjectiveFunction
from reports.benchmarks.iopddl.curves import TOLD
from reports.benchmarks.iopddl.measures import first_s, near_s, primal_integral
from reports.benchmarks.iopddl.published import published

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from reports.benchmarks.iopddl.curves import Curve
    from reports.benchmarks.iopddl.rows import Row

NOTES: Final = (
    "Every better plan and every better bound of a run has a row in [iopddl_curves.csv](iopddl_curves.csv), with the "
    "time since the process began, reading included. 'rests on' says who vouches for it: `verify`, of the last plan, "
    "is `hypar-opt verify`; `graph`, of baselines, that the solver's plan was allowed and summed up anew on the graph "
    "as it was read when it came, which is part of the run's time; `search` is the word of the search, of our plans on "
    "the way and of all bounds. CP-SAT and HiGHS tell of plans and bounds by callbacks; toulbar2, whose Python module "
    "has none, by what it prints; CBC by its solution file, at its end.",
    "'first s' and '1 % s' are the times to a first plan and to one at most 1 % above the best known, which is the "
    "least of all costs confirmed here and published. The primal integral (T. Berthold, Measuring the impact of primal "
    "heuristics, Operations Research Letters 41(6), 2013) is that of the gap between the plan so far and the best "
    "known over time, from 0 to the limit: the gap is the difference of both costs over the larger of them, and 1 "
    "while there is no plan. It is in seconds; less is better, and a run without any plan has its whole limit. 'load' "
    "is how many processes wanted to run when the run began, an average of a minute: above 0.5 or so the machine's two "
    "cores were not the run's own.",
    "In the pictures plans are solid and bounds dashed, the first seed of each method; what is far from the best is "
    "not drawn.",
)


def best_known(instance: str, rows: Iterable[Row], curves: Iterable[Curve]) -> int | None:
    """Return the least cost that was confirmed here or is published; None where there is none."""
    costs = [int(row["cost"]) for row in rows if row["instance"] == instance and row["cost"]]
    of_it = [one for one in curves if one.instance == instance]
    costs += [plan.value for one in of_it for plan in one.plans if plan.rests_on != TOLD]  # a search's word is no proof
    known = published(instance).best
    return min([*costs, *([] if known is None else [known])], default=None)


def time_rows(rows: Sequence[Row], curves: Sequence[Curve]) -> list[dict[str, str]]:
    """Return a row a run whose improvements are known: how soon its plans were good."""
    found = []
    for one in curves:
        best = best_known(one.instance, rows, curves)
        integral = None if best is None else primal_integral(one.plans, best, one.limit_s)
        cells = {
            "instance": one.instance,
            "method": one.method,
            "seed": one.seed,
            "limit s": f"{one.limit_s:g}",
            "first s": _seconds(first_s(one.plans)),
            "1 % s": _seconds(None if best is None else near_s(one.plans, best)),
            "primal integral s": _seconds(integral),
            "cost": one.plans[-1].value if one.plans else None,
            "best known": best,
            "improvements": len(one.moves),
            "status": one.status,
            "load": f"{one.load:.1f}",
            "commit": one.commit,
        }
        found.append({name: "" if cell is None else str(cell) for name, cell in cells.items()})
    return found


def _seconds(value: float | Fraction | None) -> str | None:
    return None if value is None else f"{float(value):.2f}"


def drawn(folder: Path, curves: Sequence[Curve], methods: Sequence[str]) -> list[str]:
    """Draw the curves of every instance; return a line of Markdown for each picture.

    Parameters
    ----------
    methods
        Those that are drawn.
    """
    from hypar_opt.report.charts.anytime import anytime_figure
    from hypar_opt.report.charts.export import write_picture

    lines, objective = [], ObjectiveFunction("sum", {TOTAL: Fraction(1)})
    for name in dict.fromkeys(one.instance for one in curves):
        firsts: dict[str, Curve] = {}
        for one in curves:
            if one.instance == name and one.method in methods and one.moves:
                firsts.setdefault(one.method, one)
        if not firsts:
            continue
        courses = [curve.course(method) for method, curve in firsts.items()]
        figure = anytime_figure(courses, objective, name)
        path = folder / f"iopddl_{name}.svg"
        write_picture(figure, path)
        lines.append(f"![{figure.alternative}]({path.name})")
    return lines
