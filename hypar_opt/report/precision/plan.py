"""Plans with bits on the terminal: what every layer sends of every tensor, in how many bits, and the error of that."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.report.console import show_folded
from hypar_opt.report.numbers import in_bytes, in_component, share
from hypar_opt.report.objective import objective_line
from hypar_opt.report.plan_costs import cost_lines
from hypar_opt.report.strategy_graph import found_line
from hypar_opt.solver.plan import plan_document
from hypar_opt.util.numbers import amount, exact, in_full

if TYPE_CHECKING:
    from rich.console import Console

    from hypar_opt.evaluation.precision import JudgedPrecision
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.precision_problem import PrecisionProblem
    from hypar_opt.studies.regrets import Explanation

NONE = "-"
"""In the place of what is not there."""


def show_precision_plan(
    console: Console,
    problem: PrecisionProblem,
    plan: Plan,
    explanation: Explanation | None = None,
    every_row: bool = False,
) -> None:
    """Print what was found, a row a layer, and a row a tensor that is sent."""
    console.print(headline(problem, plan))
    if plan.strategies is not None:
        judged = problem.judged(plan.strategies)
        show_folded(console, layer_rows(judged))
        if judged.tensors:  # nothing is sent by a single accelerator
            show_folded(console, tensor_rows(judged))


def headline(problem: PrecisionProblem, plan: Plan) -> str:
    """Return what was found, what is proven of it, and what the bits save."""
    lines = [found_line(plan)]
    if plan.strategies is not None:
        judged = problem.judged(plan.strategies)
        sent, whole = judged.breakdown.total, judged.in_full.total
        text = f"communication {in_bytes(sent)} ({in_full(sent)} bytes), {share(sent, whole)} of these words' in full"
        lines += [text, objective_line(problem, plan)]
        lines += cost_lines({name: cost for name, cost in plan.costs.items() if name != COMMUNICATION})
        if judged.packing_s:
            lines.append(f"packing {in_component('time', judged.packing_s)} of the computing")
    if plan.note:
        lines.append(f"note: {plan.note}")
    return "\n".join(lines)


def layer_rows(judged: JudgedPrecision) -> list[dict[str, str]]:
    """Return a row a layer: its letters, its bits as they were chosen, and their error."""
    return [
        {
            "layer": name,
            "levels": " ".join(entry.word),
            "bits": bits_text(judged, name),
            "error": amount(judged.errors[name]) if entry.bits else NONE,
        }
        for name, entry in judged.entries.items()
    ]


def bits_text(judged: JudgedPrecision, layer: str) -> str:
    """Return what a layer chose, as `gradient 8, error 16`."""
    return ", ".join(f"{name} {count}" for name, count in judged.entries[layer].bits.items()) or NONE


def tensor_rows(judged: JudgedPrecision) -> list[dict[str, str]]:
    """Return a row for every tensor that a layer sends."""
    return [
        {
            "layer": one.layer,
            "sends": one.tensor,
            "bits": str(one.bits),
            "in full": in_bytes(one.whole_bytes),
            "sent": in_bytes(one.sent_bytes),
        }
        for one in judged.tensors
    ]


def precision_plan_document(problem: PrecisionProblem, plan: Plan) -> dict[str, Any]:
    """Return a plan's file with what every layer sends, in exact numbers."""
    document = plan_document(plan)
    if plan.strategies is None:
        return document
    judged = problem.judged(plan.strategies)
    tensors = [
        {
            "layer": one.layer,
            "tensor": one.tensor,
            "bits": one.bits,
            "whole_bytes": exact(Fraction(one.whole_bytes)),
            "sent_bytes": exact(Fraction(one.sent_bytes)),
        }
        for one in judged.tensors
    ]
    errors = {name: exact(one) for name, one in judged.errors.items()}
    return document | {"tensors": tensors, "errors": errors, "packing_s": exact(judged.packing_s)}
