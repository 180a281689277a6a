"""Two plans of operators, and what each of their differences costs alone."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from hypar_opt.report.operators.changes import folded
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.solver.plan import write_plan
from hypar_opt.solver.solve import solve
from hypar_opt.studies.compare_plans import compare_plans
from hypar_opt.studies.operators.blocks import SMALL
from hypar_opt.util.errors import InputError
from tests.helpers import each


def compared(problem, tmp_path, *names):
    paths = [tmp_path / f"{name}.json" for name in names]
    for name, path in zip(names, paths, strict=True):
        write_plan(solve(problem, name), path)
    return compare_plans(*paths, problem)


@each("sizes", [{"gpu": 4}, {"node": 2, "gpu": 2}])
def test_each_change_costs_what_the_evaluator_says_and_all_add_up(sizes, tmp_path):
    problem = OperatorProblem(SMALL.instance(8, sizes))
    found = compared(problem, tmp_path, "joint-dp", "data-parallel")
    first, second = (claim.strategies for claim in found.claims)
    assert {one.name for one in found.changes} == {name for name in first if first[name] != second[name]}
    for one in found.changes:
        alone = problem.costs(problem.plan_of({**first, one.name: second[one.name]}))["communication"]
        assert one.more.bytes == alone - found.amounts[0].bytes
        assert one.levels == tuple(
            k for k, (a, b) in enumerate(zip(one.first.split(), one.second.split(), strict=True), 1) if a != b
        )
    assert sum(one.more.objective for one in found.changes) + found.interaction.objective == found.more.objective
    assert found.more.bytes == solve(problem, "data-parallel").communication_bytes - found.amounts[0].bytes
    assert (found.axes, sum(found.amounts[0].levels)) == (tuple(sizes), found.amounts[0].bytes)


def test_a_plan_does_not_differ_from_itself(tmp_path):
    problem = OperatorProblem(SMALL.instance(8, {"gpu": 2}))
    found = compared(problem, tmp_path, "joint-dp", "joint-dp")
    assert (found.changes, found.more.bytes, found.things["operator"]) == ((), 0, 12)


def test_plans_under_a_bound_and_without_it_say_whether_they_are_each_others(tmp_path):
    free = SMALL.instance(8, {"gpu": 4})
    bound = free.replace(at_most={"communication": "1000000"})
    paths = [tmp_path / "bound.json", tmp_path / "free.json"]
    write_plan(solve(bound, "joint-dp"), paths[0])
    write_plan(solve(free, "data-parallel"), paths[1])
    found = compare_plans(*paths, free)
    assert [one.field for one in found.differing] == ["subject_to.communication"]
    assert found.faults == ("", "exceeds the bound on communication")


def test_a_plan_that_is_not_allowed_is_not_compared(tmp_path):
    problem = OperatorProblem(SMALL.instance(8, {"gpu": 4}))
    write_plan(solve(problem, "joint-dp"), tmp_path / "a.json")
    text = (tmp_path / "a.json").read_text()
    (tmp_path / "b.json").write_text(text.replace('"down": "', '"down": "x'))
    with pytest.raises(InputError, match="'down' has 'x"):
        compare_plans(tmp_path / "a.json", tmp_path / "b.json", problem)


def test_equal_changes_in_neighbouring_blocks_share_a_row_with_their_sum(tmp_path):
    from tests.cli.test_operator_commands import REPEATED

    (tmp_path / "chain.yaml").write_text(REPEATED)
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    from hypar_opt.instance import load

    write_plan(solve(load(tmp_path / "chain.yaml"), "data-parallel"), paths[0])
    write_plan(solve(load(tmp_path / "chain.yaml"), "megatron"), paths[1])
    found = compare_plans(*paths, tmp_path / "chain.yaml")
    rows = folded(found)
    assert len(rows) < len(found.changes)
    assert any(" to h." in one.name for one in rows)
    total = sum((one.more.objective for one in found.changes), start=Fraction(0))
    assert sum((one.more.objective for one in rows), start=Fraction(0)) == total


def test_blocks_that_run_once_more_are_told_apart_from_what_is_kept(tmp_path):
    """A plan that says nothing of an operator has it keep copies, which is said where the other's does not."""
    from tests.solver.test_operator_recompute import instance

    free = OperatorProblem(instance(10**6, recompute="choose", choices=["batch"]))
    plan = solve(free, "joint-dp")
    bare = {name: word for name, word in plan.strategies.items() if not name.endswith(":kept")}
    again = {f"h.{n}:recompute": "yes" for n in range(3)}
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    for path, more in zip(paths, (again, {"h.0:recompute": "yes", "h.0.norm:kept": "shared"}), strict=True):
        write_plan(replace(plan, strategies={**bare, **more}), path)
    found = compare_plans(*paths, free)
    assert {one.name: (one.kind, one.first, one.second) for one in folded(found)} == {
        "h.1 to h.2: recompute": ("block", "yes", "no"),
        "h.0.norm:kept": ("kept", "copy", "shared"),
    }
