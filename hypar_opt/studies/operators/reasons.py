"""Why an operator is as it is: what it moves, and what it would move split otherwise, the rest of the plan as it is.

Whatever other operators, and tensors that several read, would do about it, a regret says (`regrets`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators import movements, surroundings, total
from hypar_opt.instance.operators.words import divided, split_fault
from hypar_opt.util.interrupt import never

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from hypar_opt.evaluation.operators import Movement, OperatorPlan
    from hypar_opt.instance.operators import Operator
    from hypar_opt.solver.operator_problem import OperatorProblem
    from hypar_opt.solver.plan import Plan

GRADIENT, PARAMETERS, OUTPUT, BACK = "its gradient", "its parameters", "its output", "its output's gradient"
READ, ERRORS, SUMS = "what it reads", "the gradients of that", "its sums"
ORDER = (GRADIENT, PARAMETERS, OUTPUT, BACK, READ, ERRORS, SUMS)
"""What of an operator moves, in the order in which it is told."""


@dataclass(frozen=True)
class OperatorExchange:
    """What an operator moves in a step, as the evaluator recounts it.

    Parameters
    ----------
    word
        An entry an axis.
    moved
        Bytes by what of it moves; only what does.
    around
        Bytes of all that depends on its word, what others read of the same tensors included.
    """

    word: tuple[str, ...]
    moved: Mapping[str, Fraction]
    around: Fraction


@dataclass(frozen=True)
class OtherDimension:
    """What an operator would move that is split along another dimension on an axis.

    Parameters
    ----------
    dimension, axis
        Which, and the axis's number.
    exchange
        Of the operator, then.
    more
        Bytes that the plan moves more, then.
    fault
        What keeps it from being allowed, or nothing.
    """

    dimension: str
    axis: int
    exchange: OperatorExchange
    more: Fraction
    fault: str = ""


@dataclass(frozen=True)
class OperatorReason:
    """Why an operator is as it is.

    Parameters
    ----------
    operator
        Its name.
    sizes
        Bytes, whole, of what of it might move.
    exchange
        As it is.
    given
        Whether the instance gives its word on every axis.
    others
        What it could have instead on one axis.
    """

    operator: str
    sizes: Mapping[str, int]
    exchange: OperatorExchange
    given: bool
    others: tuple[OtherDimension, ...]


def operator_reasons(
    problem: OperatorProblem, plan: Plan, over: Callable[[], bool] = never
) -> tuple[OperatorReason, ...]:
    """Return why every operator of a plan is as it is, up to where it is told to stop.

    Parameters
    ----------
    problem, plan
        Whose plan; it has strategies.
    over
        Asked before every operator whether to stop.

    Raises
    ------
    ValueError
        If the plan has no strategies.
    """
    if plan.strategies is None:
        raise ValueError(f"a plan with status {plan.status} has no operators to give reasons of")
    words, found = problem.plan_of(plan.strategies), []
    for operator in problem.instance.graph.operators:
        if over():
            break
        fix = problem.instance.fix.get(operator.name, (None,))
        exchange = exchange_of(problem, words, operator)
        others = tuple(_others(problem, words, operator, exchange))
        found.append(OperatorReason(operator.name, _sizes(problem, operator), exchange, None not in fix, others))
    return tuple(found)


def exchange_of(problem: OperatorProblem, plan: OperatorPlan, operator: Operator) -> OperatorExchange:
    """Return what an operator moves: its own tensors, and those that it reads, as far as that depends on its word."""
    one = problem.instance
    moved: dict[str, Fraction] = {}
    around = movements(one.graph, one.partition, plan, one.links, surroundings(one.graph, operator))
    for movement in around:
        what = _what(problem, operator, movement)
        if movement.bytes and what is not None:
            moved[what] = moved.get(what, Fraction(0)) + movement.bytes
    return OperatorExchange(
        plan.words[operator.name], {what: moved[what] for what in ORDER if what in moved}, total(around)
    )


def _what(problem: OperatorProblem, operator: Operator, movement: Movement) -> str | None:
    """Return what of an operator a movement is of; None where it is other readers' alone."""
    tensor = problem.instance.graph.tensors.get(movement.tensor)
    if tensor is None:
        return SUMS
    if tensor.name == operator.output.tensor:
        return BACK if movement.phase == "backward" else OUTPUT
    if movement.reader != operator.name:
        return None
    if tensor.role == "parameter":
        return GRADIENT if movement.phase == "update" else PARAMETERS
    return ERRORS if movement.phase == "backward" else READ


def _sizes(problem: OperatorProblem, operator: Operator) -> Mapping[str, int]:
    """Return the bytes of an operator's parameters that are trained, and of its output."""
    tensors = problem.instance.graph.tensors
    trained = (tensors[one.tensor] for one in operator.operands)
    sizes = Counter[str]()
    sizes[GRADIENT] = sum(one.bytes for one in trained if one.role == "parameter" and one.has_gradient)
    sizes[OUTPUT] = tensors[operator.output.tensor].bytes
    return {what: size for what, size in sizes.items() if size}


def _others(
    problem: OperatorProblem, plan: OperatorPlan, operator: Operator, now: OperatorExchange
) -> Iterator[OtherDimension]:
    one = problem.instance
    word = plan.words[operator.name]
    fix = one.fix.get(operator.name, (None,) * len(word))
    evenly = divided(operator, one.graph, one.splits)
    for axis, (entry, given) in enumerate(zip(word, fix, strict=True)):
        for dimension in one.choices_of(operator):
            if dimension == entry or given is not None:
                continue
            changed = (*word[:axis], dimension, *word[axis + 1 :])
            if split_fault(operator, changed, one.partition, divided=evenly) is None:
                then = replace(plan, words={**plan.words, operator.name: changed})
                exchange = exchange_of(problem, then, operator)
                fault = problem.memory_fault(then) or ""
                yield OtherDimension(dimension, axis, exchange, exchange.around - now.around, fault)
