"""How long plans of networks of many equal blocks take: eliminated until they repeat, one by one, and by MILPs."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from formulations.joint_dp.buckets import EliminationResult
from hypar_opt.cost.operators import CompiledOperators, OperatorModel
from hypar_opt.costgraph import Objective
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import load
from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.solver.check import undecoded
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.solver.operator_tasks import OperatorTask
from reports.benchmarks.linearisations import textbook_highs
from reports.benchmarks.protocol import median, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.costgraph import CostGraph

T = TypeVar("T")
CASES = (
    ("gpt2-block", 10, (2, 4)),
    ("gpt2-block", 100, (2, 4)),
    ("gpt2-block", 1000, (2, 4)),
    ("gpt2-small", 12, (2, 4)),
    ("llama-3-8b", 32, (2, 4)),
    ("llama-3-8b", 32, (8, 8)),
)
"""Instance, blocks, and axes."""
BOUNDED = (("llama-3-8b", 32, (8, 8), 200),)
"""The same, and gigabytes of each device."""
RUNS = 3
LIMIT_S = 20.0
CAPACITY_LIMIT_S = 600.0
TEXTBOOK_LIMIT_S = 120.0
MOST_VARIABLES = 250
"""For which MILPs are tried."""
MOST_PRODUCTS = 100_000
"""For which the textbook's is."""
MATRIX_BYTES = {"column": 8 + 8 + 8 + 4 + 1, "row": 8 + 8, "entry": 8 + 4}
"""Of a MILP as HiGHS keeps it before it begins: cost, bounds, start and kind of a column, bounds of a row, numbers."""
TITLE = "Seconds to a proven plan: networks of equal blocks"
NOTES = (
    "Seconds of the processor, so that what else runs on the machine does not count: reading, compiling, `joint-dp` "
    "with blocks that are alike eliminated until they repeat, the same elimination of all variables, and the recount "
    f"of the plan's bytes by device; the first three are medians of {RUNS}. Both are asserted to cost the same; "
    "`-`: the sum of all costs needs more than 64 bits, and the elimination of all variables long numbers.",
    f"`milp-highs`: seconds of the clock, two workers, a limit of {LIMIT_S:.0f} s; that its optimum is the same is "
    "asserted, behind `>` it was stopped by the limit, with the gap that was left. `products`: pairs of strategies "
    "with a cost, each a column and a row in the textbook's MILP beside a Boolean a strategy and a row a variable; "
    "`megabytes`: of that as a sparse matrix, before anybody solves it; `textbook`: HiGHS on it, two workers, a limit "
    f"of {TEXTBOOK_LIMIT_S:.0f} s of the clock. `-`: not tried, more than {MOST_VARIABLES:,} variables or "
    f"{MOST_PRODUCTS:,} products.",
    "Under a capacity: a plan may take so many gigabytes of each device, parameters kept whole or by ZeRO-1 or 3, two "
    f"numbers of the optimiser for each; one run, a limit of {CAPACITY_LIMIT_S:.0f} s of the clock.",
    "Seconds of the clock are of a machine that has other work as well; processor seconds are not.",
)


def run() -> None:
    """Measure all cases."""
    write("operators", TITLE, [*(_row(*case) for case in CASES), *(_bounded(*case) for case in BOUNDED)], NOTES)


def instance(name: str, blocks: int, axes: tuple[int, ...]) -> OperatorInstance:
    """Return a shipped instance with so many blocks, on other axes."""
    loaded = load(name)
    if not isinstance(loaded, OperatorInstance):
        raise TypeError(f"{name} is no instance of operators")
    document = loaded.to_dict()
    layers = document["network"]["layers"]
    if not any("repeat" in layer for layer in layers):
        for layer in layers:
            layer["inputs"] = ["block" if one == "input" else one for one in layer.get("inputs", [])] or None
        inner = [{key: value for key, value in layer.items() if value is not None} for layer in layers]
        document["network"]["layers"] = [{"name": "h", "repeat": {"times": 0, "layers": inner}}]
    for layer in document["network"]["layers"]:
        if "repeat" in layer:
            layer["repeat"]["times"] = blocks
    document["array"]["axes"] = [{"name": f"axis_{i}", "size": size} for i, size in enumerate(axes)]
    return OperatorInstance.from_dict(document)


