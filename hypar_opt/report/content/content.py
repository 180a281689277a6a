"""What a report holds: of each instance the plans, and what else is shown of one that allows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from hypar_opt.formulation.solution import Status
from hypar_opt.report.content.named_plan import best_first

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.report.content.named_plan import NamedPlan
    from hypar_opt.report.content.operator_rules import RuleBeside
    from hypar_opt.report.content.provenance import Provenance
    from hypar_opt.solver.front import ParetoFront
    from hypar_opt.solver.plan import Plan
    from hypar_opt.studies.claims import ClaimRow, Claims
    from hypar_opt.studies.compare import Cell
    from hypar_opt.studies.reasons import LayerReason
    from hypar_opt.studies.regrets import Explanation
    from hypar_opt.studies.sweep import Exploration, Point


def is_shown(plan: Plan | None) -> TypeGuard[Plan]:
    """Return whether reports show a plan: one that has strategies, and that no solver failed at."""
    return plan is not None and plan.strategies is not None and plan.status is not Status.ERROR


@dataclass(frozen=True)
class LayerRegrets:
    """What it costs to force the layers of a plan off their strategies, one at a time.

    Parameters
    ----------
    named
        The plan.
    explanation
        Has a regret for every layer that has another allowed strategy.
    """

    named: NamedPlan
    explanation: Explanation


@dataclass(frozen=True)
class Subject:
    """One instance with all that was found of it.

    Parameters
    ----------
    slug
        Of its page; unique in a report; letters, digits and hyphens.
    problem
        The instance, compiled; of one of the kinds in `hypar_opt.report.content.kinds`.
    cells
        A result a formulation, those that declined included.
    plans
        Those of the cells that have strategies, and those of plan files; each a `FoundPlan` of the problem's kind.
    front
        Of time and energy, of operators of time and communication; None where there is none, and `missing` says why.
    exploration
        Of two layers; None likewise.
    scaling
        A plan for 1, 2, 4, ... accelerators; empty likewise.
    baseline
        Data parallelism, whether a formulation was asked for it or not; None where it is not allowed.
    rules
        Of operators, what rules come to that everybody knows, data parallelism among them.
    regrets
        What other strategies of each layer would cost; None likewise.
    price
        What the strategies that were given cost, in a sentence; nothing without any.
    reasons
        Why each layer of the best plan is as it is, where regrets were asked for.
    missing
        By section (`front`, `exploration`, `scaling`, `regrets`, `baseline`), why the report has none.
    """

    slug: str
    problem: Any
    cells: tuple[Cell, ...]
    plans: tuple[Any, ...]
    front: ParetoFront | None = None
    exploration: Exploration | None = None
    scaling: tuple[Point, ...] = ()
    baseline: Any = None
    rules: tuple[RuleBeside, ...] = ()
    regrets: LayerRegrets | None = None
    price: str = ""
    reasons: tuple[LayerReason, ...] = ()
    missing: Mapping[str, str] = field(default_factory=dict)

    @property
    def instance(self) -> Any:
        """As read, of whichever kind."""
        return self.problem.instance

    @property
    def kind(self) -> str:
        """The kind of its problem."""
        kind: str = self.problem.kind
        return kind

    @property
    def best(self) -> Any:
        """The plan of least objective; None where there is none."""
        return min(self.plans, key=best_first, default=None)


@dataclass(frozen=True)
class Report:
    """Everything that the pages show.

    Parameters
    ----------
    title
        A line.
    subjects
        A page each.
    provenance
        Where all this comes from.
    claims, rows
        An audit, where the report has one.
    faults
        What cannot be: two proofs that disagree, a solver that failed.
    stopped
        Whether a signal cut it short.
    """

    title: str
    subjects: tuple[Subject, ...]
    provenance: Provenance
    claims: Claims | None = None
    rows: tuple[ClaimRow, ...] = ()
    faults: tuple[str, ...] = ()
    stopped: bool = False


FRONT, EXPLORATION, SCALING, REGRETS = "front", "exploration", "scaling", "regrets"
SECTIONS: Final = (FRONT, EXPLORATION, SCALING, REGRETS)
"""Those that take long, and can be left out."""
BASELINE: Final = "baseline"
