"""Plans that an instance does not allow, and instances that allow none: recounted, no formulation is asked."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.audit.ruled import ruled
from hypar_opt.audit.verdict import Judgement, NoPlan, Settled, Verdict
from hypar_opt.boxes import allowed_words, illegal, impossible
from hypar_opt.network import Workload
from hypar_opt.plan_file import in_full
from hypar_opt.shortage import shortage_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.audit.claims import Case
    from hypar_opt.problem import Problem


def forbidden(problem: Problem, words: Mapping[str, str]) -> str | None:
    """Return why an instance does not allow some words, which may be those of a part of its layers, or None."""
    fault = _fault(problem, words)
    return None if fault is None else f"the instance does not allow the plan: {fault}"


def require_allowed(case: Case, problem: Problem, words: Mapping[str, str]) -> None:
    """Settle a claim whose printed words the instance does not allow.

    Raises
    ------
    Settled
        If it does not.
    """
    why = forbidden(problem, words)
    if why is not None:
        raise Settled(Judgement(Verdict.REFUTED, "not allowed", why, case.label))


def require_rule_allowed(case: Case, problem: Problem, formulation: str) -> None:
    """Settle a claim about a plan that follows a rule, such as dp everywhere, where the instance does not allow it.

    Raises
    ------
    NoPlan
        If it does not.
    """
    words = ruled(problem, formulation)
    fault = None if words is None else _fault(problem, words)
    if fault is not None:
        why = f"the instance does not allow the plan of {formulation}: {fault}"
        raise NoPlan(Judgement(Verdict.REFUTED, "not allowed", why, case.label))


def require_some_plan(case: Case, problem: Problem) -> None:
    """Settle a claim about an instance that has no plan.

    Raises
    ------
    NoPlan
        If it has none.
    """
    layer = impossible(problem.work, problem.rules)
    fault = None if layer is None else f"no strategy is allowed for layer '{layer}', however its letters are mixed"
    if fault is None:
        short = shortage_of(problem)
        fault = None if short is None else short.text
    if fault is not None:
        raise NoPlan(Judgement(Verdict.REFUTED, "no plan", f"there is no plan to judge: {fault}", case.label))


def _fault(problem: Problem, words: Mapping[str, str]) -> str | None:
    part = Workload(tuple(layer for layer in problem.work.layers if layer.name in words), ())
    return illegal(part, words, problem.rules) or _too_large(problem, words)


def _too_large(problem: Problem, words: Mapping[str, str]) -> str | None:
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


def _resident(problem: Problem, words: Mapping[str, str]) -> Fraction | None:
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
