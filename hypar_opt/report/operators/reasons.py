"""Why every operator of a plan is as it is: a sentence each, of equal ones in neighbouring blocks one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.report.amounts import signed
from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.operators.blocks import RepeatedBlocks
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from hypar_opt.solver.operator_problem import OperatorProblem
    from hypar_opt.studies.operators.reasons import OperatorReason, OtherDimension


def operator_why_lines(
    problem: OperatorProblem, reasons: Sequence[OperatorReason], every_row: bool = False
) -> list[str]:
    """Return what the numbers are, the sentences, and what follows of those that move less.

    Parameters
    ----------
    problem, reasons
        Why every operator of a plan is as it is.
    every_row
        Whether every block that is repeated has sentences of its own.
    """
    lines = ["why: bytes that all devices receive in a step; behind a dimension, how much more with that alone"]
    if problem.objective.spelt != COMMUNICATION:
        lines.append(f"the objective is {problem.objective.spelt}, of which bytes are a part only")
    sentences = [(one.operator, said(problem, one)) for one in reasons]
    if not every_row:
        sentences = [(run.label, run.value) for run in RepeatedBlocks(problem.instance.graph).folded(sentences)]
    lines += [f"{label} {text}" for label, text in sentences]
    left = len(problem.instance.graph.operators) - len(reasons)
    if left:
        lines.append(f"stopped by the limit, {left:,} operators before the end")
    elif problem.objective.spelt == COMMUNICATION and any(
        other.more < 0 and not other.fault for one in reasons for other in one.others
    ):
        lines.append("a change that is allowed and moves less: the plan is not optimal")
    return lines


def said(problem: OperatorProblem, reason: OperatorReason) -> str:
    """Return why an operator is as it is, without its name."""
    sizes = " and ".join(f"{what} {in_bytes(size)}" for what, size in reason.sizes.items())
    given = ", as the instance gives it" if reason.given else ""
    parts = [f"is {_word(reason.exchange.word)}{given}: whole, {sizes}", f"it moves {_moved(reason.exchange.moved)}"]
    for axis, name in enumerate(problem.axes):
        there = [_other(other) for other in reason.others if other.axis == axis]
        where = f"on {name} " if len(problem.axes) > 1 else ""
        parts += [f"{where}{', '.join(there)}"] if there else []
    if not reason.others and not reason.given:
        parts.append("it has no other choice")
    return "; ".join(parts)


def _word(word: tuple[str, ...]) -> str:
    return word[0] if len(set(word)) == 1 else " ".join(word)


def _moved(moved: Mapping[str, Fraction]) -> str:
    return ", ".join(f"{in_bytes(size)} of {what}" for what, size in moved.items()) or "nothing"


def _other(other: OtherDimension) -> str:
    more = signed(in_bytes, other.more) if other.more else "as much"
    return f"{other.dimension} {more}{' (not allowed)' if other.fault else ''}"


def operator_reasons_document(problem: OperatorProblem, reasons: Sequence[OperatorReason]) -> list[dict[str, Any]]:
    """Return the same for machines: a record an operator, with its sentence."""
    return [
        {
            "operator": one.operator,
            "word": " ".join(one.exchange.word),
            "sizes": dict(one.sizes),
            "moved": _exact(one.exchange.moved),
            "given": one.given,
            "others": [
                {
                    "dimension": other.dimension,
                    "axis": problem.axes[other.axis],
                    "moved": _exact(other.exchange.moved),
                    "more": exact(other.more),
                    "fault": other.fault,
                }
                for other in one.others
            ],
            "text": f"{one.operator} {said(problem, one)}",
        }
        for one in reasons
    ]


def _exact(moved: Mapping[str, Fraction]) -> dict[str, Any]:
    return {what: exact(size) for what, size in moved.items()}
