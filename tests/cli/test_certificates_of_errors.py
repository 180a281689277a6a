"""A plan that fails its recomputation gets no certificate."""

from __future__ import annotations

import pytest

from hypar_opt.costgraph import Duals
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.solution import Solution, Status


class Boasting:
    """Hands over sound prices, and claims a bound of more than its plan costs where it is told to."""

    name, summary = "boasting", "of a test"
    capabilities = Capabilities(exact=True, prices=True)

    def __init__(self, more: int) -> None:
        self.more = more

    def accepts(self, graph, run):
        return None

    def solve(self, graph, run):
        run.proof(Duals.zero(graph.tables))
        choices = tuple(0 for _ in graph.variables)
        return Solution(Status.FEASIBLE, choices, graph.value(choices) + self.more)


@pytest.fixture
def graph(tmp_path):
    (tmp_path / "pair.json").write_text(
        '{"problem": {"nodes": {"intervals": [[0, 0], [0, 0]], "costs": [[0, 3], [2, 0]], "usages": [[0, 0], [0, 0]]},'
        ' "edges": {"nodes": [[0, 1]], "costs": [[0, 9, 4, 0]]}}}'
    )
    return tmp_path / "pair.json"


@pytest.mark.parametrize(("more", "status"), [(0, "FEASIBLE"), (1, "ERROR")])
def test_only_a_plan_that_holds_gets_one(run, graph, plug_in, tmp_path, more, status):
    file = tmp_path / "evidence"
    ran = run("solve", graph, "-f", plug_in(Boasting(more)), "--no-presolve", "--certificate", file)
    assert ran.code == (1 if more else 0)
    assert status in ran.out
    assert ("no certificate is written, the plan is ERROR" in ran.err) is bool(more)
    assert file.exists() is not bool(more)
