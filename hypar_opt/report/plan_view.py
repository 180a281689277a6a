"""A plan on the terminal: the grid of layers and levels, where the bytes go, and the regrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from hypar_opt.cost import COMMUNICATION
from hypar_opt.plan import Status
from hypar_opt.report.numbers import in_bytes, in_seconds, share

if TYPE_CHECKING:
    from fractions import Fraction

    from rich.console import Console

    from hypar_opt.explaining import Explanation, Regret
    from hypar_opt.plan import Plan
    from hypar_opt.problem import Problem
    from hypar_opt.verify import Breakdown

STYLES = {"d": "cyan", "m": "bold yellow", "o": "bold magenta"}
MOST_ROWS = 200
SPACED = 8
"""Words of up to so many levels are shown with spaces."""


def show_plan(console: Console, problem: Problem, plan: Plan, explanation: Explanation | None) -> None:
    """Print a plan; with an explanation, beside it where its bytes go and what other strategies cost."""
    console.print(headline(problem, plan))
    if plan.strategies is None:
        return
    breakdown = problem.bytes_of(plan.strategies)
    console.print(_grid(problem, plan, breakdown, explanation))
    rest = len(problem.work.layers) - MOST_ROWS
    if rest > 0:
        console.print(f"... and {rest:,} more layers; write them to a file with -o")
    console.print(_by_level(breakdown, problem.instance.levels))
    if explanation is not None:
        console.print(uniqueness(problem, explanation))


def headline(problem: Problem, plan: Plan) -> str:
    """Return what was found and what is proven of it."""
    lines = [f"{plan.instance}: {plan.status} by {plan.formulation} in {in_seconds(plan.runtime_s)}"]
    if plan.native_status:
        lines[0] += f" ({plan.native_status})"
    if plan.communication_bytes is not None:
        exact = f"{plan.communication_bytes:,} bytes"
        lines.append(f"communication {in_bytes(plan.communication_bytes)} ({exact}){_gap(problem, plan)}")
    if plan.note:
        lines.append(f"note: {plan.note}")
    return "\n".join(lines)


def _gap(problem: Problem, plan: Plan) -> str:
    if plan.status is not Status.FEASIBLE or plan.objective is None:
        return ""
    if plan.bound is None:
        return ", no bound known"
    gap = f", {float((plan.objective - plan.bound) / plan.objective):.3%} above" if plan.objective else ","
    return f"{gap} the proven bound {amount(problem, plan.bound)}"


def amount(problem: Problem, value: Fraction) -> str:
    """Return a value of the objective as the bytes that it stands for."""
    return in_bytes(value / problem.instance.objective[COMMUNICATION])


def _grid(problem: Problem, plan: Plan, breakdown: Breakdown, explanation: Explanation | None) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("layer", no_wrap=True)
    table.add_column("kind")
    levels = problem.instance.levels
    table.add_column(f"levels 1..{levels}" if levels else "no levels", overflow="fold")
    for name in ("intra", "inter before"):
        table.add_column(name, justify="right", no_wrap=True)
    with_regrets = explanation is not None and not explanation.missing
    if with_regrets:
        table.add_column("second best", overflow="fold")
        table.add_column("its regret", justify="right", no_wrap=True)
    before = inter_before(problem, breakdown)
    for i, layer in enumerate(problem.work.layers[:MOST_ROWS]):
        word = (plan.strategies or {})[layer.name]
        row: list[str | Text] = [
            layer.name,
            layer.kind,
            _word(word),
            in_bytes(sum(breakdown.intra[i])),
            in_bytes(before[i]),
        ]
        if explanation is not None and with_regrets:
            row += _regret(problem, explanation.regrets[layer.name])
        table.add_row(*row)
    return table


def inter_before(problem: Problem, breakdown: Breakdown) -> list[int]:
    """Return for every layer the bytes of the boundaries that it reads."""
    totals = [0] * len(problem.work.layers)
    for edge, row in zip(problem.work.boundaries, breakdown.inter, strict=True):
        totals[edge.reader] += sum(row)
    return totals


def _word(word: str) -> Text:
    text = Text()
    for letter in word:
        text.append(letter + (" " if len(word) <= SPACED else ""), style=STYLES.get(letter, ""))
    return text


def _regret(problem: Problem, regret: Regret | None) -> list[Text | str]:
    if regret is None:
        return ["none allowed", ""]
    sign = "+" if regret.cost > 0 else ""
    return [_word(regret.second_best), f"{sign}{amount(problem, regret.cost)}"]


def _by_level(breakdown: Breakdown, levels: int) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("level", "groups split", "bytes", "share"):
        table.add_column(name, justify="right")
    for h in range(levels):
        count = breakdown.level(h)
        table.add_row(str(h + 1), f"{2**h:,}", in_bytes(count), share(count, breakdown.total))
    return table


def uniqueness(problem: Problem, explanation: Explanation) -> str:
    """Return what the regrets, which come from joint-dp, say of the plan as a whole."""
    if explanation.missing:
        return f"no regrets: {explanation.missing}"
    costs = [regret.cost for regret in explanation.regrets.values() if regret is not None]
    if costs and min(costs) < 0:
        return f"not optimal: joint-dp knows a plan that saves {amount(problem, -min(costs))}"
    if explanation.unique:
        return "by joint-dp's regrets the plan is the unique optimum: every other strategy of any layer costs more"
    return "by joint-dp's regrets the optimum is not unique: where one is 0, the layer can choose otherwise"
