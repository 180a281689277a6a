"""Words that are given of placements: read, kept to, priced, and refused with the nearest name."""

from __future__ import annotations

from pathlib import Path

import pytest

from hypar_opt import solve
from hypar_opt.instance import load
from hypar_opt.instance.operators.given import Givable
from hypar_opt.solver.given_price import with_price
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.util.errors import InputError

BLOCK = Path(__file__).parent / "block.yaml"
LAYERS = """        - {name: fc, linear: {features: 8}}
        - {name: relu, activation: {}}
        - {name: sum, inputs: [block, relu], add: {}}
"""
CHAIN = f"""schema: hypar-opt/instance/1
name: chain
batch: 8
network:
  input: {{features: 8}}
  layers:
  - {{name: first, linear: {{features: 8}}}}
  - name: h
    repeat:
      times: 3
      layers:
{LAYERS}array: {{axes: [{{name: node, size: 2}}, {{name: gpu, size: 2}}]}}
fix: {{'h.0.sum:forward': . whole, 'h.*:gradient': features .}}
"""


def test_patterns_stand_for_placements_only_where_they_end_so():
    givable = Givable.of(load(BLOCK).graph, None)
    assert "norm1" in givable.matched("*")
    assert not any(":" in name for name in givable.matched("*"))
    ends = {name.rpartition(":")[2] for name in givable.matched("*:gradient")}
    assert ends == {"gradient"}
    assert givable.matched("norm1:forward") == ("norm1:forward",)
    assert givable["add1:gradient"].entries[-2:] == ("whole", "partial")


@pytest.mark.parametrize("formulation", ["joint-dp", "milp-highs"])
def test_blocks_that_are_alike_but_for_what_is_given_are_solved_exactly(tmp_path, formulation):
    (tmp_path / "chain.yaml").write_text(CHAIN)
    instance = load(tmp_path / "chain.yaml")
    assert instance.fix["h.0.sum:forward"] == (None, "whole")
    assert instance.fix["h.1.sum:gradient"] == ("features", None)
    plan = solve(instance, formulation)
    assert plan.strategies["h.0.sum:forward"].split()[1] == "whole"
    assert plan.strategies["h.1.sum:gradient"].split()[0] == "features"
    best = min(
        solve(instance.replace(fix={"first": word}), "joint-dp").objective
        for word in (
            "batch batch",
            "batch out",
            "batch in",
            "out batch",
            "in batch",
            "out out",
            "in in",
            "out in",
            "in out",
        )
    )
    assert plan.objective == best
    free = solve(instance.without_fix(), formulation)
    assert with_price(instance, plan).price_of_fix == plan.objective - free.objective >= 0


def test_a_plan_that_keeps_its_own_placements_costs_nothing_more():
    problem = OperatorProblem(load(BLOCK))
    plan = solve(problem, "joint-dp")
    given = {name: word for name, word in plan.strategies.items() if ":" in name}
    assert solve(load(BLOCK, fix=given), "joint-dp").objective == plan.objective


@pytest.mark.parametrize(
    ("pattern", "word", "said"),
    [
        ("norm1:forwrd", "batch batch", "is no operator; did you mean 'norm1:forward'?"),
        ("norm3:forward", "batch batch", "no placement of a tensor that several operators read; did you mean 'norm"),
        ("zz*:gradient", "batch batch", "matches no placement of a tensor that several operators read; the nearest is"),
        ("up:forward", "batch batch", "'up' has no placement of its own, for fewer than two operands read it"),
        ("norm1:forward", "partial .", "expected one of batch, sequence, features, whole for 'norm1:forward', or ."),
        ("add1:gradient", "partal .", "did you mean 'partial'?"),
        ("norm1:gradient", "batch .", "'norm1' has no gradient that could lie anywhere"),
        ("norm1:forward", "batch", "expected 2 entries with spaces between"),
    ],
)
def test_what_cannot_be_given_is_refused(pattern, word, said):
    with pytest.raises(InputError, match="fix") as caught:
        load(BLOCK, fix={pattern: word})
    assert said in caught.value.message


@pytest.mark.parametrize(
    ("axes", "choices", "said"),
    [
        ("gpu=5", None, "it divides batch into 1, 2, 4 or 8"),
        (
            "gpu=8",
            "heads",
            "it divides heads into 1, 2 or 4; try axes of such sizes, or --choices with batch or",
        ),
    ],
)
def test_an_operator_without_a_word_says_what_divides(axes, choices, said):
    with pytest.raises(InputError) as caught:
        OperatorProblem(load(BLOCK, axes=axes, **({"choices": choices} if choices else {}))).graph  # noqa: B018 - compiled
    assert said in caught.value.message
