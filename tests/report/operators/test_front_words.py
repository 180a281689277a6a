"""Points of a front whose plans do not say the same: nothing of an operator that keeps copies, as files have it."""

from __future__ import annotations

from fractions import Fraction
from io import StringIO

from rich.console import Console

from hypar_opt.formulation.solution import Status
from hypar_opt.report.front_tables import front_tables
from hypar_opt.report.pages.plans import front_points
from hypar_opt.report.pareto import show_front
from hypar_opt.solver.front import ParetoFront, TradeOff
from hypar_opt.solver.kept_words import all_said
from hypar_opt.solver.plan import Plan

COPIES = {"sum": "batch", "norm": "batch", "norm:kept": "shared copy"}
BARE = {"sum": "out", "norm": "batch"}


def front_of(*strategies):
    points = []
    for at, words in enumerate(strategies):
        costs = {"communication": Fraction(at), "time": Fraction(-at)}
        plan = Plan(
            "two", "", "joint-dp", Status.FEASIBLE, "", words, None, None, None, 0.1, 0, costs=costs, axes=("a",)
        )
        points.append(TradeOff(tuple(costs.values()), plan))
    return ParetoFront("two", "", {}, ("communication", "time"), tuple(points), True, "joint-dp", "done", "", 0.1)


def test_what_one_says_all_say():
    first, second = all_said((BARE, COPIES))
    assert list(first) == list(second) == ["sum", "norm", "norm:kept"]
    assert (first["norm:kept"], second["norm:kept"]) == ("copy copy", "shared copy")
    assert all_said((BARE, BARE)) == (BARE, BARE)


def test_a_front_is_shown_whichever_point_says_more():
    for strategies in ((BARE, COPIES), (COPIES, BARE)):
        front, console = front_of(*strategies), Console(file=StringIO(), width=200)
        show_front(console, front)
        assert "norm:kept" in console.file.getvalue()
        columns = [column.key for column in front_tables(front).data.columns]
        assert columns[-3:] == ["plan.sum", "plan.norm", "plan.norm:kept"]
        assert front_points(front, ["1", "2"], "two").points["plans"][1]["changes"].keys() == {0, 2}
