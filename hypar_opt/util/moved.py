"""Modules under the names that they had in 0.1: importable for one release more, with a DeprecationWarning."""

from __future__ import annotations

import sys
import warnings
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from importlib.abc import InspectLoader, Loader
    from types import CodeType, ModuleType

MOVED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "accelerator": "instance.hardware.accelerator",
        "accountings": "instance.accountings",
        "aim": "instance.objective.aim",
        "answers": "solver.check",
        "apart": "solver.components",
        "array": "instance.hardware",
        "array.custom": "instance.hardware.topologies.custom",
        "array.grids": "instance.hardware.topologies.grids",
        "array.node_link": "instance.hardware.graph_text",
        "array.parts": "instance.hardware.topology",
        "array.rings": "instance.hardware.topologies.rings",
        "array.switched": "instance.hardware.topologies.switched",
        "array.trees": "instance.hardware.topologies.trees",
        "audit": "studies.claims",
        "audit.cases": "studies.claims.read",
        "audit.judge_totals": "studies.claims.judge_plans",
        "audit.model_statements": "studies.claims.statements",
        "audit.parts": "studies.claims.checks",
        "audit.pricing": "studies.claims.plans",
        "audit.rounding": "studies.claims.printed",
        "audit.spelling": "studies.claims.replacements",
        "audit.trial": "studies.claims.judge_optimality",
        "audit.verdict": "studies.claims.claims",
        "array.sizes": "instance.hardware.shape",
        "boxes": "evaluation.communication",
        "boxes.leaves": "evaluation.communication.levels",
        "boxes.legal": "evaluation.legality",
        "boxes.phases": "evaluation.communication.breakdown",
        "boxes.splits": "evaluation.legality",
        "campaign": "studies.random_instances",
        "campaign.database": "studies.random_instances.store",
        "campaign.family": "studies.random_instances.generator",
        "campaign.pool": "studies.random_instances.measurement",
        "campaign.ties": "studies.random_instances.smallest",
        "campaign.worst": "studies.random_instances.reduction",
        "certificate": "verification.certificate",
        "certificate.graph_arrays": "verification.certificate.of_graph",
        "certificate.read": "verification.certificate.header",
        "charging": "cost.weights",
        "comparing": "studies.compare",
        "comparing_arrays": "studies.compare_arrays",
        "completing": "solver.check",
        "components": "instance.objective.components",
        "costgraph.core": "costgraph.reduced_cost",
        "costgraph.layout": "costgraph.duals",
        "costgraph.sweep": "costgraph.minplus",
        "costgraph.word_sums": "costgraph.words",
        "errors": "util.errors",
        "explaining": "studies.sensitivity",
        "exploring": "studies.sweep",
        "exporting": "solver.export",
        "files": "util.files",
        "front": "formulation.solution",
        "graph_problem": "solver.graph_problem",
        "instance.array_file": "instance.read",
        "instance.arrays": "instance.array",
        "instance.canonical": "instance.data",
        "instance.document": "instance.formats",
        "instance.json_schema": "instance.schema",
        "instance.json_text": "instance.formats.json",
        "instance.lines": "instance.formats.lines",
        "instance.yaml_text": "instance.formats.yaml",
        "interrupting": "util.interrupt",
        "judging": "evaluation.evaluator",
        "network": "instance.network",
        "pace": "formulation.progress",
        "pareto": "solver.pareto",
        "placement": "costgraph.placement",
        "placement.compile": "cost.links",
        "placement.crossings": "cost.crossings",
        "placement.graph": "costgraph.placement",
        "placement.joint": "costgraph.placement",
        "plan": "formulation.solution",
        "plan_file": "solver.plan_file",
        "potentials": "formulation.potentials",
        "presolve": "costgraph.presolve",
        "presolve.compile": "cost.strategy_graph",
        "presolve.crowding": "costgraph.presolve.capacity_tightening",
        "presolve.dominance": "costgraph.presolve.value_removal",
        "presolve.fitting": "cost.strategy_graph",
        "presolve.flat": "costgraph.presolve.sums",
        "presolve.followers": "costgraph.presolve.aggregation",
        "presolve.isolated": "costgraph.presolve.elimination",
        "presolve.joining": "costgraph.presolve.components",
        "presolve.levels": "costgraph.presolve.rows",
        "presolve.narrowing": "costgraph.presolve.value_removal",
        "presolve.room": "costgraph.presolve.capacity_tightening",
        "presolve.support": "costgraph.presolve.value_removal",
        "problem": "solver.network_problem",
        "processes": "util.processes",
        "products": "solver.product",
        "reading": "instance.read",
        "reporting": "report.content",
        "reporting.sections": "report.content.content",
        "run": "formulation.run",
        "serving": "web",
        "shortage": "solver.infeasibility.memory",
        "simulation": "studies.simulation",
        "simulation.options": "studies.simulation.tasks",
        "solving": "solver.solve",
        "step": "evaluation.step",
        "strategy_graph": "instance.strategy_graph",
        "strategy_graph.bounding": "instance.strategy_graph.decoding",
        "strategy_graph.checking": "instance.strategy_graph.checks",
        "strategy_graph.conflict": "solver.infeasibility.conflict",
        "strategy_graph.contradiction": "solver.infeasibility.conflict",
        "strategy_graph.judging": "evaluation.strategy_graph",
        "strategy_graph.lists": "instance.strategy_graph.decoding",
        "strategy_graph.parts": "solver.infeasibility.conflict",
        "strategy_graph.recognising": "instance.formats.iopddl",
        "strategy_graph.schema": "instance.strategy_graph.decoding",
        "strategy_graph.unpacking": "instance.strategy_graph.decompression",
        "tasks": "solver.kinds",
        "tracking": "formulation.progress.tracker",
        "traffic": "evaluation.links",
        "traffic.following": "evaluation.links.routes",
        "traffic.measured": "evaluation.links.loads",
        "traffic.sent": "evaluation.links.loads",
        "traffic.walking": "evaluation.links.routes",
        "verification.claim_file": "verification.claim",
        "verification.verifying": "verification.verifier",
        "waiting": "solver.threads",
    }
)
"""From the old name to the new one, within hypar_opt; modules of a package have moved with it."""


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
        return cast("InspectLoader", cast("ModuleSpec", find_spec(self._new)).loader).get_code(self._new)

    def get_source(self, fullname: str) -> str | None:
        """Return the module's text."""
        return cast("InspectLoader", cast("ModuleSpec", find_spec(self._new)).loader).get_source(self._new)


class MovedFinder:
    """Finds modules under their old names, and says the new ones."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to load a module that has moved, or None."""
        new = new_name(fullname)
        found = None if new is None else find_spec(new)
        if new is None or found is None:
            return None
        warnings.warn(f"{fullname} is {new} now, and goes with the next release", DeprecationWarning, stacklevel=2)
        return ModuleSpec(
            fullname, cast("Loader", _Moved(new)), is_package=found.submodule_search_locations is not None
        )
