"""A small network on two accelerators of which everything is known, and its plans."""

from helpers import document, linear_chain, problem_of

from hypar_opt.report.content import NamedPlan
from hypar_opt.solver.solve import solve

MACHINE = {
    "topology": "h-tree",
    "levels": 2,
    "placement": "identity",
    "link": {"bandwidth": 1, "energy": 1},
    "accelerator": {
        "model": "as-evaluated",
        "rate": 12,
        "utilisation": 0.5,
        "energy": {"add": 1, "multiply": 2, "sram": 3, "dram": 4},
    },
}
LINKS_ONLY = {name: value for name, value in MACHINE.items() if name != "accelerator"}
BARE = {"topology": "h-tree", "levels": 2, "placement": "identity"}
NAMES = ("data-parallel", "model-parallel", "joint-dp")


def whole(array, layers=None):
    """Return a document of a network on an array."""
    return {**document(layers or linear_chain(8, 4, 2), [8], batch=4, levels=2), "array": array}


def plans_on(array, layers=None, names=NAMES):
    """Return plans of a network on an array."""
    problem = problem_of(whole(array, layers))
    return [NamedPlan(name, problem, solve(problem, name)) for name in names]
