"""What can be said of a claim without any search: whose plan it is, whether it is one, what it costs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar

from hypar_opt.evaluation.legality import illegal, incomplete
from hypar_opt.evaluation.links import misplaced
from hypar_opt.formulation.solution import Status
from hypar_opt.instance import load_instance
from hypar_opt.instance.objective.components import (
    COMM_TIME,
    COMMUNICATION,
    COMPONENTS,
    COMPUTED,
    PLACED,
    TOTALS,
    depends_on,
)
from hypar_opt.solver.kinds import network_problem_of
from hypar_opt.solver.network_tasks import sites_of
from hypar_opt.solver.plan import Plan
from hypar_opt.util.errors import InputError
from hypar_opt.util.numbers import amount, amounts_apart, in_full
from hypar_opt.verification.claim import Claim, read_claim
from hypar_opt.verification.verdict import Check, CheckOutcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from hypar_opt.evaluation.communication import Breakdown
    from hypar_opt.instance.hardware import Machine
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.problem import Problem
    from hypar_opt.util.partition import Partition


HOW = {True: "layer by layer, phase by phase", False: "by walking every route"}
"""How a cost is recomputed, by whether it is an accelerator's."""
SENDS = ", and every schedule of partial sums send by send"
"""What else comm-time is recomputed by, where partial sums are exchanged by schedules."""


def check_instance(problem: Problem, claim: Claim) -> None:
    """Check that a claim is about this instance, whatever its overrides.

    Raises
    ------
    InputError
        If it is about another instance, or another version of it.
    """
    instance = problem.instance
    if claim.instance != instance.name:
        raise InputError(
            f"is a plan of '{claim.instance}', not of '{instance.name}'", file=claim.source, field="instance"
        )
    if claim.instance_sha256 != instance.sha256:
        raise InputError(
            f"is a plan of another version of '{instance.name}': its hash is {claim.instance_sha256[:12]}..., "
            f"this one's {instance.sha256[:12]}...",
            file=claim.source,
            field="instance_sha256",
        )


class JudgedPlan(Protocol):
    """What is true of a plan by itself."""

    @property
    def fault(self) -> object | None:
        """What is wrong with it, as text says."""


J = TypeVar("J", bound=JudgedPlan)


def judged_plan(judge: Callable[[Mapping[str, str]], J], claim: Claim, what: str) -> J:
    """Return what is true of a claim's plan.

    Parameters
    ----------
    judge
        From a plan to what is true of it.
    what
        What is expected, as 'a plan to show'.

    Raises
    ------
    InputError
        If there is said to be no plan, or something is wrong with it.
    """
    judged = judge(claim.strategies_for(what))
    if judged.fault is not None:
        raise InputError(str(judged.fault), file=claim.source, field="plan")
    return judged


def read_judged(
    path: Path, problem: Problem, judge: Callable[[Mapping[str, str]], J], what: str = "a plan to show"
) -> tuple[Claim, Plan, J]:
    """Return what a plan file claims, its plan, and what is true of that, whatever its status claims.

    Parameters
    ----------
    path
        The plan's file.
    problem
        Whose plan it has to be.
    judge, what
        As `judged_plan` takes them.

    Raises
    ------
    InputError
        If it is a plan of another instance, there is none, or something is wrong with it.
    """
    claim, plan = read_claim(path), Plan.load(path)
    check_binding(problem, claim)
    return claim, plan, judged_plan(judge, claim, what)


def check_binding(problem: Problem, claim: Claim) -> None:
    """Check that a claim is about this instance with these overrides.

    Raises
    ------
    InputError
        If it is about another instance, another version of it, or other overrides.
    """
    check_instance(problem, claim)
    instance = problem.instance
    if dict(claim.overrides) != dict(instance.overrides):
        raise InputError(
            f"was made with overrides {dict(claim.overrides)}, the instance was read with {dict(instance.overrides)}",
            file=claim.source,
            field="overrides",
        )