def _row(name: str, blocks: int, axes: tuple[int, ...]) -> dict[str, Any]:
    read_s, given = _timed(lambda: instance(name, blocks, axes))
    compile_s, problem = _timed(lambda: _compiled(given))
    graph = problem.graph
    joint, alone = load_formulation("joint-dp"), Run("joint-dp", Limits(workers=1))
    folded_s, solution = _timed(lambda: joint.solve(graph, alone))
    unfolded = "-"
    if solution.choices is None or solution.bound != graph.value(solution.choices):
        raise AssertionError(f"{name}, {blocks} blocks: the plan costs something else")
    if graph.dtype is not object:
        unfolded_s, plain = _timed(lambda: EliminationResult.of(graph, alone), 1)
        unfolded = f"{unfolded_s:.3f}"
        if plain is None or plain.value != solution.bound:
            raise AssertionError(f"{name}, {blocks} blocks: blocks by themselves cost something else")
    task = OperatorTask(problem)
    plan = undecoded(problem, joint, solution, 0, folded_s, task)
    counted_s, (_, fault) = _timed(lambda: task.evaluated(solution.choices or (), plan), 1)
    if fault is not None:
        raise AssertionError(f"{name}, {blocks} blocks: {fault}")
    products = sum(int((cost.dense(object) != 0).sum()) for cost in graph.edge_costs.values())
    return {
        "network": name, "blocks": blocks, "axes": " x ".join(map(str, axes)), "operators": len(given.graph.operators),
        "variables": len(graph.variables), "read": f"{read_s:.2f}", "compile": f"{compile_s:.2f}",
        "joint-dp": f"{folded_s:.3f}", "all variables": unfolded, "recount": f"{counted_s:.2f}",
        "gigabytes": f"{solution.bound / task.unit / 1e9:.6g}" if solution.bound else None,
        "milp-highs": _milp(graph, solution.bound), "products": products,
        "megabytes": f"{_matrix_bytes(graph, products) / 1e6:.4g}",
        "textbook": _textbook(graph, products, solution.bound),
    }  # fmt: skip


def _bounded(name: str, blocks: int, axes: tuple[int, ...], gigabytes: int) -> dict[str, Any]:
    given = instance(name, blocks, axes)
    model = OperatorModel(
        given.partition, None, True, ("replicated", "zero-1", "zero-3"), Fraction(gigabytes * 10**9), states=2
    )
    graph = CompiledOperators(given.graph, model, Objective({"communication": Fraction(1)})).costgraph
    run = Run("joint-dp", Limits(workers=1).within(CAPACITY_LIMIT_S))
    seconds, found = _timed(lambda: load_formulation("joint-dp").solve(graph, run), 1)
    value = None if found.choices is None else graph.value(found.choices)
    return {
        "network": name, "blocks": blocks, "axes": " x ".join(map(str, axes)), "capacity": f"{gigabytes} GB",
        "operators": len(given.graph.operators), "variables": len(graph.variables), "joint-dp": f"{seconds:.3f}",
        "gigabytes": None if value is None else f"{value / given.devices / 1e9:.6g}", "status": str(found.status),
        "gap": None if not value or found.bound is None else f"{(value - found.bound) / value:.2%}",
    }  # fmt: skip


def _compiled(given: OperatorInstance) -> OperatorProblem:
    problem = OperatorProblem(given)
    _ = problem.graph.edge_costs, problem.graph.unary_costs, problem.graph.upper
    return problem


def _timed(call: Callable[[], T], runs: int = RUNS) -> tuple[float, T]:
    seconds = []
    for _ in range(runs):
        began = time.process_time()
        found = call()
        seconds.append(time.process_time() - began)
    return median(seconds), found


def _milp(graph: CostGraph, optimum: int | None) -> str | None:
    if len(graph.variables) > MOST_VARIABLES:
        return None
    began = time.perf_counter()
    found = load_formulation("milp-highs").solve(graph, Run("milp-highs", Limits().within(LIMIT_S)))
    if found.status is Status.OPTIMAL and found.bound != optimum:
        raise AssertionError(f"milp-highs says {found.bound}, joint-dp {optimum}")
    value = None if found.choices is None else graph.value(found.choices)
    return _cell(found.status, value, found.bound, time.perf_counter() - began)


def _textbook(graph: CostGraph, products: int, optimum: int | None) -> str | None:
    if products > MOST_PRODUCTS:
        return None
    status, value, bound, seconds = textbook_highs(graph, TEXTBOOK_LIMIT_S)
    if status is Status.OPTIMAL and bound != optimum:
        raise AssertionError(f"the textbook's MILP says {bound}, joint-dp {optimum}")
    return _cell(status, value, bound, seconds, TEXTBOOK_LIMIT_S)


def _matrix_bytes(graph: CostGraph, products: int) -> int:
    """Return what the textbook's MILP takes: each value is in one row, each product in one with its two values."""
    values = sum(graph.sizes)
    counts = {"column": values + products, "row": len(graph.sizes) + products, "entry": values + 3 * products}
    return sum(MATRIX_BYTES[name] * count for name, count in counts.items())


def _cell(status: Status, value: int | None, bound: int | None, seconds: float, limit_s: float = LIMIT_S) -> str:
    if status is Status.OPTIMAL:
        return f"{seconds:.2f}"
    gap = 1.0 if not value or bound is None else (value - max(bound, 0)) / value
    return f"> {limit_s:.0f} ({gap:.0%})"
