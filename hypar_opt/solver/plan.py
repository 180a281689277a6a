"""Plans, and how they are written."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.formulation.solution import Decides, Status
from hypar_opt.instance.objective.components import COMMUNICATION, COMPONENTS, COST_FIELDS, TOTAL
from hypar_opt.instance.text import cut
from hypar_opt.solver.improvements import improvement_rows
from hypar_opt.util.errors import readable
from hypar_opt.util.files import write_atomically
from hypar_opt.util.numbers import above, amount, exact
from hypar_opt.util.surd import exact_number

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair as alt
    import pandas as pd

    from hypar_opt.instance import Instance
    from hypar_opt.solver.improvements import Improvement
    from hypar_opt.solver.share_evidence import ShareEvidence

SCHEMA = "hypar-opt/plan/1"
OBJECTIVE_WITHOUT_FIX: Final = "objective_without_fix"
"""Among a plan's statistics: the optimum without the strategies that were given, exact."""


@dataclass(frozen=True, repr=False)
class Plan:
    """A strategy for every layer, with what it costs and what is proven of it.

    Parameters
    ----------
    instance, instance_sha256
        What it is a plan of.
    formulation, status, native_status, note
        Who says so, and what.
    strategies
        By layer in topological order: its word, root level first; None without a plan.
    communication_bytes
        Over all levels, both directions; exact (a fraction under leaf-exact only).
    placement
        The accelerator on which every leaf of the partition stands; None where nothing depends on it.
    decided
        What was found; the rest was given, and what is proven is proven for that.
    costs
        By component, exact: what a placed plan costs; empty where nothing depends on a placement.
    objective, bound
        Exact, in the objective's unit.
    runtime_s
        Of the formulation.
    seed, versions, overrides, statistics
        What is needed to get it again.
    unbuildable
        Splits into more parts than a dimension has elements, a sentence each: the plan cannot be built as it stands.
    uneven
        Splits that leave something over, so that parts have to be padded, a sentence each.
    axes
        What the entries of a word are about, where they are names with spaces between them and not a letter a level.
    shares
        By split of an array of several kinds of accelerators, what its first half gets of whatever is split.
    evidence
        Why no other shares are better, where shares were searched.
    improvements
        How the best plan and the bound moved, in the order of time; empty where a run told of no two of either.
    """

    instance: str
    instance_sha256: str
    formulation: str
    status: Status
    native_status: str
    strategies: Mapping[str, str] | None
    communication_bytes: int | Fraction | None
    objective: Fraction | None
    bound: Fraction | None
    runtime_s: float
    seed: int
    note: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    overrides: Mapping[str, Any] = field(default_factory=dict)
    statistics: Mapping[str, int | float | str] = field(default_factory=dict)
    placement: tuple[str, ...] | None = None
    decided: Decides = "strategies"
    costs: Mapping[str, Fraction] = field(default_factory=dict)
    unbuildable: tuple[str, ...] = ()
    uneven: tuple[str, ...] = ()
    axes: tuple[str, ...] = ()
    shares: Mapping[str, Fraction] = field(default_factory=dict)
    evidence: ShareEvidence | None = None
    improvements: tuple[Improvement, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        for name in ("versions", "overrides", "statistics", "costs", "shares"):
            object.__setattr__(self, name, dict(getattr(self, name)))
        if self.strategies is not None:
            object.__setattr__(self, "strategies", dict(self.strategies))

    @property
    def proven(self) -> bool:
        """Whether optimality, or that there is no plan, was proven."""
        return self.status in (Status.OPTIMAL, Status.INFEASIBLE)

    @property
    def objective_without_fix(self) -> Fraction | None:
        """The optimum without the strategies that were given (`fix`), where `with_price` or the terminal found it."""
        found = self.statistics.get(OBJECTIVE_WITHOUT_FIX)
        return None if found is None else Fraction(found)

    @property
    def price_of_fix(self) -> Fraction | None:
        """What the plan costs more than the optimum without the strategies that were given, where that is known.

        That is the price of these where the plan is optimal; of one that is not proven it is no less than the price.
        """
        free = self.objective_without_fix
        return None if free is None or self.objective is None else self.objective - free

    def __repr__(self) -> str:
        said = ", ".join((f"{self.status.value} by {cut(self.formulation)}", *self._costs()))
        return f"Plan({cut(self.instance)!r}, {said})"

    def _costs(self) -> list[str]:
        """Return what it costs by component, with units; parts of another only where that one is unknown."""
        total = None if self.communication_bytes is None else exact_number(self.communication_bytes)
        known = {**({} if total is None else {COMMUNICATION: total}), **self.costs}
        if TOTAL in known:
            return [f"{TOTAL} {amount(known[TOTAL])}"]
        whole = [name for name in known if COMPONENTS[name].part_of not in known]
        return [f"{name} {amount(known[name], COMPONENTS[name].measured_in)}" for name in whole]

    def summary(self) -> str:
        """Return what was found, in a line."""
        head = f"{cut(self.instance)}: {self.status.value} by {cut(self.formulation)} in {self.runtime_s:.3g} s"
        if self.objective is None:
            return f"{head} ({readable(self.native_status)})" if self.native_status else head
        far = "not bounded" if self.bound is None else f"{above(self.objective, self.bound)} the bound"
        return ", ".join((head, *self._costs(), "proven" if self.proven else far))

    def to_frame(self) -> pd.DataFrame:
        """Return the strategies, a row a layer and a column a level or an axis.

        Of a strategy graph a row is a node, of a collective a send, of a task graph a task.

        Raises
        ------
        ValueError
            If there is no plan.
        """
        import pandas as pd

        if self.strategies is None:
            raise ValueError(f"a result of status {self.status.value} has no strategies")
        if TOTAL in self.costs:
            return pd.DataFrame({"strategy": {int(node): int(one) for node, one in self.strategies.items()}})
        if self.decided == "sends":
            sends = [(name, *one.rsplit("@", 1)) for name, word in self.strategies.items() for one in word.split()]
            return pd.DataFrame(sends, columns=["chunk", "route", "when"])
        if self.decided == "begins":
            return pd.DataFrame(list(self.strategies.items()), columns=["task", "begin"])
        words = {name: word.split() if self.axes else list(word) for name, word in self.strategies.items()}
        levels = [f"level {level + 1}" for level in range(max(map(len, words.values()), default=0))]
        frame = pd.DataFrame.from_dict(words, orient="index", columns=list(self.axes) or levels)
        return frame.rename_axis("layer")

    def save(self, path: Path | str) -> None:
        """Write the plan's file, whole or not at all."""
        write_plan(self, Path(path))

    @classmethod
    def load(cls, path: Path | str) -> Plan:
        """Read a plan's file, or a point of a front's; what it claims is not checked, which `verify` is for.

        Parameters
        ----------
        path
            Of the file; with the number of a point from 1 where it is a front's, as in `front.json#6`.

        Raises
        ------
        InputError
            If it is no plan file; names the file, line and field.
        """
        from hypar_opt.solver.plan_reader import read_plan

        return cls(**read_plan(Path(path)).fields)

    def plot(self, instance: Instance | Path | str | None = None) -> alt.TopLevelMixin:
        """Return the grid of layers and levels as a chart of Altair.

        Parameters
        ----------
        instance
            What it is a plan of: with it each layer's bytes stand beside the grid, and a cell shows its formulae.

        Raises
        ------
        ValueError
            If there are no strategies by layer and level.
        InputError
            If it is no plan of the instance.
        """
        (drawn,) = entry_points(group="hypar_opt.charts", name="plan")  # by whatever draws: a room above this one
        chart: alt.TopLevelMixin = drawn.load()(self, instance)
        return chart

    def _repr_html_(self) -> str:
        """Return the summary and the grid of layers and levels, as notebooks show it."""
        head = f"<p>{escape(self.summary())}</p>"
        return head if self.strategies is None else head + self.to_frame().to_html()


def plan_document(plan: Plan) -> dict[str, Any]:
    """Return the plan as a plan file has it."""
    splits = {"unbuildable": list(plan.unbuildable), "uneven": list(plan.uneven)}
    placed = {} if plan.placement is None else {"placement": list(plan.placement), "decided": plan.decided}
    placed = {"decided": plan.decided} if plan.decided in ("sends", "begins") else placed
    return {
        "schema": SCHEMA,
        "instance": plan.instance,
        "instance_sha256": plan.instance_sha256,
        "formulation": plan.formulation,
        "status": plan.status.value,
        "native_status": plan.native_status,
        "note": plan.note,
        "cost": _cost(plan),
        "objective": exact(plan.objective),
        "bound": exact(plan.bound),
        "plan": _strategies(plan),
        **({"axes": list(plan.axes)} if plan.axes else {}),
        **({"shares": {name: str(one) for name, one in plan.shares.items()}} if plan.shares else {}),
        **placed,
        **{name: found for name, found in splits.items() if found},
        "runtime_s": round(plan.runtime_s, 6),
        "statistics": dict(plan.statistics),
        "versions": dict(plan.versions),
        "seed": plan.seed,
        "overrides": dict(plan.overrides),
        **({"improvements": improvement_rows(plan.improvements)} if plan.improvements else {}),
        **({} if plan.evidence is None else {"evidence": plan.evidence.document}),
    }


def _strategies(plan: Plan) -> dict[str, Any] | None:
    """Return words by layer, or the indices of strategies by node."""
    if plan.strategies is None:
        return None
    return {node: int(text) for node, text in plan.strategies.items()} if TOTAL in plan.costs else dict(plan.strategies)


def _cost(plan: Plan) -> dict[str, int | str | None] | None:
    if TOTAL in plan.costs:
        return {TOTAL: exact(plan.costs[TOTAL])}
    if plan.communication_bytes is None:
        return None
    placed = {COST_FIELDS[name]: exact(cost) for name, cost in plan.costs.items() if name in COST_FIELDS}
    return {"communication_bytes": exact(plan.communication_bytes), **placed}


def write_plan(plan: Plan, path: Path) -> None:
    """Write a plan file atomically."""
    write_atomically(path, json.dumps(plan_document(plan), indent=1) + "\n")
