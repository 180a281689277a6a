"""Strategy graphs of meta-pytorch/autoparallel's optimiser as files that hypar-opt solves, and its plans as placements.

One file, which needs nothing but Python. Where autoparallel is installed, before its own solver is called:

    write_problem(autop.sharding_optimizer, "problem.json", "names.json")

Then, anywhere: `hypar-opt solve problem.json -o plan.json`, and

    python autoparallel.py names.json plan.json placements.json

writes what `ShardingOptimizer.load_placements` reads, or `load_solution` where it is called so. In the process that
has the optimiser, `solution(optimizer, "names.json", "plan.json")` is what its `get_solution` would have returned.
`docs/autoparallel.md` says what becomes of what, and which releases were tried.
"""

from __future__ import annotations

import json
import math
import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FORBIDDEN: Final = 10**18
"""A cost that no plan may have."""
SCALE: Final = 1000
"""By how much costs are multiplied to be whole: those of autoparallel are microseconds."""
PARTS: Final = 10**9
"""By how much shares of parameters are multiplied to be whole; bytes are as they are."""
READ: Final = ("cluster_links", "decision_vars", "mesh", "node_map", "nodes", "prob", "pulp_variables", "strats")
"""What is read of an optimiser, besides its methods `walk_over_options` and `_all_input_nodes`."""
STRUCTURE: Final = ("unique_decision", "same_across_args", "output_input_consistent")
"""Names of constraints that say what a choice is, as nodes and edges do."""
MEMORY: Final = ("memory_constraint_high", "memory_constraint_low")


def write_problem(optimizer: Any, problem: str, names: str, scale: int = SCALE) -> None:
    """Write the strategy graph of an optimiser, and a file with the names of its nodes and strategies.

    Parameters
    ----------
    optimizer
        A `ShardingOptimizer` with all its constraints.
    problem, names
        Paths.
    scale
        What costs are multiplied by before they are rounded.

    Raises
    ------
    ValueError
        If it is of a release with other attributes, was built without its integer programme, or has a constraint that
        strategy graphs cannot say; nothing is written then.
    """
    graph = StrategyGraph(optimizer, scale)
    texts = {problem: graph.problem(), names: graph.names()}
    for path, document in texts.items():
        Path(path).write_text(json.dumps(document) + "\n", encoding="utf-8")


