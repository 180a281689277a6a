"""Two plans of one instance: in which layers they differ, and what each of these differences costs by itself.

A cost that is a sum over layers and boundaries changes by the sum of what each layer's change costs alone, and by what
the changes of two ends of a boundary cost together beyond that: the interaction. Of bytes it is known boundary by
boundary.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.shipped import shipped_names
from hypar_opt.instance.text import shown
from hypar_opt.solver.kinds import network_problem_of
from hypar_opt.solver.network_tasks import sites_of
from hypar_opt.studies.amounts import PlanAmount, amount_of, more_of
from hypar_opt.util.errors import did_you_mean
from hypar_opt.util.interrupt import never
from hypar_opt.verification.checks import check_binding, placement_checks, require_all, strategy_checks
from hypar_opt.verification.verifier import claimed, problem_claimed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import pandas as pd

    from hypar_opt.evaluation.communication import Breakdown, Bytes
    from hypar_opt.instance import Instance
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Problem
    from hypar_opt.verification.claim import Claim

PLACEMENT = "placement"
"""What a change is called that is none of a layer's."""


@dataclass(frozen=True)
class PlanChange:
    """One of the things in which the second plan differs from the first.

    Parameters
    ----------
    kind
        `layer` or `placement`.
    name
        The layer's, or `placement`.
    first, second
        The layer's words, or the accelerators of all leaves.
    levels
        At which the words differ, from 1.
    more
        What the first plan with only this changed costs more than the first plan.
    fault
        What keeps that plan from being allowed, or nothing.
    """

    kind: str
    name: str
    first: str
    second: str
    levels: tuple[int, ...]
    more: PlanAmount
    fault: str = ""


@dataclass(frozen=True)
class BoundaryInteraction:
    """What two changes at the ends of a boundary cost together beyond what each costs alone.

    Parameters
    ----------
    producer, reader
        The layers.
    bytes
        Of the boundary, summed over the levels.
    """

    producer: str
    reader: str
    bytes: Bytes


@dataclass(frozen=True)
class PlanComparison:
    """In what two plans of one instance differ.

    Parameters
    ----------
    problem
        Of which both are plans.
    claims
        What is said of each, and its file.
    amounts
        What each costs, recomputed.
    changes
        The largest first: in the objective, then in bytes; what is left in the order of the layers.
    boundaries
        The interaction in bytes, the largest first.
    """

    problem: NetworkProblem
    claims: tuple[Claim, Claim]
    amounts: tuple[PlanAmount, PlanAmount]
    changes: tuple[PlanChange, ...]
    boundaries: tuple[BoundaryInteraction, ...]

    @property
    def more(self) -> PlanAmount:
        """What the second plan costs more than the first."""
        first, second = self.amounts
        return second.minus(first)

    @property
    def interaction(self) -> PlanAmount:
        """What the changes together cost beyond the sum of what each costs alone."""
        return reduce(PlanAmount.minus, (one.more for one in self.changes), self.more)

    def to_frame(self) -> pd.DataFrame:
        """Return a row a change, then the interaction and the total: exact bytes, and what is minimised."""
        import pandas as pd

        rows: list[tuple[str, str, str, str, tuple[int, ...], PlanAmount]] = [
            (one.kind, one.name, one.first, one.second, one.levels, one.more) for one in self.changes
        ]
        rows += [("interaction", "", "", "", (), self.interaction), ("total", "", "", "", (), self.more)]
        return pd.DataFrame(
            [(*said, more.bytes, more.objective) for *said, more in rows],
            columns=["kind", "name", "first", "second", "levels", "bytes", "objective"],
        )


def compare_plans(
    first: Claim | Plan | Path | str,
    second: Claim | Plan | Path | str,
    instance: Instance | Problem | Path | str | None = None,
) -> PlanComparison:
    """Say in what two plans differ and what each difference costs.

    Parameters
    ----------
    first, second
        Plans, or files of them; of one instance, with the same overrides.
    instance
        Of which both are plans; None where it is a shipped one, which they name. One that is only named is read
        with the plans' overrides.

    Raises
    ------
    InputError
        If they are of different instances, or one is no allowed plan of it; says what differs.
    """
    claims = claimed(first), claimed(second)
    _check_same(*claims)
    given = _shipped(claims[0]) if instance is None else instance
    problem = network_problem_of(problem_claimed(given, claims[0]))
    problem.follow_routes(never)
    parts = [_checked(problem, one) for one in claims]
    (strategies, placed), (others, other_placed) = parts
    breakdowns = problem.bytes_of(strategies), problem.bytes_of(others)
    amounts = amount_of(problem, breakdowns[0], placed), amount_of(problem, breakdowns[1], other_placed)
    changes = [*_of_layers(problem, breakdowns, amounts[0], placed)]
    if placed != other_placed:
        moved = amount_of(problem, breakdowns[0], other_placed).minus(amounts[0])
        before, after = (" ".join(one.placement or ()) for one in claims)
        changes.append(PlanChange(PLACEMENT, PLACEMENT, before, after, (), moved))
    ordered = sorted(changes, key=lambda one: (-abs(one.more.objective), -abs(Fraction(one.more.bytes))))
    boundaries = sorted(_interactions(problem, breakdowns), key=lambda one: -abs(Fraction(one.bytes)))
    return PlanComparison(problem, claims, amounts, tuple(ordered), tuple(boundaries))


