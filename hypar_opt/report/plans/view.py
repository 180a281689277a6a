"""A plan on the terminal: the grid of layers and levels, where the bytes go, and the regrets."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from rich.table import Table
from rich.text import Text

from hypar_opt.aim import LEXICOGRAPHIC, PRODUCT
from hypar_opt.components import COMMUNICATION
from hypar_opt.plan_file import in_full
from hypar_opt.report.console import fits
from hypar_opt.report.gaps import gap
from hypar_opt.report.numbers import in_aim, in_bytes, in_component, in_seconds, share
from hypar_opt.report.plans.costs import cost_lines
from hypar_opt.report.plans.placement import show_levels, show_placement

if TYPE_CHECKING:
    from rich.console import Console

    from hypar_opt.boxes import Breakdown, Bytes
    from hypar_opt.explaining import Explanation, Regret
    from hypar_opt.network import WorkLayer
    from hypar_opt.plan import Plan
    from hypar_opt.problem import Problem

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
    _show_grid(console, problem, plan, breakdown, explanation)
    rest = len(problem.work.layers) - MOST_ROWS
    if rest > 0:
        console.print(f"... and {rest:,} more layers; write them to a file with -o")
    if plan.placement is not None:
        show_placement(console, problem, plan.placement)
        show_levels(console, problem, plan.placement, breakdown)
    else:
        console.print(_by_level(breakdown, problem.instance.levels))
    if explanation is not None:
        console.print(uniqueness(problem, explanation))


def headline(problem: Problem, plan: Plan) -> str:
    """Return what was found and what is proven of it."""
    what = "placement " if plan.decided == "placement" else ""
    lines = [f"{plan.instance}: {what}{plan.status} by {plan.formulation} in {in_seconds(plan.runtime_s)}"]
    if plan.native_status:
        lines[0] += f" ({plan.native_status})"
    if plan.communication_bytes is not None:
        exact = f"{in_full(plan.communication_bytes)} bytes"
        above = gap(problem.aim, plan)
        lines.append(f"communication {in_bytes(plan.communication_bytes)} ({exact}){'' if plan.costs else above}")
        if plan.costs:
            lines.append(f"objective {_objective(problem, plan)}{above}: {_weighed(problem)}")
            lines += cost_lines({name: cost for name, cost in plan.costs.items() if name != COMMUNICATION})
    if plan.strategies is not None and problem.memory is not None:
        kept = sum(problem.resident(plan.strategies).values(), start=Fraction(0))
        limit = Fraction(problem.memory.limit, problem.memory.unit)
        lines.append(f"memory {in_bytes(kept)} of {in_bytes(limit)} on each accelerator")
    if plan.note:
        lines.append(f"note: {plan.note}")
    return "\n".join(lines)


def _objective(problem: Problem, plan: Plan) -> str:
    """Return an objective's value; of one component before another, each of their values."""
    if problem.aim.kind == LEXICOGRAPHIC:
        return ", ".join(in_component(name, plan.costs[name]) for name in problem.aim.components)
    return amount(problem, plan.objective or Fraction(0))


def _weighed(problem: Problem) -> str:
    """Return what an objective weighs."""
    if problem.aim.kind != "sum":
        return {PRODUCT: " x "}.get(problem.aim.kind, ", then ").join(problem.aim.components)
    return " + ".join(
        name if weight == 1 else f"{in_full(weight)} {name}" for name, weight in problem.aim.weights.items() if weight
    )


def amount(problem: Problem, value: Fraction) -> str:
    """Return a value of the objective in the unit of what it weighs."""
    return in_aim(problem.aim, value)


def _show_grid(
    console: Console, problem: Problem, plan: Plan, breakdown: Breakdown, explanation: Explanation | None
) -> None:
    """Print the grid; where the terminal is too narrow, without the columns that matter least, and say so."""
    columns = _columns(problem, plan, breakdown, explanation)
    hidden = []
    for name in DISPENSABLE:
        if fits(console, table_of(columns)):
            break
        if name in columns:
            hidden.append(name)
            del columns[name]
    console.print(table_of(columns))
    if hidden:
        console.print(f"(too narrow for: {', '.join(reversed(hidden))})")


Columns: TypeAlias = "dict[str, list[str | Text]]"
"""By heading."""


def _columns(problem: Problem, plan: Plan, breakdown: Breakdown, explanation: Explanation | None) -> Columns:
    layers = problem.work.layers[:MOST_ROWS]
    before = inter_before(problem, breakdown)
    columns: Columns = {
        "layer": [layer.name for layer in layers],
        "kind": [_kind(layer) for layer in layers],
        "levels": [_word((plan.strategies or {})[layer.name]) for layer in layers],
        "intra": [in_bytes(sum(breakdown.intra[i])) for i in range(len(layers))],
        "inter before": [in_bytes(before[i]) for i in range(len(layers))],
    }
    if explanation is not None and not explanation.missing:
        regrets = [_regret(problem, explanation.regrets[layer.name]) for layer in layers]
        columns |= {"second best": [row[0] for row in regrets], "its regret": [row[1] for row in regrets]}
    return columns


def table_of(columns: Columns) -> Table:
    """Return a table whose numbers and short words are never folded or cut."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name, cells in columns.items():
        words = name in ("levels", "second best")
        widest = max((len(cell) for cell in (name, *cells)), default=0)
        long = words and widest > 2 * SPACED
        right = name in ("intra", "inter before", "its regret")
        table.add_column(
            name,
            justify="right" if right else "left",
            no_wrap=not long,
            overflow="fold",
            min_width=2 * SPACED if long else widest,
        )
    for row in zip(*columns.values(), strict=True):
        table.add_row(*row)
    return table


DISPENSABLE = ("inter before", "intra", "kind", "its regret", "second best")
"""Columns in the order in which a narrow terminal loses them."""


def inter_before(problem: Problem, breakdown: Breakdown) -> list[Bytes]:
    """Return for every layer the bytes of the boundaries that it reads."""
    totals: list[Bytes] = [0] * len(problem.work.layers)
    for edge, row in zip(problem.work.boundaries, breakdown.inter, strict=True):
        totals[edge.reader] += sum(row)
    return totals


def _kind(layer: WorkLayer) -> str:
    """Return a layer's kind; where its m splits groups, with their number."""
    return f"{layer.kind}, {layer.groups:,} groups" if layer.groups > 1 else layer.kind


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
    if problem.is_free:
        are = "costs more" if explanation.unique else "costs more, or as much where a regret is 0"
        return f"regrets are for this placement, by joint-dp: every other strategy of any layer {are}"
    if explanation.unique:
        return "by joint-dp's regrets the plan is the unique optimum: every other strategy of any layer costs more"
    return "by joint-dp's regrets the optimum is not unique: where one is 0, the layer can choose otherwise"