class StrategyGraph:
    """The strategy graph of an optimiser: a node for each of its nodes but those that are linked to another.

    Parameters
    ----------
    optimizer, scale
        As `write_problem` takes them.
    """

    def __init__(self, optimizer: Any, scale: int = SCALE) -> None:
        check(optimizer)
        self.optimizer, self.scale = optimizer, scale
        roots = dict(_nodes(linked, root) for linked, root in optimizer.cluster_links.items())
        self.nodes = [place for place, node in enumerate(optimizer.nodes) if node.op != "output"]
        self.root = {place: roots.get(place, place) for place in self.nodes}
        kept = [place for place in self.nodes if self.root[place] == place]
        self.number = {place: number for number, place in enumerate(kept)}
        self.costs = {place: [0] * self._strategies(place) for place in kept}
        self.edges: dict[tuple[int, int], list[int]] = {}
        self.usages = {place: [0] * self._strategies(place) for place in kept}
        self.limit: int | None = None
        self.least: int | None = None
        self.parts = 1
        self._key = {variable.name: key for key, variable in optimizer.pulp_variables.items()}
        self._add_costs()
        self._add_links()
        if hasattr(optimizer, "_apply_memory_constraint"):
            optimizer._apply_memory_constraint()  # of releases that add it when they solve
        for name, constraint in optimizer.prob.constraints.items():
            if not name.startswith(STRUCTURE):
                self._add_constraint(name, constraint)

    def problem(self) -> dict[str, Any]:
        """Return the file that is solved."""
        found: dict[str, Any] = {
            "name": f"autoparallel, costs in 1/{self.scale}",
            "nodes": {
                "intervals": [[0, int(any(usages))] for usages in self.usages.values()],
                "costs": list(self.costs.values()),
                "usages": list(self.usages.values()),
            },
            "edges": {
                "nodes": [[self.number[one], self.number[other]] for one, other in self.edges],
                "costs": list(self.edges.values()),
            },
        }
        if self.limit is not None:
            found["usage_limit"] = self.limit
        return {"problem": found}

    def names(self) -> dict[str, Any]:
        """Return what nodes and strategies are called, and what the file cannot say."""
        mesh = self.optimizer.mesh
        return {
            "version": 2 if hasattr(self.optimizer, "load_placements") else 1,
            "mesh_shape": list(mesh.shape),
            "mesh_dim_names": list(mesh.mesh_dim_names) if mesh.mesh_dim_names else None,
            "least_usage": self.least,
            "usages": list(self.usages.values()),
            "nodes": [
                {
                    "name": self.optimizer.nodes[place].name,
                    "number": self.number[self.root[place]],
                    "strategies": [
                        {"output": shown(one.output_specs), "inputs": [shown(spec) for spec in one.input_specs or ()]}
                        for one in self.optimizer.strats[self.optimizer.nodes[place]].strategies
                    ],
                }
                for place in self.nodes
            ],
        }

    def _strategies(self, place: int) -> int:
        return len(self.optimizer.strats[self.optimizer.nodes[place]].strategies)

    def _producers(self, place: int) -> list[int]:
        return [self.optimizer.node_map[one] for one in self.optimizer._all_input_nodes(self.optimizer.nodes[place])]

    def _add_costs(self) -> None:
        """Add what each choice costs: of nodes that read nothing to the node, of others to the edge to what is read."""
        for place in self.nodes:
            producers = self._producers(place)
            for argument, output, read in self.optimizer.walk_over_options(self.optimizer.nodes[place]):
                found = self.optimizer.decision_vars.get((self.root[place], argument, output, read))
                cost = self._whole(
                    math.inf if found is None else found.cost
                )  # some releases leave out what is infinite
                if producers:
                    self._add_entry(producers[argument], read, place, output, cost)
                elif read == 0:
                    self._add(self.costs[self.root[place]], output, cost)

    def _add_links(self) -> None:
        """Have what a linked node reads lie as what its root reads, as it is one choice."""
        for place in self.nodes:
            for own, other in zip(self._producers(place), self._producers(self.root[place]), strict=True):
                one, two = self.root[own], self.root[other]
                if one != two:
                    for left, right in product(range(self._strategies(one)), range(self._strategies(two))):
                        if left != right:
                            self._add_entry(one, left, two, right, FORBIDDEN)

    def _whole(self, cost: float) -> int:
        return round(cost * self.scale) if math.isfinite(cost) else FORBIDDEN

    def _add_entry(self, producer: int, read: int, place: int, output: int, cost: int) -> None:
        pair = (self.root[producer], self.root[place])
        width = self._strategies(pair[1])
        costs = self.edges.setdefault(pair, [0] * (self._strategies(pair[0]) * width))
        self._add(costs, read * width + output, cost)

    @staticmethod
    def _add(costs: list[int], place: int, cost: int) -> None:
        costs[place] = FORBIDDEN if FORBIDDEN in (cost, costs[place]) else costs[place] + cost

    def _add_constraint(self, name: str, constraint: Any) -> None:
        """Add what a user's constraint says.

        Raises
        ------
        ValueError
            If it is of a form that is not known.
        """
        terms = [(self._key[variable.name], factor) for variable, factor in constraint.items()]
        if not terms:
            return  # of two nodes that are one by their links
        if name in MEMORY:
            self._add_memory(name, terms, -constraint.constant)
            return
        factors, right = {factor for _, factor in terms}, -constraint.constant
        if constraint.sense != 0 or not factors <= {1, -1}:
            raise ValueError(f"the constraint {name!r} is of a form that strategy graphs cannot say: {constraint}")
        if right == 0 and len(factors) == 1:
            for key, _ in terms:
                self._forbid(key)
        elif right == 1 and factors == {1} and len({key[0] for key, _ in terms}) == 1:
            self._allow_only(terms[0][0][0], {key[2] for key, _ in terms})
        elif right == 0:
            self._pair(*({(key[0], key[2]) for key, factor in terms if factor == sign} for sign in (1, -1)), name)
        else:
            raise ValueError(f"the constraint {name!r} is of a form that strategy graphs cannot say: {constraint}")

    def _forbid(self, key: tuple[int, int, int, int]) -> None:
        place, argument, output, read = key
        for one in (one for one in self.nodes if self.root[one] == place):
            producers = self._producers(one)
            if producers:
                self._add_entry(producers[argument], read, one, output, FORBIDDEN)
            else:
                self.costs[place][output] = FORBIDDEN

    def _allow_only(self, place: int, outputs: set[int]) -> None:
        for output in range(len(self.costs[place])):
            if output not in outputs:
                self.costs[place][output] = FORBIDDEN

    def _pair(self, one: set[tuple[int, int]], other: set[tuple[int, int]], name: str) -> None:
        """Forbid that one of two nodes has a strategy and the other has not the one that goes with it."""
        places = {place for place, _ in one}, {place for place, _ in other}
        if any(len(found) != 1 for found in places):
            raise ValueError(f"the constraint {name!r} is of more than two nodes")
        (first,), (second,) = places
        if first == second:
            raise ValueError(f"the constraint {name!r} pairs strategies of one node")
        mine, its = {output for _, output in one}, {output for _, output in other}
        for left, right in product(range(self._strategies(first)), range(self._strategies(second))):
            if (left in mine) != (right in its):
                self._add_entry(first, left, second, right, FORBIDDEN)

    def _add_memory(self, name: str, terms: Iterable[tuple[tuple[int, int, int, int], float]], bound: float) -> None:
        """Add what parameters take: shares of them in parts, to the nearest, or bytes.

        Sums of rounded shares may be above or below the bound by half a part for each node; a plan that keeps the bound
        is never refused, and one that is let through is above it by less than what CBC tolerates.
        """
        if name == "memory_constraint_low":
            self.least = math.ceil(bound * self.parts - self._slack())
            return
        shares = list(terms)
        self.parts = 1 if all(float(share).is_integer() for _, share in shares) else PARTS
        for (place, _, output, _), share in shares:
            self.usages[place][output] += round(share * self.parts)
        self.limit = math.floor(bound * self.parts + self._slack())

    def _slack(self) -> float:
        return (0.5 if self.parts > 1 else 1e-6) * (1 + sum(any(usages) for usages in self.usages.values()))


