"""Lower bounds that stand on evidence: a certificate that was checked, or a second formulation."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from hypar_opt.evaluation.legality import impossible
from hypar_opt.formulation.protocol import Capabilities, Use
from hypar_opt.formulation.registry import abilities, certifiers, vouchers
from hypar_opt.formulation.run import Limits, Listener
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.front_file import COMPONENT_COUNTS
from hypar_opt.solver.network_tasks import sites_of
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.solver.plan import Plan
from hypar_opt.solver.problem import Start
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError, RecomputationError, Refusal
from hypar_opt.util.numbers import in_full
from hypar_opt.verification.certificate.check import CertificateError, Checked, check
from hypar_opt.verification.certificate.write import write_certificate
from hypar_opt.verification.checks import unit_of
from hypar_opt.verification.verdict import Better, Evidence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.formulation.potentials import Potentials
    from hypar_opt.solver.network_problem import NetworkProblem


def lower_bound(
    problem: NetworkProblem,
    *,
    besides: str = "",
    strategies: Mapping[str, str] | None = None,
    limits: Limits | None = None,
    listener: Listener | None = None,
) -> Evidence:
    """Find the best lower bound on a problem's objective that does not rest on one solver's word.

    Where a formulation that certifies takes the problem, its potentials are written as a certificate, and the bound is
    what the independent checker says that they prove. Elsewhere another formulation than `besides` is asked.

    Parameters
    ----------
    problem
        Whose objective.
    besides
        The formulation whose claim is in question.
    strategies
        Where only a placement of these is in question.
    limits
        Of the search.
    listener
        Hears the search's events.
    """
    layer = impossible(problem.work, problem.rules)
    if layer is not None:
        return Evidence(f"no strategy is allowed for layer '{layer}', however its letters are mixed", infeasible=True)
    limits = limits or Limits()
    if problem.short_of is not None:
        need, room = map(in_full, problem.short_of)
        text = f"by every layer's best strategy {need} bytes stay on each accelerator, which has {room}"
        return Evidence(text, infeasible=True)
    if problem.objective.kind != "sum" and len(problem.objective.components) in COMPONENT_COUNTS:
        return _by_front(problem, limits, listener)
    start = Start(strategies) if problem.is_free else Start()
    ask_another = partial(_by_another, problem, besides, start, limits, listener)
    certifier = None if problem.is_free else next(iter(certifiers()), None)
    if certifier is None:
        return ask_another()
    try:
        return _by_certificate(problem, certifier, limits, listener)
    except Refusal:  # by size or kind
        return ask_another()
    except CertificateError as error:  # too large for the checker
        found = ask_another()
        return replace(found, text=f"{found.text}; {certifier}'s certificate cannot be checked: {error}")


def of_certificate(checked: Checked, problem: NetworkProblem, source: str, by: str) -> Evidence:
    """Return what a checked certificate proves.

    Parameters
    ----------
    checked
        Bound to the problem.
    source
        What the certificate is called.
    by
        Who its plan is by.
    """
    best = None if checked.cost is None else _better(problem, by, checked.plan)
    text = f"{source}, checked in exact integers by code that shares nothing with the solvers"
    return Evidence(text, checked.bound, best)


def _by_certificate(problem: NetworkProblem, certifier: str, limits: Limits, listener: Listener | None) -> Evidence:
    proofs: list[Potentials] = []
    plan = solve(problem, certifier, limits=limits, listener=listener, proof=proofs.append)
    if plan.status is not Status.OPTIMAL or not proofs:
        return Evidence(f"{certifier} ended without a proof ({plan.native_status})", None, _found(problem, plan))
    with TemporaryFile() as file:
        write_certificate(file, problem, proofs.pop(), plan)
        file.seek(0)
        checked = check(file)
    if not checked.proven:
        return Evidence(f"{certifier}'s certificate fails its check: {'; '.join(checked.faults)}", checked.bound)
    return of_certificate(checked, problem, f"a certificate by {certifier}", certifier)


def _by_front(problem: NetworkProblem, limits: Limits, listener: Listener | None) -> Evidence:
    """Evaluate every point of the front: what rises with each component is least on it."""
    components = problem.objective.components
    try:
        whole = pareto_front(problem, components, limits=limits, listener=listener)
    except (InputError, RecomputationError, Refusal) as error:
        return Evidence(f"the front of {', '.join(components)} is not known: {error}")
    values = {problem.objective_of(problem.bytes_of(point.strategies)): point for point in whole.points}
    if whole.complete and not values:
        return Evidence(f"the front is complete and has no point, by {whole.formulation}", infeasible=True)
    if not whole.complete:
        return Evidence(f"the front of {', '.join(components)} is not complete ({whole.native_status})")
    least = min(values)
    best = _better(problem, whole.formulation, dict(values[least].strategies))
    count = f"{len(whole.points):,} point{'' if len(whole.points) == 1 else 's'}"
    text = f"the complete front of {' and '.join(whole.components)}, {count} by {whole.formulation}"
    return Evidence(f"{text}, of the same compiled costs", least, best, word_of=whole.formulation)


def _by_another(
    problem: NetworkProblem, besides: str, start: Start, limits: Limits, listener: Listener | None
) -> Evidence:
    """Ask the first other formulation that takes the problem, one of another encoding if there is one."""
    encoding = able(besides).encoding
    use: Use = "network" if not problem.is_free else "joint" if start.strategies is None else "placement"
    others = (one for one in vouchers(use) if apart(one, besides))
    for name in sorted(others, key=lambda one: able(one).encoding == encoding):
        try:
            plan = solve(problem, name, limits=limits, start=start, listener=listener)
        except Refusal:
            continue
        if plan.status is Status.ERROR:
            continue
        how = "a proof" if plan.status is Status.OPTIMAL else unproven(plan)
        note = f"; {plan.note}" if plan.note else ""
        if problem.is_free:
            how += f" ({plan.native_status})" if plan.status is Status.OPTIMAL else ""
            note = ""  # of where solve has the strategies from, which are the claim's here
        text = f"{how} by {name}, {beside(name, besides)}{note}"
        nothing = plan.status is Status.INFEASIBLE
        return Evidence(text, plan.bound, _found(problem, plan), nothing, word_of=name)
    return Evidence("no formulation that could decide it takes this problem within the limits")


def unproven(plan: Plan) -> str:
    """Return a status, and the solver's own word for it where that says more."""
    native = plan.native_status
    return f"{plan.status} ({native})" if native not in ("", plan.status) else str(plan.status)


