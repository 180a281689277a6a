"""Modules under the names that the documentation of 0.1 gave them, for one release more; a warning says the new one."""

from __future__ import annotations

import sys
import warnings
from importlib.machinery import ModuleSpec
from types import CodeType, MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from importlib.abc import InspectLoader, Loader

MOVED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "accelerator": "instance.hardware.accelerator",
        "accountings": "instance.accountings",
        "aim": "instance.objective.function",
        "answers": "solver.check",
        "apart": "solver.components",
        "array": "instance.hardware",
        "array.grids": "instance.hardware.topologies.grids",
        "array.parts": "instance.hardware.topology",
        "audit": "studies.claims",
        "array.sizes": "instance.hardware.shape",
        "boxes": "evaluation.communication",
        "boxes.leaves": "evaluation.communication.levels",
        "campaign": "studies.random_instances",
        "certificate": "verification.certificate",
        "certificate.graph_arrays": "verification.certificate.of_graph",
        "certificate.read": "verification.certificate.header",
        "charging": "cost.weights",
        "comparing": "studies.compare",
        "comparing_arrays": "studies.compare_arrays",
        "completing": "solver.check",
        "components": "instance.objective.components",
        "costgraph.core": "costgraph.reduced_cost",
        "errors": "util.errors",
        "explaining": "studies.sensitivity",
        "exploring": "studies.sweep",
        "exporting": "solver.export",
        "files": "util.files",
        "front": "formulation.solution",
        "graph_problem": "solver.graph_problem",
        "instance.json_schema": "instance.schema",
        "interrupting": "util.interrupt",
        "judging": "evaluation.evaluator",
        "network": "instance.network",
        "pace": "formulation.progress",
        "pareto": "solver.pareto",
        "placement": "costgraph.placement",
        "placement.compile": "cost.links",
        "placement.graph": "costgraph.placement",
        "plan": "formulation.solution",
        "plan_file": "solver.plan_file",
        "potentials": "formulation.potentials",
        "presolve": "costgraph.presolve",
        "presolve.crowding": "costgraph.presolve.capacity_tightening",
        "presolve.dominance": "costgraph.presolve.value_removal",
        "presolve.followers": "costgraph.presolve.aggregation",
        "presolve.joining": "costgraph.presolve.components",
        "presolve.lifting": "costgraph.presolve.reduction",
        "presolve.narrowing": "costgraph.presolve.value_removal",
        "problem": "solver.network_problem",
        "processes": "util.processes",
        "products": "solver.product",
        "reading": "instance.read",
        "report.charts.figure": "report.charts.theme",
        "reporting": "report.content",
        "run": "formulation.run",
        "serving": "web",
        "shortage": "solver.infeasibility.memory",
        "simulation": "studies.simulation",
        "solving": "solver.solve",
        "step": "evaluation.step",
        "strategy_graph": "instance.strategy_graph",
        "strategy_graph.judging": "evaluation.strategy_graph",
        "tasks": "solver.kinds",
        "tracking": "formulation.progress.tracker",
        "traffic": "evaluation.links",
        "waiting": "solver.threads",
    }
)
"""From the old name to the new one, within hypar_opt; modules of a package that kept their own names moved with it."""


def new_name(name: str) -> str | None:
    """Return what a module is called now, or None if it has not moved."""
    package, _, old = name.partition(".")
    if package != "hypar_opt":
        return None
    parts = old.split(".")
    for count in range(len(parts), 0, -1):
        new = MOVED.get(".".join(parts[:count]))
        if new is not None:
            return ".".join(("hypar_opt", new, *parts[count:]))
    return None


class _Moved:
    """Loads a module that is there under another name: the same module, not a second one.

    Not derived from `importlib.abc`, whose import would cost every command some milliseconds.
    """

    def __init__(self, new: str) -> None:
        self._new = new

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        __import__(self._new)
        module = sys.modules[self._new]
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # which the import system has just overwritten

    def get_code(self, fullname: str) -> CodeType | None:
        """Return the module's code, for `python -m`."""
        return self._loader().get_code(self._new)

    def get_source(self, fullname: str) -> str | None:
        """Return the module's text."""
        return self._loader().get_source(self._new)

    def _loader(self) -> InspectLoader:
        from importlib.util import find_spec

        return cast("InspectLoader", cast("ModuleSpec", find_spec(self._new)).loader)


class MovedFinder:
    """Finds modules under their old names, and says the new ones."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to load a module that has moved, or None."""
        new = new_name(fullname)
        if new is None:
            return None
        from importlib.util import find_spec  # whose import every command would pay for

        found = find_spec(new)
        if found is None:
            return None
        warnings.warn(f"{fullname} is {new} now, and goes with the next release", DeprecationWarning, stacklevel=2)
        return ModuleSpec(
            fullname, cast("Loader", _Moved(new)), is_package=found.submodule_search_locations is not None
        )
