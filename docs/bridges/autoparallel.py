"""Strategy graphs of meta-pytorch/autoparallel's optimiser as files that hypar-opt solves, and its plans as placements.

One file, which needs nothing but Python. Where autoparallel is installed, before its own solver is called:

    write_problem(autop.sharding_optimizer, "problem.json", "names.json")

Then, anywhere: `hypar-opt solve problem.json -o plan.json`, and

    python autoparallel.py names.json plan.json placements.json

writes what `ShardingOptimizer.load_solution` reads. `docs/autoparallel.md` says what becomes of what.
"""

from __future__ import annotations

import json
import math
import sys
from collections import defaultdict
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FORBIDDEN: Final = 10**18
"""A cost that no plan may have."""
SCALE: Final = 1000
"""By how much costs are multiplied to be whole: those of autoparallel are microseconds."""
PARTS: Final = 10**6
"""By how much shares of parameters are multiplied to be whole."""
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
        If it has a constraint that strategy graphs cannot say; nothing is written then.
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
        self.optimizer, self.scale = optimizer, scale
        roots = {linked[0]: root[0] for linked, root in optimizer.cluster_links.items()}
        self.nodes = [place for place, node in enumerate(optimizer.nodes) if node.op != "output"]
        self.root = {place: roots.get(place, place) for place in self.nodes}
        kept = [place for place in self.nodes if self.root[place] == place]
        self.number = {place: number for number, place in enumerate(kept)}
        self.costs = {place: [0] * self._strategies(place) for place in kept}
        self.edges: dict[tuple[int, int], list[int]] = {}
        self.usages = {place: [0] * self._strategies(place) for place in kept}
        self.limit: int | None = None
        self.least: int | None = None
        self._key = {variable.name: key for key, variable in optimizer.pulp_variables.items()}
        self._add_costs()
        self._add_links()
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
                key = self.optimizer.cluster_links.get((place, argument, output, read), (place, argument, output, read))
                cost = self._whole(self.optimizer.decision_vars[key].cost)
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
        """Add shares of parameters: those of each strategy rounded up, and what there is down."""
        if name == "memory_constraint_low":
            self.least = math.ceil(bound * PARTS)
            return
        self.limit = math.floor(bound * PARTS + 1e-6)
        for (place, _, output, _), share in terms:
            self.usages[place][output] += math.ceil(share * PARTS - 1e-6)


def shown(spec: Any) -> str:
    """Return a placement as autoparallel's files have it."""
    if spec is None:
        return "None"
    from torch.distributed.tensor._op_schema import _pretty_print_spec

    return str(_pretty_print_spec(spec))


def placements(names: Mapping[str, Any], plan: Mapping[str, int], with_inputs: bool = False) -> dict[str, Any]:
    """Return a plan as the file that autoparallel reads.

    Parameters
    ----------
    names
        What `write_problem` wrote.
    plan
        By a node's number, as text, the number of its strategy.
    with_inputs
        Whether nodes have a mapping of `output` and `inputs` rather than the output alone, as some scripts read it.

    Raises
    ------
    ValueError
        If the plan has less of its parameters on each device than autoparallel was told.
    """
    chosen = [int(plan[str(number)]) for number in range(len(names["usages"]))]
    used = sum(usages[one] for usages, one in zip(names["usages"], chosen, strict=True))
    if names["least_usage"] is not None and used < names["least_usage"]:
        raise ValueError(f"the plan uses {used} of what `memory_constraint_low` wants {names['least_usage']} of")
    found = {one["name"]: one["strategies"][chosen[one["number"]]] for one in names["nodes"]}
    return {
        "version": 1,
        "mesh_shape": names["mesh_shape"],
        "mesh_dim_names": names["mesh_dim_names"],
        "placements": found if with_inputs else {name: one["output"] for name, one in found.items()},
    }


def ambiguous(names: Mapping[str, Any], plan: Mapping[str, int]) -> list[str]:
    """Return the nodes of which another strategy before the chosen one has its output, so that it is found instead."""
    found = defaultdict(list)
    for one in names["nodes"]:
        strategies = one["strategies"]
        chosen = int(plan[str(one["number"])])
        first = next(place for place, other in enumerate(strategies) if other["output"] == strategies[chosen]["output"])
        if first != chosen:
            found[one["name"]].append(first)
    return list(found)


def main(names: str, plan: str, output: str, *options: str) -> None:
    """Write the placements of a plan's file."""
    told = json.loads(Path(names).read_text(encoding="utf-8"))
    strategies = json.loads(Path(plan).read_text(encoding="utf-8"))["plan"]
    with_inputs = "--inputs" in options
    text = json.dumps(placements(told, strategies, with_inputs), indent=2)
    for name in [] if with_inputs else ambiguous(told, strategies):
        print(f"{name}: an earlier strategy has the same output, and is what `load_solution` finds", file=sys.stderr)
    Path(output).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