def read_allowed(instance: str, path: Path, what: str) -> tuple[NetworkProblem, Claim, Mapping[str, str]]:
    """Return the problem of a plan file, what the file claims, and its strategies, which are allowed.

    Parameters
    ----------
    instance
        A path or the name of a shipped instance, read with the claim's overrides.
    path
        The plan's file.
    what
        What it is expected to be, as 'a plan to show'.

    Raises
    ------
    InputError
        If the plan is of another instance, there is none, or it is not allowed.
    """
    claim = read_claim(path)
    problem = network_problem_of(load_instance(instance, **claim.overrides))
    check_binding(problem, claim)
    strategies = claim.strategies_for(what)
    require_all((*strategy_checks(problem, strategies), *placement_checks(problem, claim)), path)
    return problem, claim, strategies


def require_all(checks: Iterable[Check], path: Path | str) -> None:
    """Check that all hold of a plan's file.

    Raises
    ------
    InputError
        If one does not.
    """
    for check in checks:
        if check.outcome is not CheckOutcome.CONFIRMED:
            raise InputError(check.text, file=path, field="plan")


def strategy_checks(problem: NetworkProblem, strategies: Mapping[str, str]) -> Iterator[Check]:
    """Yield whether the plan is complete, and whether its strategies are allowed."""
    fault = incomplete(problem.work, strategies)
    count = f"{len(problem.work.layers):,} layers, {problem.instance.levels} levels"
    yield check_of("plan", fault, f"complete: {count}")
    if fault is None:
        fault = illegal(problem.work, strategies, problem.rules)
        yield check_of("strategies", fault, "every layer's is allowed")
    if fault is None and problem.capacity is not None:
        yield _memory(problem, strategies, problem.capacity)
    if fault is None and problem.instance.bounds:
        yield _bounds(problem, strategies)


def _memory(problem: NetworkProblem, strategies: Mapping[str, str], capacity: Fraction) -> Check:
    """Return whether what stays resident fits, recounted slice by slice."""
    need = sum(problem.resident(strategies).values(), start=Fraction(0))
    fault = f"needs {in_full(need)} bytes on every accelerator, which has {in_full(capacity)}"
    return check_of("memory", fault if need > capacity else None, f"{in_full(need)} of {in_full(capacity)} bytes")


def _bounds(problem: NetworkProblem, strategies: Mapping[str, str]) -> Check:
    """Return whether the plan keeps what its cost may be at most, recomputed."""
    costs, bounds = problem.costs(problem.bytes_of(strategies), problem.placed), problem.instance.bounds
    over = [name for name, most in bounds.items() if name not in costs or costs[name] > most]
    units = {name: COMPONENTS[name].measured_in for name in bounds}
    found = {name: amount(costs[name], units[name]) if name in costs else "not known" for name in bounds}
    fault = "; ".join(f"{name} is {found[name]}, above {amount(bounds[name], units[name])}" for name in over)
    text = "; ".join(f"{name} {found[name]} of {amount(most, units[name])}" for name, most in bounds.items())
    return check_of("bounds", fault or None, text)


def placement_checks(problem: NetworkProblem, claim: Claim) -> Iterator[Check]:
    """Yield whether the plan stands somewhere, where that matters: every leaf on an accelerator of its own."""
    if not problem.instance.is_placed:
        fault = "nothing depends on a placement, expected none" if claim.placement is not None else None
        if fault or claim.decided != "strategies":
            yield check_of(
                "placement", fault or f"nothing depends on a placement, and '{claim.decided}' was decided", ""
            )
        return
    instance = problem.instance
    fault = misplaced_fault(
        claim, instance.machine, instance.partition, problem.placed, partial(sites_of, problem), is_free=problem.is_free
    )
    yield check_of("placement", fault, f"{instance.partition.leaves:,} leaves on different accelerators")


