"""The tables of docs/counterexamples.md, from the shipped instances; `python -m` prints them.

Every number comes from laying out boxes, not from the cost graph that the formulations read.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from hypar_opt.instance import load
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve

NAMES = ("greedy-published", "greedy-as-evaluated", "greedy-receiver", "greedy-leaf-exact", "greedy-collective")
TIED = tuple(name.replace("greedy", "smallest") for name in NAMES)
HEADER = (
    "| level 1 | fc1 | fc2 | boundary | bytes of level 1 | cheapest level 2 | fc1 | fc2 | boundary | bytes of level 2 "
    "| both |\n| --- | --: | --: | --: | --: | --- | --: | --: | --: | --: | --: |"
)


@dataclass(frozen=True)
class Bytes:
    """What one level exchanges: of each layer, and between them."""

    fc1: int
    fc2: int
    boundary: int

    @property
    def total(self):
        return self.fc1 + self.fc2 + self.boundary

    def minus(self, other):
        return Bytes(self.fc1 - other.fc1, self.fc2 - other.fc2, self.boundary - other.boundary)


def of_array(name, words):
    """Return what a plan for an array of as many levels as its words have exchanges, over all levels."""
    problem = NetworkProblem(load(name, levels=len(words[0])))
    names = [layer.name for layer in problem.work.layers]
    found = problem.bytes_of(dict(zip(names, words, strict=True)))
    return Bytes(*map(sum, found.intra), *map(sum, found.inter))


def rows(name):
    """Return for each choice at level 1 (dd, dm, md, mm): its bytes, the cheapest level 2, and its bytes."""
    found = []
    for above in product("dm", repeat=2):
        first = of_array(name, above)
        second = {below: of_array(name, [a + b for a, b in zip(above, below, strict=True)]).minus(first)
                  for below in product("dm", repeat=2)}  # fmt: skip
        below = min(second, key=lambda letters: second[letters].total)
        found.append(("".join(above), first, "".join(below), second[below]))
    return found


def table(name):
    """Return an instance's table."""
    return "\n".join([HEADER, *(_line(*row) for row in rows(name))])


def sizes(name):
    """Return the sizes of an instance's tensors in words."""
    problem = NetworkProblem(load(name))
    batch = problem.instance.batch
    one, two = problem.work.layers
    return (
        f"batch {batch}, {one.feature_in} -> {one.feature_out} -> {two.feature_out} features: "
        f"|W1| = {one.weight}, |F2| = {batch * one.feature_out}, |W2| = {two.weight}, |F3| = {batch * two.feature_out}"
    )


def tied_row(name):
    """Return an instance's row in the table of those that another tie-break would avoid."""
    problem = NetworkProblem(load(name))
    one, two = problem.work.layers
    cells = [f"`{name}`", str(problem.instance.batch), f"{one.feature_in} -> {one.feature_out} -> {two.feature_out}"]
    for formulation in ("hypar-dp", "joint-dp"):
        plan = solve(problem, formulation)
        cells += [", ".join(f"{layer} {word}" for layer, word in plan.strategies.items()), str(plan.objective)]
    return f"| {' | '.join(cells)} |"


def _line(above, first, below, second):
    numbers = [f"{n:g}" for n in (first.fc1, first.fc2, first.boundary, first.total)]
    more = [f"{n:g}" for n in (second.fc1, second.fc2, second.boundary, second.total)]
    return f"| {' | '.join([above, *numbers, below, *more, f'{first.total + second.total:g}'])} |"


if __name__ == "__main__":
    for shipped in NAMES:
        print(f"{shipped}\n\n{sizes(shipped)}\n\n{table(shipped)}\n")
    print("\n".join(map(tied_row, TIED)))