def check(optimizer: Any) -> None:
    """Check that an optimiser has what is read of it.

    Raises
    ------
    ValueError
        If it has not, or has no integer programme.
    """
    missing = [name for name in (*READ, "walk_over_options", "_all_input_nodes") if not hasattr(optimizer, name)]
    if missing:
        raise ValueError(
            f"this {type(optimizer).__name__} has no {', '.join(missing)}: it is of a release of autoparallel that this"
            " script does not know; docs/autoparallel.md says which were tried"
        )
    if optimizer.prob is None:
        raise ValueError("this optimiser was built without its integer programme: build it with build_pulp=True")


def _nodes(linked: Any, root: Any) -> tuple[int, int]:
    """Return the nodes of a link, which older releases have by variable and newer ones by node."""
    return (linked[0], root[0]) if isinstance(linked, tuple) else (linked, root)


def shown(spec: Any) -> str:
    """Return a placement as autoparallel's files have it."""
    if spec is None:
        return "None"
    from torch.distributed.tensor._op_schema import _pretty_print_spec

    return str(_pretty_print_spec(spec))


def chosen(names: Mapping[str, Any], plan: Mapping[str, int]) -> dict[str, int]:
    """Return by node's name the number of its strategy.

    Parameters
    ----------
    names
        What `write_problem` wrote.
    plan
        By a node's number, as text, the number of its strategy.

    Raises
    ------
    ValueError
        If the plan is of another problem, or has less of its parameters on each device than autoparallel was told.
    """
    expected = {str(number) for number in range(len(names["usages"]))}
    if plan.keys() != expected:
        raise ValueError(f"expected a plan of the {len(expected)} nodes of the names, got one of {len(plan)} others")
    numbers = [int(plan[str(number)]) for number in range(len(expected))]
    for number, (one, usages) in enumerate(zip(numbers, names["usages"], strict=True)):
        if not 0 <= one < len(usages):
            raise ValueError(f"node {number} has {len(usages)} strategies, and the plan has number {one}")
    used = sum(usages[one] for usages, one in zip(names["usages"], numbers, strict=True))
    if names["least_usage"] is not None and used < names["least_usage"]:
        raise ValueError(f"the plan uses {used} of what `memory_constraint_low` wants {names['least_usage']} of")
    return {one["name"]: numbers[one["number"]] for one in names["nodes"]}


