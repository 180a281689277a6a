"""Measuring chains: the greedy plan and the joint optimum, under every accounting."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.evaluation.communication import LEAF_EXACT
from hypar_opt.formulation.run import Limits
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.plan import Plan
from hypar_opt.solver.solve import solve
from hypar_opt.studies.random_instances.generator import FAMILIES, Document, Family, RandomChain, draw, instance_of
from hypar_opt.studies.random_instances.row import DECLINED, CampaignRow, relative
from hypar_opt.studies.set_aside import SetAside, spelled
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

GREEDY, JOINT = "hypar-dp", "joint-dp"
PUBLISHED = "published"


@dataclass(frozen=True)
class PlanPair:
    """The greedy plan and the joint optimum of one instance; None where it was declined."""

    problem: NetworkProblem
    greedy: Plan | None
    joint: Plan | None

    @property
    def optimum(self) -> Fraction | None:
        """What joint-dp proved to be the least cost, or None."""
        proven = self.joint is not None and self.joint.status is Status.OPTIMAL
        return self.joint.objective if self.joint is not None and proven else None

    @property
    def gap(self) -> Fraction | None:
        """How much the greedy plan costs more, relative to the optimum; None if either is not known."""
        greedy, optimum = cost(self.greedy), self.optimum
        return None if greedy is None or optimum is None else relative(greedy, optimum)


def cost(plan: Plan | None) -> Fraction | None:
    """Return a plan's objective, or None where there is no plan that stood up to recomputation."""
    return None if plan is None or plan.status is Status.ERROR else plan.objective


def measure_document(document: Mapping[str, object]) -> PlanPair:
    """Solve one instance both ways.

    Raises
    ------
    InputError
        If it is no instance.
    """
    problem = NetworkProblem(instance_of(document))
    return PlanPair(problem, _plan(problem, GREEDY), _plan(problem, JOINT))


def measure(family: Family, seed: int, index: int, accountings: Sequence[str]) -> list[CampaignRow]:
    """Draw the chain of an index and return a row for every accounting."""
    chain = draw(family, seed, index)
    pairs = {name: measure_document(chain.document(name)) for name in accountings}
    return [_row(family, seed, index, name, pair, _published(chain, name, pairs)) for name, pair in pairs.items()]


def _plan(problem: NetworkProblem, formulation: str) -> Plan | None:
    try:
        return solve(problem, formulation, limits=Limits(workers=1))
    except Refusal:
        return None


def _published(chain: RandomChain, accounting: str, pairs: Mapping[str, PlanPair]) -> str | None:
    """Return what the optimum of `published` costs under `leaf-exact`."""
    if accounting != LEAF_EXACT:
        return None
    given = pairs[PUBLISHED] if PUBLISHED in pairs else measure_document(chain.document(PUBLISHED))
    if given.optimum is None or given.joint is None or given.joint.strategies is None:
        return None
    problem = pairs[LEAF_EXACT].problem
    return str(problem.objective_of(problem.bytes_of(given.joint.strategies)))


def _row(family: Family, seed: int, index: int, accounting: str, pair: PlanPair, published: str | None) -> CampaignRow:
    instance, greedy, gap = pair.problem.instance, cost(pair.greedy), pair.gap
    return CampaignRow(
        family=family.name,
        seed=seed,
        chain=index,
        accounting=accounting,
        layers=len(pair.problem.work.layers),
        levels=instance.levels,
        batch=instance.batch,
        choices=instance.choices,
        sha256=instance.sha256,
        greedy_status=_status(pair.greedy),
        optimum_status=_status(pair.joint),
        greedy=None if greedy is None else str(greedy),
        optimum=None if pair.joint is None or pair.joint.objective is None else str(pair.joint.objective),
        gap=None if gap is None else str(gap),
        gap_float=None if gap is None else float(gap),
        published_plan=published,
    )


def _status(plan: Plan | None) -> str:
    return DECLINED if plan is None else plan.status.value


Costs: TypeAlias = "tuple[Fraction, Fraction]"
"""What the greedy plan and the optimum cost."""
Keeps: TypeAlias = "Callable[[Document], Costs | None]"
"""Says of a document what both cost where it shows what is looked for, else None."""


def costs(document: Document) -> Costs | None:
    """Return the greedy cost and the proven optimum of an instance, or None where one of them is not known.

    Raises
    ------
    InputError
        If it is no instance.
    """
    pair = measure_document(document)
    greedy, optimum = cost(pair.greedy), pair.optimum
    return None if greedy is None or optimum is None else (greedy, optimum)


def missed(document: Document) -> Costs | None:
    """Return both costs where the greedy plan misses the optimum, else None.

    Raises
    ------
    InputError
        If it is no instance.
    """
    both = costs(document)
    return both if both is not None and both[0] > both[1] else None


Task: TypeAlias = tuple[int, tuple[str, ...]]
"""A chain and the accountings to measure it under."""


@dataclass(frozen=True)
class ChainPiece:
    """A chain to measure, and all that its rows depend on.

    Parameters
    ----------
    family, seed, chain
        Which one.
    accountings
        To measure it under.
    """

    family: Family
    seed: int
    chain: int
    accountings: tuple[str, ...]

    def drawn(self) -> RandomChain:
        """Return the chain."""
        return draw(self.family, self.seed, self.chain)

    def set_aside(self, why: str) -> SetAside:
        """Return what is told of it where it killed its workers."""
        first = self.accountings[0]
        drawing = (
            "from dataclasses import replace; from hypar_opt.studies.random_instances import *; "
            f"print(instance_text(draw({spelled(self.family, FAMILIES, 'family')}, {self.seed}, {self.chain})"
            f".document({first!r})), end='')"
        )
        return SetAside(self.chain, self.accountings, self.drawn().document(first), drawing, why)


def measure_piece(piece: ChainPiece, _: Limits) -> list[CampaignRow]:
    """Return the rows of a chain. It is measured to the end: what was stopped in the middle says nothing of it."""
    return measure(piece.family, piece.seed, piece.chain, piece.accountings)
