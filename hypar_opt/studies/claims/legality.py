"""Plans that an instance does not allow, and instances that allow none: recounted, no formulation is asked."""

from __future__ import annotations

from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.legality import allowed_words, illegal, impossible
from hypar_opt.instance.fix import OPEN
from hypar_opt.instance.network import Linear, Workload
from hypar_opt.solver.infeasibility.memory import shortage_of
from hypar_opt.studies.claims.claims import ClaimVerdict, Judgement, MissingPlan, Settled
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.studies.claims.replacements import Case


RULES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {"data-parallel": ("d", "d"), "model-parallel": ("m", "m"), "one-weird-trick": ("d", "m")}
)
"""By formulation, the letter of convolutions and joins, and that of linear layers; at every level."""


def ruled(problem: NetworkProblem, formulation: str) -> dict[str, str] | None:
    """Return the words of a rule's plan, given strategies left as they are; None for a formulation that searches."""
    rule = RULES.get(formulation)
    if rule is None:
        return None
    usual, linear = rule
    fix, levels, words = problem.instance.fix, problem.instance.levels, {Linear.layer_kind: linear}
    return {
        layer.name: fix.get(layer.name, OPEN * levels).replace(OPEN, words.get(layer.kind, usual))
        for layer in problem.work.layers
    }


def forbidden(problem: NetworkProblem, words: Mapping[str, str]) -> str | None:
    """Return why an instance does not allow some words, which may be those of a part of its layers, or None."""
    fault = _fault(problem, words)
    return None if fault is None else f"the instance does not allow the plan: {fault}"


def require_allowed(case: Case, problem: NetworkProblem, words: Mapping[str, str]) -> None:
    """Settle a claim whose printed words the instance does not allow.

    Raises
    ------
    Settled
        If it does not.
    """
    why = forbidden(problem, words)
    if why is not None:
        raise Settled(Judgement(ClaimVerdict.REFUTED, "not allowed", why, case.label))


def require_rule_allowed(case: Case, problem: NetworkProblem, formulation: str) -> None:
    """Settle a claim about a plan that follows a rule, such as dp everywhere, where the instance does not allow it.

    Raises
    ------
    MissingPlan
        If it does not.
    """
    words = ruled(problem, formulation)
    fault = None if words is None else _fault(problem, words)
    if fault is not None:
        why = f"the instance does not allow the plan of {formulation}: {fault}"
        raise MissingPlan(Judgement(ClaimVerdict.REFUTED, "not allowed", why, case.label))


def require_some_plan(case: Case, problem: NetworkProblem) -> None:
    """Settle a claim about an instance that has no plan.

    Raises
    ------
    MissingPlan
        If it has none.
    """
    layer = impossible(problem.work, problem.rules)
    fault = None if layer is None else f"no strategy is allowed for layer '{layer}', however its letters are mixed"
    if fault is None:
        short = shortage_of(problem)
        fault = None if short is None else short.text
    if fault is not None:
        raise MissingPlan(Judgement(ClaimVerdict.REFUTED, "no plan", f"there is no plan to judge: {fault}", case.label))


def _fault(problem: NetworkProblem, words: Mapping[str, str]) -> str | None:
    part = Workload(tuple(layer for layer in problem.work.layers if layer.name in words), ())
    return illegal(part, words, problem.rules) or _too_large(problem, words)


def _too_large(problem: NetworkProblem, words: Mapping[str, str]) -> str | None:
    """Return what some words need where that is more than an accelerator's memory has, or None."""
    accelerator = problem.instance.accelerator
    if accelerator is None or accelerator.capacity is None:
        return None
    others = [layer for layer in problem.work.layers if layer.name not in words]
    need = _resident(problem, words) if others else sum(problem.resident(words).values(), start=Fraction(0))
    if need is None or need <= accelerator.capacity:
        return None
    least = "at least " if others else ""
    whatever = ", whatever the layers have that it does not name" if others else ""
    room = in_full(accelerator.capacity)
    return f"it needs {least}{in_full(need)} bytes on every accelerator, which has {room}{whatever}"


def _resident(problem: NetworkProblem, words: Mapping[str, str]) -> Fraction | None:
    """Return the least that a part of a plan leaves resident: its own, and of every other layer the least there is."""
    least = problem.least_resident
    if least is None:
        return None  # there is no plan at all, which is another fault
    others = {
        layer.name: next(allowed_words(layer, problem.rules))
        for layer in problem.work.layers
        if layer.name not in words
    }
    own = problem.resident({**others, **words})
    return sum((least[name] if name in others else own[name] for name in own), start=Fraction(0))