def misplaced_fault(
    claim: Claim,
    machine: Machine,
    partition: Partition,
    given: tuple[int, ...] | None,
    sites_of: Callable[[Sequence[str]], tuple[int, ...]],
    *,
    is_free: bool,
) -> str | None:
    """Return why a plan cannot stand where it says, or None; asked where the objective depends on that.

    Parameters
    ----------
    claim
        The plan's.
    machine, partition
        What it is placed on, and how that is cut.
    given
        The accelerators that the instance gives, by position.
    sites_of
        Returns the positions of accelerators; raises InputError where a name is none.
    is_free
        Whether the placement is to be decided.
    """
    if claim.placement is None:
        return "the objective depends on the placement, and the plan has none"
    if is_free != (claim.decided != "strategies"):
        how = "to be decided" if is_free else "given"
        return f"the placement is {how}, and the plan says that '{claim.decided}' was decided"
    try:
        sites = sites_of(claim.placement)
    except InputError as error:
        return error.message
    fault = misplaced(machine, sites, partition)
    if fault is None and given is not None and sites != given:
        fault = "the plan stands elsewhere than the instance says"
    return fault


def cost_checks(problem: NetworkProblem, claim: Claim, breakdown: Breakdown) -> Iterator[Check]:
    """Yield whether the claimed numbers are what the plan costs, and fit each other.

    Parameters
    ----------
    breakdown
        The plan's bytes by boxes.
    """
    unit = COMPONENTS[COMMUNICATION].unit_word
    yield equal_check(COMMUNICATION, claim.communication_bytes, breakdown.total, unit, "recomputed by boxes")
    placed = None if claim.placement is None else sites_of(problem, claim.placement)
    objective = problem.objective_of(breakdown, placed)
    on_links = any(depends_on(name, PLACED) for name in claim.costs)
    sites = problem.instance.placement if on_links else problem.sites  # which are not walked on many levels
    found = problem.costs(breakdown, sites if placed is None else placed, claim.costs) if claim.costs else {}
    for name, cost in claim.costs.items():
        how = HOW[name in COMPUTED or name in TOTALS]
        how += SENDS if name == COMM_TIME and problem.instance.scheduled_sums is not None else ""
        yield equal_check(name, cost, found.get(name), COMPONENTS[name].measured_in, f"recomputed {how}")
    how = "from the bytes" if placed is None else "from the bytes and the routes"
    unit = unit_of(problem)
    yield equal_check("objective", claim.objective, objective, unit, f"recomputed {how}")
    yield bound_check(claim, objective, unit)


def unit_of(problem: NetworkProblem) -> str:
    """Return what stands behind a value of the objective: its unit, or that it has none."""
    return problem.objective.unit or "(no unit)"


def bound_check(claim: Claim, objective: Fraction, unit: str) -> Check:
    """Return whether a claimed bound fits the claimed status and what the plan costs."""
    fault = None
    if claim.bound is None:
        if claim.status is Status.OPTIMAL:
            fault = f"claims OPTIMAL without a bound and with the objective {amount(objective, unit)}"
    elif claim.bound > objective or (claim.status is Status.OPTIMAL and claim.bound != objective):
        bound, cost = amounts_apart(claim.bound, objective, unit)
        fault = f"the bound {bound} is above the plan's own objective {cost}"
        if claim.status is Status.OPTIMAL:
            fault = f"claims OPTIMAL with the bound {bound} and the objective {cost}"
    return check_of("bound", fault, "fits the status and the objective")


def equal_check(name: str, claimed: Fraction | None, found: int | Fraction | None, unit: str, how: str) -> Check:
    """Return whether a number is what it is claimed to be.

    Parameters
    ----------
    unit
        Of both, or nothing.
    how
        How it was found.
    """
    fault, text = None, amount(found, unit)
    if claimed is None or found is None:
        fault = f"claimed {amount(claimed, unit)}, it is {text}"
    elif claimed != found:
        one, other = amounts_apart(claimed, found, unit)
        fault = f"claimed {one}, it is {other} (off by {amount(claimed - found, unit)})"
    return replace(check_of(name, fault, f"{text}{',' if unit else ''} {how}"), found=found)


def check_of(name: str, fault: str | None, text: str) -> Check:
    """Return a check by what is wrong, if anything, and what holds otherwise."""
    return Check(name, CheckOutcome.CONFIRMED if fault is None else CheckOutcome.REFUTED, fault or text)