def placements(names: Mapping[str, Any], plan: Mapping[str, int]) -> dict[str, Any]:
    """Return a plan as the file that autoparallel reads.

    Parameters
    ----------
    names, plan
        As `chosen` takes them.
    """
    numbers = chosen(names, plan)
    found = {one["name"]: one["strategies"][numbers[one["name"]]] for one in names["nodes"]}
    return {
        "version": names["version"],
        "mesh_shape": names["mesh_shape"],
        "mesh_dim_names": names["mesh_dim_names"],
        "placements": found if names["version"] > 1 else {name: one["output"] for name, one in found.items()},
    }


def ambiguous(names: Mapping[str, Any], plan: Mapping[str, int]) -> list[str]:
    """Return the nodes of which an earlier strategy reads the same in the file, so that it is found instead."""
    numbers = chosen(names, plan)
    told = (lambda one: one) if names["version"] > 1 else (lambda one: one["output"])
    found = []
    for one in names["nodes"]:
        texts = [told(strategy) for strategy in one["strategies"]]
        if texts.index(texts[numbers[one["name"]]]) != numbers[one["name"]]:
            found.append(one["name"])
    return found


def solution(optimizer: Any, names: str, plan: str) -> dict[Any, Any]:
    """Return a plan as `get_solution` returns its own, by node the strategy: what `apply_placement` takes.

    Parameters
    ----------
    optimizer
        That of which `write_problem` wrote, or one of the same model, mesh and release.
    names, plan
        Paths of what was written, and of the plan.
    """
    numbers = chosen(_read(names), _strategies_of(plan))
    nodes = [node for node in optimizer.nodes if node.op != "output"]
    found = {node: optimizer.strats[node].strategies[numbers[node.name]] for node in nodes}
    return optimizer._to_orig_solution(found) if hasattr(optimizer, "_to_orig_solution") else found


def _read(path: str) -> Any:
    return json.loads(Path(path).read_text(encoding="utf-8"))


def _strategies_of(plan: str) -> Any:
    """Return what a plan's file says.

    Raises
    ------
    ValueError
        If it says that there is no plan.
    """
    found = _read(plan)
    if found["plan"] is None:
        raise ValueError(f"{plan} has no plan: its status is {found['status']}")
    return found["plan"]


def main(names: str, plan: str, output: str) -> None:
    """Write the placements of a plan's file."""
    told, strategies = _read(names), _strategies_of(plan)
    text = json.dumps(placements(told, strategies), indent=2)
    for name in ambiguous(told, strategies):
        print(f"{name}: an earlier strategy reads the same, and is what autoparallel finds", file=sys.stderr)
    Path(output).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: python autoparallel.py names.json plan.json placements.json")
    try:
        main(*sys.argv[1:])
    except (OSError, ValueError) as error:
        sys.exit(f"error: {error}")
