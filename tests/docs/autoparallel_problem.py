"""A small problem in the shape of autoparallel's optimiser, written by hand: its package is not needed, nor was it run.

Two blocks of a matrix product and a function, the second linked to the first, with the gradients' ends of one
parameter, on a mesh of 2 x 4. Costs are made up; constraints are those that `ShardingOptimizer` makes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from types import SimpleNamespace

import pulp

NODES = {
    # by name: what is read, and by strategy the output, the inputs and the seconds of computing
    "x": ((), {"RR": ((), 0.0), "S(0)R": ((), 0.0), "S(0)S(0)": ((), 0.0)}),
    "w1": ((), {"RR": ((), 0.0), "RS(0)": ((), 0.0), "RS(1)": ((), 0.0)}),
    "w2": ((), {"RR": ((), 0.0), "RS(0)": ((), 0.0), "RS(1)": ((), 0.0)}),
    "mm1": (("x", "w1"), {"S(0)S(0)": (("S(0)S(0)", "RR"), 20.25), "S(0)S(1)": (("S(0)R", "RS(1)"), 20.25),
                          "S(0)P": (("S(0)S(1)", "RS(0)"), 20.0), "RR": (("RR", "RR"), 160.0)}),
    "relu1": (("mm1",), {"S(0)S(0)": (("S(0)S(0)",), 7.0), "S(0)S(1)": (("S(0)S(1)",), 7.0), "RR": (("RR",), 56.0)}),
    "mm2": (("relu1", "w2"), {"S(0)S(0)": (("S(0)S(0)", "RR"), 20.25), "S(0)S(1)": (("S(0)R", "RS(1)"), 20.25),
                              "S(0)P": (("S(0)S(1)", "RS(0)"), 20.0), "RR": (("RR", "RR"), 160.0)}),
    "relu2": (("mm2",), {"S(0)S(0)": (("S(0)S(0)",), 7.0), "S(0)S(1)": (("S(0)S(1)",), 7.0), "RR": (("RR",), 56.0)}),
    "grad_w1": (("relu2",), {"RR": (("S(0)S(0)",), 3.0), "RS(0)": (("S(0)S(1)",), 2.0)}),
}  # fmt: skip
LINKS = {"relu2": "relu1"}
SHARES = {"RR": 1.0, "RS(0)": 0.25, "RS(1)": 0.25}
PARAMETERS = ("w1", "w2")


@dataclass(eq=False)
class Node:
    name: str
    op: str


@dataclass
class Strategy:
    output_specs: str
    input_specs: tuple
    redistribute_cost: list
    compute: float


@dataclass
class Optimizer:
    """What `ShardingOptimizer` has of what is read, with its constraints and its solver's answer."""

    graph: dict = field(default_factory=lambda: NODES)
    links: dict = field(default_factory=lambda: LINKS)

    def __post_init__(self):
        self.mesh = SimpleNamespace(shape=(2, 4), mesh_dim_names=("dp", "tp"))
        made = {name: Node(name, "call_function" if read else "placeholder") for name, (read, _) in self.graph.items()}
        self._reads = {name: [made[one] for one in read] for name, (read, _) in self.graph.items()}
        self.strats = {made[name]: SimpleNamespace(strategies=list(self._strategies(name))) for name in self.graph}
        self.strats[Node("output", "output")] = ()
        self.nodes = list(self.strats)
        self.node_map = {node: place for place, node in enumerate(self.nodes)}
        by_name = {node.name: node for node in self.nodes}
        self.cluster_links = {
            (self.node_map[by_name[one]], *key): (self.node_map[by_name[root]], *key)
            for one, root in self.links.items()
            for key in self.walk_over_options(by_name[one])
        }
        keys = [(self.node_map[node], *key) for node in self.nodes[:-1] for key in self.walk_over_options(node)]
        own = [key for key in keys if key not in self.cluster_links]
        self.pulp_variables = {key: pulp.LpVariable("n={},arg={},o={},i={}".format(*key), cat="Binary") for key in own}
        self.decision_vars = {key: self._decision(key) for key in own}
        self.prob = pulp.LpProblem("AutoParallel", pulp.LpMinimize)
        self._constrain(keys)

    def _strategies(self, name):
        reads, strategies = self.graph[name]
        for output, (inputs, compute) in strategies.items():
            costs = [[moved(source, inputs[place]) for source in self.graph[one][1]] for place, one in enumerate(reads)]
            yield Strategy(output, inputs or (output,), costs or [[0.0]], compute)

    def _all_input_nodes(self, node):
        return self._reads[node.name]

    def walk_over_options(self, node):
        for argument in range(len(self.strats[node].strategies[0].redistribute_cost)):
            for output, strategy in enumerate(self.strats[node].strategies):
                for read in range(len(strategy.redistribute_cost[argument])):
                    yield argument, output, read

    def _decision(self, key):
        place, argument, output, read = key
        strategy = self.strats[self.nodes[place]].strategies[output]
        moves = strategy.redistribute_cost[argument][read]
        cost = strategy.compute / len(strategy.redistribute_cost) + moves + (0 < moves < math.inf)
        return SimpleNamespace(var=self.pulp_variables[key], cost=cost)

    def variable(self, key):
        return self.pulp_variables[self.cluster_links.get(key, key)]

    def _constrain(self, keys):
        add = lambda constraint, name: self.prob.addConstraint(constraint, f"{name}_{len(self.prob.constraints):03}")  # noqa: E731
        for place, node in enumerate(self.nodes[:-1]):
            own = [key for key in keys if key[0] == place]
            for argument in {key[1] for key in own}:
                add(pulp.lpSum(self.variable(key) for key in own if key[1] == argument) == 1, "unique_decision")
                for output in range(len(self.strats[node].strategies)):
                    first, other = (self.at(own, one, output) for one in (0, argument))
                    if argument:
                        add(first == other, "same_across_args")
            for argument, producer in enumerate(self._all_input_nodes(node)):
                theirs = [key for key in keys if key[0] == self.node_map[producer]]
                for output in range(len(self.strats[producer].strategies)):
                    mine = pulp.lpSum(self.variable(key) for key in own if key[1] == argument and key[3] == output)
                    add(self.at(theirs, 0, output) == mine, "output_input_consistent")
        for one in self.decision_vars.values():
            if not math.isfinite(one.cost):
                one.cost = 10000.0
                add(one.var == 0, "inf_cases")

    def at(self, keys, argument, output):
        return pulp.lpSum(self.variable(key) for key in keys if key[1] == argument and key[2] == output)

    def pair(self, one, other):
        """As `_add_paired_output_constraint` does."""
        (first, second) = (next(node for node in self.nodes if node.name == name) for name in (one, other))
        outputs = [[strategy.output_specs for strategy in self.strats[node].strategies] for node in (first, second)]
        for place, output in enumerate(outputs[0]):
            mine = self.outputs(first, place)
            name = f"grad_param_constraint_{place}"
            if output in outputs[1]:
                self.prob += self.outputs(second, outputs[1].index(output)) == mine, name
            else:
                self.prob += mine == 0, f"{name}_disable"

    def outputs(self, node, output):
        keys = [(self.node_map[node], *key) for key in self.walk_over_options(node)]
        return self.at(keys, 0, output)

    def only(self, name, *outputs):
        """As `_add_node_constraint` does."""
        node = next(node for node in self.nodes if node.name == name)
        keys = [(self.node_map[node], *key) for key in self.walk_over_options(node)]
        found = [key for key in keys if self.strats[node].strategies[key[2]].output_specs in outputs]
        for argument in {key[1] for key in keys}:
            chosen = pulp.lpSum(self.variable(key) for key in found if key[1] == argument)
            self.prob += chosen == 1, f"user_{name}_{argument}"

    def bound_memory(self, low, high):
        """As `add_parameter_memory_constraint` does."""
        terms = [
            self.outputs(node, place) * SHARES[strategy.output_specs]
            for node in self.nodes
            if node.name in PARAMETERS
            for place, strategy in enumerate(self.strats[node].strategies)
        ]
        self.prob += pulp.lpSum(terms) <= high, "memory_constraint_high"
        self.prob += pulp.lpSum(terms) >= low, "memory_constraint_low"

    def least(self):
        """Return the objective that the solver of autoparallel finds, or None."""
        links = {key: [one for one, root in self.cluster_links.items() if root == key] for key in self.decision_vars}
        self.prob += pulp.lpSum(one.var * one.cost * (1 + len(links[key])) for key, one in self.decision_vars.items())
        status = self.prob.solve(pulp.PULP_CBC_CMD(msg=False))
        return pulp.value(self.prob.objective) if pulp.LpStatus[status] == "Optimal" else None


def moved(source, target):
    """Return made-up microseconds of a redistribution; to partial sums there is none."""
    if source == target:
        return 0.0
    if target.endswith("P"):
        return math.inf
    if source.startswith("RR"):
        return 0.0
    return 12.5 + 10.125 * source.endswith("P") + 30.0 * (target == "RR")
