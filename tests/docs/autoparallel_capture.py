"""A captured problem in the shape of autoparallel's optimiser, as its releases before and since mid-2026 have it.

Its package is not needed: nodes, costs and constraints are read from what `tests/data/autoparallel/capture.py` wrote.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pulp

from tests.docs.blocks import ROOT

DATA = ROOT / "tests" / "data" / "autoparallel"
LEFT_OUT = {"free": ("memory", "input_c", "output_c"), "ends": ("memory",), "ends, memory": ()}
"""By case, how constraints begin that it has not."""


@dataclass(frozen=True, eq=False)
class Node:
    name: str
    op: str


@dataclass(frozen=True)
class Strategy:
    output_specs: str
    input_specs: tuple[str, ...]
    redistribute_cost: list[list[float]]


@dataclass
class Optimizer:
    """What `ShardingOptimizer` has of what is read."""

    name: str
    case: str = "ends, memory"
    said: dict[str, Any] = field(init=False)

    def __post_init__(self):
        self.said = json.loads((DATA / f"{self.name}.json").read_text())
        self.mesh = SimpleNamespace(shape=self.said["mesh_shape"], mesh_dim_names=self.said["mesh_dim_names"])
        told = self.said["nodes"]
        self.nodes = [Node(one["name"], one["op"]) for one in told] + [Node("output", "output")]
        self.node_map = {node: place for place, node in enumerate(self.nodes)}
        self.roots = {place: one["root"] for place, one in enumerate(told) if "root" in one}
        self.strats = {
            node: SimpleNamespace(strategies=self._strategies(told[self.roots.get(place, place)]))
            for place, node in enumerate(self.nodes[:-1])
        }
        self.costs = {
            (place, argument, output, read): self.strats[node].strategies[output].redistribute_cost[argument][read]
            for place, node in enumerate(self.nodes[:-1])
            if place not in self.roots
            for argument, output, read in self.walk_over_options(node)
        }
        self.prob = pulp.LpProblem("AutoParallel", pulp.LpMinimize)
        self._make()
        for name, sense, right, terms in self.said["constraints"]:
            if not name.startswith(LEFT_OUT[self.case]):
                self._constrain(name, sense, right, terms)

    def _strategies(self, told):
        values = [*self.said["values"], math.inf]
        for output, (spec, *inputs) in enumerate(told["strategies"]):
            costs = [[values[place] for place in rows[output]] for rows in told["costs"]]
            told.setdefault("made", []).append(Strategy(spec, tuple(inputs), costs))
        return told.pop("made")

    def _make(self):
        self.cluster_links = {
            (place, *key): (root, *key)
            for place, root in self.roots.items()
            for key in self.walk_over_options(self.nodes[place])
        }
        self._make_variables(self.costs)
        for key, cost in self.costs.items():
            if not math.isfinite(cost):
                self.decision_vars[key].cost = 10000.0
                self.prob += self.pulp_variables[key] == 0, f"inf_cases_{len(self.prob.constraints)}"

    def _make_variables(self, costs):
        self.pulp_variables = {
            key: pulp.LpVariable("n={},arg={},o={},i={}".format(*key), cat="Binary") for key in costs
        }
        self.decision_vars = {key: SimpleNamespace(cost=cost) for key, cost in costs.items()}

    def _constrain(self, name, sense, right, terms):
        left = pulp.LpAffineExpression([(self.pulp_variables[tuple(key)], factor) for *key, factor in terms])
        self.prob += pulp.LpConstraint(left, sense, name, right)

    def _all_input_nodes(self, node):
        return [self.nodes[place] for place in self.said["nodes"][self.node_map[node]]["reads"]]

    def walk_over_options(self, node):
        strategies = self.strats[node].strategies
        for argument in range(len(strategies[0].redistribute_cost)):
            for output, strategy in enumerate(strategies):
                for read in range(len(strategy.redistribute_cost[argument])):
                    yield argument, output, read

    def load_solution(self, path):
        """As releases read version 1: the first strategy with the output."""
        return self._load(path, 1, lambda one: one.output_specs)

    def _load(self, path, version, shown):
        read = json.loads(path.read_text())
        assert (read["version"], read["mesh_shape"]) == (version, self.mesh.shape)
        assert list(read["placements"]) == [node.name for node in self.nodes[:-1]]
        return {
            node: next(one for one in self.strats[node].strategies if shown(one) == read["placements"][node.name])
            for node in self.nodes[:-1]
        }

    def cost(self, solution):
        """Return the microseconds of a plan, each argument's cost looked up by itself."""
        place_of = {node: self.strats[node].strategies.index(one) for node, one in solution.items()}
        return sum(
            one.redistribute_cost[argument][place_of[node]]
            for user, one in solution.items()
            for argument, node in enumerate(self._all_input_nodes(user))
        )


class NewerOptimizer(Optimizer):
    """Links by node, no variable for what is infinite, memory bounded when it is solved, placements of version 2."""

    load_solution = property()

    def _make(self):
        self.cluster_links = self.roots
        self._make_variables({key: cost for key, cost in self.costs.items() if math.isfinite(cost)})
        self.memory = [one for one in self.said["constraints"] if one[0].startswith("memory")]
        self.said["constraints"] = [one for one in self.said["constraints"] if one not in self.memory]

    def _apply_memory_constraint(self):
        for one in self.memory if self.case == "ends, memory" else ():
            self._constrain(*one)

    def load_placements(self, path):
        """As releases read version 2: the strategy with the output and the inputs."""
        return self._load(path, 2, lambda one: {"output": one.output_specs, "inputs": list(one.input_specs)})