def apart(name: str, besides: str) -> bool:
    """Return whether a formulation's word says anything of another's claim."""
    return name != besides and name not in able(besides).runs and besides not in able(name).runs


def able(name: str) -> Capabilities:
    """Return what a formulation can do: nothing where there is none of that name."""
    return abilities(name) or Capabilities(exact=False)


def beside(name: str, besides: str) -> str:
    """Return how far a formulation's word stands apart from another's."""
    if not able(besides).encoding:
        return "without a certificate"
    if able(name).encoding == able(besides).encoding:
        return f"another solver than {besides}, but over the same encoding"
    return f"another encoding than {besides}'s, of the same compiled costs"


def _found(problem: NetworkProblem, plan: Plan) -> Better | None:
    if plan.strategies is None or plan.status is Status.ERROR:
        return None
    return _better(problem, plan.formulation, dict(plan.strategies), plan.placement)


def _better(
    problem: NetworkProblem, source: str, strategies: dict[str, str], placement: tuple[str, ...] | None = None
) -> Better:
    breakdown = problem.bytes_of(strategies)
    placed = problem.placed if placement is None else sites_of(problem, placement)
    names = None if placed is None else tuple(problem.instance.machine.accelerators[site] for site in placed)
    objective = problem.objective_of(breakdown, placed)
    return Better(source, strategies, breakdown.total, objective, names, unit_of(problem))
