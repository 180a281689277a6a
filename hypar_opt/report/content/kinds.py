"""What a report gathers of problems, by their kind."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.content.collective_plan import NamedCollectivePlan
from hypar_opt.report.content.mixed_plan import NamedMixedPlan
from hypar_opt.report.content.mixed_sections import with_mixed_baseline
from hypar_opt.report.content.named_plan import FoundPlan, NamedPlan
from hypar_opt.report.content.network_sections import SECTIONS_OF_NETWORKS, with_baseline
from hypar_opt.report.content.operator_plan import NamedOperatorPlan
from hypar_opt.report.content.operator_sections import SECTIONS_OF_OPERATORS, with_rules
from hypar_opt.report.content.packing_plan import NamedPackingPlan
from hypar_opt.report.content.pipeline_plan import NamedPipelinePlan
from hypar_opt.report.content.pipeline_sections import SECTIONS_OF_PIPELINES
from hypar_opt.report.content.precision_plan import NamedPrecisionPlan
from hypar_opt.report.content.staged_plan import NamedStagedPlan
from hypar_opt.report.content.task_plan import NamedTaskPlan
from hypar_opt.solver.network_tasks import with_splits
from hypar_opt.studies.baseline import data_parallelism, operators_data_parallelism
from hypar_opt.verification.checks import cost_checks, placement_checks, strategy_checks
from hypar_opt.verification.claim_case import ClaimCase, EvidenceSearch
from hypar_opt.verification.collective_claim import CollectiveClaim
from hypar_opt.verification.mixed_claim import MixedClaim
from hypar_opt.verification.operator_claim import OperatorClaim
from hypar_opt.verification.packing_claim import PackingClaim
from hypar_opt.verification.pipeline_claim import PipelineClaim
from hypar_opt.verification.precision_claim import PrecisionClaim
from hypar_opt.verification.staged_claim import StagedClaim
from hypar_opt.verification.task_claim import TaskClaim

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from hypar_opt.formulation.run import Limits, Listener
    from hypar_opt.report.content.content import Subject
    from hypar_opt.report.content.section import Section
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.plan import Plan
    from hypar_opt.verification import Claim
    from hypar_opt.verification.verdict import Check


@dataclass(frozen=True)
class ContentKind:
    """How plans of a kind of problem get into a report.

    Parameters
    ----------
    named
        Makes a plan with its name of a name, a problem, a plan and the file that it came from.
    checks
        Yields what can be recomputed of a plan file without a search, in order: the rest is moot once one fails.
    finished
        Returns a plan of a file with what a solver would have noted.
    sections
        What takes long, by the name of the field of a subject, what takes longest first.
    beside
        Returns a subject that has its sections with what else is shown beside plans.
    decided
        Returns how many have a strategy.
    deciding
        What these are.
    base
        Returns what data parallelism is called that leaves given strategies as they are.
    """

    named: Callable[[str, Any, Plan, str], FoundPlan]
    checks: Callable[[Any, Claim, Mapping[str, str]], Iterable[Check]]
    finished: Callable[[Any, Plan], Plan]
    sections: Mapping[str, Section]
    beside: Callable[[Subject, Collection[str], Callable[[], Limits], Listener | None], Subject]
    decided: Callable[[Any], int]
    deciding: str
    base: Callable[[Any], str]


def _network_checks(problem: NetworkProblem, claim: Claim, strategies: Mapping[str, str]) -> Iterable[Check]:
    yield from chain(strategy_checks(problem, strategies), placement_checks(problem, claim))
    yield from cost_checks(problem, claim, problem.bytes_of(strategies))


def _checks_of(
    case: Callable[[Any, Claim, EvidenceSearch], ClaimCase],
) -> Callable[[Any, Claim, Mapping[str, str]], Iterable[Check]]:
    """Return what can be recomputed of claims of a kind."""
    return lambda problem, claim, strategies: case(problem, claim, EvidenceSearch()).arithmetic(strategies).checks


KINDS: Final[Mapping[str, ContentKind]] = MappingProxyType(
    {
        "network": ContentKind(
            NamedPlan,
            _network_checks,
            with_splits,
            SECTIONS_OF_NETWORKS,
            with_baseline,
            lambda problem: len(problem.work.layers),
            "layers",
            lambda instance: data_parallelism(instance.fix),
        ),
        "operators": ContentKind(
            NamedOperatorPlan,
            _checks_of(OperatorClaim),
            lambda _, plan: plan,
            SECTIONS_OF_OPERATORS,
            with_rules,
            lambda problem: len(problem.instance.graph.operators),
            "operators",
            lambda instance: operators_data_parallelism(instance.fix),
        ),
        "mixed": ContentKind(
            NamedMixedPlan,
            _checks_of(MixedClaim),
            lambda _, plan: plan,
            {},
            with_mixed_baseline,
            lambda problem: len(problem.work.layers),
            "layers",
            lambda instance: data_parallelism(instance.fix),
        ),
        "pipeline": ContentKind(
            NamedPipelinePlan,
            _checks_of(PipelineClaim),
            lambda _, plan: plan,
            SECTIONS_OF_PIPELINES,
            lambda subject, *_: subject,
            lambda problem: len(problem.instance.operators),
            "operators",
            lambda _: data_parallelism({}),
        ),
        "staged": ContentKind(
            NamedStagedPlan,
            _checks_of(StagedClaim),
            lambda _, plan: plan,
            {},
            lambda subject, *_: subject,
            lambda problem: len(problem.layers),
            "layers",
            lambda instance: data_parallelism(instance.fix),
        ),
        "precision": ContentKind(
            NamedPrecisionPlan,
            _checks_of(PrecisionClaim),
            lambda _, plan: plan,
            {},
            lambda subject, *_: subject,
            lambda problem: len(problem.work.layers),
            "layers",
            lambda instance: data_parallelism(instance.fix),
        ),
        "collective": ContentKind(
            NamedCollectivePlan,
            _checks_of(CollectiveClaim),
            lambda _, plan: plan,
            {},
            lambda subject, *_: subject,
            lambda problem: len(problem.instance.chunks),
            "chunks",
            lambda _: data_parallelism({}),
        ),
        "packing": ContentKind(
            NamedPackingPlan,
            _checks_of(PackingClaim),
            lambda _, plan: plan,
            {},
            lambda subject, *_: subject,
            lambda problem: len(problem.instance.chunks),
            "chunks",
            lambda _: data_parallelism({}),
        ),
        "task-graph": ContentKind(
            NamedTaskPlan,
            _checks_of(TaskClaim),
            lambda _, plan: plan,
            {},
            lambda subject, *_: subject,
            lambda problem: len(problem.instance.tasks),
            "tasks",
            lambda _: data_parallelism({}),
        ),
    }
)
"""By kind of problem."""