def _check_same(first: Claim, second: Claim) -> None:
    """Check that two plans are of one instance, made with the same overrides."""
    if first.instance != second.instance:
        raise second.error(
            f"is a plan of '{second.instance}', and {first.source} is one of '{first.instance}'", "instance"
        )
    if first.instance_sha256 != second.instance_sha256:
        raise second.error(
            f"is a plan of another version of '{first.instance}' than {first.source}: the hashes are "
            f"{second.instance_sha256[:12]}... and {first.instance_sha256[:12]}...",
            "instance_sha256",
        )
    ones, others = first.overrides, second.overrides
    differing = [name for name in dict.fromkeys((*ones, *others)) if ones.get(name) != others.get(name)]
    if differing:
        said = (f"{name} {_given(others, name)}, there {_given(ones, name)}" for name in differing)
        raise second.error(f"was made with other overrides than {first.source}: {'; '.join(said)}", "overrides")


def _given(overrides: Mapping[str, Any], name: str) -> str:
    return shown(overrides[name]) if name in overrides else "as in the instance"


def _shipped(claim: Claim) -> str:
    """Return the shipped instance that a plan names."""
    known = shipped_names()
    if claim.instance not in known:
        hint = did_you_mean(claim.instance, known) or "; name its file, as INSTANCE"
        raise claim.error(f"is a plan of '{claim.instance}', which is no shipped instance{hint}", "instance")
    return claim.instance


def _checked(problem: NetworkProblem, claim: Claim) -> tuple[Mapping[str, str], tuple[int, ...] | None]:
    """Return a plan's strategies and where it stands, where that matters; it has to be one of the instance."""
    check_binding(problem, claim)
    strategies = claim.strategies_for("a plan to compare")
    require_all((*strategy_checks(problem, strategies), *placement_checks(problem, claim)), claim.source)
    if claim.placement is None or not problem.instance.is_placed:
        return strategies, None
    sites = sites_of(problem, claim.placement)
    problem.walk_routes(sites)
    return strategies, sites


def _of_layers(
    problem: NetworkProblem,
    breakdowns: tuple[Breakdown, Breakdown],
    amount: PlanAmount,
    placed: tuple[int, ...] | None,
) -> Iterator[PlanChange]:
    """Yield the layers whose words differ, each with what its change alone costs."""
    breakdown, other = breakdowns
    for layer in problem.work.layers:
        words = breakdown.strategies[layer.name], other.strategies[layer.name]
        if words[0] == words[1]:
            continue
        levels = tuple(h for h, (a, b) in enumerate(zip(*words, strict=True), start=1) if a != b)
        alone, more = more_of(problem, breakdown, amount, layer.name, words[1], placed)
        yield PlanChange("layer", layer.name, *words, levels, more, problem.excess(alone.strategies) or "")


def _interactions(problem: NetworkProblem, breakdowns: tuple[Breakdown, Breakdown]) -> Iterator[BoundaryInteraction]:
    """Yield the boundaries both of whose ends differ, with b(A, A) + b(B, B) - b(A, B) - b(B, A) where not 0."""
    first, second = breakdowns
    layers = problem.work.layers
    for place, edge in enumerate(problem.work.boundaries):
        ends = layers[edge.producer].name, layers[edge.reader].name
        if any(first.strategies[end] == second.strategies[end] for end in ends):
            continue
        mixed = (problem.with_word(first, end, second.strategies[end]) for end in ends)
        alone = sum(sum(one.inter[place]) for one in mixed)
        together = sum(first.inter[place]) + sum(second.inter[place]) - alone
        if together:
            yield BoundaryInteraction(*ends, together)
